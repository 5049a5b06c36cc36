"""Two walkers by hand: both notations, collisions, exact scores, and a misread notation."""

import itertools
import json
import random

import pytest

from tasks import get_task
from tasks.contract import Reject
from tasks.making import make_instance
from tasks.twowalkers import Ground, clash
from tests.tasks.spatial_cases import EVERY_CELL, FRAMES, PLAIN, SNAKE, TURNED, text_of

TASK = get_task("conflictpath")
DRAWN = """\
There are 2 walls and 1 one-way cells in all.
Walker 1 starts at (0, 0).
Walker 1 must reach (0, 2).
Walker 2 starts at (0, 2).
Walker 2 must reach (0, 0).
...
#.#
.<."""
FACTS = TASK.hear(DRAWN, PLAIN)
# walker 2 steps aside into (1, 1) and lets walker 1 pass
WALKS = [[[0, 0], [0, 0], [0, 1], [0, 2], [0, 2]], [[0, 2], [0, 1], [1, 1], [0, 1], [0, 0]]]
OTHER = [[[0, 0], [0, 1], [1, 1], [0, 1], [0, 2]], [[0, 2], [0, 2], [0, 1], [0, 0], [0, 0]]]


def graded(walks):
    answer = TASK.interpret(walks, PLAIN)
    return 0.0 if answer is None else TASK.grade(FACTS, WALKS, answer)


def test_the_drawing_says_it_all():
    assert {key: value for key, value in FACTS.items() if key[0] == "cell"} == {
        ("cell", 1, 0): "wall", ("cell", 1, 2): "wall", ("cell", 2, 1): "left"
    }  # fmt: skip
    assert TASK.say(FACTS, PLAIN) == DRAWN and TASK.gaps(FACTS) == 0
    assert TASK.solve(FACTS) in (WALKS, OTHER)


def test_the_list_counts_from_the_other_corner():
    assert TASK.say(FACTS, TURNED) == (
        "There are 2 walls and 1 one-way cells in all.\nWalker 1 starts at (3, 3).\n"
        "Walker 1 must reach (1, 3).\nWalker 2 starts at (1, 3).\nWalker 2 must reach (3, 3).\n"
        "Walls: (1, 2) (3, 2).\nThe one-way cell (2, 1) leads only to (3, 1)."
    )
    assert text_of(TASK, FACTS, TURNED) == text_of(TASK, FACTS, PLAIN) == FACTS


@pytest.mark.parametrize(
    ("walks", "score"),
    [
        (WALKS, 1.0),
        (OTHER, 1.0),
        ([WALKS[0][:4], WALKS[1]], 1.0),  # who has arrived may stop listing
        ([walk[:3] for walk in WALKS], 0.5),
        ([[[0, 0], [0, 1], [0, 2]], [[0, 2], [0, 1], [0, 0]]], 0.0),  # on one cell at once
        ([[[0, 0], [0, 0], [0, 1], [0, 2]], [[0, 2], [0, 1], [0, 0], [0, 0]]], 0.25),  # they swap
        ([[*WALKS[0], [0, 2]], WALKS[1]], 0.0),  # goes on after the end
        ([WALKS[1], WALKS[0]], 0.0),  # the wrong walker first
        ([walk * 2 for walk in WALKS], 0.0),
        ([EVERY_CELL, EVERY_CELL], 0.0),
        ([SNAKE, SNAKE[::-1]], 0.0),
        ([*WALKS, WALKS[0]], 0.0),
        (WALKS[0], 0.0),
    ],
)
def test_scores_by_hand(walks, score):
    assert graded(walks) == score


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        (json.dumps({"walks": TASK.write_answer(WALKS, TURNED)}), 1.0),
        (json.dumps({"walks": {"walker 1": WALKS[0], "walker 2": WALKS[1]}}), 1.0),
        ("1: (0, 0) (0, 0) (0, 1) (0, 2)\n2: (0, 2) (0, 1) (1, 1) (0, 1) (0, 0)", 1.0),
        (json.dumps({"walks": [EVERY_CELL, SNAKE]}), 0.0),
        (TASK.block(FACTS, TURNED), 0.0),
        ("They cannot.", 0.0),
    ],
)
def test_scores_of_replies(reply, score):
    assert TASK.score(FACTS, WALKS, TASK.read_answer(reply)[0], FRAMES).score == score
    assert len(TASK.conventions(FRAMES)) == 16


def test_answers_come_back():
    for frame in FRAMES.values():
        assert TASK.interpret(TASK.write_answer(WALKS, frame), frame) == WALKS


def test_a_misread_notation_moves_the_walkers():
    said = TASK.say({("goal", 2): (1, 0)}, TURNED)
    assert said == "Walker 2 must reach (3, 2)."
    wrong = TASK.misread(TURNED, PLAIN, random.Random(0)) | {"origin": 1}
    assert TASK.hear(said, wrong) == {("rows",): 3, ("goal", 2): (2, 1)}
    assert TASK.hear("The one-way cell (1, 1) leads only to (3, 3).", TURNED) == {("rows",): 3}


def test_completion_fills_what_is_missing():
    some = {("rows",): 3, ("walls",): 2, ("oneways",): 1, ("start", 1): (0, 0), ("cell", 1, 1): "wall"}
    assert TASK.gaps(some) == 5
    for rng in (None, random.Random(0)):
        full = TASK.complete(some, rng)
        assert TASK.gaps(full) == 0 and some.items() <= full.items()
    with pytest.raises(Reject, match="no room"):
        TASK.complete(some | {("walls",): 9}, None)


def test_misheard_facts_have_no_answer():
    assert TASK.solve(FACTS | {("start", 2): (0, 0)}) is None
    assert TASK.solve(FACTS | {("goal", 2): (0, 2)}) is None
    assert TASK.solve(FACTS | {("cell", 0, 1): "wall"}) is None
    assert TASK.solve(FACTS | {("cell", 0, 0): "wall"}) in (WALKS, OTHER)  # not believed of a start


@pytest.mark.parametrize("index", range(10))
def test_the_bounded_search_finds_the_optimum(index):
    facts = make_instance(TASK, "small", 7, index).draft.union
    start, goal = TASK.ends(facts)
    layer, turns = {start}, 0
    while goal not in layer:
        layer, turns = {there for here in layer for there in TASK.steps(facts, here)}, turns + 1
    walk = TASK.shortest(facts)
    assert len(walk) - 1 == turns and Ground(facts).collide(start, goal)
    assert not any(clash(here, there) for here, there in itertools.pairwise(walk))
