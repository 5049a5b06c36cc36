"""The section beyond the published study: shorter turn caps, the critic pass, relays, own answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.collaboration.beyond_schemas import ALONE, CAPS, CRITIC, RELAYS
from scripts.lib.drawing.numbers import interval
from scripts.lib.tables import read_rows
from tasks.contract import FAMILIES

Row = dict[str, Any]
OF_CAPS = ("tax", "bound", "cut", "unsubmitted")
OF_CRITIC = ("with_critic", "without", "change", "repaired", "broken", "tax_with", "tax_without", "unread")

OF_RELAYS = ("relay", "pair", "own_first", "own_then", "from_pair", "from_own_first", "from_own_then")

OF_ALONE = (
    "joint",
    "alone_1",
    "alone_2",
    "best",
    "from_alone_1",
    "from_alone_2",
    "from_best",
    "known",
    "unknown",
)


def section(data: Path, _: Row) -> Row | None:
    """The numbers of the statistics as text; None where nothing was played that they could tell of."""
    caps = shown(data / "statistics" / "caps.parquet", CAPS, OF_CAPS)
    critic = shown(data / "statistics" / "critic.parquet", CRITIC, OF_CRITIC)
    caps = [row for row in caps if row["scope"] == "all"]
    relays = shown(data / "statistics" / "relays.parquet", RELAYS, OF_RELAYS)
    alone = shown(data / "statistics" / "alone.parquet", ALONE, OF_ALONE)
    topics = {"caps": caps, "critic": critic, "relays": relays, "alone": alone}
    return {"figures": ["fig_caps"]} | topics if any(topics.values()) else None


def shown(path: Path, schema: Any, measures: tuple[str, ...]) -> list[Row]:
    """The rows over families and all tasks, in each the measures with their intervals as text."""
    rows = [row for row in read_rows(path, schema) if row["scope"] != "task"]
    return [
        row
        | {"label": row["team"] + (" (simulated)" if row["simulated"] else "")}
        | {"tasks_of": FAMILIES[row["family"]] if row["family"] else "all tasks"}
        | {name: interval(row[name], row[f"{name}_low"], row[f"{name}_high"]) for name in measures}
        for row in rows
    ]
