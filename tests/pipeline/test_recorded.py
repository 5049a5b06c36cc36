"""The recorded run of a real model replays through every stage, without a server."""

import json

import pyarrow.parquet as pq
import pytest
import yaml

from scripts.collaboration.schemas import ROLLOUTS
from tests.pipeline.study import ROOT, Study

pytestmark = pytest.mark.xdist_group("recorded")  # one replay serves all tests here
RECORDED = ROOT / "tests" / "recorded"
CONFIG = "tests/recorded/config.yaml"
ORDER = [("task", "ascending"), ("index", "ascending")]


@pytest.fixture(scope="module")
def replayed(tmp_path_factory) -> Study:
    study = Study(tmp_path_factory.mktemp("recorded") / "study")
    study.run("--cores", "2", config=CONFIG)
    return study


def test_the_transcripts_come_back_from_the_ledger(replayed):
    kept = {str(p.relative_to(RECORDED)): p for p in (RECORDED / "rollouts").rglob("*.parquet")}
    made = replayed.folder / "data/recorded/collaboration"
    assert len(kept) == 9
    for name, path in kept.items():
        then, now = (pq.ParquetFile(file).read().sort_by(ORDER) for file in (path, made / name))
        assert then.schema == ROLLOUTS
        assert then.equals(now), name


def test_every_reply_is_in_the_ledger_with_its_model(replayed):
    lines = [
        json.loads(line)
        for path in (RECORDED / "ledger").rglob("*.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    keys = {line["key"] for line in lines}
    used = {
        message["key"] for row in replayed.rows("rollouts", "data/recorded") for message in row["messages"]
    }
    assert used - {None, ""} <= keys
    served = yaml.safe_load((RECORDED / "models.yaml").read_text(encoding="utf-8"))
    (model,) = served.values()
    assert {line["sent"]["model"] for line in lines} == {model["served_name"]}


def test_the_report_says_what_it_is(replayed):
    page = (replayed.folder / "reports/recorded/collaboration/report.html").read_text(encoding="utf-8")
    assert "qwen2.5-coder-1.5b-instruct" in page
    assert "(simulated)" not in page
    rows = [row for row in replayed.rows("statistics", "data/recorded") if row.get("scope") == "all"]
    assert rows and all(row["simulated"] is False for row in rows)
    (tax,) = [row for row in rows if "alignment" in row]
    assert (tax["solo_full"] < 0.55) == tax["dagger"]


def test_a_missing_reply_is_named_and_no_call_is_made(replayed, tmp_path):
    study = replayed.copy(tmp_path / "study")
    shard = (
        "data/recorded/collaboration/rollouts/baseline/qwen2.5-coder-1.5b-instruct/collab/spatial/000.parquet"
    )
    for path in (study.folder / "tests/recorded/ledger").rglob("*.jsonl"):
        path.unlink()
    (study.folder / shard).unlink()
    output = study.run(shard, fails=True, config=CONFIG)
    assert "replay_only is set" in output and "Traceback" not in output
