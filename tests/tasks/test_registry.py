"""What every registered task must hold. A new task is tested here by being registered."""

import json
import random
import subprocess
import sys
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks import TASKS, get_task
from tasks.contract import FAMILIES, HOLDERS, VIEWS, find_blocks
from tasks.gridpaths import GridPathTask
from tasks.making import Instance, completed, make_instance, stable_seed

SIZES = ("tiny", "small", "paper", "large")
COUNT = 12
every_task = pytest.mark.parametrize("name", TASKS)
every_size = pytest.mark.parametrize("size", SIZES)


@cache
def instances(name: str, size: str, count: int = COUNT) -> list[Instance]:
    return [make_instance(get_task(name), size, 0, index) for index in range(count)]


@every_task
def test_a_task_tells_itself_whole(name):
    task = get_task(name)
    assert task.name == name and task.family == TASKS[name] and task.family in FAMILIES
    assert set(SIZES) <= set(task.sizes)
    assert json.loads(json.dumps({k: list(v) for k, v in task.sizes.items()}))
    for text in (task.title, task.rules, task.noun, task.answer_key, task.answer_format, task.score_rule):
        assert text and "\n" not in text
    assert f'"{task.answer_key}"' in task.answer_format


@every_task
@every_size
def test_union_comes_back_from_the_text(name, size):
    task = get_task(name)
    for instance in instances(name, size):
        draft = instance.draft
        heard = {}
        for view in VIEWS:
            text = task.view(draft, view)
            ((frame, facts),) = task.hear_blocks(text)
            assert frame == draft.frames[view], view
            assert facts == (draft.union if view == "full" else draft.facts[view]), view
            heard[view] = facts
        assert heard["a"] | heard["b"] == draft.union
        assert draft.facts["a"] != draft.union != draft.facts["b"]
        assert {k for k in draft.union if k[0] in task.public} <= draft.facts["a"].keys() & draft.facts[
            "b"
        ].keys()
        assert task.gaps(draft.union) == 0 < min(task.gaps(draft.facts[h]) for h in HOLDERS)
        assert task.solve(heard["a"] | heard["b"]) == instance.answer
        assert task.grade(draft.union, instance.answer, instance.answer) == 1


@every_task
def test_the_views_are_written_differently(name):
    task = get_task(name)
    for instance in instances(name, "paper"):
        frames = instance.draft.frames
        assert frames["a"] != frames["b"]
        for view in VIEWS:
            assert len(list(find_blocks(task.view(instance.draft, view)))) == 1


@every_task
@every_size
def test_any_share_of_the_facts_can_be_said_and_heard(name, size):
    task = get_task(name)
    for instance in instances(name, size):
        draft = instance.draft
        rng = random.Random(instance.index)
        for holder in HOLDERS:
            facts = draft.facts[holder]
            some = {k: v for k, v in facts.items() if k[0] in task.public or rng.random() < 0.5}
            frame = draft.frames[holder]
            said = task.block(some, frame)
            assert "\n\n" not in said.strip()
            ((_, heard),) = task.hear_blocks(f"Here is what I know.\n\n{said}\nWhat do you know?")
            assert heard == some
            guess = task.complete(some, rng)
            assert task.gaps(guess) == 0 and all(guess[k] == v for k, v in some.items())
            said = task.block(guess, frame)  # an agent may state what it merely assumed
            assert task.hear_blocks(said)[0][1] == guess


@every_task
@every_size
def test_one_view_is_not_enough(name, size):
    task = get_task(name)
    for instance in instances(name, size):
        for holder in HOLDERS:
            proof = instance.certificate[holder]
            assert proof.answers >= task.least_answers >= (4 if task.family == "csp" else 2)
            assert proof.first != proof.second
            # the same view can be completed again, and its guess is not fully right
            facts = instance.draft.facts[holder]
            optimistic = completed(task, facts, None)
            if optimistic:
                value = task.write_answer(optimistic[1], instance.draft.frames[holder])
                assert (
                    task.score(instance.draft.union, instance.answer, value, instance.draft.frames).score < 1
                )


@every_task
@pytest.mark.parametrize("size", ["small", "paper", "large"])
def test_the_one_view_floor_is_low(name, size):
    floors = [max(i.floor.values()) for i in instances(name, size, 40)]
    assert all(0 <= floor <= 1 for floor in floors)
    assert sum(max(0.0, sum(i.floor.values()) / 2) for i in instances(name, size, 40)) / 40 <= 0.35


