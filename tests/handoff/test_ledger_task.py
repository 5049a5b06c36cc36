"""The ledger task: worked out by hand, and for any seed exact, solvable from its text, never below zero."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.handoff.ledger_task import (
    BLOCK,
    REFERRING,
    LedgerTask,
    Transaction,
    make_ledger_task,
    read_transaction,
)

tasks = st.builds(make_ledger_task, st.integers(0, 10**6), st.integers(0, 1000), st.integers(0, 120))
BY_HAND = LedgerTask(
    1000,
    (
        Transaction("T001", "credit", 155),
        Transaction("T002", "debit", 400),
        Transaction("T003", "fee", 3),
        Transaction("T004", "reversal", 0, "T001"),
        Transaction("T005", "repeat", 0, "T002"),
        Transaction("T006", "reversal", 0, "T002"),
    ),
)


def solve(opening, lines):
    """Balances from the text alone, by other means than the task's own."""
    balance, booked, found = opening, {}, []
    for line in lines:
        name, words = line.split(": ", 1)
        if words.startswith("fee"):
            balance -= int(words.split()[3]) * balance // 100
        else:
            number = words.split()[-1] if words.startswith(("credit", "debit")) else None
            if number:
                booked[name] = int(number) if words.startswith("credit") else -int(number)
                balance += booked[name]
            else:
                target = next(word for word in words.split() if word.startswith("T"))
                balance += booked[target] * (-1 if "opposite" in words else 1)
        found.append(balance)
    return found


def test_balances_by_hand():
    assert BY_HAND.balances() == [1155, 755, 733, 578, 178, 578]
    assert BY_HAND.change(2, 200) == -6  # a fee on the balance that an agent believes in
    assert BY_HAND.change(5, 0) == 400
    assert BY_HAND.crossing(2) == {"T001", "T002"} and BY_HAND.crossing(4) == {"T002"}
    assert [t.stationary for t in BY_HAND.transactions] == [True, True, False, True, True, True]
    assert BY_HAND.transactions[3].text == "T004: reversal: book the opposite of T001"


@given(tasks)
def test_a_task_is_solved_from_its_text(task):
    balances = task.balances()
    assert balances == solve(task.opening, [t.text for t in task.transactions])
    assert all(type(balance) is int and balance >= 0 for balance in balances)


@given(tasks)
def test_what_is_written_is_read_back(task):
    assert tuple(read_transaction(f" {t.text}\n") for t in task.transactions) == task.transactions
    assert len({t.id for t in task.transactions}) == len(task.transactions)


@given(tasks)
def test_references_lead_to_earlier_credits_and_debits(task):
    seen = {}
    for transaction in task.transactions:
        assert bool(transaction.target) == (transaction.kind in REFERRING)
        assert not transaction.target or seen[transaction.target] in ("credit", "debit")
        seen[transaction.id] = transaction.kind


@given(tasks)
def test_every_ten_steps_hold_the_same_kinds(task):
    kinds = [t.kind for t in task.transactions]
    for start in range(0, len(kinds) - 9, 10):
        assert Counter(kinds[start : start + 10]) == BLOCK
    assert len(REFERRING) == 2


@given(st.integers(0, 10**6), st.integers(0, 50))
def test_a_deeper_task_begins_with_a_shallower_one(seed, index):
    shallow, deep = make_ledger_task(seed, index, 20), make_ledger_task(seed, index, 100)
    assert deep.transactions[:20] == shallow.transactions and deep.opening == shallow.opening


def test_a_task_is_the_same_everywhere():
    task = make_ledger_task(7, 3, 100)
    assert task == make_ledger_task(7, 3, 100)
    assert len({make_ledger_task(7, index, 100).opening for index in range(100)}) > 95
    assert (task.opening, task.balances()[-1]) == (54154, 50368)


@pytest.mark.parametrize(
    "text", ["", "T001", "credit 5", "T001: credit five", "T001: credit -5", "T1: fee 5"]
)
def test_what_is_no_transaction_is_not_read(text):
    assert read_transaction(text) is None
