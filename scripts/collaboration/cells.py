"""The cells that a job plans, and the rows of a stage that belong to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from scripts.collaboration.layout import modes_of
from scripts.collaboration.schemas import GRADES
from scripts.lib.analysis.bootstrap import Array, draw_weights
from scripts.lib.errors import UserError
from scripts.lib.names import team_name
from scripts.lib.tables import read_rows

Cell = tuple[str, str, str, str]  # arm, team, mode, task
CELL = ("arm", "team", "mode", "task")


def planned_cells(job: dict[str, Any]) -> list[Cell]:
    """Every arm x team x mode x task, in the order of the config."""
    return [
        (arm, team_name(tuple(team)), mode, task)
        for arm in job["arms"]
        for team in job["teams"]
        for mode in modes_of(arm, team, job)
        for task in job["tasks"]
    ]


def planned_rows(
    paths: Sequence[Path], schema: pa.Schema, columns: Sequence[str], job: dict[str, Any]
) -> Iterator[tuple[Cell, dict[str, Any]]]:
    """The rows of a stage that are planned, each with its cell; what a larger run left over is passed by.

    Raises UserError where two rows tell of the same rollout.
    """
    seen = {cell: np.zeros(job["rollouts"], bool) for cell in planned_cells(job)}
    for path in paths:
        for row in read_rows(path, schema, [*CELL, "index", *columns]):
            cell: Cell = (row["arm"], row["team"], row["mode"], row["task"])
            if cell not in seen or row["index"] >= job["rollouts"]:
                continue
            if seen[cell][row["index"]]:
                raise UserError(
                    f"{path} repeats rollout {row['index']} of {' / '.join(cell)}; remove one file"
                )
            seen[cell][row["index"]] = True
            yield cell, row


def read_scores(grades: Sequence[Path], job: dict[str, Any]) -> dict[Cell, Array]:
    """Scores (rollouts,) of every planned cell by instance index, in [0, 1], NaN where there is none."""
    scores = {cell: np.full(job["rollouts"], np.nan) for cell in planned_cells(job)}
    for cell, row in planned_rows(grades, GRADES, ["score"], job):
        if row["score"] is not None:
            scores[cell][row["index"]] = row["score"]
    return scores


def task_weights(job: dict[str, Any], task: str) -> Array:
    """The bootstrap weights (1 + resamples, rollouts) of a task; large, so better one task at a time."""
    statistics = job["statistics"]
    return draw_weights(statistics["seed"], task, statistics["resamples"], job["rollouts"])


def graded_sizes(scores: Mapping[Cell, Array], cells: Iterable[Cell]) -> list[int]:
    """The sample behind a mean over tasks: how many instances of each task are graded in all of its cells.

    Tasks without any are left out. Cells that are not planned are passed by.
    """
    graded: dict[str, npt.NDArray[np.bool_]] = {}
    for cell in cells:
        if cell in scores:
            graded[cell[-1]] = ~np.isnan(scores[cell]) & graded.get(cell[-1], True)
    sizes = [int(np.count_nonzero(its)) for its in graded.values()]
    return [size for size in sizes if size]
