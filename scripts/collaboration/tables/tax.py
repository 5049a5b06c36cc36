"""Tables of scores, outcomes and the tax."""

from __future__ import annotations

from typing import Any

from scripts.collaboration.schemas import CELLS, TAX
from scripts.collaboration.tables.table import BRACKETS, FAMILY, SCOPE, TASK, WHO, Table
from scripts.lib.outcomes import Outcome
from scripts.lib.tables import Rows
from scripts.lib.typesetting import estimated, number, text

OUTCOMES = tuple(outcome.value for outcome in Outcome)
COUNTS = ("planned", "run", "graded", *OUTCOMES, "by_grader", "replies", "truncated_replies")
TAX_MEASURES = ("solo_full", "solo_split", "collab", "tax", "ratio_gap", "alignment", "talking")
MODE = (*WHO, text("Mode", "mode"))
TAXES = tuple(estimated(name) for name in TAX_MEASURES)
DAGGER = r"$\dagger$: solo below the threshold of solo-tractability, exploratory."


def sum_outcomes(cells: Rows) -> Rows:
    """The counts of the cells summed over the tasks of a family, and the share of truncated replies."""
    sums: dict[tuple[str, ...], dict[str, Any]] = {}
    for cell in cells:
        about = {name: cell[name] for name in ("arm", "team", "mode", "family")}
        row = sums.setdefault(tuple(about.values()), about | {"simulated": False} | dict.fromkeys(COUNTS, 0))
        row["simulated"] |= cell["simulated"]
        for name in COUNTS:
            row[name] += cell[name]
    for row in sums.values():
        row["truncation_rate"] = row["truncated_replies"] / row["replies"] if row["replies"] else None
    return list(sums.values())


TABLES = [
    Table(
        "cells",
        "statistics/cells.parquet",
        CELLS,
        (
            *MODE,
            text("Task", "task"),
            text("Planned", "planned"),
            text("Run", "run"),
            text("Graded", "graded"),
            estimated("score"),
            number("Floor", "floor"),
            number("Turns", "turns"),
        ),
        f"Score of every cell, with the mean score of a one-view guess as its floor. {BRACKETS}",
    ),
    Table(
        "tax_families",
        "statistics/tax.parquet",
        TAX,
        (*WHO, SCOPE, text("Tasks", "tasks"), *TAXES),
        f"Collaboration tax by family and over all, means of task means. {BRACKETS} {DAGGER}",
        lambda rows: [row for row in rows if row["scope"] != "task"],
    ),
    Table(
        "tax_tasks",
        "statistics/tax.parquet",
        TAX,
        (*WHO, FAMILY, TASK, *TAXES),
        f"Collaboration tax by task. {BRACKETS} {DAGGER}",
        lambda rows: [row for row in rows if row["scope"] == "task"],
    ),
    Table(
        "outcomes",
        "statistics/cells.parquet",
        CELLS,
        (
            *MODE,
            FAMILY,
            *(text(name.replace("_", " ").capitalize(), name) for name in COUNTS),
            number("Truncation rate", "truncation_rate"),
        ),
        "Planned, run and graded rollouts, how they ended, and the share of truncated replies.",
        sum_outcomes,
    ),
]
