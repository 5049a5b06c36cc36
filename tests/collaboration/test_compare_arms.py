"""Shares of the tax that arms recover: exact values, pairing, pooling, small taxes."""

from __future__ import annotations

import pytest

from scripts.collaboration.compare_arms import compare_arms
from scripts.collaboration.schemas import ARMS
from scripts.lib.tables import read_rows
from tests.collaboration.statistics_cases import SHAPE, a_job, grades_of, write_grades


def job_of(*arms, teams=("priced",), **changes):
    plan = {"arms": ["baseline", *arms], "arm_models": list(teams), "teams": [[team] for team in teams]}
    return a_job(**plan, **{"statistics": SHAPE | {"least_tax": 0.05}, **changes})


def cells(team="priced", solo=(1, 1, 1, 1), collab=(0, 0, 0, 0), task="maze", **arms):
    """The grades of a team: solo_full and collab of the baseline, and collab of each arm."""
    made = [grades_of(team, "solo_full", solo, task), grades_of(team, "collab", collab, task)]
    return made + [grades_of(team, "collab", scores, task, arm) for arm, scores in arms.items()]


def compared(folder, job, *grades):
    compare_arms([write_grades(folder / "grades.parquet", *grades)], folder / "arms.parquet", job)
    return read_rows(folder / "arms.parquet", ARMS)


def find(rows, arm, team, scope="all", name=None):
    (row,) = [
        row
        for row in rows
        if (row["arm"], row["team"], row["scope"]) == (arm, team, scope) and name in (row["task"], None)
    ]
    return row


def test_the_share_by_hand(tmp_path):
    # tax (1 + 1 + .5 + .5) / 4 = .75; gain of all_four .5, of no_l1 .125: shares 2/3 and 1/6, lost 1/2.
    scores = {"solo": (1, 1, 1, 0.5), "collab": (0, 0, 0.5, 0)}
    grades = cells(**scores, all_four=(1, 0, 1, 0.5), no_l1=(0, 0, 1, 0))
    rows = compared(tmp_path, job_of("all_four", "no_l1"), *grades)
    four, without = (find(rows, arm, "priced") for arm in ("all_four", "no_l1"))
    assert (four["collab"], four["gain"], four["tax"]) == (0.625, 0.5, 0.75)
    assert four["recovered"] == pytest.approx(2 / 3) and four["lost"] is None
    assert without["gain"] == 0.125
    assert without["recovered"] == pytest.approx(1 / 6) and without["lost"] == pytest.approx(1 / 2)
    assert (four["planned"], four["graded"], four["teams"], four["tasks"]) == (4, 4, 1, 1)
    assert not {"baseline"} & {row["arm"] for row in rows}


def test_both_terms_are_taken_from_the_same_instances(tmp_path):
    # On each instance the arm wins half of what is lost: the share is 1/2 whichever are drawn.
    grades = cells(solo=(1, 0.9, 0.8, 0.7), collab=(0, 0.1, 0.4, 0.5), all_four=(0.5, 0.5, 0.6, 0.6))
    row = find(compared(tmp_path, job_of("all_four"), *grades), "all_four", "priced")
    assert row["gain_low"] < row["gain"] < row["gain_high"]
    assert row["recovered_low"] == pytest.approx(0.5) == row["recovered_high"]


def test_an_instance_that_an_arm_did_not_grade_counts_in_neither_term(tmp_path):
    grades = cells(solo=(1, 1, 1, 1), collab=(0, 0, 0, 1), all_four=(1, 0, None, 1))
    row = find(compared(tmp_path, job_of("all_four"), *grades), "all_four", "priced")
    assert row["tax"] == pytest.approx(2 / 3)
    assert (row["gain"], row["graded"]) == (pytest.approx(1 / 3), 3)


def test_families_are_means_of_tasks_and_models_means_of_models_before_the_ratio(tmp_path):
    tasks = {"maze": "spatial", "cube": "spatial", "logic": "csp"}
    job = job_of("all_four", teams=("priced", "free"), tasks=tasks)
    grades = []
    for task, ends in {"maze": (0.5, 1), "cube": (0.5, 0.5), "logic": (0, 0.25)}.items():
        for team, end in zip(("priced", "free"), ends, strict=True):
            start = 0.5 if team == "free" else 0.0
            grades += cells(team, collab=[start] * 4, task=task, all_four=[max(end, start)] * 4)
    rows = compared(tmp_path, job, *grades)
    alone = {team: find(rows, "all_four", team) for team in ("priced", "free")}
    # priced: gains .5, .5, 0 of a tax of 1; free: gains .5, 0, 0 of a tax of .5
    assert alone["priced"]["recovered"] == pytest.approx(1 / 3)
    assert alone["free"]["recovered"] == pytest.approx(1 / 3)
    both = find(rows, "all_four", None)
    assert both["gain"] == pytest.approx((1 / 3 + 1 / 6) / 2) and both["tax"] == pytest.approx(0.75)
    assert both["recovered"] == pytest.approx(0.25 / 0.75)
    assert (both["teams"], both["tasks"], both["planned"]) == (2, 3, 24)
    spatial = next(r for r in rows if r["team"] is None and r["family"] == "spatial" and r["task"] is None)
    assert spatial["recovered"] == pytest.approx((0.5 + 0.25) / 2 / 0.75)


@pytest.mark.parametrize("tax", [0.0, 0.04, -0.5])
def test_a_share_of_almost_nothing_is_undefined(tmp_path, tax):
    grades = cells(solo=[0.5] * 4, collab=[0.5 - tax] * 4, all_four=[1] * 4)
    row = find(compared(tmp_path, job_of("all_four"), *grades), "all_four", "priced")
    assert row["tax"] == pytest.approx(tax) and row["gain"] == pytest.approx(0.5 + tax)
    assert row["recovered"] is row["recovered_low"] is row["recovered_high"] is None
    assert row["tax_small"] == 1


def test_a_tax_that_may_be_small_leaves_the_share_without_an_interval(tmp_path):
    grades = cells(solo=[1] * 4, collab=(1, 1, 1, 0), all_four=[1] * 4)
    row = find(compared(tmp_path, job_of("all_four"), *grades), "all_four", "priced")
    assert row["recovered"] == 1 and row["recovered_low"] is row["recovered_high"] is None
    assert 0.2 < row["tax_small"] < 0.45  # (3/4) ** 4 = .32


def test_a_team_without_rollouts_is_planned_and_in_no_mean(tmp_path):
    job = job_of("all_four", teams=("priced", "free"))
    rows = compared(tmp_path, job, *cells(all_four=(1, 1, 0, 0)))
    empty, both = find(rows, "all_four", "free"), find(rows, "all_four", None)
    assert (
        empty["gain"] is empty["tax"] is empty["tax_small"] is empty["recovered"] is empty["dagger"] is None
    )
    assert (empty["planned"], empty["graded"], empty["tasks"]) == (4, 0, 0)
    assert (both["recovered"], both["teams"], both["planned"], both["graded"]) == (0.5, 1, 8, 4)


def test_mixed_teams_and_models_left_out_play_no_arm(tmp_path):
    job = job_of("all_four", teams=("priced",)) | {"teams": [["priced"], ["free"], ["priced", "free"]]}
    rows = compared(tmp_path, job, *cells(all_four=(1, 1, 0, 0)))
    assert {row["team"] for row in rows} == {"priced", None}


def test_without_arms_the_table_is_empty(tmp_path):
    assert compared(tmp_path, job_of(), *cells()) == []
