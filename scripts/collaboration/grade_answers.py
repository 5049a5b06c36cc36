"""Score answers by program: answers + instances -> ``grades/...``. Never calls a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from scripts.collaboration.instances import Puzzle, read_puzzle
from scripts.collaboration.schemas import ANSWERS, GRADES, INSTANCES, ROLLOUT_ID
from scripts.lib.errors import UserError
from scripts.lib.outcomes import UNFINISHED
from scripts.lib.stage import run
from scripts.lib.tables import read_rows, write_rows
from tasks import get_task
from tasks.answers import unwrap
from tasks.contract import Grade


def grade_answers(answers: Path, instances: list[Path], output: Path) -> None:
    """Grade one batch.

    A rollout without an answer scores 0; one that could not be run to its end has no score. Raises
    UserError where a rollout was made on another instance than the one that is there now.
    """
    puzzles = {
        (row["task"], row["index"]): read_puzzle(row)
        for path in instances
        for row in read_rows(path, INSTANCES)
    }
    rows = []
    for row in read_rows(answers, ANSWERS):
        puzzle = puzzles.get((row["task"], row["index"]))
        if puzzle is None or puzzle.digest != row["digest"]:
            raise UserError(
                f"{answers}: the rollout of {row['task']} {row['index']} was made on another instance than "
                "the one in data now. Run it again with: snakemake --forcerun run_rollouts"
            )
        rows.append(_grade_row(row, puzzle))
    write_rows(output, rows, GRADES)


def _grade_row(row: dict[str, Any], puzzle: Puzzle) -> dict[str, Any]:
    grade = score_answer(row["task"], row["answer"], puzzle)
    unfinished = row["outcome"] in UNFINISHED
    return {
        **{name: row[name] for name in ROLLOUT_ID},
        "outcome": row["outcome"],
        "answered_by": row["answered_by"],
        "score": None if unfinished else grade.score,
        "accepted": [] if unfinished else list(grade.accepted),
        "answer": row["answer"],
    }


def score_answer(task_name: str, answer: str | None, puzzle: Puzzle) -> Grade:
    """Grade a JSON answer (null: 0) in every accepted convention; the best one counts."""
    if answer is None:
        return Grade(0.0)
    task = get_task(task_name)
    value = unwrap(json.loads(answer), task.answer_key)
    return task.score(puzzle.union, puzzle.answer, value, puzzle.frames)


if __name__ == "__main__":
    run(grade_answers)
