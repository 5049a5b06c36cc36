"""Did one of them know? Own answers against the conversation's -> ``statistics/alone.parquet``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from scripts.collaboration.beyond_schemas import ALONE, ASKED_ALONE
from scripts.collaboration.cells import Cell, planned_cells, read_scores
from scripts.collaboration.grade_answers import score_answer
from scripts.collaboration.instances import Puzzle, read_puzzle, to_json
from scripts.collaboration.layout import BASELINE, artifacts
from scripts.collaboration.paired import Measures, paired_rows
from scripts.collaboration.reading import read_by_program
from scripts.collaboration.schemas import INSTANCES
from scripts.lib.analysis.bootstrap import Array
from scripts.lib.errors import UserError
from scripts.lib.outcomes import UNFINISHED
from scripts.lib.stage import run
from scripts.lib.tables import read_rows, write_rows
from tasks import get_task

Row = dict[str, Any]


def estimate_alone(
    instances: list[Path], asked: list[Path], grades: list[Path], output: Path, job: Row
) -> None:
    """Write for every team that was asked one row a scope.

    ``job``: the plan of the conversations that were asked about (arms: the baseline, teams: one model each,
    modes: collab, tasks, rollouts), simulated ({model: bool}), statistics (resamples, seed, level, success).

    joint is the conversation's score, alone_* that of each agent's own answer, read by the program and scored
    by the same grader; best is the better one of an instance, and from_* = joint - these. best is chosen
    with the optimum known: it bounds what a perfect judge of the two could get. All means are over the same
    instances, see ``paired_rows``.
    """
    joint = read_scores(grades, job)
    own = own_scores(instances, asked, job)
    rows = []
    for (name,) in job["teams"] if "collab" in job["modes"] else ():
        cells = {task: (BASELINE, name, "collab", task) for task in job["tasks"]}
        success = job["statistics"]["success"]
        values = {task: measures(joint[cell], own[cell], success) for task, cell in cells.items()}
        about = {"team": name, "simulated": job["simulated"][name]}
        rows += [about | row for row in paired_rows(values, job)]
    write_rows(output, rows, ALONE)


def measures(joint: Array, own: Array, success: float) -> Measures:
    """The measures of a task, each (rollouts,); ``own``: the scores of both agents alone (2, rollouts)."""
    best = own.max(axis=0)  # NaN where one of them is
    known: Array = np.where(np.isnan(joint + best), np.nan, 0.0)
    return {
        "joint": joint,
        "alone_1": own[0],
        "alone_2": own[1],
        "best": best,
        "from_alone_1": joint - own[0],
        "from_alone_2": joint - own[1],
        "from_best": joint - best,
        "known": ((best >= success) & (joint < success)) + known,
        "unknown": ((best < success) & (joint >= success)) + known,
    }


def own_scores(instances: Sequence[Path], asked: Sequence[Path], job: Row) -> dict[Cell, Array]:
    """Scores (2, rollouts) of each cell's agents alone; NaN where one was not asked or could not answer."""
    puzzles = {
        (row["task"], row["index"]): read_puzzle(row)
        for path in instances
        for row in read_rows(path, INSTANCES)
    }
    scores = {cell: np.full((2, job["rollouts"]), np.nan) for cell in planned_cells(job)}
    for path in asked:
        for row in read_rows(path, ASKED_ALONE):
            cell = (row["arm"], row["team"], row["mode"], row["task"])
            if cell in scores and row["index"] < job["rollouts"] and row["outcome"] not in UNFINISHED:
                puzzle = puzzles.get((row["task"], row["index"]))
                scores[cell][row["slot"] - 1, row["index"]] = _score(row, puzzle, path)
    return scores


def _score(row: Row, puzzle: Puzzle | None, path: Path) -> float:
    if puzzle is None or puzzle.digest != row["digest"]:
        raise UserError(
            f"{path}: {row['task']} {row['index']} was asked about another instance than the one "
            "in data now. Ask again with: snakemake --forcerun ask_alone"
        )
    # A reply without the marker is read as a solo reply is, in its last words.
    reply = row | {"mode": "alone", "messages": [{"text": row["text"]}] if row["text"] else []}
    value, _ = read_by_program(get_task(row["task"]), reply)
    return score_answer(row["task"], None if value is None else to_json(value), puzzle).score


def from_data(data: Path, output: Path, job: Row) -> None:
    """``estimate_alone`` on the planned files below the study's data folder."""
    instances, asked, grades = (artifacts(data, stage, job) for stage in ("instances", "alone", "grades"))
    estimate_alone(instances, asked, grades, output, job)


if __name__ == "__main__":
    run(from_data)
