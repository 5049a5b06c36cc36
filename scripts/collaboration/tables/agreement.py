"""Tables of how far raters agree, and the judge with them."""

from __future__ import annotations

from scripts.collaboration.agreement_schemas import AGREEMENT, DISAGREEMENTS
from scripts.collaboration.tables.table import Table
from scripts.lib.tables import Rows
from scripts.lib.typesetting import estimated, text

BRACKETS = "In brackets: percentile bootstrap intervals over rollouts, the same draw for all rows."


def _without_quotations(rows: Rows) -> Rows:
    """A spreadsheet might take what a model wrote for a formula."""
    return [{name: value for name, value in row.items() if name != "quotation"} for row in rows]


TABLES = [
    Table(
        "agreement",
        "statistics/agreement.parquet",
        AGREEMENT,
        (
            text("Stage", "stage"),
            text("Measure", "measure"),
            text("Raters", "raters"),
            text("Judge", "judge"),
            text("Rollouts", "rollouts"),
            text("Ratings", "ratings"),
            text("Ties", "ties"),
            text("Unjudged", "unjudged"),
            estimated("coefficient"),
            estimated("agreement"),
        ),
        f"Agreement of the raters, of the judge with their majority, and of pairs of raters. {BRACKETS}",
    ),
    Table(
        "disagreements",
        "statistics/disagreements.parquet",
        DISAGREEMENTS,
        (
            text("Rollout", "rollout"),
            text("Team", "team"),
            text("Task", "task"),
            text("Index", "index"),
            text("Stage", "stage"),
            text("Satisfied", "satisfied"),
            text("Not satisfied", "not_satisfied"),
            text("Majority", "majority"),
            text("Judge", "verdict"),
        ),
        "Rollouts and stages on which the raters, or the judge and their majority, differ.",
        _without_quotations,
    ),
]
