"""Views for ``bench_calls``: ``python -m benchmarks.call_views <folder> <count>``.

A process of its own, because a client's peak memory is counted from that of the process that starts it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from scripts.collaboration.generate_instances import generate_instances
from scripts.collaboration.run_rollouts import read_items
from scripts.collaboration.schemas import VIEWS
from scripts.collaboration.split_views import split_views
from scripts.lib.tables import read_rows, write_rows

TASK, INSTANCES = "dagorder", 50  # tiny, so that views are short


def make_views(folder: Path, count: int) -> None:
    """Write ``views.parquet`` for our runner and ``views.json``, [view a, view b] each, for the peers.

    A few real instances stand under many indices; the index in each text makes every call another one.
    """
    instances, drawn, views = (folder / f"{name}.parquet" for name in ("instances", "drawn", "views"))
    generate_instances(instances, {"task": TASK, "size": "tiny", "seed": 0, "first": 0, "last": INSTANCES})
    split_views(instances, drawn, {"task": TASK})
    by_instance: dict[int, list[dict]] = {}
    for row in read_rows(drawn, VIEWS):
        by_instance.setdefault(row["index"], []).append(row)
    repeated = [
        row | {"index": index, "text": f"{row['text']}\nThis is case {index}.\n"}
        for index in range(count)
        for row in by_instance[index % INSTANCES]
    ]
    write_rows(views, repeated, VIEWS)
    pairs = [[item["a"], item["b"]] for item in read_items([views])]
    (folder / "views.json").write_text(json.dumps(pairs), encoding="utf-8")


if __name__ == "__main__":
    make_views(Path(sys.argv[1]), int(sys.argv[2]))
