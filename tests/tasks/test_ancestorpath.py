"""Two children, Amber and Birch, of Coral, which has the parents Delta and Ember."""

import random

import pytest

from tasks import get_task
from tasks.ancestry import Links, pick_questions, single_paths
from tasks.contract import Reject

TASK = get_task("ancestorpath")
A = {"form": "parents"}
B = {"form": "children", "alias": {"N1": "Ember", "N2": "Delta", "N3": "Coral", "N4": "Birch", "N5": "Amber"}}
FRAMES = {"full": A, "a": A, "b": B}
NAMES = ("Amber", "Birch", "Coral", "Delta", "Ember")
LINKS = [("Amber", "Coral"), ("Birch", "Coral"), ("Coral", "Delta"), ("Coral", "Ember")]
SHARED = {
    ("nodes",): NAMES,
    ("links",): 4,
    ("query", 1): ("Amber", "Delta"),
    ("query", 2): ("Birch", "Ember"),
}
FACTS = SHARED | {("link", *link): "link" for link in LINKS}
TRUTH = [["Amber", "Coral", "Delta"], ["Birch", "Coral", "Ember"]]


def score(text):
    return TASK.score(FACTS, TRUTH, TASK.read_answer(text)[0], FRAMES).score


def test_the_solver_finds_the_paths():
    assert TASK.gaps(FACTS) == 0 and TASK.gaps(SHARED) == 4 and TASK.solve(FACTS) == TRUTH
    assert TASK.solve(SHARED) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"paths": [["Amber", "Coral", "Delta"], ["Birch", "Coral", "Ember"]]}', 1),
        ('{"paths": [["N5", "n3", "N2"], ["N4", "N3 (Coral)", "N1"]]}', 1),
        ('{"paths": ["Amber -> Coral -> Delta", "Birch, Coral, Ember"]}', 1),
        ('{"paths": {"1": ["Amber", "Coral", "Delta"], "2": ["Birch", "Coral", "Ember"]}}', 1),
        ('{"paths": [["Amber", "Coral", "Delta"], null]}', 1 / 2),
        ('{"paths": [["Amber", "Coral", "Delta"], ["Birch", "Ember"]]}', 1 / 2),
        ('{"paths": [["Amber", "Coral", "Delta"], ["Ember", "Coral", "Birch"]]}', 1 / 2),  # downwards
        ('{"paths": [["Amber", "Coral", "Delta", "Ember"], ["Birch", "Coral", "Coral", "Ember"]]}', 0),
        ('{"paths": [["Birch", "Coral", "Ember"], ["Amber", "Coral", "Delta"]]}', 0),
        ('{"paths": [["Amber", "Coral", "Delta"]]}', 0),  # one path a question
        ("From Amber up to Delta: Amber -> Coral -> Delta\nFrom Birch up to Ember: N4 > N3 > N1", 1),
    ],
)
def test_scores_worked_out_by_hand(text, expected):
    assert score(text) == expected


def test_listing_everything_scores_zero():
    for listed in ([list(NAMES)] * 2, TRUTH * 3, [TRUTH] * 2, [" ".join(NAMES)] * 2, list(NAMES)):
        assert TASK.score(FACTS, TRUTH, listed, FRAMES).score == 0
    for frame in (A, B):
        assert score(TASK.say(FACTS, frame)) == 0


def test_each_view_has_its_form():
    assert "Children of Coral: Amber, Birch.\nChildren of Delta: Coral.\n" in TASK.say(FACTS, A)
    assert "N3 is a child of N1 and N2.\nN4 is a child of N3.\n" in TASK.say(FACTS, B)
    assert TASK.say(FACTS, B).endswith("Question 1: from N5 up to N2?\nQuestion 2: from N4 up to N1?")
    assert TASK.hear(TASK.say(FACTS, A), A) == TASK.hear(TASK.say(FACTS, B), B) == FACTS


def test_a_misread_list_of_ids_changes_what_is_heard():
    wrong = TASK.misread(B, A, random.Random(2))
    heard = TASK.hear(TASK.say(FACTS, B), wrong)
    assert {k for k in heard if k[0] == "link"} != {k for k in FACTS if k[0] == "link"}


def test_guesses_take_as_few_new_links_as_possible():
    part = Links(NAMES, LINKS[:1])
    assert part.guesses("Amber", "Delta") == [[("Coral", "Delta")]]
    assert [way[0][1] for way in part.guesses("Birch", "Ember")] == ["Amber", "Coral", "Delta"]
    assert Links(NAMES, LINKS).count("Amber", "Delta") == 1
    assert Links(NAMES, [*LINKS, ("Delta", "Ember")]).count("Amber", "Ember") == 2


def test_paths_that_are_asked_for():
    whole, parts = Links(NAMES, LINKS), [Links(NAMES, LINKS[:2]), Links(NAMES, LINKS[2:])]
    pairs = single_paths(whole, (2, 3))
    assert sorted(pairs) == [(low, high) for low in NAMES[:2] for high in NAMES[3:]]
    assert pick_questions(pairs, parts, {"open": 2, "queries": 9}) == []  # Coral is the only guess
    assert len(pick_questions(pairs, parts, {"open": 1, "queries": 9})) == 2


def test_completing_answers_the_questions_or_refuses():
    for rng in (None, random.Random(1)):
        full = TASK.complete(SHARED | {("link", "Amber", "Coral"): "link"}, rng)
        assert TASK.gaps(full) == 0 and len(TASK.solve(full)) == 2
    with pytest.raises(Reject):
        TASK.complete(SHARED | {("links",): 99}, None)


def test_garbled_links_neither_loop_nor_raise():
    circle = FACTS | {("link", "Delta", "Amber"): "link", ("links",): 8, ("query", 3): ("Pearl", "Amber")}
    full = TASK.complete(circle, random.Random(0))
    assert TASK.gaps(full) == 0
    TASK.solve(full)
