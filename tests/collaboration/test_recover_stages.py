"""The judge against what was planted, over the stages as they run."""

import pytest

from scripts.collaboration.estimate_stages import from_data
from scripts.collaboration.layout import artifacts
from scripts.collaboration.recover_stages import recover_stages
from scripts.collaboration.run_rollouts import run_rollouts
from scripts.collaboration.schemas import JUDGEMENTS, RECOVERY
from scripts.collaboration.schemas import STAGES as SCHEMA
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.tables import read_rows, write_rows
from tests.collaboration.judged import STATISTICS, draw_all, judge
from tests.collaboration.stage_walk import how, make
from tests.lib.agents.simulated.game import MODELS

TEAMS = ("simulated-strong", "simulated-weak")
PLAN = {
    "arms": ["baseline"],
    "teams": [[team] for team in TEAMS],
    "modes": ["collab"],
    "tasks": {"treesum": "relational"},
    "batches": ["000"],
    "judge": "simulated-judge",
    "statistics": STATISTICS,
}


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Two teams' conversations about one task, all of them judged."""
    data = tmp_path_factory.mktemp("judged")
    _, views = make(data, "treesum", 12)
    rollouts = artifacts(data, "rollouts", PLAN)
    for team, path in zip(TEAMS, rollouts, strict=True):
        job = {"arm": "baseline", "team": [team], "mode": "collab", "family": "relational"}
        run_rollouts([views], path, how(data), job | {"critic": True, "max_exchanges": 20})
    for team in TEAMS:
        judge(data, [views], rollouts, team)
    draw_all(data, rollouts)
    return data


def profiles(*names):
    return {name: MODELS[name].profile.model_dump() for name in names}


def recovered(data, folder, **changes):
    recover_stages(data, folder / "recovery.parquet", PLAN | {"profiles": profiles(*TEAMS)} | changes)
    return read_rows(folder / "recovery.parquet", RECOVERY)


def test_every_simulated_team_and_all_of_them_have_a_row_a_stage(study, tmp_path):
    rows = recovered(study, tmp_path)
    assert {(row["team"], row["stage"]) for row in rows} == {(t, s) for t in (*TEAMS, None) for s in STAGES}
    assert [row["judged"] for row in rows if row["team"] is None] == [24] * 4
    for row in rows:
        wrong = row["missed"] + row["false_alarms"]
        assert row["agreement"] == pytest.approx(1 - wrong / row["judged"])
        if row["kappa"] is not None:
            assert row["kappa"] > 0.6 and row["kappa_low"] <= row["kappa"] <= row["kappa_high"]
        else:
            assert row["planted"] == row["found"] in (0, 1)
        assert row["simulated"] and row["judge"] == "simulated-judge"


def test_a_judge_that_sees_no_slip_has_a_kappa_of_nought(study, tmp_path):
    plan = PLAN | {"teams": [["simulated-weak"]], "profiles": profiles("simulated-weak")}
    (path,) = artifacts(study, "judgements", plan)
    rows = read_rows(path, JUDGEMENTS)
    try:
        write_rows(path, [row | {"satisfied": row["index"] > 0 or None} for row in rows], JUDGEMENTS)
        found = recovered(study, tmp_path, **plan)
    finally:
        write_rows(path, rows, JUDGEMENTS)
    for row in found:
        assert (row["judged"], row["found"], row["false_alarms"]) == (11, 1, 0)
        assert row["kappa"] in (0, None)


def test_real_models_have_nothing_planted(study, tmp_path):
    assert recovered(study, tmp_path, profiles={}) == []
    assert [row["team"] for row in recovered(study, tmp_path, profiles=profiles("simulated-weak"))].count(
        "simulated-strong"
    ) == 0


def test_agents_that_never_slip_leave_no_separation(tmp_path):
    """From the first message to the statistic: with perfect agents every stage is satisfied by everybody."""
    data, team = tmp_path, "simulated-perfect"
    plan = PLAN | {"teams": [[team]]}
    _, views = make(data, "treesum", 3)
    (path,) = artifacts(data, "rollouts", plan)
    job = {"arm": "baseline", "team": [team], "mode": "collab", "family": "relational"}
    run_rollouts([views], path, how(data), job | {"critic": True, "max_exchanges": 20})
    judge(data, [views], [path], team)
    from_data(data, data / "statistics", plan)
    rows = read_rows(data / "statistics" / "stages.parquet", SCHEMA)
    assert all(row["failures"] == 1 for row in rows)  # the sample calls every conversation a failure
    recover_stages(data, data / "recovery.parquet", plan | {"profiles": profiles(team)})
    found = read_rows(data / "recovery.parquet", RECOVERY)
    assert {(row["planted"], row["found"], row["agreement"], row["kappa"]) for row in found} == {
        (1, 1, 1, None)
    }
