"""Weights of neighbours: Amber is linked to Birch and Coral (red, 10 and 20 kg) and to Delta (blue)."""

import random

import pytest

from tasks import get_task
from tasks.contract import Reject
from tests.tasks.network_cases import assert_echoes_score_zero, assert_listings_score_zero

TASK = get_task("graphattr")
NAMES = ("Amber", "Birch", "Coral", "Delta", "Ember")
A = {"form": "pairs", "unit": "kg", "alias": {f"V{i}": name for i, name in enumerate(NAMES, 1)}}
B = {"form": "sentences", "unit": "lb"}
FRAMES = {"full": {"form": "pairs", "unit": "kg"}, "a": A, "b": B}
PUBLIC = {("nodes",): NAMES, ("links",): 4, ("query", 1): ("red", "Amber"), ("query", 2): ("blue", "Ember")}
LINKS = {
    ("link", *ends.split()): "link" for ends in ("Amber Birch", "Amber Coral", "Amber Delta", "Delta Ember")
}
COLOURS = {("colour", n): c for n, c in zip(NAMES, ("blue", "red", "red", "blue", "red"), strict=True)}
WEIGHTS = {("weight", n): w for n, w in zip(NAMES, (5, 10, 20, 35, 15), strict=True)}
FACTS = PUBLIC | LINKS | COLOURS | WEIGHTS
TRUTH = [30, 35]


def score(text):
    return TASK.score(FACTS, TRUTH, TASK.read_answer(text)[0], FRAMES)


def test_the_solver_adds_up_the_neighbours():
    assert TASK.gaps(FACTS) == 0 and TASK.solve(FACTS) == TRUTH
    assert TASK.gaps(PUBLIC) == 4 + 10 and TASK.gaps(PUBLIC | LINKS) == 10
    assert TASK.solve(PUBLIC | LINKS | COLOURS) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"totals": [30, 35]}', 1),
        ('{"totals": [66, 77]}', 1),  # in lb, as view B writes it
        ('{"totals": ["30 kg", "77 pounds"]}', 1),  # a unit that is named wins
        ('{"totals": {"1": 30, "2": "35.0"}}', 1),
        ('{"totals": [30, 77]}', 1 / 2),  # units mixed up
        ('{"totals": [65, 35]}', 1 / 2),
        ('{"totals": [30, null]}', 1 / 2),
        ('{"totals": [35, 30]}', 0),
        ('{"totals": [30]}', 0),  # one number a question
        ('{"totals": [30, 35, 35]}', 0),
        ('{"totals": [[30], [35]]}', 0),
        ('{"totals": ["30 or 35", "30 35"]}', 0),
        ("1. 30 kg\n2. 35 kg", 1),
        ("Question 1: 66 lb\nQuestion 2: the one neighbour weighs 77 lb.", 1),
        ("I added them up (V1 first).\n\nThe totals are 30 and 35.", 1),
        ("1. 30\n1. 35\n2. 35", 0),
        ("The weights are 5, 10, 15, 20, 25, 30, 35.", 0),
    ],
)
def test_scores_worked_out_by_hand(text, expected):
    assert score(text).score == expected


def test_listing_everything_and_echoes_score_zero():
    numbers = list(range(5, 300, 5))
    assert_listings_score_zero(
        TASK, lambda names, facts: [numbers, numbers[:20], [numbers] * 4, ["5 10 15 20"] * 4, names]
    )
    assert_echoes_score_zero(TASK)


def test_each_view_has_its_form_and_unit():
    assert "Links: V1-V2, V1-V3, V1-V4, V4-V5.\n" in TASK.say(FACTS, A)
    assert "Colours: V1 blue, V2 red, " in TASK.say(FACTS, A)
    assert "Amber is linked to Birch and Coral and Delta.\nDelta is linked to Ember.\n" in TASK.say(FACTS, B)
    assert "Birch is red and weighs 22.\n" in TASK.say(FACTS, B)
    assert "Birch is red.\n" in TASK.say(PUBLIC | COLOURS, B) and "Birch weighs 22." in TASK.say(
        PUBLIC | WEIGHTS, B
    )
    assert TASK.write_answer(TRUTH, B) == [66, 77] and TASK.interpret([66, 77], B) == TRUTH


def test_a_misread_unit_or_list_of_ids_changes_what_is_heard():
    heard = TASK.hear(TASK.say(FACTS, B), TASK.misread(B, A, random.Random(0)))
    weights = sorted(value for key, value in heard.items() if key[0] == "weight")
    assert weights == [11, 22, 33, 44, 77]  # lb taken for kg
    heard = TASK.hear(TASK.say(PUBLIC | LINKS, A), TASK.misread(A, B, random.Random(1)))
    assert {key for key in heard if key[0] == "link"} != set(LINKS)


def test_completing_answers_every_question_and_refuses_too_many_links():
    for rng in (None, random.Random(1)):
        for known in (LINKS, COLOURS | WEIGHTS):
            full = TASK.complete(PUBLIC | known, rng)
            assert TASK.gaps(full) == 0 and all(TASK.solve(full))
    with pytest.raises(Reject):
        TASK.complete(PUBLIC | {("links",): 99}, random.Random(1))


def test_garbled_questions_neither_loop_nor_raise():
    odd = FACTS | {("query", 1): ("green", "Pearl"), ("link", "Amber", "Pearl"): "link"}
    assert TASK.solve(TASK.complete(odd, random.Random(0))) == [0, 35]
