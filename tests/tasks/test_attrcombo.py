"""Attributes of people: questions, floors and grades worked out by hand."""

import random

import pytest

from tasks.combinations import may
from tasks.csp.attrcombo import TASK

PUBLIC = {
    ("people",): ("Anna", "Boris", "Clara"),
    ("values", "city"): ("Oslo", "Rome"),
    ("values", "floor"): (0, 1),
    ("values", "pet"): ("cat", "dog"),
    ("question", 1): ("pet", "city", "Rome", "floor", 1),
    ("question", 2): ("city", "pet", "dog"),
    ("question", 3): ("who", "city", "Rome", "pet", "cat"),
}
A = {
    ("has", "Anna", "city"): "Rome",
    ("has", "Anna", "floor"): 0,
    ("has", "Boris", "city"): "Rome",
    ("has", "Boris", "floor"): 1,
    ("has", "Clara", "city"): "Oslo",
    ("has", "Clara", "floor"): 1,
}
B = {("has", "Anna", "pet"): "cat", ("has", "Boris", "pet"): "dog", ("has", "Clara", "pet"): "cat"}
FACTS = PUBLIC | A | B
TRUTH = ["dog", "Rome", "Anna"]
NAMES = {"form": "people", "ground": 0}
BADGES = {"form": "values", "ground": 1, "alias": {"P1": "Clara", "P2": "Anna", "P3": "Boris"}}
FRAMES = {"full": NAMES, "a": NAMES, "b": BADGES}


def score(value):
    return TASK.score(FACTS, TRUTH, value, FRAMES).score


def test_the_questions_are_answered():
    assert TASK.solve(FACTS) == TRUTH and TASK.gaps(FACTS) == 0
    assert TASK.gaps(PUBLIC | A) == 3 and TASK.gaps(PUBLIC | B) == 6
    assert TASK.solve(FACTS | {("has", "Clara", "pet"): "dog"}) is None  # two have a dog


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (TRUTH, 1.0),
        (["a dog", "ROME", "P2"], 1.0),  # as view B writes it
        ({"1": "dog", "2": "Rome", "3": "P2 (Anna)"}, 1.0),
        (["dog", "Rome", "Boris"], 2 / 3),
        (["cat", "Oslo", "Anna"], 1 / 3),
        (["dog", None, 7], 1 / 3),
        (["cat", "Oslo", "P3"], 0.0),
        (["dog", "Rome"], 0.0),  # one answer is missing
        ([*TRUTH, "Anna"], 0.0),
        (["cat, dog", "Oslo or Rome", "Anna, Boris, Clara"], 0.0),
        ([["cat", "dog"], ["Oslo", "Rome"], ["Anna", "Boris", "Clara"]], 0.0),
    ],
)
def test_grades(value, expected):
    assert score(value) == pytest.approx(expected)


def test_an_answer_in_free_text_is_read_unless_it_is_a_listing():
    value, how = TASK.read_answer("Question 1: **dog**\nQuestion 2: Rome\n3. P2.")
    assert how == "loose" and score(value) == 1
    assert TASK.read_answer("1. dog\n2. Rome\n3. P2\n3. P1") == (None, "none")
    value, _ = TASK.read_answer(TASK.say(PUBLIC, NAMES))  # the questions echoed
    assert score(value) == 0


def test_views_are_written_by_person_and_by_value():
    assert TASK.say(A, NAMES).splitlines() == [
        "Anna has city Rome and floor 0.",
        "Boris has city Rome and floor 1.",
        "Clara has city Oslo and floor 1.",
    ]
    assert TASK.say(B, BADGES).splitlines() == ["People with pet cat: P1, P2.", "People with pet dog: P3."]
    asked = {("question", 1): PUBLIC["question", 1]}
    assert (
        TASK.say(asked, BADGES) == "Question 1: Which pet does the person have who has city Rome and floor 2?"
    )
    for frame in FRAMES.values():
        assert TASK.hear(TASK.say(FACTS, frame), frame) == FACTS
        assert TASK.read_notation(TASK.notation(frame)) == frame
        assert TASK.interpret(TASK.write_answer(TRUTH, frame), frame) == TRUTH


def test_a_misread_frame_changes_what_is_heard():
    wrong = TASK.misread(NAMES, BADGES, random.Random(0))
    floors = {("has", "Boris", "floor"): 1}
    assert TASK.hear(TASK.say(floors, NAMES), wrong) == {("has", "Boris", "floor"): 0}
    wrong = TASK.misread(BADGES, NAMES, random.Random(0))
    heard = TASK.hear(TASK.say(B, BADGES), wrong)
    assert heard.keys() == B.keys() and wrong["alias"] != BADGES["alias"]


def test_completing_lets_somebody_fulfil_each_question():
    for seed in range(20):
        answer = TASK.solve(TASK.complete(PUBLIC | A, random.Random(seed)))
        assert answer is None or answer[2] in ("Anna", "Boris")
    assert may(A, "Boris", ["city", "Rome", "pet", "dog"]) and not may(A, "Clara", ["city", "Rome"])
