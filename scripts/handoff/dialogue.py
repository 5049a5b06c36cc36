"""The words between the study and whoever keeps a ledger: what is said, and how a reply is read.

One agent and a chain of agents read the same words. The true balance is given once, at the opening; from
then on each step is judged by what the agent itself said before (see ``Account``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from scripts.handoff.answer_line import read_number
from scripts.handoff.ledger_task import LedgerTask
from scripts.handoff.padded_problem import make_filler
from scripts.lib.agents.calls import Messages

PROMPTS = Path(__file__).parent / "prompts"
SYSTEM, NOTE_ASK, NOTE_GIVEN = (
    (PROMPTS / f"{name}.txt").read_text(encoding="utf-8").strip()
    for name in ("ledger_system", "note_ask", "note_given")
)
MARK = "BALANCE"  # of the line that holds the balance
_NOTE = re.compile(r"^[\s*_#>]*NOTE[\s*_]*:[ \t*_]*", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class Words:
    """How a ledger's transactions are said: the task, words of memo, and what memos are drawn from."""

    task: LedgerTask
    memo: int
    seed: int
    index: int

    def opening(self) -> str:
        """What stands above the first transaction of the whole ledger."""
        return f"The opening balance is {self.task.opening}."

    def transaction(self, step: int) -> str:
        """Transaction ``step`` (from 0), with its memo."""
        said = self.task.transactions[step].text
        filler = make_filler(self.seed, self.index * 1000 + step, self.memo) if self.memo else ""
        return f"{said}\nMemo: {filler}" if filler else said


def begin(head: str, said: str) -> Messages:
    """A conversation up to its first transaction: ``head`` is the opening or a note."""
    return [{"role": "system", "content": SYSTEM}, {"role": "user", "content": f"{head}\n\n{said}"}]


def note_asked(messages: Messages, limit: int, reach: int) -> Messages:
    """The same conversation, with a note asked for below the last transaction."""
    *before, last = messages
    ask = NOTE_ASK.format(limit=limit, reach=reach)
    return [*before, {"role": "user", "content": f"{last['content']}\n\n{ask}"}]


def note_given(note: str, limit: int) -> str:
    """A note as the next agent reads it."""
    return NOTE_GIVEN.format(note=note or "(it is empty)", limit=limit)


def split_note(reply: str) -> tuple[str, str]:
    """A reply up to the line NOTE:, and the note below it; without the line all of it is the note."""
    found = _NOTE.search(reply)
    return (reply[: found.start()], reply[found.end() :].strip()) if found else (reply, reply.strip())


@dataclass
class Account:
    """The balance as the agents themselves have it, by which each step is judged.

    A step is right where the stated balance is the balance stated before plus what the transaction changes
    it by: errors are not counted again in later steps. A balance that is not stated is an error; the next
    step is judged as if it had been booked rightly.
    """

    task: LedgerTask
    balance: int

    def judge(self, step: int, reply: str) -> tuple[int, int | None]:
        """The right and the stated balance after transaction ``step`` (from 0); goes on from the latter."""
        expected = self.balance + self.task.change(step, self.balance)
        stated = read_number(reply, MARK)
        self.balance = expected if stated is None else stated
        return expected, stated
