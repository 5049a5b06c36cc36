"""The critic pass left out: exact values, and the rollouts as they are played without it."""

from __future__ import annotations

import asyncio
import json

import pytest

from scripts.collaboration.beyond_schemas import CRITIC
from scripts.collaboration.estimate_critic import estimate_critic, without_critic
from scripts.collaboration.generate_instances import generate_instances
from scripts.collaboration.instances import optimal_answer
from scripts.collaboration.schemas import INSTANCES, ROLLOUTS
from scripts.lib.agents.calls import Reply
from scripts.lib.dialogue.protocol import solo
from scripts.lib.errors import UserError
from scripts.lib.tables import read_rows, write_rows
from tests.collaboration.statistics_cases import SHAPE, a_job, grades_of, write_grades

WRONG = "ACTI! nothing"


@pytest.fixture(scope="module")
def instances(tmp_path_factory):
    path = tmp_path_factory.mktemp("instances") / "maze.parquet"
    generate_instances(path, {"task": "maze", "size": "tiny", "seed": 1, "first": 0, "last": 4})
    return path, read_rows(path, INSTANCES)


def right(instance):
    (answer,) = json.loads(optimal_answer(instance, "a")).values()
    return f"ACTI! {json.dumps(answer)}"


def rollout(instance, replies, mode="solo_full"):
    """A solo rollout row; a reply of None stands for the critic prompt."""
    messages = [
        {"turn": number, "slot": 0 if text is None else 1, "text": text or "Check.", "reply": text}
        for number, text in enumerate(replies)
    ]
    row = dict.fromkeys(ROLLOUTS.names) | {
        "arm": "baseline",
        "team": "priced",
        "mode": mode,
        "family": "spatial",
    }
    row |= {name: instance[name] for name in ("task", "index", "digest")}
    return row | {"outcome": "answered", "messages": messages, "usage": []}


def estimated(folder, instances, rows, grades, **changes):
    path, _ = instances
    write_rows(folder / "rollouts.parquet", rows, ROLLOUTS)
    graded = write_grades(folder / "grades.parquet", *grades)
    job = a_job(**{"critic": True, "statistics": SHAPE | {"success": 1.0}, **changes})
    estimate_critic([path], [folder / "rollouts.parquet"], [graded], folder / "critic.parquet", job)
    return {row["mode"]: row for row in read_rows(folder / "critic.parquet", CRITIC) if row["scope"] == "all"}


def test_by_hand(tmp_path, instances):
    one, two, three, four = instances[1]
    rows = [
        rollout(one, [WRONG, None, right(one)]),  # repaired
        rollout(two, [right(two), None, WRONG]),  # broken
        rollout(three, [right(three), None, "Nothing to add."]),  # the first answer stands
        rollout(four, [WRONG, None, right(four)]),  # repaired
    ]
    grades = [grades_of("priced", "solo_full", [1, 0, 1, 1]), grades_of("priced", "collab", [0, 0, 1, 0])]
    row = estimated(tmp_path, instances, rows, grades, modes=["solo_full", "collab"])["solo_full"]
    assert (row["with_critic"], row["without"], row["change"]) == (0.75, 0.5, 0.25)
    assert (row["repaired"], row["broken"], row["unread"]) == (0.5, 0.25, 0.0)
    assert (row["tax_with"], row["tax_without"]) == (0.5, 0.25)
    assert row["change_low"] < row["change"] < row["change_high"]


def test_a_reading_of_the_grader_counts_on_neither_side(tmp_path, instances):
    one, two, *_ = instances[1]
    rows = [rollout(one, ["hm", None, "well"]), rollout(two, [right(two), None, right(two)])]
    grade = grades_of("priced", "solo_full", [1, 1])
    grade[0]["answered_by"] = "grader"
    row = estimated(tmp_path, instances, rows, [grade], modes=["solo_full"])["solo_full"]
    assert (row["with_critic"], row["without"], row["unread"], row["graded"]) == (0.5, 0.5, 0.5, 2)
    assert row["tax_with"] is row["tax_without"] is None


def test_a_rollout_that_ended_before_the_critic_stays_as_it_is(tmp_path, instances):
    one, two, *_ = instances[1]
    rows = [rollout(one, ["I will not."]), rollout(two, [])]
    row = estimated(
        tmp_path, instances, rows, [grades_of("priced", "solo_full", [0, None])], modes=["solo_full"]
    )
    assert (row["solo_full"]["without"], row["solo_full"]["graded"]) == (0, 1)


def test_where_no_critic_was_asked_the_table_is_empty(tmp_path, instances):
    assert estimated(tmp_path, instances, [], [grades_of("priced", "solo_full", [1])], critic=False) == {}


def test_a_rollout_of_another_instance_is_refused(tmp_path, instances):
    row = rollout(instances[1][0], [WRONG, None, WRONG]) | {"digest": "0"}
    with pytest.raises(UserError, match="another instance"):
        estimated(tmp_path, instances, [row], [grades_of("priced", "solo_full", [1])], modes=["solo_full"])


@pytest.mark.parametrize(
    "first", ["ACTI! 1", "no marker", "", "[user]: x", "ACTI! <answer>", "ACTI! 1\nACTI! 2"]
)
def test_without_the_critic_a_rollout_is_its_beginning(first):
    def played(critic):
        replies = iter([first, "ACTI! 9"])

        async def speak(_):
            return Reply(text=next(replies), finish_reason="stop")

        return asyncio.run(solo("solo_full", ["text"], speak, critic))

    whole, alone = played(True), played(False)
    messages = [{"text": t.text, "reply": t.reply and t.reply.text} for t in whole.turns]
    replayed = without_critic({"messages": messages})
    assert (replayed["answer_text"], replayed["outcome"]) == (alone.answer, alone.outcome)
    assert replayed["messages"] == messages[: len(alone.turns)]
