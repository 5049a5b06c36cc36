"""Read structured answers, by program and by a grader model: ``rollouts/...`` -> ``answers/...``."""

from __future__ import annotations

import asyncio
import functools
import json
from pathlib import Path
from typing import Any

from scripts.collaboration.instances import to_json
from scripts.collaboration.reading import read_by_program
from scripts.collaboration.schemas import ANSWERS, ROLLOUT_ID, ROLLOUTS
from scripts.lib.agents.caller import Caller, Calls, open_callers
from scripts.lib.agents.calls import CallFailed, Messages
from scripts.lib.agents.ordered import in_order
from scripts.lib.dialogue.prompts import prompt
from scripts.lib.outcomes import UNFINISHED
from scripts.lib.progress import Meter
from scripts.lib.stage import run
from scripts.lib.tables import RowWriter, count_rows, read_each
from tasks import get_task
from tasks.answers import read_json
from tasks.contract import Task

COLUMNS = [*ROLLOUT_ID, "digest", "outcome", "answer_text", "answer_slot", "messages"]
NOTHING = {"grader_answer": None, "grader_convention": None, "grader_error": None}

Row = dict[str, Any]


def extract_answers(rollouts: Path, output: Path, calls: Row, job: Row) -> None:
    """Extract one answer a rollout. ``calls``: see ``Calls``; ``job``: grader (a model's name or null).

    The program's reading goes first: what the task's reader finds after the marker or, in a solo reply
    without a marker, in the last message. The grader model, where there is one, reads every dialogue that
    ended by itself or at the turn cap; its reading counts where the program finds nothing.
    """
    asyncio.run(_extract_all(rollouts, output, Calls.read(calls), job["grader"]))


async def _extract_all(rollouts: Path, output: Path, calls: Calls, grader: str | None) -> None:
    meter = Meter(count_rows(rollouts, ROLLOUTS), "answers")
    async with open_callers([grader] if grader else [], calls, meter) as session:
        caller = session.callers[grader] if grader else None
        if caller and caller.model.batch:
            from scripts.lib.agents.batch import run_batch  # late: it imports openai

            asks = (_ask(row) for row in read_each(rollouts, ROLLOUTS, COLUMNS) if is_gradable(row))
            await run_batch(caller, asks)
        work = functools.partial(_extract_one, caller=caller, meter=meter)
        with RowWriter(output, ANSWERS) as writer:
            async for row in in_order(read_each(rollouts, ROLLOUTS, COLUMNS), work, session.stop):
                writer.add(row)


async def _extract_one(row: Row, caller: Caller | None, meter: Meter) -> Row:
    grading = await _grade_one(row, caller) if caller and is_gradable(row) else NOTHING
    meter.done += 1
    return _answer_row(row, grading)


def is_gradable(row: Row) -> bool:
    """Whether there is a dialogue for the grader model to read."""
    return row["outcome"] not in UNFINISHED and bool(row["messages"])


def _ask(row: Row) -> tuple[str, Messages]:
    return row["task"], grader_messages(get_task(row["task"]), row)


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


async def _grade_one(row: Row, caller: Caller) -> Row:
    """The grader's reading of one dialogue; a reply that is not the wanted JSON is an error, never a 0."""
    try:
        reply = await caller.call(*_ask(row))
    except CallFailed as failure:
        return NOTHING | {"grader_error": str(failure)}
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
