"""Tables of the stages at which conversations break."""

from __future__ import annotations

from typing import Any

from scripts.collaboration.schemas import RECOVERY, STAGE_COUNTS, STAGE_OVERLAP
from scripts.collaboration.schemas import STAGES as SCHEMA
from scripts.collaboration.tables.table import Table
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.typesetting import Column, escape, estimated, number, text
from tasks.contract import FAMILIES

OVER = "In brackets: percentile bootstrap intervals over conversations."


def _scope(row: dict[str, Any]) -> str:
    simulated = " (simulated)" if row["team"] and row["simulated"] else ""
    return escape(row["team"] or FAMILIES.get(row["family"] or "", "All tasks")) + simulated


def _stage(title: str, name: str) -> Column:
    return title, lambda row: f"{row[name].upper()} {STAGES[row[name]]}"


SCOPE: Column = ("Scope", _scope)
COUNTED = (text("Judged", "judged"),)

TABLES = [
    Table(
        "stages",
        "statistics/stages.parquet",
        SCHEMA,
        (
            SCOPE,
            _stage("Stage", "stage"),
            text("Successes judged", "judged_successes"),
            text("Failures judged", "judged_failures"),
            estimated("successes"),
            estimated("failures"),
            estimated("separation"),
            estimated("alone"),
        ),
        "Share of successes and failures that satisfy each stage, weighted to all graded conversations; "
        f"separation is successes less failures. {OVER}",
    ),
    Table(
        "stage_counts",
        "statistics/stage_counts.parquet",
        STAGE_COUNTS,
        (
            SCOPE,
            ("Outcome", lambda row: "success" if row["success"] else "failure"),
            text("Stages that fire", "firing"),
            text("Rollouts", "rollouts"),
            *COUNTED,
            estimated("share"),
        ),
        f"How many of the four stages fire. {OVER}",
    ),
    Table(
        "stage_overlap",
        "statistics/stage_overlap.parquet",
        STAGE_OVERLAP,
        (
            SCOPE,
            _stage("First", "first"),
            _stage("Second", "second"),
            *COUNTED,
            text("Both fire", "both"),
            text("One fires at least", "either"),
            estimated("jaccard"),
        ),
        f"Jaccard overlap of the stages that fire in failures. {OVER}",
    ),
    Table(
        "recovery",
        "statistics/recovery.parquet",
        RECOVERY,
        (
            ("Model", lambda row: escape(row["team"] or "all") + " (simulated)"),
            _stage("Stage", "stage"),
            *COUNTED,
            number("Planted", "planted"),
            number("Found", "found"),
            text("Missed", "missed"),
            text("False alarms", "false_alarms"),
            estimated("agreement"),
            estimated("kappa", "Cohen's kappa"),
        ),
        f"The judge against planted slips of simulated agents; shares satisfied, planted and found. {OVER}",
    ),
]
