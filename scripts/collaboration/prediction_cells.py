"""The cells that the prediction is made from: what their conversations are like and what they score."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from scripts.collaboration.prediction_schemas import SHAPE
from scripts.collaboration.schemas import TAX
from scripts.lib.analysis.bootstrap import Array
from scripts.lib.dialogue.shape import FEATURES
from scripts.lib.names import team_name
from scripts.lib.outcomes import UNFINISHED
from scripts.lib.tables import read_rows

SAMPLES = "samples"
COLUMNS = (SAMPLES, *FEATURES)
VARIANTS = ("full", "shape", "dummies")

Row = dict[str, Any]


@dataclass(frozen=True)
class Cells:
    """Cells (homogeneous team x task) that have both conversations and a target, in the config's order."""

    teams: list[str]
    tasks: list[str]
    families: list[str]
    shape: Array  # (n, len(COLUMNS))
    target: Array  # (n,)

    def design(self, variant: str) -> tuple[list[tuple[str, str]], Array]:
        """The columns (kind, name) of a variant and their values (n, p).

        ``full`` is the shape and a dummy for each model and each family, the other two are one part alone.
        No dummy is left out: the penalty decides between them.
        """
        names = [("shape", name) for name in COLUMNS]
        dummies = [("model", self.teams), ("family", self.families)]
        marked = [(kind, name, of) for kind, of in dummies for name in dict.fromkeys(of)]
        marks = [[float(value == name) for value in of] for _, name, of in marked]
        flags = np.array(marks).reshape(len(marks), len(self.teams)).T
        parts = {
            "shape": (names, self.shape),
            "dummies": ([(kind, name) for kind, name, _ in marked], flags),
        }
        if variant in parts:
            return parts[variant]
        return names + parts["dummies"][0], np.hstack([self.shape, flags])


def read_shapes(paths: Sequence[Path], job: Row) -> dict[tuple[str, str], list[float]]:
    """For each (team, task) the means of COLUMNS over its planned, finished rollouts that hold a turn."""
    teams, found = homogeneous(job), defaultdict(list)
    for path in paths:
        for row in read_rows(path, SHAPE, ["team", "task", "index", "outcome", *FEATURES]):
            planned = row["team"] in teams and row["task"] in job["tasks"] and row["index"] < job["rollouts"]
            if planned and row["outcome"] not in UNFINISHED and row["turns"]:
                found[row["team"], row["task"]].append(row)
    return {
        cell: [float(len(rows)), *(math.fsum(row[name] for row in rows) / len(rows) for name in FEATURES)]
        for cell, rows in found.items()
    }


def homogeneous(job: Row) -> list[str]:
    """The teams of one model, by name."""
    return [team_name(tuple(team)) for team in job["teams"] if len(team) == 1]


def read_targets(tax: Path, job: Row) -> list[Row]:
    """The rows of the tax table that belong to cells of the baseline arm, in the config's order."""
    found = {
        (row["team"], row["task"]): row
        for row in read_rows(tax, TAX)
        if row["scope"] == "task" and row["arm"] == "baseline"
    }
    cells = [(team, task) for team in homogeneous(job) for task in job["tasks"]]
    return [found[cell] for cell in cells if cell in found]


def join_cells(shapes: dict[tuple[str, str], list[float]], targets: Sequence[Row], target: str) -> Cells:
    """The cells that have conversations and a value of ``target``, a column of the tax table."""
    rows = [row for row in targets if row[target] is not None and (row["team"], row["task"]) in shapes]
    return Cells(
        teams=[row["team"] for row in rows],
        tasks=[row["task"] for row in rows],
        families=[row["family"] for row in rows],
        shape=np.array([shapes[row["team"], row["task"]] for row in rows]).reshape(len(rows), len(COLUMNS)),
        target=np.array([row[target] for row in rows], np.float64),
    )
