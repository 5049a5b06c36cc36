"""Tables of the themes of failure."""

from __future__ import annotations

from typing import Any

from scripts.collaboration.tables.table import FAMILY, Table
from scripts.collaboration.theme_schemas import STABILITY, THEME_STAGES, THEME_SUMMARY, THEME_TASKS
from scripts.lib.tables import Rows
from scripts.lib.typesetting import Column, decimals, escape, estimated, number, text

THEME: Column = ("Theme", lambda row: str(row["theme"] + 1))
HEAD = (text("Source", "source"), THEME)


def _joined(rows: Rows) -> Rows:
    """Rows whose lists are one text, as a CSV needs them."""
    return [
        row | {"top_terms": "; ".join(row["top_terms"]), "examples": " | ".join(row["examples"])}
        for row in rows
    ]


def _chance(row: dict[str, Any]) -> str:
    low, high = decimals(row["chance_low"]), decimals(row["chance_high"])
    return f"{decimals(row['expected'])} [{low}, {high}]"


TABLES = [
    Table(
        "themes",
        "statistics/themes.parquet",
        THEME_SUMMARY,
        (
            *HEAD,
            text("Name", "name"),
            text("Size", "size"),
            text("Tasks", "tasks"),
            text("Largest task", "top_task"),
            number("Its share", "top_task_share"),
            number("Concentration", "concentration"),
            ("By chance", _chance),
        ),
        "Themes of described failures, and their concentration on tasks (sum of squared task shares). In "
        "brackets: percentiles over permutations of the tasks over the descriptions.",
        _joined,
    ),
    Table(
        "theme_tasks",
        "statistics/theme_tasks.parquet",
        THEME_TASKS,
        (
            *HEAD,
            FAMILY,
            text("Task", "task"),
            text("Descriptions", "count"),
            number("Expected", "expected"),
            number("Share", "share"),
        ),
        "Descriptions of each theme and task that has any, and how many chance would give it.",
        lambda rows: [row for row in rows if row["count"]],
    ),
    Table(
        "theme_stages",
        "statistics/theme_stages.parquet",
        THEME_STAGES,
        (
            *HEAD,
            ("Stage", lambda row: escape(row["stage"].upper())),
            text("Judged", "judged"),
            estimated("rate", "Fires"),
            number("In all themes", "overall"),
        ),
        "How often each stage fires in the judged rollouts of a theme. In brackets: Wilson intervals over "
        "rollouts.",
    ),
    Table(
        "theme_stability",
        "themes/stability.parquet",
        STABILITY,
        (
            text("Source", "source"),
            text("Themes", "k"),
            text("Found", "found"),
            estimated("silhouette"),
            estimated("rand", "Adjusted Rand"),
            number("Between sources", "between"),
        ),
        "Silhouette and stability by the number of themes. In brackets: bootstrap intervals over "
        "descriptions (silhouette), percentiles over resamples (adjusted Rand index of one against all).",
    ),
]
