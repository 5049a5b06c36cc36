"""A family by hand: Anna -> Boris -> Clara, Anna -> Diana -> Emil; Clara and Emil are cousins."""

import random

import pytest

from tasks import get_task
from tasks.contract import Reject
from tasks.kinship import Family

TASK = get_task("relaquery")
A = {"form": "parent"}
B = {"form": "child", "alias": {"P1": "Emil", "P2": "Diana", "P3": "Clara", "P4": "Boris", "P5": "Anna"}}
FRAMES = {"full": A, "a": A, "b": B}
LINKS = [("Anna", "Boris"), ("Anna", "Diana"), ("Boris", "Clara"), ("Diana", "Emil")]
SHARED = {
    ("people",): ("Anna", "Boris", "Clara", "Diana", "Emil"),
    ("links",): 4,
    ("query", 1): ("who", "grandmother", "Clara"),
    ("query", 2): ("who", "aunt", "Clara"),
    ("query", 3): ("what", "Emil", "Clara"),
    ("query", 4): ("what", "Boris", "Emil"),
}
FACTS = SHARED | {("link", *link): "father" if link[0] == "Boris" else "mother" for link in LINKS}
TRUTH = ["Anna", "Diana", "cousin", "uncle"]


def score(text):
    return TASK.score(FACTS, TRUTH, TASK.read_answer(text)[0], FRAMES)


def test_the_solver_answers_the_questions():
    assert TASK.gaps(FACTS) == 0 and TASK.gaps(SHARED) == 4 and TASK.solve(FACTS) == TRUTH
    assert TASK.solve(SHARED) is None


@pytest.mark.parametrize(
    ("relative", "person", "relation"),
    [
        ("Boris", "Diana", "brother"),
        ("Diana", "Boris", "sister"),
        ("Anna", "Emil", "grandmother"),
        ("Emil", "Anna", "grandson"),
        ("Clara", "Anna", "granddaughter"),
        ("Clara", "Diana", "niece"),
        ("Emil", "Boris", "nephew"),
        ("Clara", "Emil", "cousin"),
    ],
)
def test_relations(relative, person, relation):
    family = Family(LINKS)
    assert family.answers(("what", relative, person)) == [relation]
    assert relative in family.answers(("who", relation, person))
    assert family.answers(("what", person, person)) == []


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ('{"answers": ["Anna", "Diana", "cousin", "uncle"]}', 4),
        ('{"answers": ["P5", "p2", "Cousin", "his uncle"]}', 4),
        ('{"answers": ["P5 (Anna)", "Diana", "cousin", "uncle"]}', 4),
        ('{"answers": {"1": "Anna", "2": "Diana", "3": "cousin", "4": "uncle"}}', 4),
        ('{"answers": ["Anna", "Diana", "cousin", null]}', 3),
        ('{"answers": ["Anna", "Diana", "nephew", "brother"]}', 2),
        ('{"answers": ["Anna", "Anna", "Anna", "Anna"]}', 1),
        ('{"answers": ["Anna", "Diana", "cousin"]}', 0),  # one answer a question
        ('{"answers": ["Diana", "Anna", "uncle", "cousin"]}', 0),
        ("1. Anna\n2. Diana\n3. cousin\n4. uncle", 4),
        ("Her grandmother is Anna.\nHer aunt is P2.\nEmil is a cousin.\nBoris is an uncle.", 4),
        ("Anna, Diana, cousin, nephew", 3),
    ],
)
def test_scores_worked_out_by_hand(text, right):
    assert score(text).score == max(0, (right / 4 - 1 / 4) / (3 / 4))


def test_listing_everything_scores_zero():
    people, relations = list(SHARED[("people",)]), ["cousin", "uncle", "brother"]
    for answer in ([people + relations] * 4, [" ".join(people + relations)] * 4, people + relations):
        assert TASK.score(FACTS, TRUTH, answer, FRAMES).score == 0


def test_each_view_has_its_form():
    assert "Boris is the father of Clara." in TASK.say(FACTS, A)
    assert "P4's daughter is P3." in TASK.say(FACTS, B)
    assert "Question 2: who is the aunt of P3?\nQuestion 3: what is P1 to P3?" in TASK.say(FACTS, B)


def test_a_misread_list_of_ids_changes_what_is_heard():
    wrong = TASK.misread(B, A, random.Random(0))
    heard = [TASK.hear(TASK.say(FACTS, B), frame) for frame in (B, wrong)]
    assert heard[0] == FACTS != heard[1]
    assert {k for k in heard[0] if k[0] == "link"} != {k for k in heard[1] if k[0] == "link"}


def test_completing_makes_every_question_answerable():
    some = SHARED | {("link", "Boris", "Clara"): "father"}
    for rng in (None, random.Random(1), random.Random(2)):
        full = TASK.complete(some, rng)
        assert TASK.gaps(full) == 0 and len(TASK.solve(full)) == 4
    with pytest.raises(Reject):
        TASK.complete(SHARED | {("links",): 999}, None)


def test_garbled_links_neither_loop_nor_raise():
    circle = FACTS | {("link", "Clara", "Anna"): "mother", ("link", "Diana", "Clara"): "mother"}
    guess = TASK.complete(circle, random.Random(0))
    assert TASK.gaps(guess) == 0 and TASK.solve(guess)
