"""A prediction that is made after the chains were first run cannot pass for one that was there before."""

import json
import threading

from aiohttp import web

from scripts.handoff.freezing import first_prediction
from scripts.handoff.ledger_schemas import COMPARISON
from scripts.handoff.schemas import STEPS
from scripts.handoff.simulated import keep_ledger
from scripts.lib.manifest import hash_file
from scripts.lib.tables import read_rows
from tests.handoff.experiment import NOTHING, Experiment
from tests.lib.agents.fake_endpoint import FakeEndpoint, completion

JOB = {
    "model": "a/b",
    "identity": {"model": "x"},
    "seed": 0,
    "depth": 12,
    "note": 100,
    "reach": 10,
    "memo": 0,
}
SMALL = {
    "tasks": 2,
    "depths": [6, 12],
    "cuts": [4, 8],
    "chunks": [4, 6],
    "chunk": 4,
    "notes": [100],
    "note": 100,
}


def test_the_first_prediction_of_a_setup_stays(tmp_path):
    def first(chunk=4, prediction="later", **changes):
        return first_prediction(tmp_path, "task", chunk, JOB | changes, prediction)

    assert first(prediction="one") == "one" and first() == "one"
    assert first(chunk=5, prediction="two") == "two" and first(seed=1, prediction="three") == "three"
    assert first(first=50, last=99) == "one"  # another batch of the same chains
    assert first(model="c", prediction="four") == "four"
    assert not [path for path in tmp_path.rglob("*") if path.name.endswith(".tmp")]


def test_of_many_at_once_one_is_the_first(tmp_path):
    found = []
    threads = [
        threading.Thread(target=lambda n=n: found.append(first_prediction(tmp_path, "task", 4, JOB, str(n))))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and len(set(found)) == 1


class KeeperEndpoint(FakeEndpoint):
    """A ledger keeper behind HTTP, whose replies are recorded as a model's are."""

    async def _answer(self, request):
        body = await request.json()
        self.bodies.append(body)
        usage = {"prompt_tokens": 40 * len(body["messages"]), "completion_tokens": 9}
        return web.json_response(completion(keep_ledger(NOTHING, body["messages"]), usage=usage))


def test_chains_under_a_later_prediction_pay_nothing_and_are_called_so(tmp_path):
    with KeeperEndpoint().in_thread() as endpoint:
        done = Experiment(tmp_path, url=endpoint.url, **SMALL).run_all()
        first, asked = hash_file(done.prediction)[1], len(endpoint.bodies)
        chains = read_rows(done.steps("chains"), STEPS)
        singles, handoffs = (len(read_rows(done.steps(part), STEPS)) for part in ("trajectories", "handoffs"))
        assert asked == singles + handoffs + len(chains)  # no reply of what the prediction is made from
        assert all(row["frozen"] for row in done.rows("comparison", COMPARISON))
        found = json.loads(done.prediction.read_text(encoding="utf-8"))
        found["predicted"][0]["predicted"] -= 0.01
        done.prediction.write_text(json.dumps(found), encoding="utf-8")
        done.run_chains()
        assert len(endpoint.bodies) == asked
    assert {row["prediction"] for row in read_rows(done.steps("chains"), STEPS)} == {first}
    assert not any(row["frozen"] for row in done.rows("comparison", COMPARISON))
