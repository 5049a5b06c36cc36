"""The report's section with the published numbers beside this run's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.collaboration.schemas import PAIRS, TAX
from scripts.collaboration.sections.measures import as_text, team_of
from scripts.collaboration.tables.published import GAP, SCORES, models_beside, pairs_beside
from scripts.lib.drawing.numbers import decimal, interval
from scripts.lib.tables import read_rows
from tasks.contract import FAMILIES

Row = dict[str, Any]


def section(data: Path, job: Row) -> Row | None:
    """Published ratio gaps by model, and pairs, with this run's as text; None without published numbers.

    ``job``: published, with the topics ``ratio_gaps`` and ``pairs`` and ``matched`` (see ``Table``).
    """
    published = job["published"]
    taxes = read_rows(data / "statistics" / "tax.parquet", TAX)
    pairs = read_rows(data / "statistics" / "pairs.parquet", PAIRS)
    by_model: dict[str, list[Row]] = {}
    for row in models_beside(taxes, published):
        by_model.setdefault(row["model"], []).append(row)
    found: Row = {
        "models": [_model(rows) for rows in by_model.values()],
        "pairs": [_pair(row) for row in pairs_beside(pairs, published)],
    }
    return found | {"families": FAMILIES, "figures": ["fig_published_gaps"]} if any(found.values()) else None


def _model(rows: list[Row]) -> Row:
    """A published model: its gap and this run's for each family."""
    gaps = []
    for row in rows:
        own, low, high = (None if row[name] is None else 100 * row[name] for name in GAP)
        gaps += [decimal(100 * row["published"], 0), interval(own, low, high, places=0)]
    teams = [team_of(row) for row in rows if row["team"]]
    return {"model": rows[0]["model"], "mark": rows[0]["mark"], "gaps": gaps, "team": next(iter(teams), None)}


def _pair(row: Row) -> Row:
    names = ("published_1", "published_2", "published", "published_phi_1", "published_phi_2")
    about = {"models": row["models"], "mark": row["mark"], "team": row["team"] and team_of(row)}
    return about | {name: decimal(row[name], 3) for name in names} | as_text(row, *SCORES)
