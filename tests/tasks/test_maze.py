"""Maze by hand: exact scores, both notations, and what a misread notation changes."""

import random

import pytest

from tasks import get_task
from tasks.contract import Reject
from tests.tasks.spatial_cases import EVERY_CELL, FRAMES, PLAIN, SNAKE, TURNED, graded, scored, text_of

TASK = get_task("maze")
DRAWN = """\
S#.
.#.
..G"""
FACTS = TASK.hear(DRAWN, PLAIN)
PATH = [[0, 0], [1, 0], [2, 0], [2, 1], [2, 2]]


def test_the_drawing_says_it_all():
    assert FACTS == {
        ("rows",): 3, ("start",): (0, 0), ("goal",): (2, 2),
        ("cell", 0, 1): "wall", ("cell", 1, 1): "wall", ("cell", 0, 2): "free", ("cell", 1, 2): "free",
        ("cell", 1, 0): "free", ("cell", 2, 0): "free", ("cell", 2, 1): "free",
    }  # fmt: skip
    assert TASK.say(FACTS, PLAIN) == DRAWN and TASK.gaps(FACTS) == 0
    assert TASK.solve(FACTS) == PATH


def test_the_list_counts_from_the_other_corner():
    assert TASK.say(FACTS, TURNED) == (
        "Wall cells: (2, 2) (2, 3).\nFree cells: (1, 2) (1, 3) (2, 1) (3, 1) (3, 2).\n"
        "The start is (3, 3).\nThe goal is (1, 1)."
    )
    assert text_of(TASK, FACTS, TURNED) == text_of(TASK, FACTS, PLAIN) == FACTS


@pytest.mark.parametrize(
    ("path", "score"),
    [
        (PATH, 1.0),
        (PATH[:3], 0.5),
        ([[0, 0], [0, 1], [0, 2], [1, 2], [2, 2]], 0.0),  # through a wall at once
        ([*PATH[:4], [1, 1]], 0.75),
        ([*PATH, [1, 2]], 0.0),
        (EVERY_CELL, 0.0),
        (SNAKE, 0.0),
        (PATH * 2, 0.0),
    ],
)
def test_scores_by_hand(path, score):
    assert graded(TASK, FACTS, path) == score


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ('{"path": [[3, 3], [3, 2], [3, 1], [2, 1], [1, 1]]}', 1.0),  # in the notation of view B
        ('{"path": [[0, 0], [0, 1], [0, 2], [1, 2], [2, 2]]}', 1.0),  # the path as (column, row)
        ("We go (0, 0) -> (1, 0) -> (2,0) -> (2, 1) -> (2, 2).", 1.0),
        (f'{{"path": {EVERY_CELL}}}', 0.0),
        (f'{{"path": {SNAKE}}}', 0.0),
        ("There is no way.", 0.0),
    ],
)
def test_scores_of_replies(reply, score):
    assert scored(TASK, FACTS, reply) == score


def test_a_misread_notation_changes_what_is_heard():
    wrong = TASK.misread(TURNED, PLAIN, random.Random(0))
    assert wrong == PLAIN | {"form": "list"}
    said = TASK.say({("cell", 0, 1): "wall", ("goal",): (2, 2)}, TURNED)
    assert said == "Wall cells: (2, 3).\nThe goal is (1, 1)."
    assert TASK.hear(said, wrong) == {("rows",): 3, ("goal",): (1, 1)}  # (2, 3) is off its map
    halfway = TURNED | {"corner": "top-left"}
    assert TASK.hear(said, halfway) == {("rows",): 3, ("cell", 2, 1): "wall", ("goal",): (0, 0)}


def test_completion_keeps_what_is_known():
    some = {("rows",): 3, ("start",): (0, 0), ("goal",): (2, 2), ("cell", 0, 1): "wall"}
    assert TASK.gaps(some) == 6
    free = TASK.complete(some, None)
    assert [v for k, v in free.items() if k[0] == "cell"] == ["wall"] + ["free"] * 6
    assert len(TASK.solve(free)) == 5
    assert TASK.solve(FACTS | {("cell", 1, 0): "wall"}) is None


def test_views_that_are_enough_are_refused():
    ends = {key: FACTS[key] for key in (("rows",), ("start",), ("goal",))}
    with pytest.raises(Reject, match="hides no obstacle"):
        TASK.refuse_one_sided(FACTS, ends, 4)


def test_the_three_frames_lie_among_the_conventions():
    conventions = list(TASK.conventions(FRAMES).values())
    assert PLAIN in conventions and TURNED | {"form": "grid"} in conventions
