"""Who reads what: one agent, a handoff from its own prefix, and a chain in which each knows only a note."""

import asyncio
from types import SimpleNamespace

import pytest

from scripts.handoff.dialogue import Words
from scripts.handoff.ledger_task import make_ledger_task
from scripts.handoff.play import play_chain, play_handoff, play_single
from scripts.handoff.simulated import keep_ledger
from scripts.lib.agents.calls import CallFailed, Reply
from scripts.lib.outcomes import Outcome
from tests.handoff.experiment import NOTHING

JOB = {"depth": 20, "chunk": 5, "note": 300, "reach": 10, "prediction": "sha"}


class Listener:
    """A caller that keeps what it is asked; ``fails``: the number of the call that fails, and how."""

    def __init__(self, fails=None, reply=lambda messages: keep_ledger(NOTHING, messages)):
        self.name, self.model = "listener", SimpleNamespace(simulated=False)
        self.asked, self.replicates, self.fails, self.reply = [], [], fails or {}, reply

    async def call(self, task, messages, replicate=0):
        assert task == "ledger_task"
        self.replicates = [*self.replicates, replicate]
        self.asked.append([dict(message) for message in messages])
        if outcome := self.fails.get(len(self.asked)):
            raise CallFailed(outcome, "as planned")
        return Reply(text=self.reply(messages), prompt_tokens=10 * len(messages), completion_tokens=5)


@pytest.fixture
def words():
    return Words(make_ledger_task(3, 1, 20, 10), 0, 3, 1)


def play(work, *args):
    return asyncio.run(work(*args))


def test_one_agent_reads_the_whole_history(words):
    listener = Listener()
    rows = play(play_single, listener, words, 20)
    assert [row["step"] for row in rows] == list(range(1, 21)) and all(row["right"] for row in rows)
    assert [len(messages) for messages in listener.asked] == [2 * step for step in range(1, 21)]
    assert [row["stated"] for row in rows] == words.task.balances()
    assert rows[4] | {"role": "step", "part": "single", "load": 100} == rows[4]


def test_a_handoff_begins_with_the_very_prefix_and_its_reader_knows_only_the_note(words):
    prefix = play(play_single, Listener(), words, 20)[:10]
    listener = Listener()
    rows = play(play_handoff, listener, words, prefix, 300, JOB)
    assert [row["role"] for row in rows] == ["writer"] + ["reader"] * 5
    assert [row["step"] for row in rows] == [10, 11, 12, 13, 14, 15] and all(row["right"] for row in rows)
    replies = [m["content"] for m in listener.asked[0] if m["role"] == "assistant"]
    assert replies == [row["reply"] for row in prefix[:9]]
    first = listener.asked[1]
    assert len(first) == 2 and "left this note" in first[1]["content"]
    assert words.task.transactions[10].text in first[1]["content"]
    assert rows[0]["held"] == rows[0]["needed"] and rows[0]["note_right"]


def test_in_a_chain_every_agent_but_the_last_writes_a_note(words):
    listener = Listener()
    rows = play(play_chain, listener, words, JOB)
    assert [row["role"] for row in rows] == (
        ["step"] * 4 + ["writer"] + (["reader"] * 4 + ["writer"]) * 2 + ["reader"] * 5
    )
    assert max(len(messages) for messages in listener.asked) == 10
    assert set(listener.replicates) == {5}  # so no reply of the single agent or of other chunks is taken
    assert all(row["right"] and row["prediction"] == "sha" for row in rows)


def test_the_next_agent_is_judged_by_the_balance_of_the_one_before(words):
    def wrong_once(messages):
        reply = keep_ledger(NOTHING, messages)
        at = words.task.transactions[4].text in messages[-1]["content"]
        right = str(words.task.balances()[4])
        return reply.replace(right, str(int(right) + 7)) if at else reply

    rows = play(play_chain, Listener(reply=wrong_once), words, JOB)
    assert [row["step"] for row in rows if not row["right"]] == [5]


@pytest.mark.parametrize(
    ("outcome", "right"),
    [(Outcome.FAILED, None), (Outcome.CONTEXT_OVERFLOW, False), (Outcome.REFUSED, False)],
)
def test_a_call_that_fails_ends_the_conversation(words, outcome, right):
    rows = play(play_single, Listener({7: outcome}), words, 20)
    assert len(rows) == 7 and rows[-1]["outcome"] == outcome.value and rows[-1]["right"] is right
    assert "load" not in rows[-1]
    assert len(play(play_chain, Listener({5: outcome}), words, JOB)) == 5
    prefix = rows[:6]
    assert len(play(play_handoff, Listener({1: outcome}), words, prefix, 300, JOB)) == 1
    assert len(play(play_handoff, Listener({3: outcome}), words, prefix, 300, JOB)) == 3


def test_a_reply_without_a_balance_is_an_error_and_says_so(words):
    rows = play(play_single, Listener(reply=lambda messages: "hm"), words, 3)
    assert all(row["outcome"] == "no_answer" and row["right"] is False for row in rows)
