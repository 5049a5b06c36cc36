"""Jobs that fail, run out of time or lose their node, all in one run."""

import pytest

from tests.slurm.conftest import SlurmStudy, shards, targets


@pytest.fixture(scope="module")
def troubled(begun, cluster, tmp_path_factory) -> SlurmStudy:
    """A study that met all three and was run to its end."""
    study = begun.copy(tmp_path_factory.mktemp("troubled") / "study")
    study.edit("profiles/slurm/config.yaml", "runtime: 60 * attempt", "runtime: 1 * attempt")
    study.inject(solo_full="fails", solo_split="takes_too_long", collab="loses_its_node")
    run = study.start(*targets("grades"))
    lost = study.await_fault("loses_its_node")
    assert lost != study.await_fault("takes_too_long")
    cluster.kill_node(lost)
    code = run.wait(500)
    cluster.start_node(lost)
    assert code == 0, study.printed()[-6000:]
    return study


@pytest.mark.parametrize(
    ("mode", "state"), [("solo_full", "FAILED"), ("solo_split", "TIMEOUT"), ("collab", "NODE_FAIL")]
)
def test_a_job_in_trouble_is_tried_again_with_more_time_and_memory(troubled, mode, state):
    tried = [rest for comment, *rest in troubled.history() if "run_rollouts" in comment and mode in comment]
    assert tried == [[state, "1:00", "2000M"], ["COMPLETED", "2:00", "4000M"]]
    assert f"SLURM status is: '{state}'" in troubled.printed()


def test_after_all_troubles_the_tables_are_those_of_a_local_run(troubled, local):
    tables, expected = troubled.tables(), local.tables()
    assert {name for stage in ("rollouts", "answers", "grades") for name in shards(stage)} <= set(tables)
    assert all(tables[name] == expected[name] for name in tables)
    assert not troubled.active()
