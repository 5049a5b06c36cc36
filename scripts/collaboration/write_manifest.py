"""Write what every table of a run holds, as hashes -> ``manifest.csv``; and compare tables with it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from scripts.collaboration.layout import PER_TASK, PER_TEAM, SHAPE, SHARDED, STATISTICS, artifacts
from scripts.lib import manifest
from scripts.lib.errors import UserError
from scripts.lib.manifest import Entries, Findings
from scripts.lib.stage import run

MANIFEST = "manifest.csv"
REPORTED = "reports/"  # how the names of the report's tables begin
# Clock time, the one thing in the tables that differs from run to run.
TIMED = {"statistics/task_properties.parquet": ("seconds",)}


def write_manifest(data: Path, reports: Path, output: Path, job: dict[str, Any]) -> None:
    """Write one line for each planned table below the folders ``data`` and ``reports`` of the study.

    ``job``: arms, teams, modes, tasks, batches (see ``layout``), stages that were run, annotations (the
    raters' files) and files (the report's tables), both as names.
    """
    made = [path for stage in job["stages"] for path in artifacts(data, stage, job)]
    names = [path.relative_to(data).as_posix() for path in made]
    names += [*job["annotations"], *STATISTICS, *(f"{REPORTED}tables/{name}" for name in job["files"])]
    entries, damaged = read_tables(data, reports, names)
    if damaged:
        raise UserError("\n".join(damaged.values()))
    manifest.write_manifest(output, entries)


def read_tables(data: Path, reports: Path, names: Sequence[str]) -> tuple[Entries, dict[str, str]]:
    """Rows and hash of each named table, and what is wrong with those that cannot be read."""

    def look(name: str) -> tuple[str, str] | UserError:
        path = locate(data, reports, name)
        try:
            if path.suffix != ".parquet":
                return manifest.hash_file(path)
            return manifest.hash_table(path, TIMED.get(name, ()))
        except UserError as error:
            return error

    # Reading, unpacking and hashing let go of the interpreter.
    with ThreadPoolExecutor(2) as pool:
        found = dict(zip(names, pool.map(look, names), strict=True))
    damaged = {name: str(entry) for name, entry in found.items() if isinstance(entry, UserError)}
    return {name: entry for name, entry in found.items() if not isinstance(entry, UserError)}, damaged


def locate(data: Path, reports: Path, name: str) -> Path:
    """Where the table of a name lies."""
    return reports / name.removeprefix(REPORTED) if name.startswith(REPORTED) else data / name


def compare(data: Path, reports: Path) -> Findings:
    """Read every table of the manifest below ``data`` anew and compare; also look for tables it lacks.

    Raises UserError where the manifest itself is missing or damaged.
    """
    wanted = manifest.read_manifest(data / MANIFEST)
    there = [name for name in wanted if locate(data, reports, name).exists()]
    found, damaged = read_tables(data, reports, there)
    stages = (*SHARDED, *PER_TASK, SHAPE, *PER_TEAM, "samples", "themes", *STATISTICS)
    folders = dict.fromkeys(name.partition("/")[0] for name in stages)
    present = {p.relative_to(data).as_posix() for name in folders for p in (data / name).rglob("*.parquet")}
    present |= {f"{REPORTED}tables/{path.name}" for path in (reports / "tables").glob("[!.]*")}
    return Findings(
        same=sum(found[name] == wanted[name] for name in found),
        differs=sorted(name for name in found if found[name] != wanted[name]),
        missing=sorted(set(wanted) - set(there)),
        extra=sorted(present - set(wanted)),
        damaged=damaged,
    )


if __name__ == "__main__":
    run(write_manifest)
