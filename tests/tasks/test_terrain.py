"""Terrain by hand: prices in both notations, exact scores, and what a misread price list changes."""

import random

import pytest

from tasks import get_task
from tasks.contract import Reject
from tests.tasks.spatial_cases import EVERY_CELL, PLAIN, SNAKE, TURNED, graded, scored, text_of

TASK = get_task("terrain")
DRAWN = """\
S91
121
19G"""
LISTED = TURNED | {"alias": {"sand": 2, "clay": 9, "moss": 1}}
FACTS = TASK.hear(DRAWN, PLAIN)
PATH = [[0, 0], [1, 0], [1, 1], [1, 2], [2, 2]]  # 1 + 2 + 1; every other way of four steps pays 11 or 12


def test_the_digits_are_the_prices():
    assert FACTS == {
        ("rows",): 3, ("start",): (0, 0), ("goal",): (2, 2),
        ("cell", 0, 1): 9, ("cell", 0, 2): 1, ("cell", 1, 0): 1, ("cell", 1, 1): 2,
        ("cell", 1, 2): 1, ("cell", 2, 0): 1, ("cell", 2, 1): 9,
    }  # fmt: skip
    assert TASK.say(FACTS, PLAIN) == DRAWN and TASK.gaps(FACTS) == 0
    assert TASK.solve(FACTS) == PATH
    assert TASK.distances(FACTS)[(0, 0)] == 4


def test_the_list_has_prices_of_its_own():
    assert "Price list: clay costs 9, moss costs 1, sand costs 2." in TASK.notation(LISTED)
    assert TASK.say(FACTS, LISTED) == (
        "Clay: (2, 1) (2, 3).\nMoss: (1, 2) (1, 3) (3, 1) (3, 2).\nSand: (2, 2).\n"
        "The start is (3, 3).\nThe goal is (1, 1)."
    )
    assert text_of(TASK, FACTS, LISTED) == text_of(TASK, FACTS, PLAIN) == FACTS
    with pytest.raises(ValueError, match="no price list"):
        TASK.read_notation(TASK.notation(LISTED).replace("clay costs 9, ", ""))


@pytest.mark.parametrize(
    ("path", "score"),
    [
        (PATH, 1.0),
        ([[0, 0], [1, 0], [0, 0], *PATH[1:]], 0.5),  # pays 5: (4/5 - .6) / .4
        ([[0, 0], [1, 0], [2, 0], *PATH[1:]], 1 / 6),  # pays 6: (4/6 - .6) / .4
        ([[0, 0], [1, 0], [2, 0], [2, 1], [2, 2]], 0.0),  # pays 11
        (PATH[:4], 0.0),
        (PATH[1:], 0.0),
        ([[0, 0], [1, 1], [2, 2]], 0.0),  # no steps
        (EVERY_CELL, 0.0),
        (SNAKE, 0.0),
    ],
)
def test_scores_by_hand(path, score):
    assert graded(TASK, FACTS, path) == pytest.approx(score, abs=1e-9)


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ('{"path": [[3, 3], [3, 2], [2, 2], [1, 2], [1, 1]]}', 1.0),  # in the notation of view B
        ("Walk (0, 0), (1, 0), (1, 1), (1, 2), (2, 2).", 1.0),
        (f'{{"path": {SNAKE}}}', 0.0),
        (TASK.say(FACTS, LISTED), 0.0),
        ("It costs 4.", 0.0),
    ],
)
def test_scores_of_replies(reply, score):
    assert scored(TASK, FACTS, reply) == score


def test_a_misread_price_list_changes_what_is_heard():
    wrong = TASK.misread(LISTED, PLAIN, random.Random(0))
    assert wrong["corner"] == "top-left" and wrong["origin"] == 0 and wrong["order"] == "rc"
    assert sorted(wrong["alias"].values()) == [1, 2, 9] and wrong["alias"] != LISTED["alias"]
    swapped = LISTED | {"alias": {"sand": 2, "clay": 1, "moss": 9}}
    heard = TASK.hear(TASK.say(FACTS, LISTED), swapped)
    assert [heard[("cell", *cell)] for cell in ((0, 1), (0, 2), (1, 1))] == [1, 9, 2]


def test_views_whose_cheap_guess_earns_something_are_refused():
    ends = {key: FACTS[key] for key in (("rows",), ("start",), ("goal",))}
    with pytest.raises(Reject, match="no dear cell"):
        TASK._refuse_cheap_guesses(FACTS, FACTS, ends)
    assert TASK.complete(ends, None) == ends | {key: 1 for key in FACTS if key[0] == "cell"}
    assert TASK.solve(FACTS | {("goal",): (0, 0)}) is None
