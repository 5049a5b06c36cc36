"""Calls of one model: answered once, recorded, replayed."""

import asyncio
from pathlib import Path

import pytest

from scripts.lib.agents import endpoint as endpoint_module
from scripts.lib.agents.account import Account
from scripts.lib.agents.caller import Caller, Calls, Session
from scripts.lib.agents.calls import CallFailed, RunStopped
from scripts.lib.agents.models import Model
from scripts.lib.progress import Meter
from tests.lib.agents.fake_endpoint import MESSAGES, FakeEndpoint, completion, error
from tests.lib.agents.simulated.game import MODELS

USAGE = {"prompt_tokens": 1_000_000, "completion_tokens": 500_000}
SHOUT = [{"role": "user", "content": "HELLO"}]


def model(url, **settings):
    return Model(
        base_url=url, limits={"retries": 0, "jobs": 1, "in_flight": settings.pop("in_flight", 4)}, **settings
    )


def a_session(folder, meter, replay_only=False, state=None):
    return Session(Calls(Path("models.yaml"), (folder,), replay_only), meter, Account(state))


def session(fake, folder, use, **settings):
    """Whatever ``use`` does with a caller (and its meter) of the fake endpoint."""

    async def run():
        async with fake.serve():
            meter = Meter(1)
            url = settings.pop("url", None) or fake.url
            shared = a_session(folder, meter, settings.pop("replay_only", False), settings.pop("state", None))
            caller = Caller("model", model(url, **settings), shared)
            try:
                return await use(caller), meter, url
            finally:
                await caller.close()

    return asyncio.run(run())


def once(caller):
    return caller.call("maze", MESSAGES)


def test_a_second_caller_replays_without_a_request(tmp_path):
    price = {"input": 1.0, "output": 2.0}
    first = FakeEndpoint(completion("one", usage=USAGE), completion("two"))
    reply, meter, url = session(first, tmp_path, once, price=price)
    assert (reply.text, meter.calls, meter.replayed, meter.tokens) == ("one", 1, 0, 1_500_000)
    assert meter.cost == 2.0 and meter.cost_known
    again = FakeEndpoint(completion("never"))
    replayed, meter, _ = session(again, tmp_path, once, url=url, price=price)
    assert replayed == reply and reply.key
    assert (again.bodies, meter.calls, meter.replayed, meter.cost) == ([], 0, 1, 0.0)


def test_another_question_replicate_or_parameter_is_asked(tmp_path):
    fake = FakeEndpoint(*(completion(str(number)) for number in range(9)))

    async def ask(caller):
        replies = [
            await caller.call("maze", MESSAGES),
            await caller.call("maze", SHOUT),
            await caller.call("maze", MESSAGES, replicate=1),
            await caller.call("maze", MESSAGES),
        ]
        return [reply.text for reply in replies]

    said, _, url = session(fake, tmp_path, ask)
    assert said == ["0", "1", "2", "0"]
    other = FakeEndpoint(completion("warm"))

    async def fresh(caller):  # same URL in the key, but the server that listens now is another one
        caller.endpoint.url = f"{other.url}/chat/completions"
        return (await caller.call("maze", MESSAGES)).text

    assert session(other, tmp_path, fresh, url=url, parameters={"temperature": 1.0})[0] == "warm"
    assert session(other, tmp_path, fresh, url=url)[0] == "0"
    assert len(other.bodies) == 1


def test_a_reply_is_on_disk_before_it_is_used(tmp_path):
    async def look(caller):
        await caller.call("maze", MESSAGES)
        return [path.read_text() for path in Path(tmp_path).rglob("*.jsonl")]

    (text,), _, _ = session(FakeEndpoint(completion("paid for")), tmp_path, look)
    assert "paid for" in text


def test_replay_only_makes_no_call(tmp_path):
    fake = FakeEndpoint()
    with pytest.raises(RunStopped, match=r'no reply of model "model" .*task maze') as stop:
        session(fake, tmp_path, once, replay_only=True)
    assert str(tmp_path) in str(stop.value)
    assert fake.bodies == []
    _, _, url = session(fake, tmp_path, once)
    assert session(fake, tmp_path, once, url=url, replay_only=True)[0].text == "hi"
    assert len(fake.bodies) == 1


def test_a_failure_is_not_replayed(tmp_path, monkeypatch):
    monkeypatch.setattr(endpoint_module, "backoff", lambda *_: 0.0)
    fake = FakeEndpoint(lambda: error(500), completion("works again"))

    async def twice(caller):
        with pytest.raises(CallFailed):
            await once(caller)
        return await once(caller)

    assert session(fake, tmp_path, twice)[0].text == "works again"
    assert len(fake.bodies) == 2


@pytest.mark.parametrize("in_flight", [1, 3])
def test_no_more_calls_are_in_flight_than_allowed(tmp_path, in_flight):
    fake = FakeEndpoint(delay=0.02)

    async def many(caller):
        chats = [[{"role": "user", "content": str(number)}] for number in range(9)]
        return await asyncio.gather(*(caller.call("maze", chat) for chat in chats))

    session(fake, tmp_path, many, in_flight=in_flight)
    assert (len(fake.bodies), fake.most_at_once) == (9, in_flight)


def test_cost_without_price_or_count_is_unknown(tmp_path):
    price = {"input": 1.0, "output": 2.0}
    assert not session(FakeEndpoint(), tmp_path / "a", once, price=price)[1].cost_known
    assert not session(FakeEndpoint(completion(usage=USAGE)), tmp_path / "b", once)[1].cost_known


def test_a_simulated_agent_needs_no_ledger(tmp_path):
    async def run():
        shared = a_session(tmp_path / "ledger", Meter(1), replay_only=True)
        caller = Caller("simulated-perfect", MODELS["simulated-perfect"], shared)
        reply = await once(caller)
        await caller.close()
        return reply

    assert "no problem here that I know" in asyncio.run(run()).text
    assert list(tmp_path.iterdir()) == []
