"""Write what every table of a run holds, as hashes -> ``manifest.csv``; and compare tables with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.collaboration.layout import (
    ALONE,
    BASELINE,
    PER_TASK,
    PER_TEAM,
    SHAPE,
    SHARDED,
    STATISTICS,
    artifacts,
)
from scripts.lib import manifest
from scripts.lib.manifest import REPORTED, Findings
from scripts.lib.stage import run

# Clock time, the one thing in the tables that differs from run to run.
TIMED = {"statistics/task_properties.parquet": ("seconds",)}


def write_manifest(data: Path, reports: Path, output: Path, job: dict[str, Any]) -> None:
    """Write one line for each planned table below the folders ``data`` and ``reports`` of the study.

    ``job``: arms, teams, modes, tasks, batches (see ``layout``), stages that were run, annotations (the
    raters' files) and files (the report's tables), both as names, asked_alone (teams).
    """
    made = [path for stage in job["stages"] for path in artifacts(data, stage, job)]
    asked = {"arms": [BASELINE], "teams": job.get("asked_alone", []), "modes": ["collab"]}
    made += artifacts(data, ALONE, job | asked)
    names = [path.relative_to(data).as_posix() for path in made]
    names += [*job["annotations"], *STATISTICS, *(f"{REPORTED}tables/{name}" for name in job["files"])]
    manifest.write_manifest(output, manifest.look_at_all(data, reports, names, TIMED))


def compare(data: Path, reports: Path) -> Findings:
    """Compare the tables of the study with its manifest, see ``lib.manifest.compare``."""
    stages = (*SHARDED, *PER_TASK, SHAPE, ALONE, *PER_TEAM, "samples", "themes", *STATISTICS)
    return manifest.compare(data, reports, {name.partition("/")[0] for name in stages}, TIMED)


if __name__ == "__main__":
    run(write_manifest)
