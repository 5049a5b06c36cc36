"""Blueprint maze by hand: the prose rows, exact scores, lost ends, and what a misread notation changes."""

import random

import pytest

from tasks import get_task
from tasks.contract import Reject
from tests.tasks.spatial_cases import EVERY_CELL, PLAIN, SNAKE, TURNED, graded, scored, text_of

TASK = get_task("blueprintmaze")
DRAWN = """\
S#.
.#.
..G"""
PROSE = TURNED | {"form": "prose"}
TOLD = """\
Row 1: free cells in columns 2 and 3.
Row 2: wall in column 2; free cells in columns 1 and 3.
Row 3: wall in column 2; free cell in column 1.
The start is (3, 3).
The goal is (1, 1)."""
FACTS = TASK.hear(DRAWN, PLAIN)
PATH = [[0, 0], [1, 0], [2, 0], [2, 1], [2, 2]]


def test_the_prose_goes_upwards_from_the_bottom():
    assert TASK.say(FACTS, PLAIN) == DRAWN and TASK.say(FACTS, PROSE) == TOLD
    assert text_of(TASK, FACTS, PROSE) == text_of(TASK, FACTS, PLAIN) == FACTS
    assert TASK.gaps(FACTS) == 0 and TASK.solve(FACTS) == PATH


def test_each_view_says_one_side():
    left = {k: v for k, v in FACTS.items() if k in (("rows",), ("start",)) or (k[0] == "cell" and k[2] < 2)}
    right = {("rows",): 3} | {k: v for k, v in FACTS.items() if k not in left}
    assert TASK.say(left, PLAIN) == "S#?\n.#?\n..?"
    assert TASK.say(right, PROSE) == (
        "Row 2: free cell in column 1.\nRow 3: free cell in column 1.\nThe goal is (1, 1)."
    )
    assert TASK.gaps(left) == 3 and TASK.gaps(right) == 6  # the lost end is one of the blank cells
    assert text_of(TASK, left, PLAIN) | text_of(TASK, right, PROSE) == FACTS


@pytest.mark.parametrize(
    ("path", "score"),
    [
        (PATH, 1.0),
        (PATH[:3], 0.5),
        (PATH[1:], 0.0),  # not from the start
        ([*PATH[:4], [1, 1]], 0.75),
        ([[0, 0], [0, 1], [0, 2], [1, 2], [2, 2]], 0.0),  # through a wall at once
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
        ("From (0, 0) via (1, 0), (2, 0) and (2, 1) to (2, 2).", 1.0),
        (f'{{"path": {EVERY_CELL}}}', 0.0),
        (DRAWN, 0.0),
        (TOLD, 0.0),
    ],
)
def test_scores_of_replies(reply, score):
    assert scored(TASK, FACTS, reply) == score


def test_a_misread_notation_changes_what_is_heard():
    wrong = TASK.misread(PROSE, PLAIN, random.Random(0))
    assert wrong == PLAIN | {"form": "prose"}
    said = "Row 1: wall in column 2; free cell in column 3.\nThe goal is (1, 2)."
    assert TASK.hear(said, PROSE) == {
        ("rows",): 3, ("cell", 2, 1): "wall", ("cell", 2, 0): "free", ("goal",): (1, 2),
    }  # fmt: skip
    assert TASK.hear(said, wrong) == {("rows",): 3, ("cell", 1, 2): "wall", ("goal",): (1, 2)}


def test_a_lost_end_is_guessed_among_the_blank_cells():
    known = {key: value for key, value in FACTS.items() if key not in (("goal",), ("cell", 1, 2))}
    assert TASK.gaps(known) == 2
    for seed in range(20):
        guess = TASK.complete(known, random.Random(seed))
        assert guess[("goal",)] in ((1, 2), (2, 2)) and TASK.gaps(guess) == 0
    full = FACTS | {("cell", *cell): "wall" for cell in ((0, 0), (2, 2))}
    with pytest.raises(Reject, match="no room"):
        TASK.complete({key: full[key] for key in full if key != ("goal",)}, None)
