"""Cube by hand: both notations, exact scores, and what a misread notation changes."""

import random

import pytest

from tasks import boxes, get_task
from tasks.contract import Reject
from tasks.making import make_instance
from tests.tasks.spatial_cases import text_of

TASK = get_task("cube")
PLAIN = {"form": "triple", "shape": [2, 2, 2], "origin": 0, "corner": "top-back-left", "order": "zyx"}
TURNED = PLAIN | {"origin": 1, "corner": "bottom-front-left", "order": "xyz"}
ADDRESS = PLAIN | {"form": "address", "origin": 1, "corner": "top-front-right"}
FRAMES = {"full": PLAIN, "a": TURNED, "b": ADDRESS}
ENDS = {("shape",): (2, 2, 2), ("start",): (0, 0, 0), ("goal",): (0, 1, 1)}
FACTS = ENDS | {
    ("cell", 0, 0, 1): "blocked", ("cell", 0, 1, 0): "blocked", ("cell", 1, 0, 0): "free",
    ("cell", 1, 0, 1): "free", ("cell", 1, 1, 0): "blocked", ("cell", 1, 1, 1): "free",
}  # fmt: skip
PATH = [[0, 0, 0], [1, 0, 0], [1, 0, 1], [1, 1, 1], [0, 1, 1]]


def score(value):
    return TASK.score(FACTS, PATH, value, FRAMES).score


def test_the_facts_in_both_forms():
    assert TASK.say(FACTS, PLAIN) == (
        "Blocked: (0, 0, 1) (0, 1, 0) (1, 1, 0).\nEvery other cell with z = 1 is free.\n"
        "The start is (0, 0, 0).\nThe goal is (0, 1, 1)."
    )
    assert TASK.say(FACTS, ADDRESS) == (
        "Blocked: 1/1/2 1/2/1 2/1/2.\nEvery other cell of layer 2 is free.\n"
        "The start is 1/2/2.\nThe goal is 1/1/1."
    )
    for frame in FRAMES.values():
        assert text_of(TASK, FACTS, frame) == FACTS
    assert TASK.gaps(FACTS) == 0 and TASK.solve(FACTS) == PATH


def test_the_notation_says_where_counting_starts():
    assert TASK.notation(TURNED) == (
        "The box has 2 layers of 2 rows and 2 columns. Cells are written (x, y, z), counted from 1: "
        "x from left to right, y from front to back, z from bottom to top."
    )
    assert TASK.notation(ADDRESS).endswith(
        "Cells are written layer/row/column, counted from 1: layers from top to bottom, rows from front to "
        "back, columns from right to left."
    )
    with pytest.raises(ValueError, match="no box notation"):
        TASK.read_notation("Cells are written (x, y, z), counted from 1.")


def test_a_part_of_a_layer_lists_its_free_cells():
    some = {key: value for key, value in FACTS.items() if key != ("cell", 1, 1, 0)}
    assert "Free: (1, 0, 0) (1, 0, 1) (1, 1, 1)." in TASK.say(some, PLAIN)
    assert text_of(TASK, some, ADDRESS) == some and TASK.gaps(some) == 1


@pytest.mark.parametrize(
    ("path", "points"),
    [
        (PATH, 1.0),
        (PATH[:3], 0.5),
        ([[0, 0, 0], [0, 0, 1], [0, 1, 1]], 0.0),  # through a blocked cell at once
        ([*PATH[:4], [1, 1, 0]], 0.75),
        ([*PATH, [1, 1, 1]], 0.0),
        (PATH * 2, 0.0),
    ],
)
def test_scores_by_hand(path, points):
    assert TASK.grade(FACTS, PATH, path) == points


def test_all_32_conventions_are_accepted():
    conventions = TASK.conventions(FRAMES)
    assert len(conventions) == 32 and PLAIN in conventions.values()
    for frame in [*conventions.values(), *FRAMES.values()]:
        value = TASK.write_answer(PATH, frame)
        assert TASK.interpret(value, frame) == PATH and score(value) == 1


@pytest.mark.parametrize(
    ("reply", "points"),
    [
        ('{"path": ["1/2/2", "2/2/2", "2/2/1", "2/1/1", "1/1/1"]}', 1.0),
        ("We go 1/2/2, 2/2/2, 2/2/1, 2/1/1 and 1/1/1.", 1.0),
        ("(0, 0, 0) -> (1, 0, 0) -> (1, 0, 1)", 0.5),
        (TASK.block(FACTS, ADDRESS), 0.0),
        ("There is no way.", 0.0),
    ],
)
def test_scores_of_replies(reply, points):
    assert score(TASK.read_answer(reply)[0]) == points


@pytest.mark.parametrize("size", ["tiny", "small", "paper", "large"])
def test_listings_score_zero_on_drawn_instances(size):
    for index in range(10):
        instance = make_instance(TASK, size, 5, index)
        facts, frames = instance.draft.union, instance.draft.frames
        cells = list(boxes.cells_of(facts[("shape",)]))
        free = [cell for cell in cells if facts.get(("cell", *cell)) != "blocked"]
        for listing in (cells, free, cells[::-1], free[::-1]):
            for frame in TASK.conventions(frames).values():
                value = TASK.write_answer(listing, frame)
                assert TASK.score(facts, instance.answer, value, frames).score == 0


def test_a_misread_notation_changes_what_is_heard():
    wrong = TASK.misread(ADDRESS, TURNED, random.Random(0))
    assert wrong == TURNED | {"form": "address"}
    said = TASK.say({("cell", 0, 0, 1): "blocked"}, ADDRESS)
    assert said == "Blocked: 1/2/1."
    assert TASK.hear(said, wrong) == {("shape",): (2, 2, 2), ("cell", 1, 0, 0): "blocked"}
    assert boxes.read_cells("9/9/9 (7, 7, 7)", ADDRESS) == []


def test_completion_keeps_what_is_known():
    some = ENDS | {("cell", 0, 0, 1): "blocked"}
    assert TASK.gaps(some) == 5
    free = TASK.complete(some, None)
    assert list(free.values()).count("free") == 5 and len(TASK.solve(free)) == 3
    assert TASK.solve(FACTS | {("cell", 1, 0, 0): "blocked"}) is None
    with pytest.raises(Reject, match="hides no obstacle"):
        TASK.refuse_one_sided(FACTS, ENDS, 4)
