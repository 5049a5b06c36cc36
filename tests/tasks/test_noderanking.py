"""Best three of five nodes: sums 110, 100, 90, 80 and 20 percent for Coral, Amber, Ember, Birch and Delta."""

import random

import pytest

from tasks import get_task
from tests.tasks.network_cases import (
    SIZES,
    assert_echoes_score_zero,
    assert_listings_score_zero,
    instances,
    triples,
)

TASK = get_task("noderanking")
NAMES = ("Amber", "Birch", "Coral", "Delta", "Ember")
A = {"form": "percent", "parts": 100}
B = {"form": "fractions", "parts": 20, "alias": {f"V{i}": name for i, name in enumerate(NAMES, 1)}}
FRAMES = {"full": A, "a": A, "b": B}
PUBLIC = {("nodes",): NAMES, ("top",): 3}
FIRST = {("first", n): v for n, v in zip(NAMES, (60, 80, 40, 20, 0), strict=True)}
SECOND = {("second", n): v for n, v in zip(NAMES, (40, 0, 70, 0, 90), strict=True)}
FACTS = PUBLIC | FIRST | SECOND
TRUTH = ["Coral", "Amber", "Ember"]


def score(text):
    return TASK.score(FACTS, TRUTH, TASK.read_answer(text)[0], FRAMES)


def test_the_solver_adds_and_ranks():
    assert TASK.gaps(FACTS) == 0 and TASK.solve(FACTS) == TRUTH
    assert TASK.gaps(PUBLIC | FIRST) == 5 and TASK.solve(PUBLIC | FIRST) is None
    assert TASK.solve(FACTS | {("top",): 9}) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"ranking": ["Coral", "Amber", "Ember"]}', 1),
        ('{"ranking": ["V3", "v1", "V5 (Ember)"]}', 1),
        ('{"ranking": {"1": "Coral", "2": "Amber", "3": "Ember"}}', 1),
        ('{"ranking": ["Coral", "Amber", "Birch"]}', 2 / 3),
        ('{"ranking": ["Coral", "Ember", "Amber"]}', 1 / 3),
        ('{"ranking": ["Coral", null, "a tie"]}', 1 / 3),
        ('{"ranking": ["Ember", "Coral", "Amber"]}', 0),
        ('{"ranking": ["Coral", "Coral", "Coral"]}', 0),  # one node in every place
        ('{"ranking": ["Coral", "Amber"]}', 0),  # as many as asked
        ('{"ranking": ["Coral", "Amber", "Ember", "Birch", "Delta"]}', 0),
        ('{"ranking": ["Coral or Amber", "Amber or Coral", "Ember or Birch"]}', 0),
        ('{"ranking": []}', 0),
        ('{"ranking": 3}', 0),
        ("1. Coral\n2. Amber\n3. Ember", 1),
        ("I added them up.\nThe best are Coral, Amber and Ember.", 1),
        ("**1.** V3\n**2.** V1\n**3.** V5", 1),
        ("1. Coral, Amber\n2. Amber, Coral\n3. Ember, Birch", 0),
    ],
)
def test_scores_worked_out_by_hand(text, expected):
    assert score(text).score == pytest.approx(expected)


def test_listing_everything_and_echoes_score_zero():
    assert_listings_score_zero(
        TASK,
        lambda names, facts: [names, [names] * 3, [" ".join(names)] * 3, triples(names), " ".join(names)],
    )
    assert_echoes_score_zero(TASK)


def test_neither_ranking_alone_is_right_in_any_place():
    for size in SIZES:
        for instance in instances(TASK, size):
            for holder, part in (("a", "first"), ("b", "second")):
                own = {k[1]: v for k, v in instance.draft.facts[holder].items() if k[0] == part}
                ranking = sorted(own, key=lambda name: (-own[name], name))
                assert not any(a == b for a, b in zip(ranking, instance.answer, strict=False))


def test_each_view_has_its_form():
    assert "First scores: Amber 60, Birch 80, Coral 40, Delta 20, Ember 0.\n" in TASK.say(FACTS, A)
    assert "V1 has a second score of 8.\nV2 has a second score of 0.\n" in TASK.say(FACTS, B)
    assert TASK.write_answer(TRUTH, B) == ["V3", "V1", "V5"]


def test_a_misread_denominator_or_list_of_ids_changes_what_is_heard():
    wrong = TASK.misread(B, A, random.Random(0))
    heard = TASK.hear(TASK.say(PUBLIC | SECOND, B), wrong)
    assert sorted(v for k, v in heard.items() if k[0] == "second") == [0, 0, 8, 14, 18]  # 8/20 taken for 8 %
    assert {k for k, v in heard.items() if v == 18} != {("second", "Ember")}
    heard = TASK.hear(TASK.say(PUBLIC | FIRST, A), TASK.misread(A, B, random.Random(0)))
    assert heard[("first", "Birch")] == 400


def test_completing_fills_in_scores():
    assert TASK.complete(PUBLIC | FIRST, None) == PUBLIC | FIRST | {("second", name): 50 for name in NAMES}
    assert TASK.gaps(TASK.complete(PUBLIC, random.Random(1))) == 0
