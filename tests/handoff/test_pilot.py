"""The pilot's calls: loads in the endpoint's tokens, a row a call; the solver reads and errs as planted."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.handoff.padded_problem import make_filler, make_problem, padded
from scripts.handoff.pilot import LEAST, SYSTEM, Scale, judged
from scripts.handoff.solver import read_stocks, solve_padded
from scripts.lib.agents.caller import SimulatedEndpoint
from scripts.lib.agents.calls import CallFailed, Reply
from scripts.lib.outcomes import Outcome
from tests.handoff.pilot_cases import LOADS, fit, play


@given(st.integers(0, 10**6), st.integers(0, 500), st.integers(0, 10))
def test_the_solver_reads_every_problem(seed, index, steps):
    problem = make_problem(seed, index, steps)
    stocks = read_stocks(problem.text)
    assert stocks[-1] == problem.answer and len(stocks) == steps + 1


@given(st.text())
def test_the_solver_takes_any_text(text):
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": text}]
    assert solve_padded({"base": 0.1, "slope": 0.1, "knee": 1.0}, messages)


@pytest.mark.parametrize(
    ("planted", "end"),
    [
        ({"base": 0.0, "slope": 0.0, "knee": 0.0}, "right"),
        ({"base": 99.0, "slope": 0.0, "knee": 0.0}, "wrong"),
        ({"base": 0.0, "slope": 99.0, "knee": 50.0}, "missing"),
    ],
)
def test_the_solver_errs_as_planted(planted, end):
    problem = make_problem(1, 1)
    content = padded(problem, make_filler(1, 1, 200))
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": content}]
    row = judged(Reply(solve_padded(planted, messages)), problem.answer)
    assert {"right": row["wrong"] is False, "wrong": row["wrong"], "missing": row["missing"]}[end]


@given(st.floats(20, 500), st.floats(0.5, 5), st.integers(0, 10**5))
def test_a_load_is_met_to_within_a_word_or_is_the_least(least, word, load):
    words = Scale(least, word).words(load)
    reached = least + (words - LEAST) * word
    assert words == LEAST if load <= least else abs(reached - load) <= word


def test_a_row_a_call_with_the_loads_aimed_at(tmp_path):
    rows = play(tmp_path, problems=6)
    assert [(r["index"], r["level"], r["call"]) for r in rows] == [
        (index, level, call) for index in range(6) for level in range(4) for call in range(2)
    ]
    assert all(r["simulated"] and r["estimate"] is None for r in rows)
    for row in rows:
        assert row["aim"] == LOADS[row["level"]]
        # Filler is whole sentences; problems differ by a few words.
        assert math.isclose(row["load"], row["aim"], abs_tol=45) or (row["aim"] == 0 and row["load"] < 200)


def test_batches_do_not_change_a_call(tmp_path):
    whole = play(tmp_path / "one", problems=6)
    parts = [*play(tmp_path / "two", problems=3), *play(tmp_path / "two", problems=3, first=3)]
    assert whole == parts


def test_the_calls_on_a_problem_differ_at_every_load(tmp_path):
    rows = play(tmp_path, problems=40, loads=[0, 100, 200], planted={"base": 0.7, "slope": 0.0, "knee": 0.0})
    for level in range(3):
        pairs = Counter()
        for one, two in zip(*[iter(row["wrong"] for row in rows if row["level"] == level)] * 2, strict=True):
            pairs[one, two] += 1
        assert len(pairs) == 4  # both, none, either alone: no call is a copy of the other


def test_a_reply_without_room_for_its_answer_is_cut():
    row = judged(Reply("The depot holds", finish_reason="length"), 7)
    assert row["outcome"] == "truncated" and row["missing"] and row["wrong"] is None


def test_a_number_that_no_column_holds_is_wrong():
    row = judged(Reply("ANSWER: " + "9" * 40), 7)
    assert row["stated"] is None and row["wrong"] and not row["missing"]


def endpoint(monkeypatch, reply):
    """Have the endpoint answer with ``reply(messages)`` in place of the solver."""

    async def complete(_self, messages):
        return reply(messages)

    monkeypatch.setattr(SimulatedEndpoint, "complete", complete)


def test_loads_are_counted_in_the_endpoints_own_tokens(tmp_path, monkeypatch):
    def reply(messages):  # 3 tokens a word and 11 more
        words = sum(len(message["content"].split()) for message in messages)
        return Reply("ANSWER: 1", prompt_tokens=11 + 3 * words)

    endpoint(monkeypatch, reply)
    rows = play(tmp_path, problems=4, loads=[0, 2000, 4000])
    assert all(abs(row["load"] - row["aim"]) < 100 for row in rows if row["level"])


def test_an_endpoint_that_does_not_count_gets_estimates(tmp_path, monkeypatch):
    endpoint(monkeypatch, lambda messages: Reply("ANSWER: 1"))
    rows = play(tmp_path, problems=4)
    assert all(row["load"] is None for row in rows)
    assert all(abs(row["estimate"] - row["aim"]) < 100 for row in rows if row["level"])
    loads, _ = fit(tmp_path, problems=4)
    assert not loads[1]["counted"] and abs(loads[1]["load"] - 500) < 45


def test_a_context_that_is_too_small_is_an_outcome(tmp_path, monkeypatch):
    def reply(messages):
        load = len(messages[-1]["content"].split())
        if load > 1500:
            raise CallFailed(Outcome.CONTEXT_OVERFLOW, f"request ({load} tokens) exceeds the context")
        return Reply("ANSWER: 1", prompt_tokens=load)

    endpoint(monkeypatch, reply)
    rows = play(tmp_path, problems=4)
    refused = [row for row in rows if row["level"] == 3]
    assert all(row["outcome"] == "context_overflow" and "exceeds" in row["error"] for row in refused)
    assert all(row["missing"] is None and row["wrong"] is None for row in refused)
    loads, hinges = fit(tmp_path, problems=4)
    assert [row["refused"] for row in loads[:4]] == [0, 0, 0, 8] and hinges[0]["loads"] == 3
    assert loads[3]["graded"] == 0 and loads[3]["run"] == 8


def test_a_refusal_of_the_model_is_a_missing_answer_line(tmp_path, monkeypatch):
    def reply(messages):
        raise CallFailed(Outcome.REFUSED, "no")

    endpoint(monkeypatch, reply)
    assert all(row["missing"] and row["outcome"] == "refused" for row in play(tmp_path, problems=2))
    loads, _ = fit(tmp_path, problems=2)
    assert loads[0]["share"] == 1
