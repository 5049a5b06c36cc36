"""Triangles on a graph of five nodes: Amber-Birch-Coral and Birch-Coral-Delta share a link."""

import itertools
import random

import pytest

from tasks import get_task
from tasks.contract import Reject

TASK = get_task("trianglecount")
NAMES = ("Amber", "Birch", "Coral", "Delta", "Ember")
PAIRS = {"form": "pairs"}
BY_ID = {"form": "sentences", "alias": {f"V{i}": name for i, name in enumerate(NAMES, 1)}}
FRAMES = {"full": PAIRS, "a": PAIRS, "b": BY_ID}
EDGES = ["Amber Birch", "Amber Coral", "Birch Coral", "Birch Delta", "Coral Delta", "Delta Ember"]
FACTS = {("nodes",): NAMES, ("edges",): 6} | {("edge", *edge.split()): "link" for edge in EDGES}
TRUTH = [["Amber", "Birch", "Coral"], ["Birch", "Coral", "Delta"]]


def score(text):
    return TASK.score(FACTS, TRUTH, TASK.read_answer(text)[0], FRAMES)


def test_the_solver_finds_the_triangles():
    assert TASK.gaps(FACTS) == 0 and TASK.solve(FACTS) == TRUTH
    assert TASK.solve({k: v for k, v in FACTS.items() if k != ("edge", "Birch", "Coral")}) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"triangles": [["Coral", "Amber", "Birch"], ["Delta", "Coral", "Birch"]]}', 1),
        ('{"triangles": [["V1", "V2", "V3"], ["v4", "v3", "v2"]]}', 1),
        ('{"triangles": ["Amber-Birch-Coral", "Birch, Coral and Delta"]}', 1),
        ('{"triangles": [["Amber", "Birch", "Coral"]]}', 1 / 2),
        ('{"triangles": [["Amber", "Birch", "Coral"], ["Amber", "Birch", "Delta"]]}', 1 / 3),
        ('{"triangles": [["Amber", "Birch", "Coral"], ["Coral", "Birch", "Amber"]]}', 1 / 2),  # twice
        ('{"triangles": [["Amber", "Birch", "Coral"], ["Amber", "Birch"], 7]}', 1 / 4),  # counted as wrong
        ('{"triangles": [["Amber", "Birch", "Coral", "Delta"]]}', 0),
        ('{"triangles": []}', 0),
        ('{"triangles": 2}', 0),
        ("The triangles are Amber-Birch-Coral and (Birch, Coral, Delta).", 1),
        ("I see Amber, Birch and Coral.", 1 / 2),
    ],
)
def test_scores_worked_out_by_hand(text, expected):
    assert score(text).score == pytest.approx(expected)


def test_listing_everything_scores_zero():
    everything = [list(triple) for triple in itertools.combinations(NAMES, 3)]
    assert TASK.score(FACTS, TRUTH, everything, FRAMES).score == 0
    assert TASK.score(FACTS, TRUTH, [list(NAMES)], FRAMES).score == 0
    assert TASK.score(FACTS, TRUTH, everything * 100, FRAMES).score == 0


def test_each_form_writes_its_links():
    assert "Links: Amber-Birch, Amber-Coral, " in TASK.say(FACTS, PAIRS)
    assert "V1 is linked to V2 and V3.\nV2 is linked to V3 and V4." in TASK.say(FACTS, BY_ID)


def test_a_misread_list_of_ids_changes_what_is_heard():
    wrong = TASK.misread(BY_ID, PAIRS, random.Random(3))
    assert wrong["alias"] != BY_ID["alias"]
    heard = [TASK.hear(TASK.say(FACTS, BY_ID), frame) for frame in (BY_ID, wrong)]
    assert heard[0] == FACTS != heard[1] and len(heard[1]) == len(FACTS)


def test_completing_fills_up_the_links_and_refuses_too_many():
    some = {("nodes",): NAMES, ("edges",): 6, ("edge", "Amber", "Birch"): "link"}
    for rng in (None, random.Random(1)):
        full = TASK.complete(some, rng)
        assert TASK.gaps(full) == 0 and TASK.solve(full)
    with pytest.raises(Reject):
        TASK.complete(some | {("edges",): 99}, random.Random(1))
