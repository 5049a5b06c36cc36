"""Flood fill by hand: exact rescaled IoU, both notations, and a misread notation."""

import itertools
import random

import pytest

from tasks import get_task
from tasks.contract import Reject
from tasks.making import make_instance
from tasks.spatial.floodfill import FLOOR
from tests.tasks.spatial_cases import EVERY_CELL, FRAMES, PLAIN, TURNED, graded, scored, text_of

TASK = get_task("floodfill")
DRAWN = """\
There are 3 walls in all.
S.#
##.
..."""
FACTS = TASK.hear(DRAWN, PLAIN)
REACHED = [[0, 0], [0, 1]]


def test_the_drawing_says_it_all():
    walls = {("wall", 0, 2): "wall", ("wall", 1, 0): "wall", ("wall", 1, 1): "wall"}
    assert walls | {("rows",): 3, ("walls",): 3, ("source",): (0, 0)} == FACTS
    assert TASK.say(FACTS, PLAIN) == DRAWN and TASK.gaps(FACTS) == 0
    assert TASK.solve(FACTS) == REACHED


def test_the_list_counts_from_the_other_corner():
    assert TASK.say(FACTS, TURNED) == (
        "There are 3 walls in all.\nWalls: (1, 3) (2, 2) (3, 2).\nThe source is (3, 3)."
    )
    assert text_of(TASK, FACTS, TURNED) == text_of(TASK, FACTS, PLAIN) == FACTS


@pytest.mark.parametrize(
    ("cells", "iou"),
    [
        (REACHED, 1),
        ([*reversed(REACHED), *REACHED], 1),  # order and duplicates do not matter
        ([*REACHED, [2, 2]], 2 / 3),
        ([[0, 0]], 1 / 2),
        ([[0, 0], [1, 1], [2, 2]], 0),  # 1/4 lies below the floor
        ([[2, 2]], 0),
        (EVERY_CELL, 0),  # 2/9
        ([cell for cell in EVERY_CELL if ("wall", *cell) not in FACTS], 0),  # 2/6
        (EVERY_CELL * 2, 0),
        ([[0, 0], [0, 7]], 0),  # off the map
    ],
)
def test_scores_by_hand(cells, iou):
    assert graded(TASK, FACTS, cells) == max(0.0, (iou - FLOOR) / (1 - FLOOR))


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ('{"cells": [[3, 3], [2, 3]]}', 1.0),  # in the notation of view B
        ('{"cells": [[1, 1], [1, 2]]}', 0.0),  # from 1 at the top left: nobody's notation
        ("The water reaches (0, 0) and (0,1).", 1.0),
        (f'{{"cells": {EVERY_CELL}}}', 0.0),
        ("It reaches nothing.", 0.0),
    ],
)
def test_scores_of_replies(reply, score):
    assert scored(TASK, FACTS, reply) == score
    assert TASK.conventions(FRAMES) == FRAMES


@pytest.mark.parametrize("size", ["tiny", "small", "paper"])
def test_listing_scores_zero_on_drawn_instances(size):
    for index in range(20):
        instance = make_instance(TASK, size, 5, index)
        facts, frames = instance.draft.union, instance.draft.frames
        cells = list(itertools.product(range(facts[("rows",)]), repeat=2))
        free = [cell for cell in cells if ("wall", *cell) not in facts]
        for listing in (cells, free):
            for frame in frames.values():
                value = TASK.write_answer(listing, frame)
                assert TASK.score(facts, instance.answer, value, frames).score == 0
        assert ("source",) not in instance.draft.facts["a"]


def test_a_misread_notation_moves_the_source_and_the_walls():
    wrong = TASK.misread(TURNED, PLAIN, random.Random(0))
    heard = TASK.hear(TASK.say(FACTS, TURNED), wrong)
    assert heard == {("rows",): 3, ("walls",): 3, ("wall", 2, 2): "wall"}  # 3 is off a map counted from 0


def test_gaps_count_missing_walls_and_the_source():
    public = {("rows",): 3, ("walls",): 3}
    assert TASK.gaps(public) == 4
    assert TASK.gaps(public | {("source",): (0, 0), ("wall", 2, 2): "wall"}) == 2
    too_many = FACTS | {("wall", 2, 2): "wall"}  # misheard: no gap, and still an answer
    assert TASK.gaps(too_many) == 0 and TASK.complete(too_many, None) == too_many
    assert TASK.solve(too_many) == REACHED


def test_completion_fills_walls_away_from_the_source():
    some = {("rows",): 3, ("walls",): 3, ("source",): (0, 0), ("wall", 0, 1): "wall"}
    assert TASK.complete(some, None) == some | {("wall", 2, 2): "wall", ("wall", 1, 2): "wall"}
    for seed in range(20):
        guess = TASK.complete({("rows",): 3, ("walls",): 8}, random.Random(seed))
        assert TASK.gaps(guess) == 0 and ("wall", *guess[("source",)]) not in guess
        assert TASK.solve(guess) == [list(guess[("source",)])]
    with pytest.raises(Reject, match="no room"):
        TASK.complete({("rows",): 3, ("walls",): 9}, None)


def test_a_misheard_wall_on_the_source_is_not_believed():
    assert TASK.solve(FACTS | {("wall", 0, 0): "wall"}) == REACHED
