"""Let models solve: ``views/...`` -> ``rollouts/{arm}/{team}/{mode}/{family}/{batch}.parquet``."""

from __future__ import annotations

import asyncio
import functools
from pathlib import Path
from typing import Any

from scripts.collaboration.instances import to_json
from scripts.collaboration.schemas import ROLLOUTS, VIEWS
from scripts.lib.agents.caller import Caller, Calls, open_callers
from scripts.lib.agents.calls import Reply
from scripts.lib.agents.ordered import in_order
from scripts.lib.dialogue.protocol import Dialogue, Speak, collab, solo
from scripts.lib.names import team_name
from scripts.lib.progress import Meter
from scripts.lib.stage import run
from scripts.lib.tables import RowWriter, read_rows

Item = dict[str, Any]  # an instance's task, index, digest and its texts by view


def run_rollouts(views: list[Path], output: Path, calls: dict[str, Any], job: dict[str, Any]) -> None:
    """Run one batch of rollouts, its conversations at once; rows are written as they come to their end.

    ``calls``: models_file, ledger, replay_only, state (see ``Calls``). ``job``: arm, team (models in slot
    order), mode, family, critic, max_exchanges, clauses (the arm's texts, where it has any); the rest of it
    only decides when Snakemake reruns the batch.
    """
    asyncio.run(_run_all(read_items(views), Calls.read(calls), job, output))


def read_items(views: list[Path]) -> list[Item]:
    """The instances of all tasks, with the texts of their views."""
    items: dict[tuple[str, int], Item] = {}
    for path in views:
        for row in read_rows(path, VIEWS):
            about = {name: row[name] for name in ("task", "index", "digest")}
            item = items.setdefault((row["task"], row["index"]), about)
            item[row["view"]] = row["text"]
    return list(items.values())


async def _run_all(items: list[Item], calls: Calls, job: Item, output: Path) -> None:
    meter = Meter(len(items))
    async with open_callers(job["team"], calls, meter) as session:
        work = functools.partial(_rollout, callers=session.callers, job=job, meter=meter)
        with RowWriter(output, ROLLOUTS) as writer:
            async for row in in_order(items, work, session.stop):
                writer.add(row)


async def _rollout(item: Item, callers: dict[str, Caller], job: Item, meter: Meter) -> dict[str, Any]:
    speak: list[Speak] = [functools.partial(callers[name].call, item["task"]) for name in job["team"]]
    dialogue = await converse(item, speak, job)
    meter.done += 1
    return rollout_row(item, dialogue, callers, job)


async def converse(item: Item, speak: list[Speak], job: Item) -> Dialogue:
    """The dialogue about an instance; ``speak``: one a model of the team. ``job``: see ``run_rollouts``."""
    if job["mode"] == "collab":
        seats = speak * 2 if len(speak) == 1 else speak
        return await collab([item["a"], item["b"]], seats, job["max_exchanges"], job.get("clauses", ()))
    texts = [item["full"]] if job["mode"] == "solo_full" else [item["a"], item["b"]]
    return await solo(job["mode"], texts, speak[0], job["critic"])


def rollout_row(item: Item, dialogue: Dialogue, callers: dict[str, Caller], job: Item) -> dict[str, Any]:
    """A finished dialogue as a row of the rollouts."""
    team = job["team"]
    seats = team if len(team) == 2 or job["mode"] != "collab" else team * 2
    spoken = [(turn.slot, turn.reply) for turn in dialogue.turns if turn.reply]
    return {
        "arm": job["arm"],
        "team": team_name(tuple(team)),
        "mode": job["mode"],
        "family": job["family"],
        "task": item["task"],
        "index": item["index"],
        "digest": item["digest"],
        "simulated": any(callers[name].model.simulated for name in team),
        "outcome": dialogue.outcome,
        "error": dialogue.error,
        "answer_text": dialogue.answer,
        "answer_slot": dialogue.answer_slot,
        "turns": len(spoken),
        "truncated": sum(reply.finish_reason == "length" for _, reply in spoken),
        "messages": [_message(number, turn) for number, turn in enumerate(dialogue.turns)],
        "usage": [_usage(slot, model, dialogue) for slot, model in enumerate(seats, start=1)],
        "sent": to_json([_sent(slot, callers[name], spoken) for slot, name in enumerate(seats, start=1)]),
    }


def _sent(slot: int, caller: Caller, spoken: list[tuple[int, Reply]]) -> dict[str, Any]:
    """What went out for a slot beside the messages: as its last reply tells, else as configured."""
    told = [reply.sent for speaker, reply in spoken if speaker == slot and reply.sent]
    return told[-1] if told else caller.identity


def _message(number: int, turn: Any) -> dict[str, Any]:
    row = {"turn": number, "slot": turn.slot, "text": turn.text, "wrote_prefix": turn.wrote_prefix}
    if turn.reply is None:
        return row
    names = ("reasoning", "finish_reason", "prompt_tokens", "completion_tokens", "key")
    return row | {"reply": turn.reply.text} | {name: getattr(turn.reply, name) for name in names}


def _usage(slot: int, model: str, dialogue: Dialogue) -> dict[str, Any]:
    """Calls and tokens of a slot; tokens are null where a reply came without a count."""
    replies = [turn.reply for turn in dialogue.turns if turn.slot == slot and turn.reply]
    row: dict[str, Any] = {"slot": slot, "model": model, "calls": len(replies)}
    for name in ("prompt_tokens", "completion_tokens"):
        counts = [getattr(reply, name) for reply in replies]
        row[name] = None if None in counts else sum(counts)
    return row


if __name__ == "__main__":
    run(run_rollouts)
