"""Let a model say why conversations failed: sampled ``rollouts/`` -> ``descriptions/{team}.parquet``."""

from __future__ import annotations

import asyncio
import functools
import json
import textwrap
from pathlib import Path
from typing import Any

from scripts.collaboration.conversations import read_conversations
from scripts.collaboration.instances import optimal_answer
from scripts.collaboration.layout import artifacts
from scripts.collaboration.schemas import DESCRIPTIONS, GRADES, INSTANCES, ROLLOUT_ID, SAMPLES
from scripts.lib.agents.caller import Caller, Calls, open_callers
from scripts.lib.agents.calls import CallFailed, Messages
from scripts.lib.agents.ordered import in_order
from scripts.lib.dialogue.prompts import prompt
from scripts.lib.names import team_name
from scripts.lib.progress import Meter
from scripts.lib.stage import run
from scripts.lib.tables import RowWriter, read_each, read_rows
from tasks.contract import HOLDERS

LONGEST = 600  # characters of a description
# Columns of an instance that its answer is written from.
NEEDED = ["task", "index", "facts_a", "facts_b", "frames", "answer", "digest"]

Row = dict[str, Any]


def describe_failures(data: Path, output: Path, calls: Row, job: Row) -> None:
    """Have each sampled failure of one team described in a sentence or two.

    ``calls``: see ``Calls``; ``job``: the plan of the team's conversations (see ``layout``; teams holds this
    one), describer (a model's name). Read below ``data``: samples, rollouts, grades, views, instances.

    The describer sees both private views, the conversation, how it ended, the answer that was graded and an
    optimal one. A description is null where the call failed, the reply is empty, or nobody spoke.
    """
    asyncio.run(_describe_all(read_failures(data, job), output, Calls.read(calls), job["describer"]))


async def _describe_all(failures: list[Row], output: Path, calls: Calls, describer: str) -> None:
    meter = Meter(len(failures), "descriptions")
    async with open_callers([describer], calls, meter) as session:
        caller = session.callers[describer]
        if caller.model.batch:
            from scripts.lib.agents.batch import run_batch  # late: it imports openai

            await run_batch(caller, [ask(row) for row in failures if row["messages"]])
        work = functools.partial(_describe_one, caller=caller, meter=meter)
        with RowWriter(output, DESCRIPTIONS) as writer:
            async for row in in_order(failures, work, session.stop):
                writer.add(row)


async def _describe_one(failure: Row, caller: Caller, meter: Meter) -> Row:
    row = {name: failure[name] for name in (*ROLLOUT_ID, "score")}
    row |= {"describer": caller.name, "simulated": failure["simulated"] or caller.model.simulated}
    row |= await _describe(failure, caller) if failure["messages"] else {"error": "nobody spoke"}
    meter.done += 1
    return row


async def _describe(failure: Row, caller: Caller) -> Row:
    try:
        reply = await caller.call(*ask(failure))
    except CallFailed as error:
        return {"error": str(error)}
    description = clean_description(reply.text)
    return {"description": description} if description else {"error": "the reply is empty"}


def ask(failure: Row) -> tuple[str, Messages]:
    """Task and messages of the one call about a failure."""
    return failure["task"], describer_messages(failure)


def clean_description(reply: str) -> str | None:
    """A reply as one line of printable text, cut at a word; None where nothing is left."""
    words = "".join(char if char.isprintable() else " " for char in reply).split()
    return textwrap.shorten(" ".join(words), LONGEST, placeholder=" ...") if words else None


def describer_messages(failure: Row) -> Messages:
    """What the describer is asked: the record of one attempt, as quoted material.

    ``failure``: views, messages, outcome, answer and optimal (both JSON, or null).
    """
    talk = [
        {"turn": number, "from": f"agent {message['slot']}", "text": message["text"]}
        for number, message in enumerate(failure["messages"], start=1)
    ]
    views = {f"view of agent {slot}": text for slot, text in enumerate(failure["views"], start=1)}
    ending = {"ended": failure["outcome"], "answer": json.loads(failure["answer"] or "null")}
    record = (
        views | {"conversation": talk} | ending | {"optimal answer": json.loads(failure["optimal"] or "null")}
    )
    content = f"Record, as JSON:\n{json.dumps(record, ensure_ascii=False, indent=1)}"
    return [{"role": "system", "content": prompt("describe_system")}, {"role": "user", "content": content}]


def read_failures(data: Path, job: Row) -> list[Row]:
    """The team's sampled failures: messages, views, outcome, the graded answer and an optimal one.

    The optimal answer is in the notation of the agent that spoke last, of agent 1 where nobody did.
    """
    (team,) = (team_name(tuple(team)) for team in job["teams"])
    drawn = read_rows(data / "samples" / "descriptions.parquet", SAMPLES)
    sample = [row for row in drawn if row["team"] == team]
    used = job | {"tasks": {row["task"]: row["family"] for row in sample}}
    views, rollouts, grades, instances = (
        artifacts(data, stage, used) for stage in ("views", "rollouts", "grades", "instances")
    )
    answers = {_rollout(row): row["answer"] for path in grades for row in read_each(path, GRADES)}
    made = {
        (row["task"], row["index"]): row for path in instances for row in read_each(path, INSTANCES, NEEDED)
    }
    return [
        row
        | {"answer": answers[_rollout(row)]}
        | {"optimal": optimal_answer(made[row["task"], row["index"]], _holder(row))}
        for row in read_conversations(sample, views, rollouts)
    ]


def _rollout(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in ROLLOUT_ID)


def _holder(row: Row) -> str:
    """Whose notation an answer of the conversation is in."""
    slot = row["messages"][-1]["slot"] if row["messages"] else 1
    return HOLDERS[slot - 1]


if __name__ == "__main__":
    run(describe_failures)
