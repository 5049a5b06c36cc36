"""A tree of five groups by hand: Amber above Birch and Coral, Birch above Delta and Ember."""

import random

import pytest

from tasks import get_task
from tasks.contract import Reject

TASK = get_task("aliasedtaxonomy")
FIRST = ("Amber", "Birch", "Coral", "Delta", "Ember")
SECOND = ("Alba", "Borea", "Corva", "Dorsa", "Elata")
A = {"form": "lists"}
B = {"form": "sentences", "alias": {f"T{number}": name for number, name in enumerate(SECOND[::-1], 1)}}
FRAMES = {"full": A, "a": A, "b": B}
SHARED = {("groups", 1): FIRST, ("groups", 2): SECOND, ("pairs",): 1}


def tree(names):
    links = {("parent", names[n]): names[above] for n, above in ((1, 0), (2, 0), (3, 1), (4, 1))}
    return links | {("size", names[2]): 3, ("size", names[3]): 1, ("size", names[4]): 2}


PAIR = {("pair", "Delta"): "Dorsa"}
FACTS = SHARED | tree(FIRST) | tree(SECOND) | PAIR
TRUTH = [list(pair) for pair in zip(FIRST, SECOND, strict=True)]


def score(text):
    return TASK.score(FACTS, TRUTH, TASK.read_answer(text)[0], FRAMES).score


def test_the_solver_matches_the_trees():
    assert TASK.gaps(FACTS) == 0 and TASK.solve(FACTS) == TRUTH
    assert TASK.gaps(SHARED | tree(FIRST) | PAIR) == 4 + 5  # links, and sizes of what may be a leaf
    assert TASK.gaps(SHARED | tree(SECOND)) == 1 + 4 + 5
    assert TASK.solve(FACTS | {("size", "Elata"): 9}) is None
    assert TASK.solve(FACTS | {("pair", "Delta"): "Corva"}) is None


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ('{"mapping": {"Amber": "Alba", "Birch": "Borea", "Coral": "Corva", "Ember": "Elata"}}', 4),
        (
            '{"mapping": {"Amber": "T5", "Birch": "t4", "Coral": "T3 (Corva)", "Ember": "T1"}}',
            4,
        ),
        ('{"mapping": {"Alba": "Amber", "Borea": "Birch", "Corva": "Coral", "Elata": "Ember"}}', 4),
        ('{"mapping": [["Amber", "Alba"], ["Birch", "Borea"], ["Coral", "Corva"], ["Ember", "Elata"]]}', 4),
        ('{"mapping": {"Amber": "Alba", "Birch": "Borea", "Coral": "Corva"}}', 3),
        ('{"mapping": {"Amber": "Alba", "Birch": "Borea", "Coral": "Elata", "Ember": "Corva"}}', 2),
        ('{"mapping": {"Amber": "Alba", "Birch": "Corva", "Coral": "Elata", "Ember": "Borea"}}', 1),
        ('{"mapping": {"Amber": "Alba", "Delta": "Dorsa"}}', 1),  # the known pair does not count
        ('{"mapping": {"Amber": "Alba", "Birch": "Alba", "Coral": "Corva", "Ember": "Elata"}}', 0),
        ("Amber is Alba, Birch is T4, Coral -> Corva and Ember = Elata.", 4),
        ("Amber of tree 1 is Alba of tree 2.\nBirch of tree 1 is Borea of tree 2.\nDelta is a leaf.", 2),
    ],
)
def test_scores_worked_out_by_hand(text, right):
    assert score(text) == pytest.approx(max(0, (right - 1) / 3))


def test_listing_everything_scores_zero():
    every = [[left, right] for left in FIRST for right in SECOND]
    for listed in (every, every * 3, {left: list(SECOND) for left in FIRST}, dict.fromkeys(FIRST, "Alba")):
        assert TASK.score(FACTS, TRUTH, listed, FRAMES).score == 0
    assert TASK.score(FACTS, TRUTH, {left: " ".join(SECOND) for left in FIRST}, FRAMES).score == 0
    for frame in (A, B):
        assert score(TASK.notation(frame) + "\n" + TASK.say(FACTS, frame)) == 0


def test_each_view_has_its_form():
    said = TASK.say(SHARED | tree(FIRST) | PAIR, A)
    assert "Directly below Amber: Birch, Coral.\nDirectly below Birch: Delta, Ember.\n" in said
    assert said.endswith("The size of Ember is 2.\nDelta of tree 1 is Dorsa of tree 2.")
    said = TASK.say(SHARED | tree(SECOND), B)
    assert "T4 is directly below T5.\n" in said and said.endswith("The size of T3 is 3.")
    assert TASK.hear(TASK.say(FACTS, A), A) == TASK.hear(TASK.say(FACTS, B), B) == FACTS


def test_a_misread_list_of_ids_changes_what_is_heard():
    wrong = TASK.misread(B, A, random.Random(0))
    heard = TASK.hear(TASK.say(tree(SECOND), B), wrong)
    assert heard != tree(SECOND) and len(heard) == len(tree(SECOND))


def test_completing_keeps_what_is_known_of_both_trees():
    some = {
        ("parent", "Birch"): "Amber",
        ("size", "Ember"): 2,
        ("parent", "Dorsa"): "Borea",
        ("size", "Elata"): 2,
    }
    for rng in (None, *map(random.Random, range(20))):
        full = TASK.complete(SHARED | PAIR | some, rng)
        assert TASK.gaps(full) == 0 and dict(TASK.solve(full))["Delta"] == "Dorsa"
        assert all(full[key] == value for key, value in some.items())
    for known in (tree(FIRST) | PAIR, tree(SECOND)):
        full = TASK.complete(SHARED | known, random.Random(0))
        assert TASK.gaps(full) == 0 and TASK.solve(full)


@pytest.mark.parametrize(
    "garbled",
    [
        {("size", name): 1 for name in FIRST},  # no group can be at the top
        {("parent", "Amber"): "Birch", ("parent", "Birch"): "Amber"},  # a circle
        {("pair", "Amber"): "Alba", ("size", "Amber"): 1, ("parent", "Borea"): "Alba"},
    ],
)
def test_contradictions_are_refused(garbled):
    with pytest.raises(Reject):
        TASK.complete(SHARED | garbled, random.Random(0))


def test_garbled_trees_neither_loop_nor_raise():
    circle = FACTS | {("parent", "Amber"): "Delta"}
    assert TASK.solve(circle) is None
    stranger = FACTS | {("parent", "Delta"): "Pearl", ("pair", "Pearl"): "Rubra"}
    assert TASK.solve(stranger) is None
