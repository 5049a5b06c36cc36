"""Relays: their arms, what is wrong with them, their rollouts, and what they are compared with."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace

import pytest

from scripts.collaboration.beyond_schemas import RELAYS
from scripts.collaboration.compare_relays import compare_relays
from scripts.collaboration.layout import shards
from scripts.collaboration.relays import check_relays, relays_by_arm
from scripts.collaboration.run_rollouts import converse, rollout_row
from scripts.collaboration.settings import Collaboration
from scripts.lib.agents.calls import Reply
from scripts.lib.errors import UserError
from scripts.lib.tables import read_rows
from tests.collaboration.statistics_cases import a_job, grades_of, write_grades

RELAY = {"first": "priced", "then": "free", "seat": 1, "turns": 2}
PAIR = ["priced", "free"]


def study(*relays, **changes):
    return Collaboration(**{"models": PAIR, "pairs": [PAIR], "relays": list(relays), **changes})


def test_each_seat_and_number_of_turns_is_an_arm_of_the_team_as_it_begins():
    reverse = {"first": "free", "then": "priced", "seat": 2, "turns": 2}
    arms = relays_by_arm(study(RELAY, reverse))
    assert arms == {
        "relay_1_2": {"seat": 1, "turns": 2, "teams": [PAIR]},
        "relay_2_2": {"seat": 2, "turns": 2, "teams": [PAIR]},
    }
    plan = {"arms": ["baseline", *arms], "relays": arms, "teams": [["priced"], PAIR, PAIR[::-1]]}
    plan |= {"modes": ["solo_full", "collab"], "tasks": {"maze": "spatial"}, "batches": ["000"]}
    relayed = [(arm, team, mode) for arm, team, mode, *_ in shards(plan) if arm != "baseline"]
    assert relayed == [("relay_1_2", tuple(PAIR), "collab"), ("relay_2_2", tuple(PAIR), "collab")]


@pytest.mark.parametrize(
    ("changes", "relays", "words"),
    [
        ({"pairs": []}, [RELAY], "is not in pairs"),
        ({"pairs": [PAIR[::-1]]}, [RELAY], "is not in pairs"),
        ({}, [RELAY, RELAY], "listed twice"),
        ({"arms": [{"relay_1_2": ["querying"]}]}, [RELAY], "name"),
    ],
)
def test_what_is_wrong_is_said(changes, relays, words):
    with pytest.raises(UserError, match=words):
        check_relays(study(*relays, **changes), ("collaboration",), [])


def test_a_row_tells_who_used_what():
    def speaker(name, tokens):
        async def speak(_):
            return Reply(text=name, prompt_tokens=tokens, completion_tokens=1, sent={"model": name})

        return speak

    job = {"arm": "relay_1_2", "team": PAIR, "mode": "collab", "family": "spatial", "max_exchanges": 3}
    job |= {"relay": {"seat": 1, "turns": 2}}
    item = {"task": "maze", "index": 0, "digest": "d", "a": "x", "b": "y"}
    dialogue = asyncio.run(converse(item, [speaker("priced", 10), speaker("free", 100)], job))
    caller = SimpleNamespace(model=SimpleNamespace(simulated=False), identity={})
    row = rollout_row(item, dialogue, dict.fromkeys(PAIR, caller), job)
    used = [(use["slot"], use["model"], use["calls"], use["prompt_tokens"]) for use in row["usage"]]
    assert used == [(1, "priced", 2, 20), (2, "free", 3, 300), (1, "free", 1, 100)]
    assert [sent["model"] for sent in json.loads(row["sent"])] == ["priced", "free", "free"]
    assert row["turns"] == 6


def compared(folder, *grades, **changes):
    relays = {"relay_1_2": {"seat": 1, "turns": 2, "teams": [PAIR]}}
    job = a_job(arms=["baseline", *relays], relays=relays, modes=["collab"], **changes)
    compare_relays([write_grades(folder / "grades.parquet", *grades)], folder / "relays.parquet", job)
    return [row for row in read_rows(folder / "relays.parquet", RELAYS) if row["scope"] == "all"]


def test_by_hand(tmp_path):
    grades = [
        grades_of("priced + free", "collab", [1, 1, 0, None], arm="relay_1_2"),
        grades_of("priced + free", "collab", [1, 0, 0, 0]),
        grades_of("priced", "collab", [1, 1, 1, 0]),
        grades_of("free", "collab", [0, 0, 0, 1]),
    ]
    (row,) = compared(tmp_path, *grades, teams=[["priced"], ["free"], PAIR])
    assert (row["first"], row["then"], row["planned"], row["graded"]) == ("priced", "free", 4, 3)
    assert row["relay"] == pytest.approx(2 / 3) and row["from_pair"] == pytest.approx(1 / 3)
    assert (row["own_first"], row["own_then"]) == (1, 0)
    assert row["from_own_first"] == pytest.approx(-1 / 3) and row["from_own_then"] == pytest.approx(2 / 3)
    assert row["from_pair_low"] <= row["from_pair"] <= row["from_pair_high"]


def test_a_model_that_does_not_play_with_itself_is_left_out(tmp_path):
    grades = [grades_of("priced + free", "collab", [1] * 4, arm="relay_1_2")]
    grades.append(grades_of("priced + free", "collab", [0] * 4))
    (row,) = compared(tmp_path, *grades, teams=[PAIR])
    assert (row["from_pair"], row["own_first"], row["from_own_then"]) == (1, None, None)
