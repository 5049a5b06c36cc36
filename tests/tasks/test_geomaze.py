"""Geomaze by hand: a turned sketch, exact scores, and what a misread sketch changes."""

import random

import pytest

from tasks import get_task
from tasks.contract import Reject
from tests.tasks.spatial_cases import text_of

TASK = get_task("geomaze")
NAMED = {"form": "from", "up": "north"}
TURNED = {"form": "reached", "up": "west", "alias": {"P1": "Coral", "P2": "Amber", "P3": "Birch"}}
FRAMES = {"full": NAMED, "a": NAMED, "b": TURNED}
SHARED = {("places",): ("Amber", "Birch", "Coral"), ("start",): "Amber", ("goal",): "Coral"} | {
    ("count", direction): 1 for direction in ("north", "east", "south", "west")
}
FACTS = SHARED | {
    ("link", "Amber", "west"): "Birch", ("link", "Birch", "north"): "Coral",
    ("link", "Coral", "south"): "Amber", ("link", "Birch", "east"): "Amber",
}  # fmt: skip
MOVES = ["west", "north"]


def score(value):
    return TASK.score(FACTS, MOVES, value, FRAMES).score


def test_the_links_in_both_forms():
    assert TASK.say(FACTS, NAMED).splitlines()[-2:] == [
        "From Birch, going north leads to Coral.",
        "From Coral, going south leads to Amber.",
    ]
    assert TASK.say(FACTS, TURNED) == (
        "The places are P1, P2, P3.\nThe start is P2.\nThe goal is P1.\n"
        "There are 1 links going right.\nThere are 1 links going down.\n"
        "There are 1 links going left.\nThere are 1 links going up.\n"
        "P1 is reached by going right from P3.\nP2 is reached by going left from P1.\n"
        "P2 is reached by going down from P3.\nP3 is reached by going up from P2."
    )
    assert text_of(TASK, FACTS, NAMED) == text_of(TASK, FACTS, TURNED) == FACTS
    assert TASK.gaps(FACTS) == 0 and TASK.solve(FACTS) == MOVES
    with pytest.raises(ValueError, match="no notation of directions"):
        TASK.read_notation("Places go by name.")


@pytest.mark.parametrize(
    ("moves", "points"),
    [
        (MOVES, 1.0),
        (["west"], 0.5),
        (["west", "east"], 0.5),  # back again
        (["west", "south"], 0.5),  # no such link
        (["north", "north"], 0.0),
        (["west", "north", "south"], 0.0),  # goes on after the goal
        (["west", "north"] * 2, 0.0),
        (["west", "north", "east", "south"], 0.0),  # the four directions
        (["north", "east", "south", "west"] * 5, 0.0),
    ],
)
def test_scores_by_hand(moves, points):
    assert TASK.grade(FACTS, MOVES, moves) == points


@pytest.mark.parametrize(
    ("reply", "points"),
    [
        ('{"moves": ["up", "right"]}', 1.0),  # in the words of view B
        ('{"moves": ["W", "go North"]}', 1.0),
        ("First we look around.\nSo: west, then north.", 1.0),
        ("1. west\n2. north", 1.0),
        ('{"moves": ["west or east", "north"]}', 0.0),
        ('{"moves": ["north", "east", "south", "west"]}', 0.0),
        ('{"moves": ["up", "right", "down", "left"]}', 0.0),
        (TASK.block(FACTS, NAMED), 0.0),
        (TASK.block(FACTS, TURNED), 0.0),
        ("There is no way.", 0.0),
    ],
)
def test_scores_of_replies(reply, points):
    assert score(TASK.read_answer(reply)[0]) == points


def test_answers_come_back():
    for frame in FRAMES.values():
        assert TASK.interpret(TASK.write_answer(MOVES, frame), frame) == MOVES
    assert TASK.write_answer(MOVES, TURNED) == ["up", "right"]


def test_a_misread_sketch_turns_the_links():
    said = TASK.say({("link", "Amber", "west"): "Birch"}, TURNED)
    assert said == "P3 is reached by going up from P2."
    wrong = TURNED | {"up": NAMED["up"]}
    assert TASK.hear(said, wrong) == {("link", "Amber", "north"): "Birch"}
    wrong = TASK.misread(TURNED, NAMED, random.Random(1))
    assert wrong["up"] == "north" and wrong["alias"] != TURNED["alias"]


def test_completion_counts_by_direction():
    some = SHARED | {("link", "Amber", "west"): "Birch"}
    assert TASK.gaps(some) == 3
    for rng in (None, random.Random(0), random.Random(1)):
        full = TASK.complete(some, rng)
        assert TASK.gaps(full) == 0 and some.items() <= full.items()
        assert all(key[1] != other for key, other in full.items() if key[0] == "link")
    with pytest.raises(Reject, match="more links"):
        TASK.complete(some | {("count", "west"): 9}, None)
