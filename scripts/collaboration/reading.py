"""What the program finds of an answer in a rollout, without a model."""

from __future__ import annotations

from typing import Any

from scripts.lib.outcomes import Outcome
from tasks.contract import Task

Row = dict[str, Any]


def read_by_program(task: Task, row: Row) -> tuple[Any | None, str]:
    """The answer that the task's reader finds, in the writer's own convention, and how it was found.

    In ``collab`` only an answer after the marker counts: a proposal in mid-talk was not submitted.
    """
    if row["answer_text"] is not None:
        return task.read_answer(row["answer_text"])
    if row["mode"] == "collab" or row["outcome"] != Outcome.NO_ANSWER or not row["messages"]:
        return None, "none"
    return task.read_answer(row["messages"][-1]["text"])
