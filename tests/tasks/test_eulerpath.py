"""A triangle with a tail by hand: Delta-Amber, then once around Amber-Birch-Coral."""

import random

import pytest

from tasks import get_task
from tasks.contract import Reject
from tasks.relational.eulerpath import goes_far, jumps

TASK = get_task("eulerpath")
NAMES = ("Amber", "Birch", "Coral", "Delta")
A = {"form": "pairs"}
B = {"form": "sentences", "alias": {"V1": "Delta", "V2": "Coral", "V3": "Birch", "V4": "Amber"}}
FRAMES = {"full": A, "a": A, "b": B}
SHARED = {("nodes",): NAMES, ("edges",): 4, ("start",): "Delta"}
EDGES = [("Amber", "Birch"), ("Amber", "Coral"), ("Amber", "Delta"), ("Birch", "Coral")]
FACTS = SHARED | {("edge", *edge): "link" for edge in EDGES}
TRUTH = ["Delta", "Amber", "Birch", "Coral", "Amber"]


def score(text):
    return TASK.score(FACTS, TRUTH, TASK.read_answer(text)[0], FRAMES).score


def test_the_solver_walks_every_link():
    assert TASK.gaps(FACTS) == 0 and TASK.gaps(SHARED) == 4 and TASK.solve(FACTS) == TRUTH
    assert TASK.solve(FACTS | {("start",): "Birch"}) is None
    assert TASK.solve(SHARED) is None


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ('{"walk": ["Delta", "Amber", "Birch", "Coral", "Amber"]}', 4),
        ('{"walk": ["Delta", "Amber", "Coral", "Birch", "Amber"]}', 4),  # the other way round
        ('{"walk": ["V1", "v4", "V3", "V2 (Coral)", "Amber"]}', 4),
        ('{"walk": "Delta-Amber-Birch-Coral-Amber"}', 4),
        ('{"walk": ["Delta", "Amber", "Birch", "Coral"]}', 3),
        ('{"walk": ["Delta", "Amber", "Birch", "Amber", "Coral"]}', 2),  # back over the same link
        ('{"walk": ["Delta", "Amber", null, "Coral", "Amber"]}', 1),
        ('{"walk": ["Delta", "Birch", "Coral", "Amber"]}', 0),
        ('{"walk": ["Amber", "Birch", "Coral", "Amber", "Delta"]}', 0),  # not from the start
        ('{"walk": ["Delta", "Amber", "Birch", "Coral", "Amber", "Delta"]}', 0),  # more steps than links
        ('{"walk": ["Delta"]}', 0),
        ("We start at Delta.\nThe walk is Delta -> Amber -> Birch -> Coral -> Amber.", 4),
        ("So V1, V4, V3.", 2),
    ],
)
def test_scores_worked_out_by_hand(text, steps):
    assert score(text) == steps / 4


def test_listing_everything_scores_zero():
    ends = [end for edge in EDGES for end in edge]
    listings = (list(NAMES), [*NAMES, *NAMES], ends, EDGES, TRUTH * 12, TRUTH * 2, [" ".join(NAMES)] * 5)
    for listed in listings:
        assert TASK.score(FACTS, TRUTH, listed, FRAMES).score == 0
    for frame in (A, B):
        assert score(TASK.say(FACTS, frame)) == 0


def test_each_view_has_its_form():
    assert "Links: Amber-Birch, Amber-Coral, Amber-Delta, Birch-Coral.\n" in TASK.say(FACTS, A)
    assert "V1 is linked to V4.\nV2 is linked to V3 and V4.\nV3 is linked to V4.\n" in TASK.say(FACTS, B)
    assert TASK.say(FACTS, B).endswith("The walk starts at V1.")
    assert TASK.hear(TASK.say(FACTS, A), A) == TASK.hear(TASK.say(FACTS, B), B) == FACTS


def test_a_misread_list_of_ids_changes_what_is_heard():
    wrong = TASK.misread(B, A, random.Random(0))
    heard = TASK.hear(TASK.say(FACTS, B), wrong)
    assert heard != FACTS and len(heard) == len(FACTS)


@pytest.mark.parametrize(
    ("edges", "start", "lacking"),
    [
        (EDGES, "Delta", 0),
        (EDGES, "Amber", 0),
        (EDGES, "Birch", 1),
        ([("Amber", "Birch"), ("Coral", "Delta")], "Amber", 1),
        ([("Amber", "Birch"), ("Coral", "Delta")], "Ember", 2),
        ([("Amber", "Birch"), ("Amber", "Coral"), ("Amber", "Delta")], "Birch", 1),
        ([], "Amber", 0),
    ],
)
def test_how_many_links_a_walk_lacks(edges, start, lacking):
    assert jumps(edges, start) == lacking


def test_how_far_a_view_goes():
    assert goes_far(EDGES, "Delta", 3) and not goes_far(EDGES, "Delta", 4)
    assert not goes_far(EDGES[3:], "Delta", 0) and goes_far(EDGES[2:], "Delta", 0)


def test_completing_makes_a_walk_or_refuses():
    some = SHARED | {("edge", "Amber", "Birch"): "link", ("edge", "Birch", "Coral"): "link"}
    for rng in (None, random.Random(1), random.Random(2)):
        full = TASK.complete(some, rng)
        assert TASK.gaps(full) == 0 and len(TASK.solve(full)) == 5
    star = SHARED | {("edge", "Amber", end): "link" for end in NAMES[1:]} | {("start",): "Amber"}
    with pytest.raises(Reject):  # from the middle of a star no fourth link helps
        TASK.complete(star | {("edges",): 4, ("nodes",): NAMES[:1]}, random.Random(0))
    with pytest.raises(Reject):
        TASK.complete(SHARED | {("edges",): 99}, None)
