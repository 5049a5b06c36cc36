"""An order of five steps by hand: Coral, Amber, Ember, Birch, Delta; ten pairs of steps."""

import random

import pytest

from tasks import get_task
from tasks.contract import Reject

TASK = get_task("dagorder")
NAMES = ["Coral", "Amber", "Ember", "Birch", "Delta"]
A = {"form": "before"}
B = {"form": "needs", "alias": {"S1": "Delta", "S2": "Birch", "S3": "Coral", "S4": "Amber", "S5": "Ember"}}
FRAMES = {"full": A, "a": A, "b": B}
SHARED = {("steps",): tuple(sorted(NAMES))}
PAIRS = ["Coral Amber", "Amber Ember", "Ember Birch", "Birch Delta", "Coral Delta"]
FACTS = SHARED | {("before", *pair.split()): "link" for pair in PAIRS}


def score(text):
    return TASK.score(FACTS, NAMES, TASK.read_answer(text)[0], FRAMES).score


def test_the_solver_finds_the_order():
    assert TASK.gaps(FACTS) == 0 and TASK.solve(FACTS) == NAMES
    assert TASK.gaps(SHARED) == 4
    assert TASK.gaps({k: v for k, v in FACTS.items() if k != ("before", "Amber", "Ember")}) == 2
    assert TASK.gaps({k: v for k, v in FACTS.items() if k != ("before", "Coral", "Delta")}) == 0


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ('{"order": ["Coral", "Amber", "Ember", "Birch", "Delta"]}', 10),
        ('{"order": ["S3", "s4", "S5", "S2 (Birch)", "Delta"]}', 10),
        ('{"order": "Coral -> Amber -> Ember -> Birch -> Delta"}', 10),
        ('{"order": ["Amber", "Coral", "Ember", "Birch", "Delta"]}', 9),
        ('{"order": ["Ember", "Coral", "Amber", "Birch", "Delta"]}', 8),
        ('{"order": ["Ember", "Amber", "Coral", "Birch", "Delta"]}', 7),
        ('{"order": ["Delta", "Coral", "Amber", "Ember", "Birch"]}', 6),
        ('{"order": ["Delta", "Birch", "Ember", "Amber", "Coral"]}', 0),
        ('{"order": ["Coral", "Amber", "Ember", "Birch"]}', 0),  # every step once
        ('{"order": ["Coral", "Amber", "Ember", "Birch", "Delta", "Coral"]}', 0),
        ('{"order": ["Coral", "Amber", "Ember", "Birch", "Birch"]}', 0),
        ('{"order": ["Coral", "Amber", "Ember", "Birch", "Delta", "Flint"]}', 0),
        ("Coral is first, so the order is Coral, Amber, Ember, Birch, then Delta.", 10),
        ("Coral is first, so the order is S3 > S4 > S5 > S2 > S1.", 10),
        ("1. Coral\n2. Amber\n3. Ember\n4. Birch\n5. Delta", 10),
    ],
)
def test_scores_worked_out_by_hand(text, right):
    assert score(text) == pytest.approx(max(0, (right / 10 - 0.6) / 0.4))


def test_listing_everything_scores_zero():
    for listed in (NAMES * 2, [NAMES] * 5, [" ".join(NAMES)] * 5, list(B["alias"]), [*NAMES, *B["alias"]]):
        assert TASK.score(FACTS, NAMES, listed, FRAMES).score == 0
    for frame in (A, B):
        assert score(TASK.say(FACTS, frame)) == 0


def test_each_view_has_its_form():
    assert "Amber before Ember.\nBirch before Delta.\nCoral before Amber.\n" in TASK.say(FACTS, A)
    assert TASK.say(FACTS, B).endswith("S1 needs S2 and S3.\nS2 needs S5.\nS4 needs S3.\nS5 needs S4.")
    assert TASK.hear(TASK.say(FACTS, A), A) == TASK.hear(TASK.say(FACTS, B), B) == FACTS


def test_a_misread_list_of_ids_changes_what_is_heard():
    wrong = TASK.misread(B, A, random.Random(0))
    heard = TASK.hear(TASK.say(FACTS, B), wrong)
    assert heard != FACTS and len(heard) == len(FACTS) and TASK.solve(heard) != NAMES


def test_completing_links_neighbours_and_refuses_circles():
    for rng in (None, random.Random(1)):
        full = TASK.complete(SHARED | {("before", "Delta", "Coral"): "link"}, rng)
        order = TASK.solve(full)
        assert TASK.gaps(full) == 0 and order.index("Delta") < order.index("Coral")
    circle = FACTS | {("before", "Delta", "Amber"): "link"}
    assert TASK.gaps(circle) == 0 and TASK.solve(circle) is None
    with pytest.raises(Reject):
        TASK.complete(circle, None)
    assert TASK.solve(FACTS | {("before", "Pearl", "Coral"): "link"}) == NAMES  # no step of these
