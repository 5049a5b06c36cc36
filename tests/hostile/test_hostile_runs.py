"""Rollouts that one can trust with money: nothing is lost, nothing is paid twice, every end has a name."""

import base64
import json
import os
import random
import signal
import subprocess
import time
from collections import Counter

import pytest

from scripts.lib.agents.calls import NoCredit
from scripts.lib.errors import UserError
from scripts.lib.outcomes import Outcome
from tests.hostile.record import counts_by_fault, most_in_flight, most_in_window, repeated_after_delivery
from tests.hostile.runs import LIMITS, Runs, make_views, options, paid, under_way
from tests.hostile.server import HostileServer

TWO_TASKS = ("maze", "geomaze")  # of one family: a job has one


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """Views of 2 x 334 instances."""
    folder = tmp_path_factory.mktemp("views")
    return [make_views(folder, task, 334) for task in TWO_TASKS]


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    """Views of 60 instances."""
    return [make_views(tmp_path_factory.mktemp("views"), "maze", 60)]


def test_two_thousand_rollouts_with_passing_faults_end_as_without(tmp_path, many):
    with HostileServer(options()).in_thread() as server:
        runs = Runs(tmp_path, many, server.url)
        calm = {mode: runs.rows("calm", mode) for mode in ("solo_full", "solo_split", "collab")}
        calls = paid(server.log)
        server.options.faults = 0.3
        server.record.entries.clear()
        server.plan.seen.clear()
        stormy = {mode: runs.rows("stormy", mode) for mode in calm}
        log = server.log
    assert sum(map(len, stormy.values())) == 2004
    assert stormy == calm
    faults = counts_by_fault(log)
    assert len(faults) > 10 and sum(faults.values()) - faults["delivered"] > 0.3 * calls
    assert paid(log) == calls
    assert repeated_after_delivery(log) == {}


def test_lasting_faults_end_in_outcomes_with_a_name_and_touch_no_other_rollout(tmp_path, few):
    with HostileServer(options()).in_thread() as server:
        runs = Runs(tmp_path, few, server.url)
        calm = runs.rows("calm", "collab")
        server.options.terminal = 0.1
        server.record.entries.clear()
        stormy = runs.rows("stormy", "collab")
        log = server.log
    assert [row["index"] for row in stormy] == list(range(60))
    outcomes = Counter(row["outcome"] for row in stormy)
    assert {*outcomes} <= {*Outcome}
    assert outcomes[Outcome.REFUSED] and outcomes[Outcome.CONTEXT_OVERFLOW] and outcomes[Outcome.TRUNCATED]
    spoilt = [row["index"] for row, before in zip(stormy, calm, strict=True) if row != before]
    assert 10 < len(spoilt) < 60
    assert repeated_after_delivery(log) == {}


def test_a_model_that_refuses_parameters_is_spoken_to_in_its_own_words(tmp_path, few):
    parameters = {"max_tokens": 500, "temperature": 0.7, "seed": 3}
    only = ("refuses_max_tokens", "refuses_temperature", "refuses_seed")
    with HostileServer(options(terminal=1.0, only=only)).in_thread() as server:
        rows = Runs(tmp_path, few, server.url, parameters=parameters).rows("ledger", "solo_full")
    sent = {
        json.dumps(entry["parameters"], sort_keys=True) for row in rows for entry in json.loads(row["sent"])
    }
    assert {row["outcome"] for row in rows} == {"answered"}
    assert sent == {'{"max_completion_tokens": 500}'}


def test_twenty_kills_at_random_moments(tmp_path, many):
    chance = random.Random(3)
    with HostileServer(options(faults=0.3, delay=0.02)).in_thread() as server:
        runs = Runs(tmp_path, many[:1], server.url)
        in_flight, kills, process = 0, 0, runs.start("ledger", "collab")
        while kills < 20:
            seen = len(server.requests)
            end = time.monotonic() + 30
            while len(server.requests) == seen and process.poll() is None and time.monotonic() < end:
                time.sleep(0.01)
            time.sleep(chance.uniform(0, 0.3))
            in_flight += under_way(server)
            process.kill()
            process.communicate()
            kills += 1
            process = runs.start("ledger", "collab")
        said = process.communicate(timeout=300)[1]
        assert process.returncode == 0, said[-2000:]
        repeated = repeated_after_delivery(server.log)
        server.options.faults = server.options.delay = 0.0
        calm = runs.rows("calm", "collab")
        from_ledger = runs.rows("ledger", "collab")
    assert from_ledger == calm
    assert sum(repeated.values()) <= in_flight


