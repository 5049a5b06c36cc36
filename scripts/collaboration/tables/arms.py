"""Tables of the arms: what clauses gain over the baseline, and which share of the tax that is."""

from __future__ import annotations

from scripts.collaboration.schemas import ARMS
from scripts.collaboration.tables.table import BRACKETS, FAMILY, SCOPE, TASK, Table
from scripts.collaboration.tables.tax import DAGGER
from scripts.lib.typesetting import Column, escape, estimated, text

SOURCE = "statistics/arms.parquet"
TEAM: Column = (
    "Team",
    lambda row: escape(row["team"] or "all models") + (" (simulated)" if row["simulated"] else ""),
)
WHO: tuple[Column, ...] = (text("Arm", "arm"), TEAM)
MEASURES = tuple(estimated(name) for name in ("collab", "gain", "tax", "recovered", "lost"))
MEANING = (
    "Gain over the baseline's collab, and as a share of the baseline's tax (recovered); lost: what all four "
    "clauses recover more. No share where the tax is near 0, no interval where it may be."
)

TABLES = [
    Table(
        "arm_families",
        SOURCE,
        ARMS,
        (
            *WHO,
            SCOPE,
            text("Tasks", "tasks"),
            text("Planned", "planned"),
            text("Graded", "graded"),
            *MEASURES,
        ),
        f"Arms by family and over all, means of task means. {MEANING} {BRACKETS} {DAGGER}",
        lambda rows: [row for row in rows if row["scope"] != "task"],
    ),
    Table(
        "arm_tasks",
        SOURCE,
        ARMS,
        (*WHO, FAMILY, TASK, *MEASURES),
        f"Arms by task. {MEANING} {BRACKETS} {DAGGER}",
        lambda rows: [row for row in rows if row["scope"] == "task"],
    ),
]
