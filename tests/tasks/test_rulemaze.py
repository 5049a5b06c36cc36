"""Rule maze by hand: paints and rules, exact scores, and what a misread notation changes."""

import random

import pytest

from tasks import get_task
from tests.tasks.spatial_cases import EVERY_CELL, PLAIN, SNAKE, TURNED, graded, scored, text_of

TASK = get_task("rulemaze")
PAINTED = PLAIN | {"alias": {"1": "red", "2": "blue"}}
DRAWN = """\
The colours are blue, red.
121
121
122
From blue one may step only to blue.
From red one may step only to blue.
The start is (0, 0).
The goal is (2, 2)."""
FACTS = TASK.hear(DRAWN, PAINTED)
PATH = [[0, 0], [0, 1], [1, 1], [2, 1], [2, 2]]  # from red to blue and on along the blue cells


def test_the_drawing_and_the_rules_say_it_all():
    assert FACTS == {
        ("rows",): 3, ("colours",): ("blue", "red"), ("start",): (0, 0), ("goal",): (2, 2),
        ("next", "blue"): ("blue",), ("next", "red"): ("blue",),
        ("cell", 0, 0): "red", ("cell", 0, 1): "blue", ("cell", 0, 2): "red",
        ("cell", 1, 0): "red", ("cell", 1, 1): "blue", ("cell", 1, 2): "red",
        ("cell", 2, 0): "red", ("cell", 2, 1): "blue", ("cell", 2, 2): "blue",
    }  # fmt: skip
    assert TASK.say(FACTS, PAINTED) == DRAWN and TASK.gaps(FACTS) == 0
    assert TASK.solve(FACTS) == PATH


def test_the_list_names_the_colours():
    assert TASK.say(FACTS, TURNED).splitlines()[1:3] == [
        "Red cells: (1, 2) (1, 3) (3, 1) (3, 2) (3, 3).",
        "Blue cells: (1, 1) (2, 1) (2, 2) (2, 3).",
    ]
    assert text_of(TASK, FACTS, TURNED) == text_of(TASK, FACTS, PAINTED) == FACTS
    several = {("rows",): 3, ("next", "red"): ("blue", "red")}
    assert TASK.say(several, TURNED) == "From red one may step only to blue or red."
    assert text_of(TASK, several, TURNED) == several


def test_steps_go_from_colour_to_colour():
    assert TASK.steps(FACTS, (0, 0)) == [(0, 1)]
    assert TASK.steps(FACTS, (0, 1)) == [(1, 1)]
    assert TASK.steps_back(FACTS, (1, 1)) == [(0, 1), (1, 2), (2, 1), (1, 0)]
    for cell in map(tuple, EVERY_CELL):
        back = [(r, c) for r, c in EVERY_CELL if cell in TASK.steps(FACTS, (r, c))]
        assert sorted(TASK.steps_back(FACTS, cell)) == back


@pytest.mark.parametrize(
    ("path", "score"),
    [
        (PATH, 1.0),
        (PATH[:3], 0.5),
        ([*PATH[:3], [1, 2], [2, 2]], 0.5),  # from blue to red
        ([[0, 0], [1, 0], [1, 1], [2, 1], [2, 2]], 0.0),  # from red to red
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
        ('{"path": [[3, 3], [2, 3], [2, 2], [2, 1], [1, 1]]}', 1.0),  # in the notation of view B
        ("(0, 0) -> (0, 1) -> (1, 1) -> (2, 1) -> (2, 2)", 1.0),
        (f'{{"path": {SNAKE}}}', 0.0),
        (DRAWN, 0.0),
    ],
)
def test_scores_of_replies(reply, score):
    assert scored(TASK, FACTS, reply) == score


def test_a_misread_notation_changes_what_is_heard():
    wrong = TASK.misread(PAINTED, TURNED, random.Random(0))
    assert wrong == TURNED | {"form": "grid", "alias": {"1": "blue", "2": "red"}}
    heard = TASK.hear("121\n121\n1?2\nThe goal is (1, 2).", wrong)
    assert heard[("cell", 0, 0)] == "blue" and heard[("cell", 2, 2)] == "red"
    assert heard[("goal",)] == (1, 2) and ("cell", 2, 1) not in heard  # (2, 1) by order, (1, 2) by corner


def test_a_drawing_without_paints_has_no_notation():
    text = TASK.notation(PAINTED)
    assert TASK.read_notation(text) == PAINTED
    with pytest.raises(ValueError, match="no paints"):
        TASK.read_notation(text.replace(" is ", " means "))


def test_completion_lays_an_allowed_chain_of_colours():
    known = {key: value for key, value in FACTS.items() if key[0] != "cell"}
    assert TASK.gaps(known) == 9
    assert TASK.gaps({key: FACTS[key] for key in FACTS if key[0] in ("rows", "colours", "cell")}) == 4
    assert len(TASK.solve(TASK.complete(known, None))) == 5
    assert TASK.solve(FACTS | {("next", "red"): ("red",)}) is None
