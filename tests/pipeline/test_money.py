"""Budgets, credit and orphans of a whole run: what is paid for is kept, and nothing beyond is paid."""

import base64
import subprocess
import time

import pytest

from scripts.lib.agents.ledger import spent
from scripts.lib.agents.models import load_models
from tests.hostile.record import repeated_after_delivery
from tests.hostile.runs import under_way
from tests.pipeline.conftest import over_http
from tests.pipeline.study import TABLES, Study

PRICED = "  limits: {in_flight: 4, timeout: 20, retries: 1}\n"


def ends(study, *arguments):
    """Exit code and words of a run."""
    done = subprocess.run(
        study.command(*arguments), cwd=study.folder, capture_output=True, text=True, check=False, timeout=300
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def paid_study(tmp_path, server):
    """A study with a model that costs money."""
    study = Study(tmp_path / "study")
    over_http(study, server.url)
    more = f"{PRICED}  price: {{input: 1000, output: 1000}}\n  parameters: {{max_tokens: 300}}\n"
    study.edit("config/models.yaml", PRICED, more)
    return study


def test_a_run_stops_inside_its_budget_and_goes_on_when_it_is_raised(paid_study, server):
    code, said = ends(paid_study, "--config", "budget=5")
    assert code == 4 and "the budget of 5 USD does not last for the next call" in said
    models = load_models(paid_study.folder / "config/models.yaml")
    paid = spent(paid_study.folder / "data/ledger", models)
    assert 0 < paid <= 5
    assert ends(paid_study, "--config", "budget=5")[0] == 4  # it counts what was paid before
    assert spent(paid_study.folder / "data/ledger", models) <= 5
    paid_study.run(TABLES, "--config", "budget=1000")
    assert repeated_after_delivery(server.log) == {}
    assert paid_study.outcomes().keys() <= {"answered", "turn_cap", "no_answer"}


def test_a_budget_can_be_rehearsed_with_simulated_agents(tmp_path):
    study = Study(tmp_path / "study", grader=None)
    old = 'simulated-middle:\n  base_url: "simulated:"\n'
    study.edit("config/models.yaml", old, f"{old}  price: {{input: 1000, output: 1000}}\n")
    code, said = ends(study, "--config", "budget=5")
    assert code == 4 and "the budget of 5 USD" in said


def test_no_credit_ends_the_run_with_a_code_of_its_own(paid_study, server):
    server.options.only, server.options.terminal = ("insufficient_quota",), 1.0
    code, said = ends(paid_study)
    assert code == 3 and "the run was stopped: no credit left at" in said
    assert len(server.requests) <= 4
    server.options.terminal = 0.0
    paid_study.run(TABLES)


def test_a_job_that_outlives_its_killed_head_stops_when_the_run_starts_again(paid_study, server):
    server.options.delay = 0.3
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    head = subprocess.Popen(paid_study.command(), cwd=paid_study.folder, start_new_session=True, **quiet)
    while len(server.requests) < 6:
        time.sleep(0.02)
    head.kill()  # its jobs live on
    head.wait()
    in_flight = max(under_way(server), 4)
    paid_study.run(TABLES)
    assert sum(repeated_after_delivery(server.log).values()) <= in_flight


KEY = "sk-zq7/plantedKeyOfTheTest+wX9"


def test_a_planted_key_is_in_no_file_of_a_study(paid_study, server):
    """Not in Snakemake's records, logs, ledger, tables or report, though the endpoint echoes it."""
    paid_study.edit(
        "config/models.yaml",
        "  served_name: simulated-middle\n",
        "  served_name: simulated-middle\n  key_variable: PLANTED_KEY\n",
    )
    server.options.faults, server.options.terminal, server.options.greeting = 0.3, 0.1, f"[{KEY}] "
    said = paid_study.run(PLANTED_KEY=KEY)
    server.options.only, server.options.terminal = ("wrong_key",), 1.0
    paid_study.configure(models=["served"], grader=None, rollouts=8)
    said += paid_study.run(fails=True, PLANTED_KEY=KEY)
    assert "the key (PLANTED_KEY) was refused" in said
    files = [path for path in paid_study.folder.rglob("*") if path.is_file()]
    assert any(path.suffix == ".html" for path in files) and any(path.suffix == ".jsonl" for path in files)
    for form in (b"plantedKey", b"zq7%2F", base64.b64encode(KEY.encode())[:20]):
        assert form.decode() not in said
        assert not [str(path) for path in files if form in path.read_bytes()]
