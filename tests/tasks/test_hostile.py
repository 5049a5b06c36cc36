"""Hostile answers to every task: junk is exactly 0, scores lie in [0, 1], nothing raises or takes long."""

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks import TASKS, get_task
from tasks.contract import HOLDERS
from tasks.gridpaths import GridPathTask
from tests.tasks.test_registry import every_task, instances

SLOWEST = 0.05  # CPU seconds, the least of a few runs: the machine may be busy
MEGABYTE = 1_000_000


def score(name, text, instance):
    """Read and grade a text as the pipeline does; the score and the seconds it took."""
    task = get_task(name)
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        value, _ = task.read_answer(text)
        grade = task.score(instance.draft.union, instance.answer, value, instance.draft.frames)
        best = min(best, time.process_time() - start)
        if best < SLOWEST:
            break
    assert 0 <= grade.score <= 1 and bool(grade.accepted) == (grade.score > 0)
    return grade.score, best


def worthless(name, text, size="paper"):
    """The text scores exactly 0, quickly, on every instance."""
    for instance in instances(name, size)[:4]:
        got, seconds = score(name, text, instance)
        assert got == 0, f"{text[:80]!r} scores {got}"
        assert seconds < SLOWEST


WALLS_OF_TEXT = {
    "letters": "x" * MEGABYTE,
    "digits": "7" * MEGABYTE,
    "lines": "a: 1\n" * (MEGABYTE // 5),
    "brackets": "[" * MEGABYTE,
    "braces": '{"a":' * (MEGABYTE // 5),
    "pairs": "(99, 99) " * (MEGABYTE // 9),
    "colons": "10:99 " * (MEGABYTE // 6),
    "quotes": '"' * MEGABYTE,
    "fences": "```\n" * (MEGABYTE // 4),
    "spaces": " " * MEGABYTE,
    "nesting": "[" * 5000 + "]" * 5000,
}


@every_task
@pytest.mark.parametrize("kind", WALLS_OF_TEXT)
def test_a_megabyte_is_nothing(name, kind):
    worthless(name, WALLS_OF_TEXT[kind])


ODD = [
    *(float("nan"), float("inf"), -1, 10**30, -(10**30), 1e308, "", None, True, [], {}, [[]], [{}]),
    *([None] * 50, [[0, 0]] * 50, {"a": {"a": {"a": 1}}}, [[-1, -1], [-1, -2]], [10**25] * 3),
    *("\u0661\u0662", ["\u0661", "\u0662"]),
]


@every_task
@pytest.mark.parametrize("value", ODD)
def test_odd_values_are_nothing(name, value):
    worthless(name, json.dumps({get_task(name).answer_key: value}))
    worthless(name, json.dumps(value))


@every_task
def test_the_prompt_echoed_back_is_nothing(name):
    task = get_task(name)
    for instance in instances(name, "paper"):
        for view in ("full", "a", "b"):
            got, seconds = score(name, task.view(instance.draft, view), instance)
            assert got == 0 and seconds < SLOWEST, view


def guesses(name, instance, count: int = 40) -> list:
    """Answers to many other instances, as the holder of view A would write them."""
    task = get_task(name)
    others = [other for other in instances(name, "paper", count) if other.index != instance.index]
    return [task.write_answer(other.answer, instance.draft.frames["a"]) for other in others]


@every_task
def test_all_options_at_once_are_nothing(name):
    """Forty answers strung together, or every value given as the list of all that it might be."""
    task = get_task(name)
    for instance in instances(name, "paper")[:4]:
        right = task.write_answer(instance.answer, instance.draft.frames["a"])
        options = [*guesses(name, instance), right]
        listing = options
        if all(isinstance(option, list) for option in options):
            listing = [part for option in options for part in option]
        if all(isinstance(option, dict) for option in options):
            listing = {key: [option.get(key) for option in options] for key in right}
        for value in (listing, options, [right, options[0]]):
            assert score(name, json.dumps({task.answer_key: value}), instance)[0] == 0


@every_task
def test_the_same_answer_twice_or_in_two_conventions_gains_nothing(name):
    task = get_task(name)
    for instance in instances(name, "paper")[:4]:
        written = [task.write_answer(instance.answer, instance.draft.frames[holder]) for holder in HOLDERS]
        for value in ([written[0], written[0]], [written[0], written[1]]):
            assert score(name, json.dumps({task.answer_key: value}), instance)[0] == 0
        if isinstance(task, GridPathTask):
            two = json.dumps({task.answer_key: written[0] + written[1]})
            assert score(name, two, instance)[0] == 0


@pytest.mark.parametrize("name", [n for n in TASKS if isinstance(get_task(n), GridPathTask)])
def test_the_whole_grid_in_order_is_nothing(name):
    for instance in instances(name, "paper"):
        frame = instance.draft.frames["full"]
        for rows in (range(frame["rows"]), range(1, frame["rows"] + 1)):
            plain = [[r, c] for r in rows for c in rows]
            snake = [[r, c] for r in rows for c in (rows if r % 2 else reversed(rows))]
            for path in (plain, snake, plain[::-1], [cell[::-1] for cell in plain]):
                assert score(name, json.dumps({"path": path}), instance)[0] == 0


mutated = st.lists(
    st.tuples(st.sampled_from(["drop", "double", "swap", "junk"]), st.integers(0, 30)), min_size=1, max_size=4
)


@every_task
@settings(max_examples=25, deadline=None)
@given(changes=mutated)
def test_a_mutated_answer_scores_within_bounds(name, changes):
    task = get_task(name)
    instance = instances(name, "small")[0]
    value = task.write_answer(instance.answer, instance.draft.frames["b"])
    parts = list(value.items()) if isinstance(value, dict) else list(value)
    for change, where in changes:
        at = where % max(len(parts), 1)
        if change == "drop":
            del parts[at : at + 1]
        elif change == "double":
            parts[at:at] = parts[at : at + 1]
        elif change == "swap":
            parts.reverse()
        elif parts:
            parts[at] = ("junk", where) if isinstance(value, dict) else where
    changed = dict(parts) if isinstance(value, dict) else parts
    score(name, json.dumps({task.answer_key: changed}), instance)
