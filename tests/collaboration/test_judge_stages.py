"""The judge's stage: what is asked, what is asked again, and what is recorded of it."""

import json

import pytest

from scripts.collaboration.schemas import ROLLOUTS
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.errors import UserError
from scripts.lib.tables import read_rows, write_rows
from tests.collaboration.judged import draw_all, judge, recorded_conversations
from tests.collaboration.stage_walk import make, roll
from tests.lib.agents.fake_endpoint import completion, error

TEAM = "simulated-middle"


def played(folder, count=1, task="treesum"):
    """Views and rollouts of a few conversations of simulated agents."""
    _, views = make(folder, task, count)
    return [views], [roll(folder, task, views)]


def verdict(satisfied, rollouts, turn=1, quotation=None):
    """A judge's reply about the first conversation."""
    (first, *_) = read_rows(rollouts[0], ROLLOUTS)
    words = first["messages"][turn - 1]["text"].splitlines()[0] if quotation is None else quotation
    return completion(json.dumps({"satisfied": satisfied, "turn": turn, "quotation": words}))


def test_each_conversation_gets_a_verdict_on_each_stage(tmp_path):
    views, rollouts = played(tmp_path, count=4)
    rows = judge(tmp_path, views, rollouts, TEAM)
    assert [(row["index"], row["stage"]) for row in rows] == [(i, s) for i in range(4) for s in STAGES]
    messages = {row["index"]: row["messages"] for row in read_rows(rollouts[0], ROLLOUTS)}
    assert all(row["quotation"] in messages[row["index"]][row["turn"]]["text"] for row in rows)
    assert {row["satisfied"] for row in rows} == {True, False}
    assert {(row["attempts"], row["error"], row["judge"]) for row in rows} == {(1, None, "simulated-judge")}
    assert all(row["simulated"] and row["score"] == 0 and row["success"] is False for row in rows)


def test_four_calls_are_made_and_none_twice(tmp_path, served):
    views, rollouts = played(tmp_path)
    with served(verdict(True, rollouts)) as (fake, models):
        rows = judge(tmp_path, views, rollouts, TEAM, judge="fake", models=models)
        assert judge(tmp_path, views, rollouts, TEAM, judge="fake", models=models) == rows
        again = judge(tmp_path, views, rollouts, TEAM, judge="fake", models=models, replay_only=True)
    assert again == rows
    assert len(fake.bodies) == len({json.dumps(body) for body in fake.bodies}) == 4
    assert {(row["satisfied"], row["turn"], row["attempts"]) for row in rows} == {(True, 0, 1)}


@pytest.mark.parametrize(
    "reply", ["", "It is satisfied.", '{"satisfied": true, "turn": 1, "quotation": "x y"}']
)
def test_a_void_verdict_is_asked_for_again_once_and_never_counted(tmp_path, served, reply):
    views, rollouts = played(tmp_path)
    with served(completion(reply)) as (fake, models):
        rows = judge(tmp_path, views, rollouts, TEAM, judge="fake", models=models)
    assert len(fake.bodies) == 8
    seconds = [body["messages"] for body in fake.bodies if len(body["messages"]) == 4]
    assert len(seconds) == 4
    assert all("cannot be used" in messages[3]["content"] for messages in seconds)
    assert {(row["satisfied"], row["turn"], row["quotation"], row["attempts"]) for row in rows} == {
        (None, None, None, 2)
    }
    assert all(row["error"].startswith("void: ") for row in rows)


def test_the_second_verdict_counts_where_it_is_valid(tmp_path, served):
    views, rollouts = played(tmp_path)
    made_up, right = verdict(True, rollouts, quotation="made up words"), verdict(False, rollouts)
    with served(made_up, right, made_up, right, made_up, right, made_up, right) as (_, models):
        rows = judge(tmp_path, views, rollouts, TEAM, judge="fake", models=models)
    assert [row["attempts"] for row in rows].count(2) >= 1
    assert all(row["error"] is None for row in rows if row["satisfied"] is not None)
    assert any(row["attempts"] == 2 and row["satisfied"] is False for row in rows)


def test_a_failed_call_is_no_verdict(tmp_path, served):
    views, rollouts = played(tmp_path)
    with served(lambda: error(400, "not today")) as (fake, models):
        rows = judge(tmp_path, views, rollouts, TEAM, judge="fake", models=models)
    assert len(fake.bodies) == 4
    assert all(row["satisfied"] is None and "not today" in row["error"] for row in rows)


def test_where_nobody_spoke_nobody_is_asked(tmp_path, served):
    views, rollouts = played(tmp_path)
    (row,) = read_rows(rollouts[0], ROLLOUTS)
    write_rows(rollouts[0], [row | {"messages": [], "outcome": "refused"}], ROLLOUTS)
    with served(completion("x")) as (fake, models):
        rows = judge(tmp_path, views, rollouts, TEAM, judge="fake", models=models)
    assert fake.bodies == []
    assert {(row["satisfied"], row["attempts"], row["error"]) for row in rows} == {(None, 0, "nobody spoke")}


def test_another_teams_part_of_the_sample_is_left_alone(tmp_path):
    views, rollouts = played(tmp_path)
    assert judge(tmp_path, views, rollouts, "simulated-weak") == []


def test_a_drawn_rollout_that_is_gone_is_named(tmp_path):
    views, rollouts = played(tmp_path)
    draw_all(tmp_path, rollouts)
    (row,) = read_rows(rollouts[0], ROLLOUTS)
    write_rows(tmp_path / "other.parquet", [row | {"index": 9}], ROLLOUTS)
    from scripts.collaboration.conversations import read_conversations
    from scripts.collaboration.schemas import SAMPLES

    sample = read_rows(tmp_path / "samples" / "judgements.parquet", SAMPLES)
    with pytest.raises(UserError, match=r"treesum.*other\.parquet"):
        list(read_conversations(sample, views, [tmp_path / "other.parquet"]))
    write_rows(rollouts[0], [row | {"digest": "another"}], ROLLOUTS)
    with pytest.raises(UserError, match="another instance"):
        list(read_conversations(sample, views, rollouts))


def test_the_recorded_conversations_of_a_real_model_are_judged_by_the_rules(tmp_path):
    views, rollouts, team = recorded_conversations(tmp_path)
    rows = judge(tmp_path, views, rollouts, team)
    assert len(rows) == 36 * len(STAGES)
    assert all(row["satisfied"] is not None for row in rows)
    assert all(row["simulated"] for row in rows)  # the judge is


def test_the_recorded_conversations_are_judged_over_an_endpoint(tmp_path, served):
    """A scripted judge: it quotes the first turn of one conversation, which is right for that one alone."""
    views, rollouts, team = recorded_conversations(tmp_path)
    (first, *_) = read_rows(rollouts[0], ROLLOUTS)
    words = max(first["messages"][0]["text"].splitlines(), key=len)
    reply = completion(json.dumps({"satisfied": False, "turn": 1, "quotation": words}))
    with served(reply, limits={"retries": 0, "in_flight": 16}) as (fake, models):
        rows = judge(tmp_path, views, rollouts, team, judge="fake", models=models)
    valid = [row for row in rows if row["satisfied"] is False]
    assert [row["index"] for row in valid if row["task"] == first["task"]][:4] == [first["index"]] * 4
    assert len(fake.bodies) == len(rows) + sum(row["attempts"] == 2 for row in rows)
    assert not any(row["simulated"] for row in rows)
    assert all(row["error"].startswith("void") for row in rows if row["satisfied"] is None)
