"""Timed path by hand: closures in minutes and steps, exact scores, and what a misread unit changes."""

import random

import pytest

from tasks import get_task
from tasks.contract import Reject
from tasks.timedmaps import TimedMap
from tests.tasks.spatial_cases import EVERY_CELL, SNAKE, text_of
from tests.tasks.spatial_cases import PLAIN as CELLS
from tests.tasks.spatial_cases import TURNED as TURNED_CELLS

TASK = get_task("timedpath")
PLAIN, TURNED = CELLS | {"unit": 1}, TURNED_CELLS | {"unit": 5}
FRAMES = {"full": PLAIN, "a": PLAIN, "b": TURNED}
DRAWN = """\
There are 2 closures in all.
S..
##.
..G
(0, 2) is closed from minute 15 to minute 20.
(1, 2) is closed from minute 5 to minute 25.
The walk starts at minute 10.
Each move or wait takes 5 minutes."""
FACTS = TASK.hear(DRAWN, PLAIN)
PATH = [[0, 0, 10], [0, 0, 15], [0, 1, 20], [0, 2, 25], [1, 2, 30], [2, 2, 35]]  # one wait for (0, 2)


def scored(text):
    value, _ = TASK.read_answer(text)
    return TASK.score(FACTS, TASK.solve(FACTS), value, FRAMES).score


def test_the_map_and_the_times_say_it_all():
    assert FACTS == {
        ("rows",): 3, ("start",): (0, 0), ("goal",): (2, 2), ("closures",): 2,
        ("departure",): 10, ("pace",): 5,
        ("cell", 0, 1): "free", ("cell", 0, 2): "free", ("cell", 1, 0): "wall", ("cell", 1, 1): "wall",
        ("cell", 1, 2): "free", ("cell", 2, 0): "free", ("cell", 2, 1): "free",
        ("closed", 0, 2): (15, 20), ("closed", 1, 2): (5, 25),
    }  # fmt: skip
    assert TASK.say(FACTS, PLAIN) == DRAWN and TASK.gaps(FACTS) == 0
    assert TASK.solve(FACTS) == PATH


def test_the_list_counts_in_steps_from_the_other_corner():
    assert TASK.say(FACTS, TURNED) == (
        "There are 2 closures in all.\nWall cells: (2, 2) (3, 2).\n"
        "Free cells: (1, 2) (1, 3) (2, 1) (2, 3) (3, 1).\nThe start is (3, 3).\nThe goal is (1, 1).\n"
        "(1, 2) is closed from step 1 to step 5.\n(1, 3) is closed from step 3 to step 4.\n"
        "The walk starts at step 2.\nEach move or wait takes 5 minutes."
    )
    assert text_of(TASK, FACTS, TURNED) == text_of(TASK, FACTS, PLAIN) == FACTS
    odd = FACTS | {("closed", 0, 2): (17, 21)}  # minutes between two steps can be said too
    assert "from step 3.4 to step 4.2." in TASK.say(odd, TURNED)
    assert text_of(TASK, odd, TURNED) == odd


def test_the_map_unrolled_in_time():
    timed = TimedMap(FACTS)
    assert (
        timed.arrival() == 5 and timed.open(2) == {0, 1, 6, 7, 8} and timed.open(4) == {0, 1, 2, 5, 6, 7, 8}
    )
    assert timed.after((1, 1)) == [(1, 2), (0, 2)] and timed.after((1, 3)) == [(1, 4), (2, 4), (0, 4)]
    assert TimedMap(FACTS | {("closed", 0, 2): (15, 60)}).arrival() == 13  # in (0, 2) at minute 65
    assert TimedMap(FACTS | {("cell", 0, 1): "wall"}).arrival() is None
    assert TASK.solve(FACTS | {("goal",): (0, 0)}) is None


@pytest.mark.parametrize(
    ("path", "score"),
    [
        (PATH, 1.0),
        ([[0, 0, 10], [0, 1, 15], *PATH[2:]], 1.0),  # it may as well wait in (0, 1)
        ([[0, 0, 10], [0, 1, 15], [0, 0, 20], [0, 1, 25]], 0.2),  # there and back takes too long
        (PATH[:3], 0.4),
        ([[0, 0, 10], [0, 1, 15], [0, 2, 20], [1, 2, 25], [2, 2, 30]], 0.2),  # (0, 2) is still closed
        ([[0, 0, 10], [0, 1, 15], [0, 1, 25], [0, 2, 30]], 0.2),  # a turn is missing
        ([[0, 0, 10], [0, 1, 13]], 0.0),  # between two turns
        ([[r, c, time + 5] for r, c, time in PATH], 0.0),  # starts too late
        ([*PATH, [2, 2, 40]], 0.0),
        (PATH * 2, 0.0),
        ([[r, c, 10 + 5 * turn] for turn, (r, c) in enumerate(EVERY_CELL)], 0.2),  # stops at once
        ([[r, c, time] for r, c in EVERY_CELL for time in range(10, 40, 5)], 0.0),
        (SNAKE, 0.0),  # no times
    ],
)
def test_scores_by_hand(path, score):
    answer = TASK.interpret(path, PLAIN)
    assert (0.0 if answer is None else TASK.grade(FACTS, PATH, answer)) == score


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ('{"path": [[3, 3, 2], [2, 3, 3], [2, 3, 4], [1, 3, 5], [1, 2, 6], [1, 1, 7]]}', 1.0),  # as view B
        ('{"path": [[3, 3, 10], [2, 3, 15], [2, 3, 20], [1, 3, 25]]}', 0.6),  # cells as B, minutes as A
        ("Be in (0, 0) at minute 10, (0, 1) at 15, (0, 1) at minute 20 and (0, 2) at 25.", 0.6),
        ("(0, 0, 10) -> (0, 1, 15)", 0.2),
        (DRAWN, 0.0),
        (TASK.say(FACTS, TURNED), 0.0),
        ("Go (0, 0), (0, 1), (0, 2).", 0.0),
    ],
)
def test_scores_of_replies(reply, score):
    assert scored(reply) == score


def test_a_misread_unit_changes_what_is_heard():
    assert TASK.misread(TURNED, PLAIN, random.Random(0)) == PLAIN | {"form": "list"}
    said = "(1, 3) is closed from step 3 to step 4.\nThe walk starts at step 2."
    assert TASK.hear(said, TURNED) == {("rows",): 3, ("closed", 0, 2): (15, 20), ("departure",): 10}
    wrong = TURNED | {"unit": 1}
    assert TASK.hear(said, wrong) == {("rows",): 3, ("closed", 0, 2): (3, 4), ("departure",): 2}


def test_completion_keeps_what_is_known():
    public = {key: FACTS[key] for key in FACTS if key[0] in TASK.public}
    assert TASK.gaps(public) == 7 + 2 + 2  # cells, closures, pace and departure
    best = TASK.complete(public, None)
    assert len(TASK.solve(best)) == 5 and TASK.gaps(best) == 0
    for seed in range(20):
        guess = TASK.complete(public | {("pace",): 10}, random.Random(seed))
        assert TASK.gaps(guess) == 0 and guess[("pace",)] == 10
        assert all(time % 10 == 0 for key in guess if key[0] == "closed" for time in guess[key])
    with pytest.raises(Reject, match="no room"):
        TASK.complete(public | {("closures",): 8}, None)
