"""The ledger task: an account, one transaction a step, and after each the new balance.

It is not the ledger of replies. Balances are whole numbers, never below 0. Two of the five kinds refer to
an earlier transaction by its id, so that the context matters; a fee takes a percentage of the balance, so
that it depends on all steps before it. Which kinds, how often and how large is our own choice.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tasks.making import stable_seed

BLOCK = {"credit": 3, "debit": 2, "reversal": 2, "repeat": 2, "fee": 1}  # in each ten steps, in random order
REFERRING = ("reversal", "repeat")
OPENINGS, AMOUNTS, RATES = (10_000, 99_999), (100, 999), (1, 5)  # least and greatest
WORDS = {
    "credit": "credit {number}",
    "debit": "debit {number}",
    "reversal": "reversal: book the opposite of {target}",
    "repeat": "repeat: book the same as {target} once more",
    "fee": "fee: take away {number} % of the balance, rounded down to a whole number",
}
_FORMS = {
    kind: re.compile(words.format(number="(?P<number>[0-9]+)", target="(?P<target>T[0-9]+)"))
    for kind, words in WORDS.items()
}


@dataclass(frozen=True)
class Transaction:
    """One step. ``number``: the amount of a credit or debit, the percentage of a fee; else 0.

    ``target``: the id of the credit or debit that a reversal or repeat refers to; else empty.
    """

    id: str
    kind: str
    number: int = 0
    target: str = ""

    @property
    def stationary(self) -> bool:
        """Whether stationary grading counts the step: all but fees, which depend on the balance."""
        return self.kind != "fee"

    @property
    def text(self) -> str:
        """The line that an agent reads, such as ``T007: debit 512``."""
        return f"{self.id}: {WORDS[self.kind].format(number=self.number, target=self.target)}"


@dataclass(frozen=True)
class LedgerTask:
    """An opening balance and the transactions in order."""

    opening: int
    transactions: tuple[Transaction, ...]

    def change(self, step: int, balance: int) -> int:
        """What transaction ``step`` (from 0) adds to a balance, be it the true one or an agent's own."""
        return change(self.transactions[step], balance, {t.id: t for t in self.transactions[:step]})

    def balances(self) -> list[int]:
        """The true balance after each step."""
        found, balance = [], self.opening
        for step in range(len(self.transactions)):
            balance += self.change(step, balance)
            found.append(balance)
        return found

    def crossing(self, cut: int) -> set[str]:
        """Ids of the first ``cut`` transactions that later ones refer to: what a note would have to hold."""
        earlier = {t.id for t in self.transactions[:cut]}
        return earlier.intersection(t.target for t in self.transactions[cut:])


def change(transaction: Transaction, balance: int, earlier: dict[str, Transaction]) -> int:
    """What a transaction adds to a balance. Raises KeyError where it refers to none of the earlier ones."""
    if transaction.kind == "fee":
        return -(balance * transaction.number // 100)
    if transaction.kind in REFERRING:
        same = change(earlier[transaction.target], balance, earlier)
        return same if transaction.kind == "repeat" else -same
    return transaction.number if transaction.kind == "credit" else -transaction.number


def read_transaction(text: str) -> Transaction | None:
    """The transaction that a line says; None where it says none."""
    name, _, words = text.strip().partition(": ")
    if re.fullmatch("T[0-9]+", name):
        for kind, form in _FORMS.items():
            if found := form.fullmatch(words):
                parts = found.groupdict()
                return Transaction(name, kind, int(parts.get("number") or 0), parts.get("target") or "")
    return None


def make_ledger_task(seed: int, index: int, depth: int, reach: int | None = None) -> LedgerTask:
    """A task of ``depth`` steps; a deeper one of the same seed and index begins with a shallower one.

    Transactions refer to one of the ``reach`` transactions before them (None: any before them), as far as
    one of these keeps the balance at 0 or more. What a note must hold then does not grow with the depth.
    """
    rng = random.Random(stable_seed(seed, "ledger task", index))
    opening = balance = rng.randint(*OPENINGS)
    earlier: dict[str, Transaction] = {}
    kinds = _kinds(rng)
    for step in range(depth):
        transaction = _draw(rng, f"T{step + 1:03d}", next(kinds), balance, earlier, reach)
        balance += change(transaction, balance, earlier)
        earlier[transaction.id] = transaction
    return LedgerTask(opening, tuple(earlier.values()))


def _kinds(rng: random.Random) -> Iterator[str]:
    """Kinds without end, block by block; the first two can be referred to, so some target always fits."""
    block = [kind for kind, times in BLOCK.items() for _ in range(times)]
    opening = ["credit", "debit"]
    rest = list(block)
    for kind in opening:
        rest.remove(kind)
    rng.shuffle(rest)
    yield from opening + rest
    while True:
        rng.shuffle(block)
        yield from block


def _draw(
    rng: random.Random,
    name: str,
    kind: str,
    balance: int,
    earlier: dict[str, Transaction],
    reach: int | None,
) -> Transaction:
    if kind == "fee":
        return Transaction(name, kind, rng.randint(*RATES))
    if kind not in REFERRING:
        amount = rng.randint(*AMOUNTS)
        return Transaction(name, kind, amount if kind == "credit" else min(amount, balance))
    possible = [Transaction(name, kind, 0, t.id) for t in earlier.values() if t.kind in ("credit", "debit")]
    possible = [t for t in possible if balance + change(t, balance, earlier) >= 0]
    near = set(list(earlier)[-reach:] if reach else earlier)
    return rng.choice([t for t in possible if t.target in near] or possible)
