"""The second study through Snakemake: what it makes, what a change reruns, and that it travels."""

import subprocess
import sys

import pytest
import yaml

from tests.pipeline.study import SMALL, Study

LEDGER = {
    "tasks": 4,
    "batch_size": 2,
    "depths": [6, 12],
    "chunks": [3],
    "chunk": 3,
    "cuts": [4, 8],
    "notes": [300],
    "note": 300,
    "bins": 4,
}
PILOT = {"models": ["simulated-padded-solver"], "problems": 6, "loads": [0, 300, 600], "batch_size": 6}
SHOWN = {"write_handoff_report": 1, "write_handoff_manifest": 1}
OF_LEDGER = {"compare_prediction": 1, "draw_ledger": 1, "tabulate_ledger": 1} | SHOWN
ESTIMATED = {"estimate_handoffs": 1, "predict_success": 1} | OF_LEDGER
OF_PILOT = {"fit_pilot": 1, "draw_pilot": 1, "tabulate_pilot": 1} | SHOWN


def plan(study: Study, **changes) -> None:
    """Configure the study of this page, with changes of its block."""
    block = {"ledger": LEDGER, "pilot": PILOT, "statistics": {"resamples": 200}} | changes
    study.top = {"collaboration": SMALL, "handoff": block}
    study.write("config/study.yaml", yaml.safe_dump(study.top))


@pytest.fixture(scope="module")
def ended(tmp_path_factory) -> Study:
    def make(study: Study) -> None:
        plan(study)
        study.run("handoff", "--cores", "2")

    return Study.shared(tmp_path_factory, "handoff", make)


@pytest.fixture
def mine(ended, tmp_path) -> Study:
    return ended.copy(tmp_path / "study")


def test_it_makes_all_it_promises_and_no_other_study(ended):
    reports, data = ended.folder / "reports/handoff", ended.folder / "data/handoff"
    page = (reports / "report.html").read_text(encoding="utf-8")
    assert page.count("Simulated:") == 2 and "The ledger experiment" in page
    for stem in ("ledger", "pilot", "regimes", "single_against_chunks", "voting"):
        for form in ("pdf", "svg", "png"):
            assert (reports / "figures" / f"{stem}.{form}").stat().st_size > 1000
    tables = {path.stem for path in (reports / "tables").glob("*.tex")}
    assert tables == {"pilot", "pilot_hinges", "curve", "hinges", "handoffs", "comparison", "independence"}
    manifest = (data / "manifest.csv").read_text(encoding="utf-8")
    assert "predictions/simulated-ledger-keeper.json" in manifest and "reports/tables/curve.csv" in manifest
    assert not (ended.folder / "data/collaboration/rollouts").exists()
    assert ended.jobs("handoff") == {}, "nothing to do"


@pytest.mark.parametrize(
    ("changes", "jobs"),
    [
        (
            {"stylised": {"handoff": 0.03}},
            {"draw_single_against_chunks": 1, "draw_regimes": 1, "write_handoff_report": 1},
        ),
        ({"pilot": PILOT | {"problems": 12}}, {"run_pilot": 1, **OF_PILOT}),
        (
            {"ledger": LEDGER | {"tasks": 6}},
            {"run_trajectories": 1, "run_handoffs": 1, "run_chains": 3, **ESTIMATED},
        ),
        ({"ledger": LEDGER | {"notes": [100, 300]}}, {"run_handoffs": 2, "run_chains": 2, **ESTIMATED}),
        ({"ledger": LEDGER | {"chunks": [3, 4]}}, {"run_chains": 2, **ESTIMATED}),
        # Chains say which prediction was there first; their replies are not asked for again.
        ({"statistics": {"resamples": 300}}, {"run_chains": 2, **ESTIMATED, **OF_PILOT}),
        ({"ledger": None}, SHOWN),
    ],
)
def test_a_change_reruns(mine, changes, jobs):
    plan(mine, **changes)
    assert mine.jobs("handoff") == jobs | {"handoff": 1}


def test_verify_looks_at_it(mine):
    (mine.folder / "data/handoff/statistics/curve.parquet").unlink()
    (mine.folder / "data/collaboration").mkdir(parents=True, exist_ok=True)
    (mine.folder / "data/collaboration/manifest.csv").write_text("table,rows,sha256\n", encoding="utf-8")
    found = subprocess.run(
        [sys.executable, "-m", "scripts.archive", "verify", "--configfile", "config/study.yaml"],
        cwd=mine.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 1 and "missing: statistics/curve.parquet" in found.stdout
