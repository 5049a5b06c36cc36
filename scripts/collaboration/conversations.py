"""The conversations of a sample, with what each agent saw."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from scripts.collaboration.schemas import ROLLOUT_ID, ROLLOUTS, VIEWS
from scripts.lib.errors import UserError
from scripts.lib.tables import Rows, read_rows, read_table
from tasks.contract import HOLDERS

Row = dict[str, Any]
Key = tuple[Any, ...]
COLUMNS = [*ROLLOUT_ID, "digest", "simulated", "outcome", "messages"]


def read_conversations(sample: Rows, views: Sequence[Path], rollouts: Sequence[Path]) -> Iterator[Row]:
    """The sample's rows in the order of the rollouts, each with simulated, messages, views (a, b).

    A part of the rollouts is in memory at a time. Raises UserError where a view or a rollout is missing, or a
    rollout was made on another instance than the one that is there now.
    """
    wanted = {_key(row): row for row in sample}
    texts = _texts({(row["task"], row["index"]) for row in sample}, views)
    for path in rollouts:
        for rollout in _rollouts(path, wanted):
            yield wanted.pop(_key(rollout)) | {
                "simulated": rollout["simulated"],
                "messages": rollout["messages"],
                "views": [_text(texts, rollout, view) for view in HOLDERS],
            }
    if wanted:
        raise UserError(
            f"rollout {next(iter(wanted))} of the sample is in none of the files: {_names(rollouts)}"
        )


def _rollouts(path: Path, wanted: Collection[Key]) -> Iterator[Row]:
    """The wanted rollouts of a file. Only they are taken out of Arrow: a large study has many more."""
    table = read_table(path, ROLLOUTS, COLUMNS)
    keys = zip(*(table[name].to_pylist() for name in ROLLOUT_ID), strict=True)
    for number in [number for number, key in enumerate(keys) if key in wanted]:
        yield from table.slice(number, 1).to_pylist()


def _key(row: Row) -> Key:
    return tuple(row[name] for name in ROLLOUT_ID)


def _texts(wanted: set[tuple[str, int]], views: Sequence[Path]) -> dict[Key, tuple[str, str]]:
    """By task, index and view: the text, and the digest of the instance."""
    return {
        (row["task"], row["index"], row["view"]): (row["text"], row["digest"])
        for path in views
        for row in read_rows(path, VIEWS, ["task", "index", "view", "text", "digest"])
        if (row["task"], row["index"]) in wanted
    }


def _text(texts: dict[Key, tuple[str, str]], rollout: Row, view: str) -> str:
    text, digest = texts.get((rollout["task"], rollout["index"], view), ("", None))
    if digest != rollout["digest"]:
        raise UserError(
            f"the rollout of {rollout['task']} {rollout['index']} was made on another instance than the one "
            "in data now. Run it again with: snakemake --forcerun run_rollouts"
        )
    return text


def _names(paths: Sequence[Path]) -> str:
    return ", ".join(map(str, paths)) or "there is none"