def test_a_stop_signal_waits_for_the_calls_that_are_paid_for(tmp_path, few):
    with HostileServer(options(delay=0.3)).in_thread() as server:
        runs = Runs(tmp_path, few, server.url)
        process = runs.start("ledger", "collab")
        while len(server.requests) < 100:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=20)[1]
        assert process.returncode == 1 and "stopped by SIGINT" in said and "Traceback" not in said
        assert repeated_after_delivery(server.log) == {}
        rows = runs.rows("ledger", "collab")
        assert len(rows) == 60 and repeated_after_delivery(server.log) == {}


def test_no_credit_stops_the_job_at_once_and_it_goes_on_later(tmp_path, few):
    with HostileServer(options(delay=0.02)).in_thread() as server:
        runs = Runs(tmp_path, few, server.url)
        calm = runs.rows("calm", "collab")
        server.options.only, server.options.terminal = ("insufficient_quota",), 0.05
        server.record.entries.clear()
        with pytest.raises(NoCredit):
            runs.rows("ledger", "collab")
        before, faults = paid(server.log), counts_by_fault(server.log)
        assert 0 < faults["insufficient_quota"] <= LIMITS["in_flight"]
        server.options.terminal = 0.0
        assert runs.rows("ledger", "collab") == calm
        assert repeated_after_delivery(server.log) == {}
        assert paid(server.log) > before


def mount(folder, size):
    """A small file system of its own; skips the test where that is not allowed."""
    folder.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"a file system of its own cannot be mounted here: {done.stderr.strip()}")


def test_a_full_disk_is_a_clear_error_and_the_run_goes_on_when_there_is_room(tmp_path, few):
    mount(tmp_path / "ledger", "100k")
    try:
        with HostileServer(options(delay=0.02)).in_thread() as server:
            runs = Runs(tmp_path, few, server.url)
            calm = runs.rows("calm", "collab")
            server.record.entries.clear()
            with pytest.raises(UserError, match=r"cannot write to the ledger .*No space left.*make room"):
                runs.rows("ledger", "collab")
            lost = LIMITS["in_flight"]
            subprocess.run(["mount", "-o", "remount,size=50m", str(tmp_path / "ledger")], check=True)
            assert runs.rows("ledger", "collab") == calm
            assert sum(repeated_after_delivery(server.log).values()) <= lost
    finally:
        subprocess.run(["umount", "-l", str(tmp_path / "ledger")], check=True)


def test_the_level_of_concurrency_finds_itself(tmp_path, few):
    with HostileServer(options(delay=0.05, at_once=10)).in_thread() as server:
        rows = Runs(tmp_path, few, server.url).rows("ledger", "collab")
        log = server.log
    faults = counts_by_fault(log)
    assert {row["outcome"] for row in rows} <= {"answered", "turn_cap"}
    assert most_in_flight(log) > 10  # it looked for the limit
    assert faults["over_at_once"] < 0.5 * faults["delivered"]
    late = sorted(one.time for one in log)[len(log) // 2]
    refused = [one for one in log if one.fault == "over_at_once" and one.time > late]
    assert len(refused) < 0.4 * faults["over_at_once"] + 10  # and did not forget it


def test_many_jobs_together_stay_inside_the_limits_of_a_model(tmp_path, few):
    limits = LIMITS | {"jobs": 4, "in_flight": 8, "timeout": 10, "requests_per_minute": 1800}
    with HostileServer(options(delay=0.02, per_window=40, window=1.0, at_once=8)).in_thread() as server:
        processes = [
            Runs(tmp_path, few, server.url, limits=limits).start(f"ledger {number}", "solo_full")
            for number in range(4)
        ]
        for process in processes:
            process.communicate(timeout=120)
            assert process.returncode == 0
        log = server.log
    faults = counts_by_fault(log)
    assert faults["delivered"] == 4 * 60 * 2
    assert faults.keys() == {"delivered"}  # nothing was refused
    assert most_in_flight(log) <= 8 and most_in_window(log, 1.0) <= 40


KEY = "sk-zq7/plantedKeyOfTheTest+wX9"


def test_a_key_is_nowhere(tmp_path, few, monkeypatch):
    """Echoed in errors and replies, by the file formats and the logs: it is kept by none of them."""
    monkeypatch.setenv("PLANTED_KEY", KEY)
    settings = {"key_variable": "PLANTED_KEY"}
    with HostileServer(options(faults=0.3, terminal=0.1)).in_thread() as server:
        runs = Runs(tmp_path, few, server.url, **settings)
        runs.rows("ledger", "collab")
        server.options.only, server.options.terminal = ("wrong_key",), 1.0
        process = runs.start("other", "collab")
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 1 and "PLANTED_KEY" in said
    found = [said, *(path.read_bytes().decode("latin-1") for path in tmp_path.rglob("*") if path.is_file())]
    for form in (KEY, "plantedKey", "zq7%2F", base64.b64encode(KEY.encode()).decode()[:20]):
        assert not any(form in text for text in found), form
    assert os.environ["PLANTED_KEY"] == KEY
