"""A simulated ledger keeper: it reads what a model reads, writes what a model writes, and errs as planted.

It knows nothing but the messages. It reads transactions, balances and notes out of them; what it needs and
cannot find there it gets wrong. Besides it errs by its planted losses (``Planted``): each step by the load
of the conversation, and once after a note, in the first step that is no fee, by the length the note may have.
All its chance is drawn from the text, so the same conversation always gets the same reply.
"""

from __future__ import annotations

import functools
import random
import re

from scripts.handoff.answer_line import read_number
from scripts.handoff.dialogue import MARK, NOTE_ASK, NOTE_GIVEN, SYSTEM
from scripts.handoff.ledger_task import Transaction, change, read_transaction
from scripts.handoff.planted import Planted, fails
from scripts.lib.agents.calls import Messages
from scripts.lib.agents.simulated.brought import bring, count_tokens
from tasks.making import stable_seed

OPENING = SYSTEM.partition("\n")[0]
_ASKED = re.compile(re.escape(NOTE_ASK.partition("{limit}")[0]) + r"(\d+)")
_GIVEN = re.compile(re.escape(NOTE_GIVEN.partition("{limit}")[0]) + r"(\d+)")
_BALANCE = re.compile(r"opening balance is (\d+)")
_TRANSACTION = re.compile(r"^T\d+: .*$", re.MULTILINE)
_REACH = 12  # transactions that its notes hold, as far as they fit; a line of a note takes about 4 tokens


def keep_ledger(planted: dict[str, float], messages: Messages) -> str:
    """The reply to the last transaction of a conversation, with a note where one is asked for."""
    rates = Planted(**planted)
    users = [message["content"] for message in messages if message["role"] == "user"]
    seen = [_spoken(content) for content in users]
    earlier = _from_note(users[0]) | {t.id: t for t in seen[:-1] if t}
    last, balance = seen[-1], _balance(messages)
    if last is None or balance is None:
        return "I find no transaction or no balance."
    rng = random.Random(stable_seed(*(message["content"] for message in messages)))
    knows = not last.target or last.target in earlier
    right = change(last, balance, earlier) if knows else 0
    load = sum(count_tokens(message["content"]) for message in messages)
    wrong = not knows or fails(rates.step(load), rng.random())
    if given := _GIVEN.search(users[0]):
        first = next((number for number, t in enumerate(seen) if t and t.stationary), None)
        if first == len(seen) - 1:
            wrong |= fails(rates.note(float(given[1])), rng.random())
    balance += right + (rng.choice((-90, -9, 9, 90)) if wrong else 0)
    reply = f"{MARK}: {balance}"
    asked = _ASKED.search(users[-1])
    return f"{reply}\nNOTE:\n{_note(balance, earlier | {last.id: last}, int(asked[1]))}" if asked else reply


@functools.lru_cache(maxsize=4096)  # each reply reads the whole conversation again
def _spoken(content: str) -> Transaction | None:
    """The transaction of a message: the last line that is one, because a note stands above it."""
    found = _TRANSACTION.findall(content)
    return read_transaction(found[-1]) if found else None


def _balance(messages: Messages) -> int | None:
    """The last balance that was said: by itself, in the note, or at the opening."""
    for message in reversed(messages):
        said = read_number(message["content"], MARK)
        if said is None and (opening := _BALANCE.search(message["content"])):
            said = int(opening[1])
        if said is not None:
            return said
    return None


def _from_note(content: str) -> dict[str, Transaction]:
    """Credits and debits that a note holds."""
    if not _GIVEN.search(content):
        return {}
    found = [read_transaction(line) for line in _TRANSACTION.findall(content)[:-1]]
    return {t.id: t for t in found if t}


def _note(balance: int, earlier: dict[str, Transaction], limit: int) -> str:
    """The balance and the latest credits and debits, as many as fit."""
    amounts = [t.text for t in list(earlier.values())[-_REACH:] if t.kind in ("credit", "debit")]
    room = max(0, (limit - 8) // 4)
    return "\n".join([f"{MARK}: {balance}", *(amounts[-room:] if room else [])])


bring(OPENING, keep_ledger)
