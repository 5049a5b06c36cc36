"""Bin packing: units, packings and grades worked out by hand."""

import random

import pytest

from tasks import packing
from tasks.contract import Reject
from tasks.csp.binpack import TASK

PUBLIC = {
    ("list", "items"): ("anvil", "crate", "drum", "iron"),
    ("list", "bins"): ("Blue", "Red"),
    ("list", "classes"): ("Acid", "Food"),
    ("pairs",): 1,
}
A = {
    ("weight", "anvil"): 20,
    ("weight", "crate"): 15,
    ("weight", "drum"): 10,
    ("weight", "iron"): 5,
    ("class", "anvil"): "Acid",
    ("class", "crate"): "Food",
    ("class", "drum"): "Food",
    ("class", "iron"): "Acid",
}
B = {("capacity", "Blue"): 25, ("capacity", "Red"): 25, ("apart", "Acid", "Food"): "apart"}
FACTS = PUBLIC | A | B
TRUTH = {"anvil": "Blue", "crate": "Red", "drum": "Red", "iron": "Blue"}
KG = {"form": "sentences", "unit": "kg"}
LB = {"form": "signs", "unit": "lb", "alias": {"B1": "Red", "B2": "Blue", "C1": "Food", "C2": "Acid"}}
FRAMES = {"full": KG, "a": KG, "b": LB}


def score(value, facts=FACTS):
    return TASK.score(facts, TRUTH, value, FRAMES).score


def test_the_packing_is_found():
    assert TASK.solve(FACTS) == TRUTH and TASK.gaps(FACTS) == 0
    assert TASK.gaps(PUBLIC | A) == 3 and TASK.gaps(PUBLIC | B) == 8
    assert not packing.several(FACTS)  # the other packing only has the bins exchanged
    roomy = {key: value for key, value in FACTS.items() if key[0] != "apart"} | {("capacity", "Red"): 30}
    assert packing.several(roomy)  # anvil and drum may then fill the red bin


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (TRUTH, 1.0),
        ({"anvil": "Red", "iron": "Red", "crate": "Blue", "drum": "Blue"}, 1.0),  # relabelled
        ({"Anvil": "bin B2", "crate": "B1", "drum": "b1", "iron": "B2"}, 1.0),  # as view B writes it
        ({"Blue": ["anvil", "iron"], "Red": ["crate", "drum"]}, 1.0),
        ({"anvil": "Blue", "crate": "Red", "drum": "Red", "iron": "Red"}, 0.0),  # 20 of 50 is below 1 / 2
        ({"anvil": "Red", "crate": "Blue", "drum": "Blue", "iron": "Blue"}, 0.0),  # 30 > 25
        ({**TRUTH, "iron": None}, 0.0),
        ({"anvil": "Blue", "crate": "Red", "drum": "Red"}, 0.0),  # an item is missing
        ({**TRUTH, "kiln": "Red"}, 0.0),
        ({**TRUTH, "iron": "Green"}, 0.0),
        (dict.fromkeys(TRUTH, "Red"), 0.0),
        (dict.fromkeys(TRUTH, "Red, Blue"), 0.0),
        ({"Red": list(TRUTH), "Blue": list(TRUTH)}, 0.0),
    ],
)
def test_grades(value, expected):
    assert score(value) == pytest.approx(expected)


def test_part_of_the_weight_is_part_of_the_score():
    roomy = FACTS | {("capacity", "Red"): 30}
    value = {"anvil": "Blue", "crate": "Red", "drum": "Red", "iron": "Red"}
    assert score(value, roomy) == 0  # iron and crate are incompatible: 20 of 50 are well placed
    mild = roomy | {("class", "iron"): "Food", ("capacity", "Blue"): 15}
    assert score(value, mild) == pytest.approx(0.2)  # 30 of 50: (0.6 - 0.5) / 0.5


def test_an_answer_in_free_text_is_read_unless_it_is_a_listing():
    value, how = TASK.read_answer(
        "- anvil: **Blue**\n- The iron goes into bin B2, the crate is in B1; drum -> red"
    )
    assert how == "loose" and score(value | {"anvil": "B2", "drum": "B1"}) == 1
    assert TASK.read_answer("anvil: Blue, anvil: Red") == (None, "none")
    assert TASK.read_answer(TASK.say(FACTS, KG) + TASK.say(FACTS, LB)) == (None, "none")


def test_views_are_written_in_sentences_and_in_signs():
    some = {key: A[key] for key in (("weight", "iron"), ("class", "iron"), ("class", "drum"))}
    assert TASK.say(some, KG).splitlines() == [
        "The drum is of class Food.",
        "The iron weighs 5 and is of class Acid.",
    ]
    assert TASK.say(some, LB).splitlines() == ["drum: C1", "iron: 11, C2"]
    assert TASK.say(B, LB).splitlines() == ["B1 <= 55", "B2 <= 55", "C1 | C2"]
    for frame in FRAMES.values():
        assert TASK.hear(TASK.say(FACTS, frame), frame) == FACTS
        assert TASK.read_notation(TASK.notation(frame)) == frame
        assert TASK.interpret(TASK.write_answer(TRUTH, frame), frame) == TRUTH


def test_a_misread_frame_changes_what_is_heard():
    wrong = TASK.misread({key: LB[key] for key in ("form", "unit")}, KG, random.Random(0))
    assert TASK.hear("Red <= 55", wrong) == {("capacity", "Red"): 55}
    mixed = LB | {"alias": LB["alias"] | {"B1": "Food", "C1": "Red"}}  # a bin taken for a class
    assert TASK.hear(TASK.say(B, LB), mixed) == {("capacity", "Blue"): 25}


def test_contradictions_are_refused_and_gaps_filled():
    heavy = FACTS | {("weight", "anvil"): 30}
    assert TASK.solve(heavy) is None
    with pytest.raises(Reject):
        TASK.complete(heavy, random.Random(0))
    for known in (PUBLIC | A, PUBLIC | B, PUBLIC):
        for seed in range(10):
            full = TASK.complete(known, random.Random(seed))
            assert TASK.gaps(full) == 0
    assert TASK.solve(FACTS | {("capacity", "Black"): 5, ("class", "zoo"): "Food"}) == TRUTH
