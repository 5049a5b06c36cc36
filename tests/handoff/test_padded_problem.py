"""The pilot's problems: solvable from their words, the same everywhere; its three definitions of failure."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.handoff.answer_line import read_number
from scripts.handoff.padded_problem import LARGEST, grade_reply, make_filler, make_problem, padded

seeds, indices = st.integers(0, 10**6), st.integers(0, 1000)
WAYS = {
    "arrive.": lambda stock, n: stock + n,
    "leave.": lambda stock, n: stock - n,
    "times": lambda stock, n: stock * n,
    "broken": lambda stock, n: stock - stock // n if stock % n == 0 else None,
}


@given(seeds, indices, st.integers(0, 12))
def test_a_problem_is_solved_from_its_words(seed, index, steps):
    problem = make_problem(seed, index, steps)
    first, *rest = re.findall(r"[^.?]+[.?]", problem.text)
    stock = int(re.search(r"\d+", first)[0])
    for sentence in rest[:-1]:
        (way,) = [way for word, way in WAYS.items() if word in sentence]
        stock = way(stock, int(re.search(r"\d+", sentence)[0]))
        assert 1 <= stock <= LARGEST
    assert stock == problem.answer and len(rest) == steps + 1
    assert problem == make_problem(seed, index, steps)


@given(seeds, indices, st.integers(0, 400), st.integers(0, 400))
def test_filler_grows_at_its_end_and_says_no_number(seed, index, one, two):
    short, long = make_filler(seed, index, min(one, two)), make_filler(seed, index, max(one, two))
    assert long.startswith(short) and not re.search(r"\d", long)
    assert max(one, two) - 20 <= len(long.split()) <= max(one, two)


def test_the_problem_stands_behind_its_filler():
    problem = make_problem(1, 2)
    assert padded(problem, "") == problem.text
    assert padded(problem, "Much ado.") == f"Much ado.\n\n{problem.text}"


@pytest.mark.parametrize(
    ("reply", "number"),
    [
        ("Thinking.\nANSWER: 42", 42),
        ("answer: 1\nANSWER: 42\nGoodbye.", 42),  # the last one counts
        ("**ANSWER:** 1,042.", 1042),
        ("> `ANSWER: -7`", -7),
        ("ANSWER: \N{MINUS SIGN}7.00", -7),
        ("The ANSWER: 42", None),  # not a line of its own
        ("ANSWER: 42 crates", None),
        ("ANSWER: 4.5", None),
        ("ANSWER: 10,42", None),
        ("ANSWER:", None),
        ("42", None),
        ("", None),
        ("ANSWER:" + " " * 100_000 + "x", None),
    ],
)
def test_the_answer_line(reply, number):
    assert read_number(reply, "ANSWER") == number


@pytest.mark.parametrize(
    ("reply", "arithmetic", "either"),
    [("ANSWER: 5", False, False), ("ANSWER: 6", True, True), ("It is 5.", None, True)],
)
def test_the_three_definitions_of_failure(reply, arithmetic, either):
    failures = grade_reply(reply, 5)
    assert failures.format == (arithmetic is None)
    assert failures.arithmetic is arithmetic and failures.either is either
