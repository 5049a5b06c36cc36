"""The grader's calls through a Batch API: asked once, paid once, at the price of a batch."""

import pytest

from scripts.collaboration.extract_answers import extract_answers
from scripts.collaboration.schemas import ANSWERS
from scripts.lib.agents import batch, endpoint
from scripts.lib.agents.account import open_run
from scripts.lib.agents.calls import BudgetSpent, RunStopped
from scripts.lib.agents.ledger import read_entries
from scripts.lib.tables import read_rows
from tests.hostile.record import repeated_after_delivery
from tests.hostile.runs import Runs, make_views, options
from tests.hostile.server import HostileServer

GRADER = "simulated-grader"


@pytest.fixture(scope="module")
def talked(tmp_path_factory):
    """Forty finished rollouts."""
    folder = tmp_path_factory.mktemp("talked")
    views = [make_views(folder, "maze", 40)]
    with HostileServer(options()).in_thread() as server:
        Runs(folder, views, server.url).rows("ledger", "collab")
    return folder / "ledger" / "collab.parquet"


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(batch, "POLL", 0.05)
    monkeypatch.setattr(batch, "backoff", lambda attempt, wait: 0.05)
    monkeypatch.setattr(endpoint, "backoff", lambda attempt, wait: 0.05)


class Grading:
    """The grader behind a hostile server."""

    def __init__(self, talked, folder, server, **settings):
        runs = Runs(folder, [], server.url, batch=True, price={"input": 1, "output": 1}, **settings)
        text = runs.models.read_text(encoding="utf-8").replace("simulated-middle", GRADER)
        runs.models.write_text(text, encoding="utf-8")
        self.talked, self.folder, self.calls, self.server = talked, folder, runs.calls("ledger"), server

    def answers(self):
        extract_answers(self.talked, self.folder / "answers.parquet", self.calls, {"grader": GRADER})
        return read_rows(self.folder / "answers.parquet", ANSWERS)

    def asked(self, where):
        return sum(one.where == where for one in self.server.log)


def test_a_batch_answers_all_and_is_not_sent_again(talked, tmp_path):
    with HostileServer(options()).in_thread() as server:
        grading = Grading(talked, tmp_path, server)
        rows = grading.answers()
        assert (grading.asked("batch"), grading.asked("chat")) == (40, 0)
        assert grading.answers() == rows
        assert (grading.asked("batch"), grading.asked("chat")) == (40, 0)
        single = Grading(talked, tmp_path / "single", server)
        single.calls["models_file"] = str(tmp_path / "single.yaml")
        text = (tmp_path / "models.yaml").read_text().replace('"batch": true', '"batch": false')
        (tmp_path / "single.yaml").write_text(text)
        assert single.answers() == rows
    assert sum(row["grader_answer"] is not None for row in rows) > 20
    entries = [line for _, _, line in read_entries(tmp_path / "ledger")]
    assert len(entries) == 40 and all(reply.batch for _, reply in entries)


@pytest.mark.parametrize("seed", range(3))
def test_faults_on_the_way_cost_nothing_twice(talked, tmp_path, seed):
    with HostileServer(options(seed=seed, api_faults=0.8, faults=0.3)).in_thread() as server:
        calm = Grading(talked, tmp_path, server, limits={"timeout": 1, "retries": 6})
        rows = calm.answers()
        assert len(rows) == 40 and all(row["grader_error"] is None for row in rows)
        assert repeated_after_delivery(server.log) == {}


def test_a_run_that_was_stopped_finds_its_batch_again(talked, tmp_path, monkeypatch):
    with HostileServer(options(batch_seconds=0.5)).in_thread() as server:
        grading = Grading(talked, tmp_path, server)

        async def stopped(self, name):
            raise RunStopped("stopped while it waited")

        with monkeypatch.context() as patch:
            patch.setattr(batch.BatchApi, "look", stopped)
            with pytest.raises(RunStopped, match="while it waited"):
                grading.answers()
        assert len(grading.answers()) == 40
        assert (grading.asked("batch"), grading.asked("chat")) == (40, 0)


def test_what_a_batch_leaves_out_is_asked_singly(talked, tmp_path):
    with HostileServer(options(batch_faults=1.0)).in_thread() as server:
        grading = Grading(talked, tmp_path, server)
        rows = grading.answers()
        assert len(rows) == 40 and all(row["grader_error"] is None for row in rows)
        assert grading.asked("chat") > 0
        assert repeated_after_delivery(server.log) == {}


def test_a_batch_beyond_the_budget_is_not_sent(talked, tmp_path):
    with HostileServer(options()).in_thread() as server:
        grading = Grading(talked, tmp_path, server)
        open_run(tmp_path / "ledger" / "run.json", 0.01, 0.0)
        with pytest.raises(BudgetSpent):
            grading.answers()
        assert (grading.asked("files"), grading.asked("batch")) == (0, 0)
