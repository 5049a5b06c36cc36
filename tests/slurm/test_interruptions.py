"""Lost connections, kills and Ctrl-C: the same command goes on, and no job is left."""

import os
import signal

from tests.slurm.cluster import await_true
from tests.slurm.conftest import shards, targets


def test_a_lost_connection_does_no_harm_and_a_killed_head_starts_again(study, local):
    wanted = targets("grades", "solo_full", "collab")
    study.inject(solo_full="is_left_alone")
    run = study.start(*wanted)
    study.await_fault("is_left_alone")
    os.kill(run.pid, signal.SIGHUP)
    refused = study.run(*wanted, fails=True)
    head = (study.folder / ".snakemake/slurm/head").read_text()
    assert f"a run is at work in this folder: {head}" in refused
    assert run.poll() is None and study.active()
    for pid in (run.pid, int(head.split()[1])):  # the program and its Snakemake
        os.kill(pid, signal.SIGKILL)
    run.wait(10)
    orphans = len(study.active())
    assert orphans
    output = study.run(*wanted)
    assert f"cancelled {orphans} jobs that an earlier run left behind" in output
    assert [state for _, state, *_ in study.history()].count("CANCELLED") == orphans
    tables, expected = study.tables(), local.tables()
    assert set(shards("grades", "solo_full", "collab")) <= set(tables)
    assert all(tables[name] == expected[name] for name in tables)


def test_an_interrupted_run_leaves_no_job_and_says_how_to_go_on(study):
    study.inject(solo_full="is_interrupted")
    run = study.start(*targets("rollouts", "solo_full"))
    study.await_fault("is_interrupted")
    os.kill(run.pid, signal.SIGINT)
    assert run.wait(60) != 0
    await_true(lambda: not study.active(), 10, "the jobs to end")
    assert "The same command goes on from here" in study.printed()


def test_a_job_that_will_never_start_is_told(study):
    study.edit("profiles/slurm/config.yaml", "runtime: 60 * attempt", "runtime: 6000 * attempt")
    run = study.start(*targets("rollouts", "solo_full"))
    said = "will never start: PartitionTimeLimit"
    await_true(lambda: said in study.printed(), 90, study.printed())
    os.kill(run.pid, signal.SIGINT)
    assert run.wait(60) != 0
    assert study.printed().count(said) == 1 and not study.active()
