"""Totals in a tree of four jobs: Amber above Birch and Coral, Coral above Delta; 1, 2, 3 and 4 hours."""

import random

import pytest

from tasks import get_task

TASK = get_task("treesum")
A = {"form": "lists", "unit": "min"}
B = {"form": "sentences", "unit": "h", "alias": {"J1": "Delta", "J2": "Coral", "J3": "Birch", "J4": "Amber"}}
FRAMES = {"full": A, "a": A, "b": B}
TREE = {("parent", "Birch"): "Amber", ("parent", "Coral"): "Amber", ("parent", "Delta"): "Coral"}
TIMES = {("time", "Amber"): 60, ("time", "Birch"): 120, ("time", "Coral"): 180, ("time", "Delta"): 240}
SHARED = {("jobs",): ("Amber", "Birch", "Coral", "Delta"), ("query", 1): "Amber", ("query", 2): "Coral"}
FACTS = SHARED | TREE | TIMES
TRUTH = [600, 420]


def score(text):
    return TASK.score(FACTS, TRUTH, TASK.read_answer(text)[0], FRAMES)


def test_the_solver_adds_up_the_subtrees():
    assert TASK.gaps(FACTS) == 0 and TASK.solve(FACTS) == TRUTH
    assert TASK.gaps(SHARED) == 3 + 4 and TASK.gaps(SHARED | TREE) == 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"totals": [600, 420]}', 1),
        ('{"totals": [10, 7]}', 1),  # in hours, as view B writes it
        ('{"totals": ["600 min", "7 h"]}', 1),  # a unit that is named wins
        ('{"totals": ["10 hours", 420]}', 1),
        ('{"totals": {"Amber": 600, "Coral": 420}}', 1),
        ('{"totals": [600, 7]}', 1 / 2),  # units mixed up
        ('{"totals": [600, 180]}', 1 / 2),
        ('{"totals": [600, null]}', 1 / 2),
        ('{"totals": [420, 600]}', 0),
        ('{"totals": [600]}', 0),  # one number a question
        ('{"totals": [600, 420, 60]}', 0),
        ('{"totals": [[600], [420]]}', 0),
        ("1. 600\n2. 420", 1),
        ("The totals are 600 and 420.", 1),
    ],
)
def test_scores_worked_out_by_hand(text, expected):
    assert score(text).score == expected


def test_listing_everything_scores_zero():
    assert TASK.score(FACTS, TRUTH, list(range(60, 1200, 60)), FRAMES).score == 0
    assert TASK.score(FACTS, TRUTH, [list(range(60, 1200, 60))] * 2, FRAMES).score == 0
    assert TASK.score(FACTS, TRUTH, ["600 420", "600 420"], FRAMES).score == 0


def test_each_view_has_its_form_and_unit():
    assert "Directly below Amber: Birch, Coral.\n" in TASK.say(FACTS, A)
    assert "Coral takes 180." in TASK.say(FACTS, A)
    assert "J2 is directly below J4.\n" in TASK.say(FACTS, B)
    assert "The time of J2 is 3." in TASK.say(FACTS, B)
    assert TASK.write_answer(TRUTH, B) == [10, 7] and TASK.interpret([10, 7], B) == TRUTH


def test_a_misread_unit_or_list_of_ids_changes_what_is_heard():
    wrong = TASK.misread(B, A, random.Random(0))
    heard = TASK.hear(TASK.say(FACTS, B), wrong)
    assert sorted(v for k, v in heard.items() if k[0] == "time") == [1, 2, 3, 4]  # hours taken for minutes
    assert {k: v for k, v in heard.items() if k[0] == "parent"} != TREE
    heard = TASK.hear(TASK.say(FACTS, A), TASK.misread(A, B, random.Random(0)))
    assert heard[("time", "Coral")] == 180 * 60


def test_garbled_links_neither_loop_nor_raise():
    circle = FACTS | {("parent", "Amber"): "Delta"}
    assert TASK.solve(TASK.complete(circle, random.Random(0))) == [600, 600]
    stranger = FACTS | {("parent", "Delta"): "Pearl"}
    assert TASK.solve(TASK.complete(stranger, random.Random(0))) == [360, 180]
