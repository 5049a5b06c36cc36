"""Judge conversations stage by stage: a team's part of the sample -> ``judgements/{team}.parquet``."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from scripts.collaboration.conversations import read_conversations
from scripts.collaboration.schemas import JUDGEMENTS, ROLLOUT_ID, SAMPLES
from scripts.lib.agents.caller import Caller, Calls, open_callers
from scripts.lib.agents.calls import CallFailed, Messages
from scripts.lib.agents.ordered import in_order
from scripts.lib.dialogue.judging import Void, ask_again, judge_messages, read_verdict
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.names import team_name
from scripts.lib.progress import Meter
from scripts.lib.stage import run
from scripts.lib.tables import RowWriter, read_rows

Row = dict[str, Any]
MOST_ASKS = 2  # of one verdict


def judge_stages(
    sample: Path, views: list[Path], rollouts: list[Path], output: Path, calls: Row, job: Row
) -> None:
    """Write a verdict on each stage of each of a team's conversations in the sample, four calls for each.

    ``calls``: see ``Calls``; ``job``: team (its one model), judge (a model's name). A void verdict is asked
    for once more, with what is wrong with it; where it is void again, or the call fails, ``satisfied`` is
    null and ``error`` says why. A conversation in which nobody spoke is not judged.
    """
    team = team_name(tuple(job["team"]))
    rows = [row for row in read_rows(sample, SAMPLES) if row["team"] == team]
    work = _asked(read_conversations(rows, views, rollouts))
    asyncio.run(_judge_all(work, len(rows) * len(STAGES), output, Calls.read(calls), job["judge"]))


def _asked(conversations: Iterator[Row]) -> Iterator[Row]:
    """Each conversation once for each stage."""
    return (row | {"stage": stage} for row in conversations for stage in STAGES)


async def _judge_all(work: Iterable[Row], size: int, output: Path, calls: Calls, judge: str) -> None:
    meter = Meter(size, "verdicts")
    async with open_callers([judge], calls, meter) as session:
        caller = session.callers[judge]
        if caller.model.batch:
            from scripts.lib.agents.batch import run_batch  # late: it imports openai

            work = list(work)
            await run_batch(caller, (ask(row) for row in work if row["messages"]))
        judge_one = functools.partial(_judge_one, caller=caller, meter=meter)
        with RowWriter(output, JUDGEMENTS) as writer:
            async for row in in_order(work, judge_one, session.stop):
                writer.add(row)


def ask(row: Row) -> tuple[str, Messages]:
    """Task and messages of the first ask about a stage. ``row``: task, stage, views, messages."""
    return row["task"], judge_messages(row["stage"], row["views"], row["messages"])


async def _judge_one(row: Row, caller: Caller, meter: Meter) -> Row:
    verdict = await _verdict(row, caller) if row["messages"] else {"attempts": 0, "error": "nobody spoke"}
    meter.done += 1
    return {
        **{name: row[name] for name in (*ROLLOUT_ID, "score", "success", "stage")},
        "simulated": row["simulated"] or caller.model.simulated,
        "judge": caller.name,
        **verdict,
    }


async def _verdict(row: Row, caller: Caller) -> Row:
    """The verdict's columns; a void one is asked for again."""
    task, messages = ask(row)
    wrong = ""
    for attempt in range(1, MOST_ASKS + 1):
        try:
            reply = await caller.call(task, messages)
            verdict = read_verdict(reply.text, row["messages"])
        except CallFailed as failure:
            return {"attempts": attempt, "error": str(failure)}
        except Void as void:
            wrong, messages = str(void), ask_again(messages, reply.text, str(void))
        else:
            found = {"satisfied": verdict.satisfied, "turn": verdict.turn, "quotation": verdict.quotation}
            return found | {"attempts": attempt}
    return {"attempts": MOST_ASKS, "error": f"void: {wrong}"}


if __name__ == "__main__":
    run(judge_stages)
