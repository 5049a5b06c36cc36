"""Kills, unreachable endpoints and real HTTP: nothing is lost and nothing is paid twice."""

import os
import signal
import subprocess
import time

from tests.pipeline.conftest import over_http
from tests.pipeline.study import ANALYSIS, TABLES, Study


def test_a_reply_is_paid_for_once(tmp_path, server):
    study = Study(tmp_path / "study")
    name = "org/model 1.5: chat"  # names may hold anything
    over_http(study, server.url, name)
    study.run()
    assert {row["team"] for row in study.rows("grades")} == {name}
    paid = len(server.requests)
    assert paid == len(set(server.requests)) > 2 * 2 * 4
    study.edit("config/study.yaml", "resamples: 200", "resamples: 300")
    assert study.jobs() == ANALYSIS
    study.run(TABLES)
    for path in (study.folder / "data/collaboration/rollouts").rglob("*.parquet"):
        path.unlink()
    before = study.tables()
    study.run(TABLES, "--forcerun", "run_rollouts")
    after = study.tables()
    assert len(server.requests) == paid
    assert all(after[name] == before[name] for name in before)


def test_kill_minus_nine_in_mid_rollouts(tmp_path, server):
    whole = Study(tmp_path / "whole")
    over_http(whole, server.url)
    whole.run(TABLES)
    paid = len(server.requests)
    killed = Study(tmp_path / "killed")
    over_http(killed, server.url)
    server.options.delay = 0.15
    for _ in range(2):
        seen = len(server.requests)
        process = subprocess.Popen(
            killed.command(),
            cwd=killed.folder,
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        end = time.monotonic() + 60
        while len(server.requests) < seen + 12 and time.monotonic() < end:
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert len(server.requests) >= seen + 12
    server.options.delay = 0.0
    killed.run(TABLES)  # the same command goes on
    assert killed.tables() == whole.tables()
    in_flight = 2 * 4  # two jobs with four calls each
    assert paid <= len(server.requests) - paid <= paid + 2 * in_flight


def test_an_unreachable_endpoint_is_named_and_what_was_answered_stays(tmp_path, server):
    study = Study(tmp_path / "study")
    over_http(study, server.url)
    shard = "data/collaboration/rollouts/baseline/served/solo_full/spatial/000.parquet"
    study.run(shard)
    paid = len(server.requests)
    study.edit("config/models.yaml", server.url, "http://127.0.0.1:9/v1")
    output = study.run(fails=True)
    assert "http://127.0.0.1:9/v1" in output and "cannot be reached" in output and "Traceback" not in output
    study.edit("config/models.yaml", "http://127.0.0.1:9/v1", server.url)
    study.run(shard)
    assert len(server.requests) == paid  # from the ledger
