"""What is said about a ledger, and how replies are judged."""

from hypothesis import given
from hypothesis import strategies as st

from scripts.handoff.dialogue import Account, Words, begin, note_asked, note_given, split_note
from scripts.handoff.ledger_task import LedgerTask, Transaction, make_ledger_task

TASK = LedgerTask(
    1000,
    (
        Transaction("T001", "credit", 200),
        Transaction("T002", "debit", 50),
        Transaction("T003", "reversal", 0, "T001"),
        Transaction("T004", "fee", 10),
    ),
)


def test_a_step_is_judged_by_what_was_stated_before_so_that_an_error_counts_once():
    account = Account(TASK, 1000)
    assert account.judge(0, "BALANCE: 1200") == (1200, 1200)
    assert account.judge(1, "BALANCE: 1500") == (1150, 1500)  # wrong
    assert account.judge(2, "BALANCE: 1300") == (1300, 1300)  # right, from 1500
    assert account.judge(3, "BALANCE: 1170") == (1170, 1170)


def test_after_a_balance_that_is_not_stated_the_right_one_is_taken():
    account = Account(TASK, 1000)
    assert account.judge(0, "I would say 1200.") == (1200, None)
    assert account.judge(1, "**Balance:** 1,150") == (1150, 1150)


def test_the_note_is_asked_for_below_the_last_transaction_and_nothing_else_changes():
    words = Words(TASK, 0, 0, 0)
    messages = begin(words.opening(), words.transaction(0))
    asked = note_asked(messages, 100, 10)
    assert asked[0] == messages[0] and asked[1]["content"].startswith(messages[1]["content"] + "\n\n")
    assert "at most 100 tokens" in asked[1]["content"] and "last 10 transactions" in asked[1]["content"]
    assert messages[1]["content"].endswith("T001: credit 200")


def test_a_memo_stands_below_its_transaction_and_says_nothing_of_it():
    words = Words(make_ledger_task(0, 0, 5), 30, 0, 0)
    said, memo = words.transaction(3).split("\nMemo: ")
    assert said == words.task.transactions[3].text and 15 <= len(memo.split()) <= 30
    assert words.transaction(3) == words.transaction(3) and not any(c.isdigit() for c in memo)


def test_a_reply_is_cut_at_its_note():
    assert split_note("BALANCE: 5\nNOTE:\nBALANCE: 5\nT001: credit 5") == (
        "BALANCE: 5\n",
        "BALANCE: 5\nT001: credit 5",
    )
    assert split_note("BALANCE: 5\n**Note:** five") == ("BALANCE: 5\n", "five")
    assert split_note("BALANCE: 5") == ("BALANCE: 5", "BALANCE: 5")  # no line NOTE: all of it is the note
    assert "(it is empty)" in note_given("", 100)


@given(st.text(max_size=200))
def test_any_reply_is_read(reply):
    head, note = split_note(reply)
    assert reply.startswith(head) and note in reply
    assert Account(TASK, 1000).judge(0, reply)[0] == 1200
