"""Write what every table of a run holds, as hashes -> ``manifest.csv``; and compare tables with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.handoff.layout import ORDER
from scripts.lib import manifest
from scripts.lib.manifest import Findings
from scripts.lib.stage import run


def write_handoff_manifest(data: Path, reports: Path, output: Path, job: dict[str, Any]) -> None:
    """Write one line for each table below the folders ``data`` and ``reports`` of the study.

    ``job``: names, of the tables as they stand in the manifest.
    """
    manifest.write_manifest(output, manifest.look_at_all(data, reports, job["names"], {}))


def compare(data: Path, reports: Path) -> Findings:
    """Compare the tables of the study with its manifest, see ``lib.manifest.compare``."""
    return manifest.compare(data, reports, ORDER, {})


if __name__ == "__main__":
    run(write_handoff_manifest)
