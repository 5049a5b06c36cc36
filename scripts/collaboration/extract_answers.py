"""Read structured answers, by program and by a grader model: ``rollouts/...`` -> ``answers/...``."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from scripts.collaboration.instances import to_json
from scripts.collaboration.schemas import ANSWERS, ROLLOUT_ID, ROLLOUTS
from scripts.lib.agents.caller import Caller, open_callers
from scripts.lib.agents.calls import CallFailed, Messages
from scripts.lib.dialogue.prompts import prompt
from scripts.lib.outcomes import UNFINISHED, Outcome
from scripts.lib.progress import Meter
from scripts.lib.stage import run
from scripts.lib.tables import read_rows, write_rows
from tasks import get_task
from tasks.answers import read_json
from tasks.contract import Task

COLUMNS = [*ROLLOUT_ID, "digest", "outcome", "answer_text", "answer_slot", "messages"]
NOTHING = {"grader_answer": None, "grader_convention": None, "grader_error": None}

Row = dict[str, Any]


def extract_answers(
    rollouts: Path, output: Path, models_file: Path, ledger: list[Path], replay_only: bool, job: Row
) -> None:
    """Extract one answer a rollout. ``job``: grader (a model's name or null).

    The program's reading goes first: what the task's reader finds after the marker or, in a solo reply
    without a marker, in the last message. The grader model, where there is one, reads every dialogue that
    ended by itself or at the turn cap; its reading counts where the program finds nothing.
    """
    rows = read_rows(rollouts, ROLLOUTS, COLUMNS)
    gradings = asyncio.run(_ask_grader(rows, models_file, ledger, replay_only, job["grader"]))
    answers = [_answer_row(row, grading) for row, grading in zip(rows, gradings, strict=True)]
    write_rows(output, answers, ANSWERS)


def _answer_row(row: Row, grading: Row) -> Row:
    value, found_by = read_by_program(get_task(row["task"]), row)
    program = None if value is None else to_json(value)
    answer, answered_by = (program, "program") if program else (grading["grader_answer"], "grader")
    return {
        **{name: row[name] for name in (*ROLLOUT_ID, "digest", "outcome")},
        "program_answer": program,
        "found_by": found_by,
        **grading,
        "answer": answer,
        "answered_by": answered_by if answer else "none",
    }


def read_by_program(task: Task, row: Row) -> tuple[Any | None, str]:
    """The answer that the task's reader finds, in the writer's own convention, and how it was found.

    In ``collab`` only an answer after the marker counts: a proposal in mid-talk was not submitted.
    """
    if row["answer_text"] is not None:
        return task.read_answer(row["answer_text"])
    if row["mode"] == "collab" or row["outcome"] != Outcome.NO_ANSWER or not row["messages"]:
        return None, "none"
    return task.read_answer(row["messages"][-1]["text"])


async def _ask_grader(
    rows: list[Row], models_file: Path, ledger: list[Path], replay_only: bool, grader: str | None
) -> list[Row]:
    if grader is None:
        return [NOTHING] * len(rows)
    meter = Meter(len(rows), "answers")
    async with open_callers([grader], models_file, ledger, replay_only, meter) as callers:
        return await asyncio.gather(*(_grade_one(row, callers[grader], meter) for row in rows))


async def _grade_one(row: Row, caller: Caller, meter: Meter) -> Row:
    """The grader's reading of one dialogue; a reply that is not the wanted JSON is an error, never a 0."""
    if row["outcome"] in UNFINISHED or not row["messages"]:
        return NOTHING
    try:
        reply = await caller.call(row["task"], grader_messages(get_task(row["task"]), row))
    except CallFailed as failure:
        return NOTHING | {"grader_error": str(failure)}
    meter.done += 1
    value, how = read_json(reply.text)
    if how not in ("json", "fence") or not isinstance(value, dict) or "answer" not in value:
        return NOTHING | {"grader_error": f"parse_error: {reply.text[:200]}"}
    answer, convention = value["answer"], value.get("convention")
    return NOTHING | {
        "grader_answer": None if answer is None else to_json(answer),
        "grader_convention": convention[:200] if isinstance(convention, str) else None,
    }


def grader_messages(task: Task, row: Row) -> Messages:
    """What the grader model is asked: the form of the answer, then the conversation as quoted material."""
    speakers = {0: "user", 1: "agent 1", 2: "agent 2"}
    talk = [{"from": speakers[message["slot"]], "text": message["text"]} for message in row["messages"]]
    content = (
        f"Form of the answer: {task.answer_format}\n\n"
        f"Conversation, as JSON:\n{json.dumps(talk, ensure_ascii=False, indent=1)}"
    )
    return [{"role": "system", "content": prompt("grader_system")}, {"role": "user", "content": content}]


if __name__ == "__main__":
    run(extract_answers)
