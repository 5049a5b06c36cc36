"""The plan through Snakemake: before the first call, in mid-run, and when all is done."""

import fcntl

from tests.pipeline.conftest import over_http
from tests.pipeline.study import Study


def numbers(output: str, name: str) -> list[str]:
    """The first columns of a line of the plan: rollouts, paid, calls."""
    (line,) = [line for line in output.splitlines() if line.startswith(f"{name} ")]
    return line.split()[1:4]


def test_a_plan_before_in_between_and_after(tmp_path, server):
    study = Study(tmp_path / "study")
    over_http(study, server.url)
    more = "  price: {input: 1, output: 2}\n  key_variable: NO_SUCH_KEY\n"
    study.edit("config/models.yaml", "retries: 1}\n", f"retries: 1}}\n{more}")
    (study.folder / ".snakemake").mkdir()
    with (study.folder / ".snakemake" / "run.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # a run is at work
        plan = study.run("plan", "--config", "budget=50")
    assert numbers(plan, "served")[:2] == ["16", "0"]
    assert "budget: 50.00 USD, 0.00 spent" in plan and "it lasts" in plan
    assert 'not set: NO_SUCH_KEY (key of model "served")' in plan
    assert "run_rollouts: 4 jobs: not there yet (4)" in plan
    assert server.requests == []
    assert not (study.folder / "data" / "ledger").exists()
    assert not list((study.folder / "data").rglob("*.parquet"))

    study.run(NO_SUCH_KEY="secret")
    paid = len(server.requests)
    plan = study.run("plan")
    assert numbers(plan, "served") == ["16", "16", "0"] and "No job would run." in plan

    shards = sorted((study.folder / "data/collaboration/rollouts").rglob("*.parquet"))
    shards[0].unlink()
    study.edit("config/study.yaml", "rollouts: 4", "rollouts: 8")
    plan = study.run("plan")
    assert numbers(plan, "served")[:2] == ["32", "16"]
    assert "run_rollouts: 5 jobs: not there yet (5)" in plan and " recorded" in plan
    assert "generate_instances: 2 jobs" in plan
    study.configure(models=["served"], grader=None, max_exchanges=3)
    plan = study.run("plan")
    assert "parameters changed [max_exchanges]" in plan
    assert len(server.requests) == paid
