"""Draw and certify a batch of a task: seed -> ``instances/{task}/{batch}.parquet``."""

from pathlib import Path
from typing import Any

from scripts.collaboration.instances import instance_row
from scripts.collaboration.schemas import INSTANCES
from scripts.lib.stage import run
from scripts.lib.tables import write_rows
from tasks import get_task
from tasks.making import make_instance


def generate_instances(output: Path, job: dict[str, Any]) -> None:
    """Make instances first .. last-1. ``job``: task, size, seed (of the study), first, last."""
    task = get_task(job["task"])
    rows = [
        instance_row(task, make_instance(task, job["size"], job["seed"], index))
        for index in range(job["first"], job["last"])
    ]
    write_rows(output, rows, INSTANCES)


if __name__ == "__main__":
    run(generate_instances)
