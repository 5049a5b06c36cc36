"""The turn cap replayed: exact values, what a cap cuts, and conversations played under a shorter cap."""

from __future__ import annotations

import asyncio

import pytest

from scripts.collaboration.beyond_schemas import CAPS
from scripts.collaboration.estimate_caps import estimate_caps, replayed_caps
from scripts.collaboration.schemas import ROLLOUTS
from scripts.lib.agents.calls import CallFailed, Reply
from scripts.lib.dialogue.protocol import collab
from scripts.lib.outcomes import Outcome
from scripts.lib.tables import read_rows, write_rows
from tests.collaboration.statistics_cases import a_job, grades_of, write_grades


def talk(index, turns, outcome="answered", error=None):
    about = {"arm": "baseline", "team": "priced", "mode": "collab", "family": "spatial", "task": "maze"}
    row = dict.fromkeys(ROLLOUTS.names) | about | {"index": index, "turns": turns, "outcome": outcome}
    return row | {"error": error, "messages": [], "usage": []}


def caps(folder, talks, grades, **changes):
    write_rows(folder / "rollouts.parquet", talks, ROLLOUTS)
    job = a_job(caps=[1, 2, 50], max_exchanges=4, **changes)
    paths = [folder / "rollouts.parquet"], [write_grades(folder / "grades.parquet", *grades)]
    estimate_caps(*paths, folder / "caps.parquet", job)
    return {row["cap"]: row for row in read_rows(folder / "caps.parquet", CAPS) if row["scope"] == "all"}


def test_by_hand(tmp_path):
    # Ended in turns 2, 3, 5 and at the cap: one exchange leaves the first, two the second too.
    talks = [talk(0, 2), talk(1, 3), talk(2, 5), talk(3, 8, "turn_cap")]
    grades = [grades_of("priced", "solo_full", [1, 1, 1, 0.5]), grades_of("priced", "collab", [1, 0.5, 1, 0])]
    rows = caps(tmp_path, talks, grades)
    assert list(rows) == [1, 2, 4] and [row["longest"] for row in rows.values()] == [False, False, True]
    assert [row["collab"] for row in rows.values()] == [0.25, 0.375, 0.625]
    assert [row["tax"] for row in rows.values()] == [0.625, 0.5, 0.25]
    assert [row["bound"] for row in rows.values()] == [0.375, 0.25, 0.0]
    assert [row["cut"] for row in rows.values()] == [0.75, 0.5, 0.25]
    assert all(row["bound_low"] <= row["bound"] <= row["bound_high"] for row in rows.values())
    assert (rows[1]["planned"], rows[1]["graded"], rows[1]["tasks"]) == (4, 4, 1)


def test_an_answer_that_only_the_grader_found_at_the_cap_is_not_submitted(tmp_path):
    grade = grades_of("priced", "collab", [1, 0, 0, 0])
    grade[0]["outcome"] = "turn_cap"
    talks = [talk(0, 8, "turn_cap"), *(talk(index, 2) for index in (1, 2, 3))]
    rows = caps(tmp_path, talks, [grades_of("priced", "solo_full", [1] * 4), grade])
    assert {row["collab"] for row in rows.values()} == {0.0}
    assert {row["unsubmitted"] for row in rows.values()} == {0.25}


def test_a_failed_call_is_unknown_at_every_cap_and_a_refused_one_ends_a_turn_later(tmp_path):
    talks = [talk(0, 1, "failed", "gone"), talk(1, 2, "refused", "no"), talk(2, 2), talk(3, 2)]
    grades = [grades_of("priced", "solo_full", [1] * 4), grades_of("priced", "collab", [None, 0, 1, 1])]
    rows = caps(tmp_path, talks, grades)
    assert {row["graded"] for row in rows.values()} == {3}
    assert [row["cut"] for row in rows.values()] == [pytest.approx(1 / 3), 0, 0]  # its failed call is turn 3


def test_without_a_mode_nothing_is_estimated(tmp_path):
    rows = caps(tmp_path, [talk(0, 2)], [grades_of("priced", "collab", [1])], modes=["collab"])
    assert rows[4]["tax"] is None and rows[4]["graded"] == 0


def test_longer_caps_than_were_played_are_left_out():
    assert replayed_caps({"caps": [50, 8, 2, 8], "max_exchanges": 8}) == [2, 8]


@pytest.mark.parametrize("end", range(1, 9))
@pytest.mark.parametrize("how", ["answered", "refused", "failed", "silent"])
@pytest.mark.parametrize("cap", [1, 2, 3])
def test_a_shorter_cap_only_cuts(end, how, cap):
    """What the replay assumes of the dialogue: turn for turn the same, up to the cap."""

    def speaker():
        said = []

        async def speak(_):
            said.append(None)
            if len(said) < end or how == "silent":
                return Reply(text=f"word {len(said)}", finish_reason="stop")
            if how == "failed":
                raise CallFailed(Outcome.FAILED, "gone")
            finish = "refusal" if how == "refused" else "stop"
            return Reply(text="ACTI! 1" if how == "answered" else "no", finish_reason=finish)

        return speak

    def played(exchanges):
        speak = speaker()
        return asyncio.run(collab(["a", "b"], [speak, speak], exchanges))

    long, short = played(4), played(cap)
    calls = len(long.turns) + (long.error is not None)
    cut = long.outcome == Outcome.TURN_CAP or calls > 2 * cap
    assert short.turns == long.turns[: 2 * cap]
    assert short.outcome == (Outcome.TURN_CAP if cut else long.outcome)
    assert short.answer == (None if cut else long.answer)
