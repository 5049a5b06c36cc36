"""Agents keep a ledger step by step; each step becomes a row (see ``schemas.STEPS``)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from scripts.handoff import simulated as _  # noqa: F401  (brings the simulated ledger keeper)
from scripts.handoff.dialogue import Account, Words, begin, note_asked, note_given, split_note
from scripts.handoff.ledger_task import make_ledger_task
from scripts.lib.agents.caller import Caller
from scripts.lib.agents.calls import CallFailed, Messages, Reply
from scripts.lib.outcomes import UNFINISHED, Outcome

Row = dict[str, Any]
TASK = "ledger_task"  # the name under which replies are recorded


@dataclass
class Keeper:
    """One agent in one conversation.

    ``about``: columns that are the same in all its rows. ``replicate``: the same words under another number
    are asked anew.
    """

    caller: Caller
    words: Words
    account: Account
    head: str
    about: Row
    replicate: int = 0
    messages: Messages = field(default_factory=list)

    def say(self, step: int) -> None:
        """Put transaction ``step`` (from 0) into the conversation."""
        said = self.words.transaction(step)
        if self.messages:
            self.messages.append({"role": "user", "content": said})
        else:
            self.messages = begin(self.head, said)

    async def take(self, step: int, role: str, asked: tuple[int, int, int] | None = None) -> Row:
        """Have transaction ``step`` booked. ``asked``: most tokens of a note, reach, steps of the next chunk.

        The step after a failed call must not be taken: the row's ``right`` is null or its outcome says so.
        """
        self.say(step)
        messages = note_asked(self.messages, *asked[:2]) if asked else self.messages
        transaction = self.account.task.transactions[step]
        row = self.about | {"role": role, "step": step + 1, "kind": transaction.kind}
        row |= {"stationary": transaction.stationary}
        try:
            reply = await self.caller.call(TASK, messages, self.replicate)
        except CallFailed as failure:
            lost = None if failure.outcome in UNFINISHED else False
            return row | {"outcome": failure.outcome.value, "error": str(failure), "right": lost}
        row |= self._judge(step, reply, bool(asked))
        if asked:
            row |= self._look_at_note(step, reply.text, asked[2])
        self.messages.append({"role": "assistant", "content": reply.text})
        return row

    def _judge(self, step: int, reply: Reply, with_note: bool) -> Row:
        text = split_note(reply.text)[0] if with_note else reply.text
        expected, stated = self.account.judge(step, text)
        outcome = Outcome.NO_ANSWER if stated is None else Outcome.ANSWERED
        if stated is None and reply.finish_reason == "length":
            outcome = Outcome.TRUNCATED
        return {
            "load": reply.prompt_tokens,
            "completion_tokens": reply.completion_tokens,
            "finish_reason": reply.finish_reason,
            "outcome": outcome.value,
            "expected": expected,
            "stated": stated,
            "right": stated == expected,
            "reply": reply.text,
        }

    def _look_at_note(self, step: int, reply: str, ahead: int) -> Row:
        """What the note holds of what the next chunk needs."""
        task, note = self.account.task, split_note(reply)[1]
        earlier = {t.id for t in task.transactions[: step + 1]}
        needed = earlier.intersection(t.target for t in task.transactions[step + 1 : step + 1 + ahead])
        found = set(re.findall(r"T\d+", note))
        digits = {number.replace(",", "") for number in re.findall(r"\d[\d,]*", note)}
        return {
            "needed": len(needed),
            "held": len(needed & found),
            "note_right": str(self.account.balance) in digits,
        }


def words_of(job: Row, index: int) -> Words:
    """The ledger of an index. ``job``: seed, depth, reach, memo."""
    task = make_ledger_task(job["seed"], index, job["depth"], job["reach"])
    return Words(task, job["memo"], job["seed"], index)


def goes_on(row: Row) -> bool:
    """Whether the conversation can go on after a row: there was a reply."""
    return row.get("reply") is not None


def keeper(caller: Caller, words: Words, head: str, balance: int, **about: Any) -> Keeper:
    """An agent that starts from the opening or a note."""
    known = {"model": caller.name, "simulated": caller.model.simulated, "index": words.index}
    return Keeper(caller, words, Account(words.task, balance), head, known | about)


async def play_single(caller: Caller, words: Words, depth: int) -> list[Row]:
    """One agent takes all steps, until a call fails for good."""
    agent, rows = keeper(caller, words, words.opening(), words.task.opening, part="single"), []
    for step in range(depth):
        rows.append(await agent.take(step, "step"))
        if not goes_on(rows[-1]):
            break
    return rows


async def play_handoff(caller: Caller, words: Words, prefix: list[Row], limit: int, job: Row) -> list[Row]:
    """From a single agent's rows: the last of them again with a note, then a new agent for a chunk.

    ``job``: chunk (steps), reach. The balance by which the writer is judged is the prefix's own.
    """
    cut = len(prefix)
    about = {"part": "handoff", "cut": cut, "limit": limit}
    writer = keeper(caller, words, words.opening(), words.task.opening, **about)
    for step, row in enumerate(prefix[:-1]):
        writer.say(step)
        writer.messages.append({"role": "assistant", "content": row["reply"]})
        writer.account.judge(step, row["reply"])
    rows = [await writer.take(cut - 1, "writer", (limit, job["reach"], job["chunk"]))]
    if goes_on(rows[0]):
        rows += await _read_note(rows[0], writer, cut, cut + job["chunk"], limit)
    return rows


async def _read_note(written: Row, writer: Keeper, first: int, last: int, limit: int) -> list[Row]:
    head = note_given(split_note(written["reply"])[1], limit)
    balance = writer.account.balance
    reader, rows = keeper(writer.caller, writer.words, head, balance), []
    reader.about = writer.about
    for step in range(first, last):
        rows.append(await reader.take(step, "reader"))
        if not goes_on(rows[-1]):
            break
    return rows


async def play_chain(caller: Caller, words: Words, job: Row) -> list[Row]:
    """A chain of agents, each for ``chunk`` steps; all but the last one end with a note.

    ``job``: depth, chunk (steps), note (most tokens of one), reach, prediction (a hash). Its calls are made
    anew where their words were said before, by the single agent or in a chain of other chunks.
    """
    head, balance, rows = words.opening(), words.task.opening, list[Row]()
    about = {"part": "chain", "limit": job["note"], "chunk": job["chunk"], "prediction": job["prediction"]}
    for start in range(0, job["depth"], job["chunk"]):
        agent = keeper(caller, words, head, balance, **about)
        agent.replicate = job["chunk"]
        end = min(start + job["chunk"], job["depth"])
        for step in range(start, end):
            writes = step == end - 1 and end < job["depth"]
            ahead = (job["note"], job["reach"], job["chunk"])
            role = "writer" if writes else "reader" if start else "step"
            rows.append(await agent.take(step, role, ahead if writes else None))
            if not goes_on(rows[-1]):
                return rows
        head = note_given(split_note(rows[-1]["reply"])[1], job["note"])
        balance = agent.account.balance
    return rows
