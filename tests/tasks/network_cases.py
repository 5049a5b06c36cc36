"""What the tests of the four network tasks share: answers that list everything, prompts sent back."""

import itertools

from tasks.contract import HOLDERS, VIEWS
from tasks.making import make_instance

SIZES = ("tiny", "small", "paper", "large")


def instances(task, size, count=8):
    return [make_instance(task, size, 3, index) for index in range(count)]


def assert_echoes_score_zero(task):
    """The views sent back, and any line of them, earn nothing."""
    for size in SIZES:
        for instance in instances(task, size, 4):
            draft = instance.draft
            for view in VIEWS:
                text = task.view(draft, view)
                echoes = [text, text.partition("Answer:")[0], text.replace("\n", " "), *text.splitlines()]
                for echo in echoes:
                    read = task.read_answer(echo)[0]
                    assert task.score(draft.union, instance.answer, read, draft.frames).score == 0, echo


def assert_listings_score_zero(task, listings):
    """``listings(names, facts)`` yields answers that list everything."""
    for size in SIZES:
        for instance in instances(task, size):
            draft = instance.draft
            names = list(draft.union[("nodes",)])
            for alias in (draft.frames[holder].get("alias", {}) for holder in HOLDERS):
                short = {name: label for label, name in alias.items()}
                called = [short.get(name, name) for name in names]
                for order in (called, sorted(called), called[::-1]):
                    for value in listings(order, draft.union):
                        assert task.score(draft.union, instance.answer, value, draft.frames).score == 0


def triples(names):
    return [list(triple) for triple in itertools.permutations(names[:6], 3)]
