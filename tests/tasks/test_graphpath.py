"""Ways through six nodes: Amber > Birch > Coral > Delta, Delta > Ember > Flint > Amber and Amber > Ember."""

import random

import pytest

from tasks import get_task
from tasks.contract import Reject
from tests.tasks.network_cases import assert_echoes_score_zero, assert_listings_score_zero, triples

TASK = get_task("graphpath")
NAMES = ("Amber", "Birch", "Coral", "Delta", "Ember", "Flint")
A = {"form": "pairs", "first": "start"}
B = {"form": "sentences", "first": "end", "alias": {f"V{i}": name for i, name in enumerate(NAMES, 1)}}
FRAMES = {"full": A, "a": A, "b": B}
PUBLIC = {
    ("nodes",): NAMES,
    ("links",): 7,
    ("query", 1): (3, "Amber", "Delta"),
    ("query", 2): (3, "Delta", "Amber"),
}
ENDS = [
    "Amber Birch",
    "Birch Coral",
    "Coral Delta",
    "Delta Ember",
    "Ember Flint",
    "Flint Amber",
    "Amber Ember",
]
LINKS = {("link", *ends.split()): "link" for ends in ENDS}
FACTS = PUBLIC | LINKS
TRUTH = [["Amber", "Birch", "Coral", "Delta"], ["Delta", "Ember", "Flint", "Amber"]]
FIRST, SECOND = '["Amber", "Birch", "Coral", "Delta"]', '["Delta", "Ember", "Flint", "Amber"]'


def score(text):
    return TASK.score(FACTS, TRUTH, TASK.read_answer(text)[0], FRAMES)


def after_chance(right, asked=6):
    return (right / asked - 1 / 3) / (2 / 3)


def test_the_solver_finds_the_ways():
    assert TASK.gaps(FACTS) == 0 and TASK.solve(FACTS) == TRUTH
    assert TASK.solve({k: v for k, v in FACTS.items() if k != ("link", "Birch", "Coral")}) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f'{{"paths": [{FIRST}, {SECOND}]}}', 1),
        ('{"paths": [["V1", "V2", "V3", "V4"], ["v4", "v5", "v6", "v1"]]}', 1),
        (f'{{"paths": {{"1": {FIRST}, "2": "Delta -> Ember -> Flint -> Amber"}}}}', 1),
        (f'{{"paths": [{FIRST}, ["Delta", "Ember", "Birch", "Amber"]]}}', after_chance(4)),
        (f'{{"paths": [{FIRST}, null]}}', after_chance(3)),
        (f'{{"paths": [{FIRST}, {SECOND[:-1]}, "Ember"]]}}', after_chance(3)),  # too long
        (f'{{"paths": [{FIRST}, ["Flint", "Ember", "Flint", "Amber"]]}}', after_chance(3)),  # another start
        ('{"paths": ["Amber-Birch-Ember-Delta", "Delta-Ember-Coral-Amber"]}', 0),  # 2 of 6
        (f'{{"paths": [{SECOND}, {FIRST}]}}', 0),
        (f'{{"paths": [{FIRST}]}}', 0),  # one way a question
        (f'{{"paths": [{FIRST}, {SECOND}, {SECOND}]}}', 0),
        ('{"paths": []}', 0),
        ('{"paths": 6}', 0),
        ("1. Amber -> Birch -> Coral -> Delta\n2. Delta -> Ember -> Flint -> Amber", 1),
        ("The ways are Amber-Birch-Coral-Delta and V4-V5-V6-V1.", 1),  # a view with IDs lists the names too
        ("The ways are V1-V2-V3-V4 and V4-V5-V6-V1.", 1),
        ("1. Amber-Birch-Coral-Delta\n1. Amber-Ember-Coral-Delta\n2. Delta-Ember-Flint-Amber", 0),
    ],
)
def test_scores_worked_out_by_hand(text, expected):
    assert score(text).score == pytest.approx(expected)


def test_listing_everything_and_echoes_score_zero():
    assert_listings_score_zero(
        TASK,
        lambda names, facts: [
            [names] * 3,
            [names, names],
            triples(names),
            [f"{key[1]} -> {key[2]}" for key in facts if key[0] == "link"],
            " -> ".join(names),
        ],
    )
    assert_echoes_score_zero(TASK)


def test_each_view_has_its_form_and_direction():
    assert "Links: Amber-Birch, Amber-Ember, Birch-Coral, " in TASK.say(FACTS, A)
    assert "Each link X-Y leads from X to Y." in TASK.notation(A)
    assert "V5: V1 and V4.\n" in TASK.say(FACTS, B)  # Ember is reached from Amber and Delta
    assert "from which links lead to X" in TASK.notation(B)


def test_a_misread_direction_or_list_of_ids_changes_what_is_heard():
    wrong = TASK.misread(A, B, random.Random(0))
    heard = TASK.hear(TASK.say(FACTS, A), wrong)
    assert {k for k in heard if k[0] == "link"} == {("link", k[2], k[1]) for k in LINKS}
    wrong = TASK.misread(B, B, random.Random(0))
    assert wrong["alias"] != B["alias"] and TASK.hear(TASK.say(FACTS, B), wrong) != FACTS


def test_completing_fills_up_the_links_and_refuses_too_many():
    some = PUBLIC | {("link", "Amber", "Birch"): "link", ("link", "Coral", "Delta"): "link"}
    for rng in (None, random.Random(1)):
        full = TASK.complete(some, rng)
        assert TASK.gaps(full) == 0 and TASK.solve(full)
    with pytest.raises(Reject):
        TASK.complete(PUBLIC | {("links",): 99}, random.Random(1))


def test_garbled_questions_neither_loop_nor_raise():
    for question in ((9, "Amber", "Delta"), (1, "Pearl", "Amber"), (3, "Amber", "Amber")):
        full = TASK.complete(FACTS | {("query", 1): question, ("links",): 9}, random.Random(0))
        TASK.solve(full)
