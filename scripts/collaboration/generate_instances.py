"""Draw and certify the instances of one task: seed -> ``instances/{task}.parquet``."""

from pathlib import Path
from typing import Any

from scripts.collaboration.instances import instance_row
from scripts.collaboration.schemas import INSTANCES
from scripts.lib.stage import run
from scripts.lib.tables import write_rows
from tasks import get_task
from tasks.making import make_instance


def generate_instances(output: Path, job: dict[str, Any]) -> None:
    """Make instances 0 .. count-1 of a task. ``job``: task, size, seed (of the study), count."""
    task = get_task(job["task"])
    rows = [
        instance_row(task, make_instance(task, job["size"], job["seed"], index))
        for index in range(job["count"])
    ]
    write_rows(output, rows, INSTANCES)


if __name__ == "__main__":
    run(generate_instances)
