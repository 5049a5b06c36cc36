"""Measure the shape of conversations: rollouts + views -> ``shape/...``. Never reads a grade."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.collaboration.prediction_schemas import SHAPE
from scripts.collaboration.schemas import ROLLOUT_ID, ROLLOUTS, VIEWS
from scripts.lib.dialogue.shape import Items, measure_conversation, view_items
from scripts.lib.errors import UserError
from scripts.lib.stage import run
from scripts.lib.tables import RowWriter, read_each, read_rows

COLUMNS = [*ROLLOUT_ID, "digest", "simulated", "outcome", "messages"]
AGENTS = (1, 2)

Row = dict[str, Any]


def measure_shape(rollouts: Path, views: list[Path], output: Path) -> None:
    """Write one row a rollout of a batch of mode collab, with every feature of ``shape.FEATURES``.

    Raises UserError where a rollout was made on other views than those there.
    """
    items = read_items(views)
    with RowWriter(output, SHAPE) as writer:
        for row in read_each(rollouts, ROLLOUTS, COLUMNS):
            known = items.get((row["task"], row["index"]))
            if known is None or known[0] != row["digest"]:
                raise UserError(
                    f"{rollouts}: the rollout of {row['task']} {row['index']} was made on other views than "
                    "those in data now. Run it again with: snakemake --forcerun run_rollouts"
                )
            turns = [(m["slot"], m["text"] or "") for m in row["messages"] if m["slot"] in AGENTS]
            about = {name: row[name] for name in (*ROLLOUT_ID, "simulated", "outcome")}
            writer.add(about | measure_conversation(turns, known[1]))


def read_items(views: list[Path]) -> dict[tuple[str, int], tuple[str, Items]]:
    """For every task and index the instance's digest and what only one of its views holds."""
    texts: dict[tuple[str, int], tuple[str, dict[str, str]]] = {}
    for path in views:
        for row in read_rows(path, VIEWS, ["task", "index", "view", "text", "digest"]):
            texts.setdefault((row["task"], row["index"]), (row["digest"], {}))[1][row["view"]] = row["text"]
    return {place: (digest, view_items(of["a"], of["b"])) for place, (digest, of) in texts.items()}


if __name__ == "__main__":
    run(measure_shape)
