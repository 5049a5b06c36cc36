"""Street map by hand: one-way cells, exact scores, both notations, and a misread notation."""

import random

import pytest

from tasks import get_task
from tests.tasks.spatial_cases import EVERY_CELL, PLAIN, SNAKE, TURNED, graded, scored, text_of

TASK = get_task("streetmap")
DRAWN = """\
S>v
v<#
>.G"""
FACTS = TASK.hear(DRAWN, PLAIN)
PATH = [[0, 0], [1, 0], [2, 0], [2, 1], [2, 2]]


def test_the_drawing_says_it_all():
    assert FACTS == {
        ("rows",): 3, ("start",): (0, 0), ("goal",): (2, 2),
        ("cell", 0, 1): "right", ("cell", 0, 2): "down", ("cell", 1, 0): "down", ("cell", 1, 1): "left",
        ("cell", 1, 2): "wall", ("cell", 2, 0): "right", ("cell", 2, 1): "open",
    }  # fmt: skip
    assert TASK.say(FACTS, PLAIN) == DRAWN and TASK.gaps(FACTS) == 0
    assert TASK.solve(FACTS) == PATH


def test_the_sentences_count_from_the_other_corner():
    assert TASK.say(FACTS, TURNED) == (
        "Walls: (1, 2).\nOpen cells: (2, 1).\n"
        "From (1, 3) one may drive only to (1, 2).\n"
        "From (2, 2) one may drive only to (3, 2).\n"
        "From (2, 3) one may drive only to (1, 3).\n"
        "From (3, 1) one may drive only to (2, 1).\n"
        "From (3, 2) one may drive only to (3, 1).\n"
        "The start is (3, 3).\nThe goal is (1, 1)."
    )
    assert text_of(TASK, FACTS, TURNED) == text_of(TASK, FACTS, PLAIN) == FACTS


def test_steps_obey_arrows_and_walls():
    assert TASK.steps(FACTS, (0, 0)) == [(0, 1), (1, 0)]
    assert TASK.steps(FACTS, (0, 2)) == []  # the arrow leads into a wall
    assert TASK.steps(FACTS, (1, 1)) == [(1, 0)]
    assert TASK.steps(FACTS, (1, 2)) == []
    for cell in [(r, c) for r in range(3) for c in range(3) if (r, c) != (1, 2)]:
        back = [(r, c) for r in range(3) for c in range(3) if cell in TASK.steps(FACTS, (r, c))]
        assert sorted(TASK.steps_back(FACTS, cell)) == back


@pytest.mark.parametrize(
    ("path", "score"),
    [
        (PATH, 1.0),
        (PATH[:2], 0.25),
        (PATH[:4], 0.75),
        ([[0, 0], [1, 0], [1, 1], [2, 1], [2, 2]], 0.25),  # against the arrow
        ([[0, 0], [0, 1], [1, 1], [2, 1], [2, 2]], 0.0),  # a step that comes no nearer
        ([*PATH, [2, 1]], 0.0),
        (EVERY_CELL, 0.0),
        (SNAKE, 0.0),
    ],
)
def test_scores_by_hand(path, score):
    assert graded(TASK, FACTS, path) == score


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ('{"path": [[3, 3], [3, 2], [3, 1], [2, 1], [1, 1]]}', 1.0),  # in the notation of view B
        ("Drive (0, 0), (1, 0), (2, 0), (2, 1), (2, 2)!", 1.0),
        (f'{{"path": {EVERY_CELL}}}', 0.0),
        (f'{{"path": {SNAKE}}}', 0.0),
        ("I cannot tell.", 0.0),
    ],
)
def test_scores_of_replies(reply, score):
    assert scored(TASK, FACTS, reply) == score


def test_what_cannot_be_is_not_heard():
    text = "From (1, 1) one may drive only to (3, 3).\nFrom (1, 1) one may drive only to (9, 9).\n"
    assert TASK.hear(text, TURNED) == {("rows",): 3}
    assert ("cell", 0, 0) not in TASK.hear("^S.\n...\n..G", PLAIN)  # an arrow off the map


def test_a_misread_notation_turns_the_arrows():
    wrong = TASK.misread(TURNED, PLAIN, random.Random(0))
    said = TASK.say({("cell", 1, 1): "left"}, TURNED)
    assert said == "From (2, 2) one may drive only to (3, 2)."
    assert TASK.hear(said, wrong) == {("rows",): 3}  # (3, 2) is off a map that is counted from 0
    wrong |= {"origin": 1}
    assert TASK.hear(said, wrong) == {("rows",): 3, ("cell", 1, 1): "down"}


def test_completion_keeps_what_is_known():
    some = {("rows",): 3, ("start",): (0, 0), ("goal",): (2, 2), ("cell", 0, 1): "wall"}
    assert TASK.gaps(some) == 6
    assert list(TASK.complete(some, None).values()).count("open") == 6
    for seed in range(20):
        guess = TASK.complete(some, random.Random(seed))
        assert guess[("cell", 0, 1)] == "wall" and TASK.gaps(guess) == 0
        assert text_of(TASK, guess, TURNED) == text_of(TASK, guess, PLAIN) == guess
