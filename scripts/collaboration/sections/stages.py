"""The report's section on the stages at which conversations break."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.collaboration.schemas import RECOVERY, STAGE_COUNTS, STAGE_OVERLAP
from scripts.collaboration.schemas import STAGES as SCHEMA
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.drawing.numbers import count, decimal, interval, percent
from scripts.lib.tables import read_rows
from tasks.contract import FAMILIES

Row = dict[str, Any]


def section(data: Path, job: Row) -> Row | None:
    """The numbers of the stages as text; None where nothing was judged.

    ``job``: judging (rollouts that were wanted), published ({"cascade": the published cascade or null}),
    models and simulated as for the report.
    """
    tables = data / "statistics"
    rows = read_rows(tables / "stages.parquet", SCHEMA)
    if not rows:
        return None
    overall = [row for row in rows if row["scope"] == "all"]
    published = (job.get("published") or {}).get("cascade")
    return {
        "figures": ["fig5_cascade", "fig_stage_overlap"],
        "judge": overall[0]["judge"],
        "unfit": job["models"][overall[0]["judge"]]["simulated"] and not all(job["simulated"].values()),
        "wanted": count(job["judging"]["rollouts"]),
        "drawn": count(_drawn(overall[0])),
        "void": [f"{_stage(row)} {_drawn(row) - _judged(row)}" for row in overall],
        "rows": [_rates(row) for row in rows],
        "numbers": _numbers(read_rows(tables / "stage_counts.parquet", STAGE_COUNTS), published),
        "overlap": _overlap(read_rows(tables / "stage_overlap.parquet", STAGE_OVERLAP), published),
        "published": published,
        "recovery": [_recovered(row) for row in read_rows(tables / "recovery.parquet", RECOVERY)],
    }


def _drawn(row: Row) -> int:
    return row["drawn_successes"] + row["drawn_failures"]


def _judged(row: Row) -> int:
    return row["judged_successes"] + row["judged_failures"]


def _stage(row: Row, name: str = "stage") -> str:
    return f"{row[name].upper()} {STAGES[row[name]]}"


def _estimate(row: Row, name: str) -> str:
    return interval(row[name], row[f"{name}_low"], row[f"{name}_high"])


def _rates(row: Row) -> Row:
    """A row of the rates as text."""
    measures = {name: _estimate(row, name) for name in ("successes", "failures", "separation", "alone")}
    scope = row["team"] or FAMILIES.get(row["family"] or "", "All tasks")
    judged = f"{count(row['judged_successes'])} / {count(row['judged_failures'])}"
    return measures | {"scope": scope, "stage": _stage(row), "judged": judged, "first": row["stage"] == "l1"}


def _numbers(rows: list[Row], published: Row | None) -> list[Row]:
    """How many stages fire in the failures and in the successes."""
    by_kind = {(row["success"], row["firing"]): row for row in rows if row["scope"] == "all"}
    return [
        {
            "firing": number,
            "failures": _estimate(by_kind[False, number], "share"),
            "successes": _estimate(by_kind[True, number], "share"),
            "published": percent(published["firing"][number], 1) if published else None,
        }
        for number in range(len(STAGES) + 1)
    ]


def _overlap(rows: list[Row], published: Row | None) -> list[Row]:
    return [
        {
            "pair": f"{_stage(row, 'first')}, {_stage(row, 'second')}",
            "jaccard": _estimate(row, "jaccard"),
            "counts": f"{row['both']} / {row['either']}",
            "published": decimal(published["overlap"][f"{row['first']}_{row['second']}"])
            if published
            else None,
        }
        for row in rows
        if row["scope"] == "all"
    ]


def _recovered(row: Row) -> Row:
    """The judge against what was planted, as text."""
    return {
        "team": row["team"] or "all simulated models",
        "stage": _stage(row),
        "judged": count(row["judged"]),
        "planted": percent(row["planted"]),
        "found": percent(row["found"]),
        "kappa": _estimate(row, "kappa"),
        "agreement": _estimate(row, "agreement"),
        "missed": row["missed"],
        "false_alarms": row["false_alarms"],
    }
