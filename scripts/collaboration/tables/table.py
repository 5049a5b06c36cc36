"""What a table of the report is, and the columns that many share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from scripts.lib.tables import Rows
from scripts.lib.typesetting import Column, escape, text
from tasks.contract import FAMILIES


@dataclass(frozen=True)
class Table:
    """One table: where its rows come from (below the study's data), and how LaTeX shows them.

    ``rows`` chooses or sums the rows of the source; the CSV holds all columns of its result. ``beside``
    puts them beside the published numbers, which it gets as {topic: numbers} with ``matched``, {model of
    this run: published name}.
    """

    name: str
    source: str
    schema: pa.Schema
    columns: Sequence[Column]
    caption: str
    rows: Callable[[Rows], Rows] = list
    beside: Callable[[Rows, dict[str, Any]], Rows] | None = None


def _team(row: dict[str, Any]) -> str:
    if row["team"] is None:
        return "--"
    return escape(row["team"]) + (" (simulated)" if row["simulated"] else "")


def _scope(row: dict[str, Any]) -> str:
    """The task, the family or all tasks, with a dagger where solo is too weak to speak of a tax."""
    name = row["task"] or (FAMILIES[row["family"]] if row["family"] else "All tasks")
    return escape(name) + (r"$\dagger$" if row.get("dagger") else "")


TEAM: Column = ("Team", _team)
WHO: tuple[Column, ...] = (text("Arm", "arm"), TEAM)
FAMILY: Column = ("Family", lambda row: escape(FAMILIES[row["family"]]))
SCOPE: Column = ("Scope", _scope)
TASK: Column = ("Task", _scope)
BRACKETS = "In brackets: percentile bootstrap intervals over instances, paired by seed, stratified by task."
