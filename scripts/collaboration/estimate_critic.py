"""Replay the solo modes without the critic pass -> ``statistics/critic.parquet``. Never calls a model.

The critic is asked after the first reply is written, so without it the rollout ends with that reply as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from scripts.collaboration.beyond_schemas import CRITIC
from scripts.collaboration.cells import Cell, planned_rows
from scripts.collaboration.grade_answers import score_answer
from scripts.collaboration.instances import Puzzle, read_puzzle, to_json
from scripts.collaboration.layout import BASELINE, artifacts
from scripts.collaboration.paired import Measures, every_cell, paired_rows
from scripts.collaboration.reading import read_by_program
from scripts.collaboration.schemas import GRADES, INSTANCES, ROLLOUTS
from scripts.lib.analysis.bootstrap import Array
from scripts.lib.dialogue.marker import read_message
from scripts.lib.errors import UserError
from scripts.lib.outcomes import Outcome
from scripts.lib.stage import run
from scripts.lib.tables import read_rows, write_rows
from tasks import get_task

Row = dict[str, Any]
SOLO = ("solo_full", "solo_split")


def estimate_critic(
    instances: list[Path], rollouts: list[Path], grades: list[Path], output: Path, job: Row
) -> None:
    """Write for every model and solo mode one row a scope; no row where no critic was asked.

    ``job``: teams, modes, tasks ({task: family}), rollouts (a cell), critic (bool), simulated ({model:
    bool}), statistics (resamples, seed, level, success).

    repaired (broken): share of instances that succeed only with (only without) the critic pass. The taxes are
    solo_full with and without it, less collab. All means are over the same instances, see ``paired_rows``.
    All answers count as the program reads them: a grader model would have to be asked about a first reply.
    """
    plan = plan_of(job)
    scores, unread = read_graded(grades, plan)
    first = first_scores(instances, rollouts, scores, plan) if job["critic"] else {}
    rows = []
    for (name,) in plan["teams"] if job["critic"] else ():
        for mode in (mode for mode in SOLO if mode in job["modes"]):
            values = {}
            for task in job["tasks"]:
                cell = (BASELINE, name, mode, task)
                collab = scores.get((BASELINE, name, "collab", task)) if mode == "solo_full" else None
                success = job["statistics"]["success"]
                values[task] = measures(scores[cell], first[cell], unread[cell], collab, success)
            about = {"team": name, "mode": mode, "simulated": job["simulated"][name]}
            rows += [about | row for row in paired_rows(values, job)]
    write_rows(output, rows, CRITIC)


def measures(after: Array, before: Array, unread: Array, collab: Array | None, success: float) -> Measures:
    """The measures of a task, each (rollouts,): with the critic, without it, and what it changes."""
    known: Array = np.where(np.isnan(after + before), np.nan, 0.0)
    its: Measures = {
        "with_critic": after,
        "without": before,
        "change": after - before,
        "repaired": ((after >= success) & (before < success)) + known,
        "broken": ((after < success) & (before >= success)) + known,
        "unread": unread + known,
    }
    if collab is not None:
        its |= {"tax_with": after - collab, "tax_without": before - collab}
    return its


def read_graded(grades: Sequence[Path], plan: Row) -> tuple[dict[Cell, Array], dict[Cell, Array]]:
    """Scores as the program alone reads the answers, and where a grader model read one in its place."""
    cells = every_cell(plan, plan["modes"])
    scores, unread = ({cell: np.full(plan["rollouts"], np.nan) for cell in cells} for _ in range(2))
    for cell, row in planned_rows(grades, GRADES, ["score", "answered_by"], plan):
        if row["score"] is not None:
            by_grader = row["answered_by"] == "grader"
            scores[cell][row["index"]] = 0.0 if by_grader else row["score"]
            unread[cell][row["index"]] = by_grader
    return scores, unread


def first_scores(
    instances: Sequence[Path], rollouts: Sequence[Path], scores: dict[Cell, Array], plan: Row
) -> dict[Cell, Array]:
    """Scores of the solo rollouts had they ended with their first reply."""
    solo = plan | {"modes": [mode for mode in plan["modes"] if mode in SOLO]}
    puzzles = {(row["task"], row["index"]): read_puzzle(row) for row in _rows(instances)}
    found = {cell: its.copy() for cell, its in scores.items() if cell[2] in SOLO}
    columns = ["digest", "outcome", "messages"]
    for path in rollouts:  # one file at a time: the messages are large
        for cell, row in planned_rows([path], ROLLOUTS, columns, solo):
            if first := without_critic(row):
                found[cell][row["index"]] = _score(first, puzzles.get((row["task"], row["index"])), path)
    return found


def _rows(instances: Sequence[Path]) -> Iterator[Row]:
    for path in instances:
        yield from read_rows(path, INSTANCES)


def _score(row: Row, puzzle: Puzzle | None, path: Path) -> float:
    if puzzle is None or puzzle.digest != row["digest"]:
        raise UserError(
            f"{path}: the rollout of {row['task']} {row['index']} was made on another instance than the one "
            "in data now. Run it again with: snakemake --forcerun run_rollouts"
        )
    value, _ = read_by_program(get_task(row["task"]), row)
    return score_answer(row["task"], None if value is None else to_json(value), puzzle).score


def without_critic(row: Row) -> Row | None:
    """A solo rollout as it would have ended without the critic; None where the critic was never asked."""
    if len(row["messages"]) < 2:  # the first call failed, or its reply ended the rollout
        return None
    answer = read_message(row["messages"][0]["reply"]).answer
    outcome = Outcome.NO_ANSWER if answer is None else Outcome.ANSWERED
    return row | {"outcome": outcome, "answer_text": answer, "messages": row["messages"][:1]}


def plan_of(job: Row) -> Row:
    """The part of the plan that is replayed: single models in the baseline."""
    teams = [team for team in job["teams"] if len(team) == 1]
    return job | {"arms": [BASELINE], "arm_models": [], "teams": teams}


def from_data(data: Path, output: Path, job: Row) -> None:
    """``estimate_critic`` on the planned files below the study's data folder."""
    plan = plan_of(job)
    solo = plan | {"modes": [mode for mode in job["modes"] if mode in SOLO]}
    made = artifacts(data, "instances", plan), artifacts(data, "rollouts", solo)
    estimate_critic(*made, artifacts(data, "grades", plan), output, job)


if __name__ == "__main__":
    run(from_data)
