"""Number link by hand: both notations, exact scores, and what a misread notation changes."""

import json
import random

import pytest

from tasks import get_task
from tasks.contract import Reject
from tests.tasks.spatial_cases import EVERY_CELL, FRAMES, PLAIN, SNAKE, TURNED, text_of

TASK = get_task("numberlink")
BY_ID = TURNED | {"alias": {"P1": "Green", "P2": "Red"}}
VIEWS = FRAMES | {"b": BY_ID}
DRAWN = """\
The pairs are Red, Green.
There are 1 blocked cells in all.
RG.
#..
.GR"""
FACTS = TASK.hear(DRAWN, PLAIN)
RED = [[0, 0], [0, 1], [0, 2], [1, 2], [2, 2]]  # crosses an end of Green
GREEN = [[0, 1], [1, 1], [2, 1]]
OPEN = TASK.hear(DRAWN.replace("RG.", "R..").replace("GR", ".R").replace("#..", "G.G"), PLAIN)


def graded(facts, paths):
    answer = TASK.interpret(paths, PLAIN)
    return 0.0 if answer is None else TASK.grade(facts, None, answer)


def test_the_drawing_says_it_all():
    assert {key: value for key, value in FACTS.items() if key[0] == "cell"} == {
        ("cell", 0, 0): "Red", ("cell", 2, 2): "Red", ("cell", 0, 1): "Green", ("cell", 2, 1): "Green",
        ("cell", 1, 0): "blocked",
    }  # fmt: skip
    assert TASK.say(FACTS, PLAIN) == DRAWN and TASK.gaps(FACTS) == 0
    assert TASK.solve(FACTS) is None  # Red is walled in by Green and the blocked cell


def test_the_list_counts_from_the_other_corner():
    assert TASK.say(FACTS, BY_ID) == (
        "The pairs are P2, P1.\nThere are 1 blocked cells in all.\n"
        "One end of pair P1 is at (2, 1).\nOne end of pair P1 is at (2, 3).\n"
        "One end of pair P2 is at (1, 1).\nOne end of pair P2 is at (3, 3).\nBlocked cells: (3, 2)."
    )
    assert text_of(TASK, FACTS, BY_ID) == text_of(TASK, FACTS, PLAIN) == FACTS


@pytest.mark.parametrize(
    ("paths", "score"),
    [
        ([GREEN], 0.5),
        (GREEN, 0.5),  # a single path
        ({"Red": RED, "Green": GREEN[::-1]}, 0.0),  # they share a cell, and Red enters an end of Green
        ([[[0, 0], [1, 0], [2, 0]], GREEN], 0.5),  # through the blocked cell, to no end
        ([[[0, 0], [1, 1], [2, 2]], [[0, 1], [0, 2], [1, 2], [1, 1], [2, 1]]], 0.0),  # one cell in both
        ([GREEN, GREEN], 0.0),
        ([GREEN, RED[:1], RED[1:]], 0.0),  # more paths than pairs
        ([EVERY_CELL], 0.0),
        ([EVERY_CELL, EVERY_CELL], 0.0),
        ([SNAKE, GREEN], 0.0),
        (EVERY_CELL, 0.0),
        ([[0, 1], [2, 1]], 0.0),  # a jump
    ],
)
def test_scores_by_hand(paths, score):
    assert graded(FACTS, paths) == score


def test_both_pairs_joined():
    facts = FACTS | {("cell", 0, 2): "Red"}
    del facts["cell", 2, 2]
    assert TASK.solve(facts) is None
    facts = {key: value for key, value in FACTS.items() if key != ("cell", 0, 1)} | {("cell", 2, 0): "Green"}
    paths = TASK.solve(facts)
    assert paths == [[[0, 0], [0, 1], [0, 2], [1, 2], [2, 2]], [[2, 0], [2, 1]]]
    assert graded(facts, paths) == graded(facts, paths[::-1]) == 1
    assert graded(facts, [paths[0], []]) == 0.5
    for frame in VIEWS.values():
        value = TASK.write_answer(paths, frame)
        assert TASK.interpret(value, frame) == paths
        assert TASK.score(facts, paths, value, VIEWS).score == 1


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ('{"paths": {"P1": [[2, 3], [2, 2], [2, 1]], "P2": []}}', 0.5),  # in the notation of view B
        ("Red cannot.\nGreen: (0, 1) -> (1, 1) -> (2, 1)", 0.5),
        (json.dumps({"paths": [EVERY_CELL, SNAKE]}), 0.0),
        (TASK.block(FACTS, BY_ID), 0.0),
        (TASK.block(FACTS, PLAIN), 0.0),
        ("There is no way.", 0.0),
    ],
)
def test_scores_of_replies(reply, score):
    assert TASK.score(FACTS, None, TASK.read_answer(reply)[0], VIEWS).score == score


def test_a_misread_notation_moves_and_mixes_up_the_ends():
    said = TASK.say({("cell", 1, 2): "Green"}, BY_ID)
    assert said == "One end of pair P1 is at (1, 2)."
    wrong = TASK.misread(BY_ID, PLAIN, random.Random(0))
    assert wrong["alias"] == {"P1": "Red", "P2": "Green"}
    assert TASK.hear(said, wrong) == {("rows",): 3, ("cell", 1, 2): "Red"}
    assert TASK.hear(said, BY_ID | {"corner": "top-left"}) == {("rows",): 3, ("cell", 1, 0): "Green"}


def test_completion_fills_what_is_missing():
    some = {("rows",): 3, ("pairs",): ("Red", "Green"), ("blocked",): 1, ("cell", 0, 0): "Red"}
    assert TASK.gaps(some) == 4
    for rng in (None, random.Random(0)):
        full = TASK.complete(some, rng)
        assert TASK.gaps(full) == 0 and some.items() <= full.items() and len(full) == 8
    with pytest.raises(Reject, match="no room"):
        TASK.complete(some | {("blocked",): 7}, None)


def test_misheard_facts_have_no_answer():
    assert TASK.solve(FACTS | {("cell", 0, 2): "Red"}) is None  # three ends
    assert TASK.solve({("rows",): 3, ("pairs",): (), ("blocked",): 0}) is None
