"""Cipher: tables, numbers of letters and grades worked out by hand."""

import random

import pytest

from tasks.contract import Reject
from tasks.csp.cipherdecode import TASK

PUBLIC = {("lengths",): (4, 4), ("letters",): 4}
A = {("plain", "K"): "E", ("plain", "M"): "O", ("coded", 1): "KMXZ", ("coded", 2): "XKZM"}
B = {("plain", "X"): "T", ("plain", "Z"): "S"}
FACTS = PUBLIC | A | B
TRUTH = ["EOTS", "TESO"]
PLAIN = {"form": "letters", "table": "code first"}
NUMBERS = {"form": "numbers", "table": "plain first", "first": 1, "from": "A"}
BACKWARDS = {"form": "numbers", "table": "plain first", "first": 0, "from": "Z"}
FRAMES = {"full": PLAIN, "a": PLAIN, "b": NUMBERS}


def score(value):
    return TASK.score(FACTS, TRUTH, value, FRAMES).score


def test_the_words_are_decoded():
    assert TASK.solve(FACTS) == TRUTH and TASK.gaps(FACTS) == 0
    assert TASK.gaps(PUBLIC | A) == 2  # entries
    assert TASK.gaps(PUBLIC | B) == 4  # entries and words
    assert TASK.solve(PUBLIC | A) is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (TRUTH, 1.0),
        (["e o t s", "T-E-S-O"], 1.0),
        ("EOTS, TESO", 1.0),
        (["5 15 20 19", "20 5 19 15"], 1.0),  # as view B writes it
        ([[5, 15, 20, 19], [20, 5, 19, 15]], 1.0),
        (["EOTS", "TESX"], 0.75),  # 7 of 8
        (["EOTS", "XXSO"], 0.5),  # 6 of 8
        (["EOTS", ""], 0.0),  # 4 of 8 is what half of the table decodes
        (["EOTS", "TESOO"], 0.0),  # 4 of 8: a word of another length is wrong
        (["EOTS"], 0.0),  # a word is missing
        (["EOTS", "TESO", "TESO"], 0.0),
        (["KMXZ", "XKZM"], 0.0),  # the coded words
        (["ABCDEFGHIJKLMNOPQRSTUVWXYZ"] * 2, 0.0),
        (["EEEE", "EEEE"], 0.0),
        ([["EOTS"] * 9, ["TESO"] * 9], 0.0),
    ],
)
def test_grades(value, expected):
    assert score(value) == pytest.approx(expected)


def test_an_answer_in_free_text_is_read_unless_it_is_a_listing():
    value, how = TASK.read_answer("I get:\n1. EOTS\n**2.** TESO")
    assert how == "loose" and score(value) == 1
    assert TASK.read_answer("1: EOTS\n2: TESO\n2: TOSE") == (None, "none")


def test_views_are_written_in_letters_and_in_numbers():
    assert TASK.say(PUBLIC | A, PLAIN).splitlines() == [
        "The words have 4, 4 letters; 4 letters occur in them.",
        "Coded word 1: K M X Z.",
        "Coded word 2: X K Z M.",
        "K = E",
        "M = O",
    ]
    assert TASK.say(B, NUMBERS).splitlines() == ["19 = 26", "20 = 24"]
    assert TASK.say(B, BACKWARDS).splitlines() == ["7 = 0", "6 = 2"]
    for frame in (PLAIN, NUMBERS, BACKWARDS):
        assert TASK.hear(TASK.say(FACTS, frame), frame) == FACTS
        assert TASK.read_notation(TASK.notation(frame)) == frame
        assert TASK.interpret(TASK.write_answer(TRUTH, frame), frame) == TRUTH


def test_a_misread_table_changes_what_is_heard():
    wrong = TASK.misread(NUMBERS, PLAIN, random.Random(0))
    assert TASK.hear(TASK.say(B, NUMBERS), wrong) == {("plain", "T"): "X", ("plain", "S"): "Z"}


def test_completing_uses_letters_that_are_left():
    for seed in range(10):
        full = TASK.complete(PUBLIC | A, random.Random(seed))
        plain = [full["plain", code] for code in "KMXZ"]
        assert plain[:2] == ["E", "O"] and len(set(plain)) == 4
        assert TASK.gaps(full) == 0 and TASK.solve(full)
    everything = {("plain", c): chr(ord("A") + n) for n, c in enumerate("BCDEFGHIJKLMNOPQRSTUVWXY")}
    full = {**PUBLIC, **everything, ("coded", 1): "AAZZ", ("plain", "Z"): "Y", ("plain", "1"): "Z"}
    with pytest.raises(Reject):
        TASK.complete(full, random.Random(0))
