"""Ask each agent alone when the conversation is over: ``rollouts/...`` -> ``alone/...``, same shards."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scripts.collaboration.beyond_schemas import ASKED_ALONE
from scripts.collaboration.run_rollouts import read_items
from scripts.collaboration.schemas import ROLLOUT_ID, ROLLOUTS
from scripts.lib.agents.caller import Caller, Calls, open_callers
from scripts.lib.agents.calls import CallFailed, Messages
from scripts.lib.agents.ordered import in_order
from scripts.lib.dialogue.alone import alone_messages
from scripts.lib.dialogue.marker import read_message
from scripts.lib.dialogue.protocol import Turn
from scripts.lib.errors import UserError
from scripts.lib.outcomes import UNFINISHED, Outcome
from scripts.lib.progress import Meter
from scripts.lib.stage import run
from scripts.lib.tables import RowWriter, count_rows, read_each

COLUMNS = [*ROLLOUT_ID, "digest", "outcome", "messages"]
SLOTS = (1, 2)

Row = dict[str, Any]


def ask_alone(rollouts: Path, views: list[Path], output: Path, calls: Row, job: Row) -> None:
    """Ask both agents of each conversation of a batch for their own answers, one call each.

    ``calls``: see ``Calls``; ``job``: team (its one model); the rest of it only decides when the batch is
    asked again. A conversation that could not be run to its end, or in which nobody spoke, is left out.
    Raises UserError where a conversation was about another instance than the one that is there now.
    """
    asyncio.run(_ask_all(rollouts, views, output, Calls.read(calls), job["team"][0]))


async def _ask_all(rollouts: Path, views: list[Path], output: Path, calls: Calls, model: str) -> None:
    meter = Meter(len(SLOTS) * count_rows(rollouts, ROLLOUTS), "answers alone")
    async with open_callers([model], calls, meter) as session:
        work = functools.partial(_ask_one, caller=session.callers[model], meter=meter)
        with RowWriter(output, ASKED_ALONE) as writer:
            async for row in in_order(_asks(rollouts, views), work, session.stop):
                writer.add(row)


def _asks(rollouts: Path, views: list[Path]) -> Iterator[Row]:
    """Each agent of each conversation that has something to tell, with its messages."""
    items = {(item["task"], item["index"]): item for item in read_items(views)}
    for row in read_each(rollouts, ROLLOUTS, COLUMNS):
        item = items.get((row["task"], row["index"]))
        if item is None or item["digest"] != row["digest"]:
            raise UserError(
                f"{rollouts}: the rollout of {row['task']} {row['index']} was made on another instance than "
                "the one in data now. Run it again with: snakemake --forcerun run_rollouts"
            )
        if row["outcome"] not in UNFINISHED and row["messages"]:
            for slot in SLOTS:
                yield row | {"slot": slot, "ask": ask(row["messages"], item, slot)}


def ask(messages: list[Row], item: Row, slot: int) -> Messages:
    """What the agent in a slot is asked. ``item``: texts of the views a and b."""
    turns = [Turn(message["slot"], message["text"]) for message in messages]
    return alone_messages(item["a" if slot == 1 else "b"], turns, slot)


async def _ask_one(row: Row, caller: Caller, meter: Meter) -> Row:
    about = {name: row[name] for name in (*ROLLOUT_ID, "digest", "slot")}
    about |= {"simulated": caller.model.simulated}
    try:
        reply = await caller.call(row["task"], row["ask"])
    except CallFailed as failure:
        return about | {"outcome": failure.outcome, "error": str(failure)}
    finally:
        meter.done += 1
    message = read_message(reply.text)
    return about | {
        "outcome": Outcome.NO_ANSWER if message.answer is None else Outcome.ANSWERED,
        "text": message.text,
        "answer_text": message.answer,
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": reply.completion_tokens,
        "key": reply.key,
    }


if __name__ == "__main__":
    run(ask_alone)
