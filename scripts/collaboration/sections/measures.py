"""Rows of a statistic as the sections show them."""

from __future__ import annotations

from typing import Any

from scripts.lib.drawing.numbers import interval
from tasks.contract import FAMILIES

Row = dict[str, Any]
SCOPES = ("family", "all")  # in the order of the rows of a table


def as_text(row: Row, *names: str, places: int = 2) -> Row:
    """Measures with their intervals."""
    return {name: interval(row[name], row[f"{name}_low"], row[f"{name}_high"], places) for name in names}


def team_of(row: Row) -> str:
    """A team's name with the word "simulated" where one of its members is."""
    return row["team"] + (" (simulated)" if row["simulated"] else "")


def scope_of(row: Row) -> str:
    """The family, or all tasks."""
    return FAMILIES[row["family"]] if row["family"] else "All tasks"
