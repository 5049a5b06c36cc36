"""The plan counts the calls that a run makes."""

from scripts.handoff.plan_handoff import ask_ledgers, ask_pilot, plan_handoff
from scripts.handoff.schemas import STEPS
from scripts.handoff.settings import Ledger
from scripts.lib.tables import read_rows
from tests.handoff.experiment import NOTHING, Experiment

SMALL = {"tasks": 3, "depths": [6, 13], "cuts": [4, 8], "chunks": [4, 5], "chunk": 4, "notes": [100, 300]}


def test_a_pilot_asks_each_problem_at_each_load_and_measures_its_tokens():
    asked = ask_pilot({"problems": 5, "calls": 2, "loads": [0, 1000, 2000]})
    assert len(asked) == 5 * 2 * 3 + 2
    assert sum(prompt == 2000 for prompt, _ in asked) == 10


def test_it_plans_as_many_calls_as_a_run_makes_and_about_their_tokens(tmp_path):
    done = Experiment(tmp_path, NOTHING, **SMALL).run_all()
    steps = [
        row for part in ("trajectories", "handoffs", "chains") for row in read_rows(done.steps(part), STEPS)
    ]
    asked = ask_ledgers(Ledger(**SMALL).model_dump(), seed=1)
    assert len(asked) == len(steps)
    assert (
        0.8 < sum(prompt for prompt, _ in asked) / sum(row["load"] for row in steps) < 1.8
    )  # notes to the brim


def test_it_prints_a_line_a_part_and_model(tmp_path, capsys):
    (tmp_path / "models.yaml").write_text(
        "real: {base_url: 'http://127.0.0.1:9/v1', price: {input: 1, output: 2}}\n"
        "played: {base_url: 'simulated:', planted: {base: 0, slope: 0, knee: 0}}\n"
    )
    calls = {"models_file": str(tmp_path / "models.yaml"), "ledger": [str(tmp_path)], "replay_only": False}
    job = {"seed": 0, "pilot": {"problems": 500, "calls": 2, "loads": [1000, 2000, 3000]}, "ledger": None}
    plan_handoff(calls, job | {"pilot_models": ["real", "played"], "models": []})
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in lines[3:]] == [
        ["pilot", "real", "3,002"],
        ["pilot", "played", "3,002"],
    ]
    assert lines[3].split()[-1] == "6.72" and lines[4].split()[-1] == "simulated"
    plan_handoff(calls, {"seed": 0, "pilot": None, "ledger": None, "pilot_models": [], "models": []})
    assert capsys.readouterr().out == ""
