"""Shortest route: Amber-Birch-Coral is 24 km long, Amber-Delta-Coral 32 km and Amber-Coral 40 km."""

import json
import random

import pytest

from tasks import get_task
from tasks.contract import Reject
from tests.tasks.network_cases import assert_echoes_score_zero, assert_listings_score_zero, triples

TASK = get_task("graph")
NAMES = ("Amber", "Birch", "Coral", "Delta", "Ember")
A = {"form": "pairs", "unit": "km"}
B = {"form": "sentences", "unit": "mi", "alias": {f"V{i}": name for i, name in enumerate(NAMES, 1)}}
FRAMES = {"full": A, "a": A, "b": B}
PUBLIC = {("nodes",): NAMES, ("links",): 6, ("ends",): ("Amber", "Coral")}
ROADS = {
    ("link", "Amber", "Birch"): 16,
    ("link", "Birch", "Coral"): 8,
    ("link", "Amber", "Delta"): 16,
    ("link", "Coral", "Delta"): 16,
    ("link", "Amber", "Coral"): 40,
    ("link", "Coral", "Ember"): 8,
}
FACTS = PUBLIC | ROADS
TRUTH = {"path": ["Amber", "Birch", "Coral"], "length": 24}


def score(text):
    return TASK.score(FACTS, TRUTH, TASK.read_answer(text)[0], FRAMES)


def answer(path, length):
    return json.dumps({"route": {"path": path, "length": length}})


def test_the_solver_finds_the_shortest_route():
    assert TASK.gaps(FACTS) == 0 and TASK.solve(FACTS) == TRUTH
    assert TASK.gaps(PUBLIC) == 6 and TASK.solve(PUBLIC) is None
    without = {key: value for key, value in FACTS.items() if key != ("link", "Birch", "Coral")}
    assert TASK.solve(without) == {"path": ["Amber", "Delta", "Coral"], "length": 32}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (answer(["Amber", "Birch", "Coral"], 24), 1),
        (answer(["V1", "V2", "V3"], 15), 1),  # in miles, as view B writes it
        (answer(["Amber", "Birch", "Coral"], "15 miles"), 1),  # a unit that is named wins
        (answer(["V1 (Amber)", "V2 (Birch)", "V3 (Coral)"], "24 km"), 1),
        (answer("Amber -> Birch -> Coral", 24), 1),
        ('{"path": ["Amber", "Birch", "Coral"], "length": 24}', 1),
        (answer(["Amber", "Birch", "Coral"], 39), 3 / 4),
        (answer(["Amber", "Birch", "Coral"], None), 3 / 4),
        ('{"route": ["Amber", "Birch", "Coral"]}', 3 / 4),
        (answer(["Amber", "Delta", "Coral"], 32), 2 * 24 / 32 - 1),
        (answer(["Amber", "Delta", "Coral"], 24), (2 * 24 / 32 - 1) * 3 / 4),
        (answer(["Amber", "Coral"], 40), 2 * 24 / 40 - 1),
        (answer(["Amber", "Ember", "Coral"], 24), 0),  # no road
        (answer(["Coral", "Birch", "Amber"], 24), 0),  # the wrong way round
        (answer(["Amber", "Birch"], 16), 0),
        (answer(["Amber", "Birch", "Coral", "Ember", "Coral"], 40), 0),  # a town twice
        (answer(["Amber", "Birch or Delta", "Coral"], 24), 0),
        (answer([], 24), 0),
        ('{"route": 24}', 0),
        ("The shortest route from Amber to Coral is Amber -> Birch -> Coral with 24 km.", 1),
        ("It is V1-V2-V3, 15 miles.", 1),
        ("I take Amber, Birch, Coral.", 3 / 4),
        ("Either Amber-Birch-Coral or Amber-Delta-Coral.", 0),
    ],
)
def test_scores_worked_out_by_hand(text, expected):
    assert score(text).score == pytest.approx(expected)


def test_listing_everything_and_echoes_score_zero():
    assert_listings_score_zero(
        TASK,
        lambda names, facts: [
            names,
            {"path": names, "length": 40},
            {"path": triples(names), "length": list(range(100))},
            [f"{key[1]}-{key[2]}" for key in facts if key[0] == "link"],
            " ".join(names),
        ],
    )
    assert_echoes_score_zero(TASK)


def test_each_view_has_its_form_and_unit():
    assert "Roads: Amber-Birch 16, Amber-Coral 40, Amber-Delta 16, " in TASK.say(FACTS, A)
    assert "V1 has roads to V2 (10) and V3 (25) and V4 (10).\n" in TASK.say(FACTS, B)
    assert TASK.write_answer(TRUTH, B) == {"path": ["V1", "V2", "V3"], "length": 15}
    assert TASK.interpret({"path": ["V1", "V2", "V3"], "length": 15}, B) == TRUTH


def test_a_misread_unit_or_list_of_ids_changes_what_is_heard():
    wrong = TASK.misread(B, A, random.Random(0))
    heard = TASK.hear(TASK.say(FACTS, B), wrong)
    assert heard[("links",)] == 6 == len([key for key in heard if key[0] == "link"])
    assert sorted(v for k, v in heard.items() if k[0] == "link") == [5, 5, 10, 10, 10, 25]  # miles as km
    assert {key for key in heard if key[0] == "link"} != set(ROADS)
    heard = TASK.hear(TASK.say(FACTS, A), TASK.misread(A, B, random.Random(0)))
    assert heard[("link", "Amber", "Coral")] == 64  # km taken for miles


def test_completing_fills_up_the_roads_and_refuses_too_many():
    some = PUBLIC | {("link", "Amber", "Birch"): 16}
    for rng in (None, random.Random(1)):
        full = TASK.complete(some, rng)
        assert TASK.gaps(full) == 0 and TASK.solve(full)
    with pytest.raises(Reject):
        TASK.complete(PUBLIC | {("links",): 99}, random.Random(1))


def test_garbled_ends_and_lengths_have_no_solution_or_another_one():
    assert TASK.solve(FACTS | {("ends",): ("Amber", "Pearl")}) is None
    assert TASK.hear("Roads: Amber-Birch 0, Amber-Amber 5, Amber-Nowhere 9.", A) == {}
