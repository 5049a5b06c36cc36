"""The report's section with the published numbers beside this run's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.collaboration.schemas import PAIRS, TAX
from scripts.collaboration.sections.measures import as_text, team_of
from scripts.collaboration.tables.published import GAP, SCORES, models_beside, pairs_beside, tasks_beside
from scripts.lib.drawing.numbers import decimal, interval, percent
from scripts.lib.tables import read_rows
from tasks.contract import FAMILIES

Row = dict[str, Any]


def section(data: Path, job: Row) -> Row | None:
    """Published ratio gaps and pairs with this run's as text; None without published numbers.

    ``job``: published, with the topics ``ratio_gaps`` and ``pairs`` and ``matched`` (see ``Table``).
    """
    published = job["published"]
    taxes = read_rows(data / "statistics" / "tax.parquet", TAX)
    pairs = read_rows(data / "statistics" / "pairs.parquet", PAIRS)
    found = {
        "models": [_model(row) for row in models_beside(taxes, published)],
        "tasks": [_task(row) for row in tasks_beside(taxes, published)],
        "pairs": [_pair(row) for row in pairs_beside(pairs, published)],
    }
    return found if any(found.values()) else None


def _model(row: Row) -> Row:
    own, low, high = (None if row[name] is None else 100 * row[name] for name in GAP)
    about = {"model": row["model"], "family": FAMILIES[row["family"]], "team": row["team"] and team_of(row)}
    return about | {
        "published": percent(row["published"]),
        "mark": row["mark"],
        "own": interval(own, low, high, places=0),
    }


def _task(row: Row) -> Row:
    about = {"task": row["task"], "family": FAMILIES[row["family"]], "models": row["models"]}
    about |= {"own": percent(row["mean_gap"]), "exploratory": row["exploratory"] and row["models"] > 0}
    return about | {"published": percent(row["published"]), "mark": row["mark"]}


def _pair(row: Row) -> Row:
    names = ("published_1", "published_2", "published", "published_phi_1", "published_phi_2")
    about = {"models": row["models"], "mark": row["mark"], "team": row["team"] and team_of(row)}
    return about | {name: decimal(row[name], 3) for name in names} | as_text(row, *SCORES)
