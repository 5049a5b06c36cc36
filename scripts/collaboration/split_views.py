"""Write out what an agent sees: ``instances/...`` -> ``views/{task}/{batch}.parquet``."""

from pathlib import Path
from typing import Any

from scripts.collaboration.instances import read_puzzle, to_json
from scripts.collaboration.schemas import INSTANCES, VIEWS
from scripts.lib.stage import run
from scripts.lib.tables import read_rows, write_rows
from tasks import get_task
from tasks.contract import VIEWS as VIEW_NAMES
from tasks.contract import Draft


def split_views(instances: Path, output: Path, job: dict[str, Any]) -> None:
    """One row for each instance and view (full, a, b). ``job``: task."""
    task = get_task(job["task"])
    rows = []
    for row in read_rows(instances, INSTANCES):
        puzzle = read_puzzle(row)
        draft = Draft(puzzle.facts, puzzle.frames)
        for view in VIEW_NAMES:
            about = {name: row[name] for name in ("task", "family", "index", "digest")}
            text = task.view(draft, view)
            rows.append({**about, "view": view, "text": text, "frame": to_json(puzzle.frames[view])})
    write_rows(output, rows, VIEWS)


if __name__ == "__main__":
    run(split_views)
