"""``make paper-local`` against a running endpoint (here one that answers at once)."""

import json
import subprocess
import sys

import yaml

from tests.pipeline.study import SMALL, Study


def run_local(study: Study, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scripts.run_local", *arguments]
    return subprocess.run(command, cwd=study.folder, capture_output=True, text=True, check=False, timeout=300)


def test_one_setting_points_it_at_a_running_endpoint(tmp_path, server):
    study = Study(tmp_path / "study")
    local = yaml.safe_load((study.folder / "config/local.yaml").read_text(encoding="utf-8"))
    local["collaboration"] |= {"tasks": SMALL["tasks"], "statistics": SMALL["statistics"]}
    study.write("config/local.yaml", yaml.safe_dump(local))
    done = run_local(study, "--model", f"{server.url}#simulated-strong")
    assert done.returncode == 0, done.stderr[-3000:]
    assert {json.loads(body)["model"] for body in server.requests} == {"simulated-strong"}
    assert study.rows("statistics", "data/local")
    page = (study.folder / "reports/local/collaboration/report.html").read_text(encoding="utf-8")
    assert server.url in page
    paid = len(server.requests)
    again = run_local(study, "--model", f"{server.url}#simulated-strong")
    assert "Nothing to be done" in again.stdout + again.stderr and len(server.requests) == paid


def test_an_endpoint_that_is_not_there_is_named(tmp_path):
    study = Study(tmp_path / "study")
    done = run_local(study, "--model", "http://127.0.0.1:9/v1")
    assert done.returncode == 1
    assert "http://127.0.0.1:9/v1/models names no model" in done.stderr and "Traceback" not in done.stderr


def test_a_file_that_is_not_there_is_named(tmp_path):
    study = Study(tmp_path / "study")
    done = run_local(study, "--model", "nowhere.gguf")
    assert done.returncode == 1
    assert "nowhere.gguf" in done.stderr and "Traceback" not in done.stderr


def test_the_second_study_runs_there_too_and_says_where_it_stopped(tmp_path, server):
    study = Study(tmp_path / "study")
    local = yaml.safe_load((study.folder / "config/handoff_local.yaml").read_text(encoding="utf-8"))
    local["handoff"]["ledger"] = None
    local["handoff"]["statistics"] = {"resamples": 100}
    study.write("config/handoff_local.yaml", yaml.safe_dump(local))
    arguments = ["--model", f"{server.url}#simulated-strong", "--config", "config/handoff_local.yaml"]
    done = run_local(study, *arguments, "handoff")
    assert done.returncode == 0, done.stderr[-3000:]
    page = (study.folder / "reports/local/handoff/report.html").read_text(encoding="utf-8")
    assert "The padded-context pilot" in page and "all of the graded calls failed" in page
    assert not (study.folder / "reports/local/collaboration").exists()
    paid = len(server.requests)
    # Every problem at every load, and one call more by which the tokens of a word are measured.
    assert paid == 3 * 5 + 1
    again = run_local(study, *arguments, "handoff")
    assert "Nothing to be done" in again.stdout + again.stderr and len(server.requests) == paid