@every_task
@every_size
def test_the_solver_scores_one_in_every_convention(name, size):
    task = get_task(name)
    for instance in instances(name, size):
        conventions = task.conventions(instance.draft.frames)
        assert len(conventions) == 16 if isinstance(task, GridPathTask) else len(conventions) >= 3
        for convention, frame in conventions.items():
            value = task.write_answer(instance.answer, frame)
            line = json.dumps({task.answer_key: value})
            assert "\n" not in line
            for text in (line, f"```json\n{line}\n```", f"So the answer is {line}", json.dumps(value)):
                read, how = task.read_answer(text)
                assert how in ("json", "fence", "embedded")
                grade = task.score(instance.draft.union, instance.answer, read, instance.draft.frames)
                assert grade.score == 1 and convention in grade.accepted


JUNK = [
    *("", " ", "{}", "[]", "null", "0", "true", '"yes"', "I do not know.", "NaN", '{"path": NaN}', "ACTI!"),
    *("[" * 50_000, '{"a":' * 20_000, "x" * 1_000_000, "\N{SNOWMAN}" * 1000, "\x00\ud800", "[[[[]]]]"),
    *("[[1e400, 1]]", "[[\u0661, \u0662]]", "[[-1, -1]]", "[[999999999999999999999999, 1]]"),
    *('[["1", null]]', "[[1, 2, 3]]", '{"answer": {"answer": {}}}'),
]


@every_task
def test_junk_scores_zero_and_never_raises(name):
    task = get_task(name)
    instance = instances(name, "paper")[0]
    for junk in JUNK:
        for text in (junk, json.dumps({task.answer_key: junk[:2000]})):
            value, _ = task.read_answer(text)
            grade = task.score(instance.draft.union, instance.answer, value, instance.draft.frames)
            assert grade.score == 0 and grade.accepted == ()


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@every_task
@settings(max_examples=60, deadline=None)
@given(value=anything)
def test_any_json_value_scores_within_bounds(name, value):
    task = get_task(name)
    instance = instances(name, "small")[0]
    for wrapped in (value, {task.answer_key: value}):
        grade = task.score(instance.draft.union, instance.answer, wrapped, instance.draft.frames)
        assert 0 <= grade.score <= 1


@every_task
@settings(max_examples=40, deadline=None)
@given(text=st.text(max_size=300))
def test_any_text_can_be_heard(name, text):
    task = get_task(name)
    instance = instances(name, "small")[0]
    for frame in instance.draft.frames.values():
        assert isinstance(task.hear(text, frame), dict)
    task.read_answer(text)
    task.hear_blocks(f"Notation: {text}\nFacts:\n{text}")


@every_task
@every_size
def test_reading_a_corrupted_block_never_breaks_the_reasoning(name, size):
    """Agents hear garbled facts and misread frames; completing and solving them must not raise."""
    task = get_task(name)
    for instance in instances(name, size):
        rng = random.Random(instance.index)
        for holder, other in (("a", "b"), ("b", "a")):
            own = instance.draft.frames[holder]
            theirs = task.misread(instance.draft.frames[other], own, rng)
            heard = task.hear(task.say(instance.draft.facts[other], instance.draft.frames[other]), theirs)
            belief = heard | instance.draft.facts[holder]
            assert task.gaps(belief) >= 0
            guess = completed(task, belief, rng)
            assert guess is None or task.write_answer(guess[1], own) is not None


def digest_of_all(count: int = 3) -> str:
    """A digest over instances of every task; run under two hash seeds below."""
    seen = [repr(instances(name, size, count)) for name in TASKS for size in SIZES]
    return format(stable_seed(*seen), "x")


def test_instances_do_not_depend_on_the_hash_seed():
    code = "from tests.tasks.test_registry import digest_of_all; print(digest_of_all())"
    runs = [
        subprocess.run([sys.executable, "-c", code], env={"PYTHONHASHSEED": seed, "PATH": ""}, check=True,
                       capture_output=True, text=True).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert runs[0] == runs[1] and runs[0].strip() == digest_of_all()


@every_task
def test_neighbouring_seeds_share_no_instance(name):
    task = get_task(name)
    drawn = [make_instance(task, "paper", seed, index).draft for seed in range(3) for index in range(5)]
    assert len({repr(draft) for draft in drawn}) == len(drawn)
