"""The report's section on the arms: which clauses they have, and which share of the tax they recover."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.collaboration.schemas import ARMS
from scripts.lib.drawing.numbers import decimal, interval, known
from scripts.lib.tables import read_rows
from tasks.contract import FAMILIES

Row = dict[str, Any]


def section(data: Path, job: Row) -> Row | None:
    """The numbers of ``statistics/arms.parquet`` as text; None where only the baseline was played.

    ``job``: tasks, simulated, arm_clauses ({arm: its clauses}), own_clauses ({clause: text}), published
    ({"arms": the published shares, or null}).
    """
    rows = [row for row in read_rows(data / "statistics" / "arms.parquet", ARMS) if row["scope"] != "task"]
    if not rows:
        return None
    families = [name for name in FAMILIES if name in job["tasks"].values()]
    teams = list(dict.fromkeys(row["team"] for row in rows))
    groups = [shares([row for row in rows if row["team"] == team], families) for team in teams]
    groups.sort(key=lambda group: group["team"] is not None)  # all models together first
    return {
        "figures": ["fig6_arms"],
        "arms": {arm: its for arm, its in job["arm_clauses"].items() if its},
        "own": job["own_clauses"],
        "families": [FAMILIES[name] for name in families],
        "groups": groups,
        "published": published_shares(job["published"]["arms"], families),
    }


def shares(rows: list[Row], families: list[str]) -> Row:
    """A team's shares in percent, an arm a row: by family, then over all tasks with gain and loss."""
    found = {(row["arm"], row["family"]): row for row in rows}
    body = []
    for arm in dict.fromkeys(row["arm"] for row in rows):
        over = found[arm, None]
        body.append(
            {"arm": arm, "gain": interval(*(over[f"gain{end}"] for end in ("", "_low", "_high")))}
            | {"shares": [in_percent(found[arm, family], "recovered") for family in (*families, None)]}
            | {"lost": in_percent(over, "lost")}
            | {name: over[name] for name in ("planned", "graded", "dagger")}
        )
    return {"team": rows[0]["team"], "simulated": rows[0]["simulated"], "rows": body}


def in_percent(row: Row, name: str) -> str:
    """A share with its interval, in percent."""
    value, low, high = (
        100 * row[end] if known(row[end]) else None for end in (name, f"{name}_low", f"{name}_high")
    )
    return interval(value, low, high, places=0)


def published_shares(published: Row | None, families: list[str]) -> Row | None:
    """The published shares as text, each arm with those of the families and of all tasks."""
    if not published:
        return None
    half = published["half_width"]
    rows = {
        arm: [decimal(100 * its[name], 1) for name in (*families, "all")]
        for arm, its in published["recovered"].items()
    }
    for arm in half:
        rows[arm][-1] += f" ± {decimal(100 * half[arm], 1)}"
    return {"mark": published["mark"], "rows": rows}
