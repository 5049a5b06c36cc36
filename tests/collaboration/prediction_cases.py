"""A small study of shapes and taxes, for the tests of the prediction."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scripts.collaboration.fit_ridge import fit_ridge
from scripts.collaboration.prediction_schemas import (
    PREDICTION,
    PREDICTION_CELLS,
    PREDICTION_COEFFICIENTS,
    SHAPE,
)
from scripts.collaboration.schemas import TAX
from scripts.lib.dialogue.shape import FEATURES
from scripts.lib.tables import Rows, read_rows, write_rows
from tests.collaboration.statistics_cases import tax_row

FAMILY = {f"{family}{number}": family for family in ("spatial", "relational", "csp") for number in range(4)}
TEAMS = ["strong", "weak", "third"]
COUNT = 3
SETTINGS = {
    "folds": 3,
    "penalty": 1.0,
    "penalties": [0.1, 1.0, 10.0],
    "bootstraps": 100,
    "permutations": 99,
    "seed": 1,
}
SCHEMAS = {
    "prediction": PREDICTION,
    "prediction_coefficients": PREDICTION_COEFFICIENTS,
    "prediction_cells": PREDICTION_CELLS,
}
Score = Callable[[str, str, float], float | None]  # of team, task and the cell's mean of ``pacing``


def job(teams: list[str] = TEAMS, tasks: dict[str, str] = FAMILY, **settings: Any) -> dict[str, Any]:
    """The job of a prediction."""
    return {
        "teams": [[team] for team in teams],
        "tasks": tasks,
        "batches": ["000"],
        "modes": ["collab"],
        "rollouts": COUNT,
        "simulated": dict.fromkeys(teams, True),
        "statistics": {"level": 0.9},
        "prediction": SETTINGS | settings,
        "published": {"prediction": {"r2": 0.475, "spearman": 0.76}},
    }


def shape_rows(teams: list[str] = TEAMS, tasks: dict[str, str] = FAMILY, seed: int = 3) -> Rows:
    """Rows of the shape table with random features; the seed decides them."""
    rng = random.Random(seed)
    rows = []
    for team in teams:
        for task, family in tasks.items():
            for index in range(COUNT):
                about = {"arm": "baseline", "team": team, "mode": "collab", "family": family, "task": task}
                about |= {"index": index, "simulated": True, "outcome": "answered"}
                rows.append(about | {name: round(rng.uniform(0, 1), 3) for name in FEATURES} | {"turns": 4.0})
    return rows


def tax_rows(shapes: Rows, score: Score) -> Rows:
    """Rows of the tax table: ``collab`` as the function says, ``tax`` what is missing to 1."""
    cells: dict[tuple[str, str, str], list[float]] = {}
    for row in shapes:
        cells.setdefault((row["team"], row["task"], row["family"]), []).append(row["pacing"])
    rows = []
    for (team, task, family), pacing in cells.items():
        value = score(team, task, sum(pacing) / len(pacing))
        about = {"team": team, "task": task, "family": family, "collab": value}
        rows.append(tax_row(**about, tax=None if value is None else 1 - value))
    return rows


def predicted(folder: Path, shapes: Rows, taxes: Rows, its: dict[str, Any]) -> dict[str, Rows]:
    """The three tables of a prediction."""
    write_rows(folder / "shape.parquet", shapes, SHAPE)
    write_rows(folder / "statistics" / "tax.parquet", taxes, TAX)
    paths = {name: folder / "statistics" / f"{name}.parquet" for name in SCHEMAS}
    fit_ridge([folder / "shape.parquet"], folder / "statistics" / "tax.parquet", *paths.values(), its)
    return {name: read_rows(path, SCHEMAS[name]) for name, path in paths.items()}


def row_of(rows: Rows, **wanted: str) -> dict[str, Any]:
    """The one row of the score in collab with these values; else full, fixed and group_kfold."""
    key = {"target": "collab", "variant": "full", "choice": "fixed", "scheme": "group_kfold"} | wanted
    (row,) = (row for row in rows if all(row.get(name, value) == value for name, value in key.items()))
    return row
