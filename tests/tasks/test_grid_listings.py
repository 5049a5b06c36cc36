"""Replies that are no answer to a task on a grid: the prompt itself, and the whole grid in some order."""

import itertools
import time

import pytest

from tasks import get_task
from tasks.contract import VIEWS
from tasks.making import make_instance

NAMES = ("blueprintmaze", "rulemaze", "terrain", "timedpath")
every_task = pytest.mark.parametrize("name", NAMES)
every_size = pytest.mark.parametrize("size", ["tiny", "paper", "large"])


@every_task
@every_size
def test_the_prompt_and_the_whole_grid_score_nothing(name, size):
    task = get_task(name)
    for index in range(25):
        instance = make_instance(task, size, 0, index)
        facts, frames = instance.draft.union, instance.draft.frames
        n = facts[("rows",)]
        for view in VIEWS:
            value, _ = task.read_answer(task.view(instance.draft, view))
            assert task.score(facts, instance.answer, value, frames).score == 0
        rows = [[r, c] for r, c in itertools.product(range(n), repeat=2)]
        snake = [[r, c if r % 2 == 0 else n - 1 - c] for r, c in rows]
        for listing in (rows, rows[::-1], snake, snake[::-1]):
            timed = [[*cell, turn] for turn, cell in enumerate(listing)]
            for value in (listing, timed):
                assert task.score(facts, instance.answer, value, frames).score == 0


@every_task
def test_grading_is_quick(name):
    task = get_task(name)
    instance = make_instance(task, "paper", 0, 0)
    value = task.write_answer(instance.answer, instance.draft.frames["b"])
    begun = time.process_time()
    for _ in range(20):
        assert task.score(instance.draft.union, instance.answer, value, instance.draft.frames).score == 1
    assert time.process_time() - begun < 20 * 0.02  # about a millisecond each, with room for a busy machine
