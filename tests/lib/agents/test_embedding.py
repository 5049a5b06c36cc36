"""Vectors from an embeddings endpoint: recorded, paid for and repeated like any reply."""

import pytest

from scripts.lib.agents import endpoint as endpoint_module
from scripts.lib.agents.calls import CallFailed
from scripts.lib.agents.embedding import read_embedding, read_vector, text_to_embed
from scripts.lib.agents.models import Model
from scripts.lib.agents.replies import BadBody
from tests.lib.agents.fake_endpoint import FakeEndpoint, completion, embedding
from tests.lib.agents.test_caller import session

TEXT = "Nobody asked."


def embed(caller):
    return caller.call("maze", text_to_embed(TEXT))


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    monkeypatch.setattr(endpoint_module, "backoff", lambda *_: 0.0)


def test_a_text_goes_out_as_input_and_its_vector_is_recorded_and_paid_once(tmp_path):
    first = FakeEndpoint(embedding(0.1, -2.0, tokens=1_000_000))
    settings = {"embeds": True, "price": {"input": 0.5}, "parameters": {"dimensions": 2}}
    reply, meter, url = session(first, tmp_path, embed, **settings)
    assert first.bodies == [{"model": "model", "dimensions": 2, "input": TEXT}]
    assert read_vector(reply) == pytest.approx([0.1, -2.0]) and (meter.calls, meter.cost) == (1, 0.5)
    again = FakeEndpoint(embedding(9.0))
    replayed, meter, _ = session(again, tmp_path, embed, url=url, **settings)
    assert replayed == reply and not again.bodies and meter.replayed == 1


def test_a_vector_survives_the_ledger_in_single_precision(tmp_path):
    numbers = (1 / 3, 1e-30, -123456.789)
    reply, _, _ = session(FakeEndpoint(embedding(*numbers)), tmp_path, embed, embeds=True)
    assert read_vector(reply) == pytest.approx(numbers, rel=1e-7)


def test_a_reply_without_a_vector_fails_the_call_and_is_not_recorded(tmp_path):
    async def fails(caller):
        with pytest.raises(CallFailed, match="no embedding in the reply"):
            await embed(caller)

    session(FakeEndpoint(completion("no vector")), tmp_path, fails, embeds=True)
    fake = FakeEndpoint(embedding(1.0, 2.0))
    reply, meter, _ = session(fake, tmp_path, embed, embeds=True, url=fake.url)
    assert read_vector(reply) == [1.0, 2.0] and meter.calls == 1


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"data": []},
        {"data": [{"embedding": []}]},
        {"data": [{"embedding": [0, 0]}]},
        {"data": [{"embedding": [1, float("nan")]}]},
        {"data": [{"embedding": [1e300]}]},
        {"data": [{"embedding": "AAAAAA=="}]},
        {"data": [{"embedding": [1, None]}]},
        {"error": {"message": "no"}},
    ],
)
def test_bodies_without_a_usable_vector(data):
    with pytest.raises(BadBody):
        read_embedding(data)


def test_unknown_counts_are_unknown():
    reply = read_embedding({"data": [{"embedding": [1, 2]}]})
    assert (reply.prompt_tokens, reply.completion_tokens) == (None, None)
    assert read_embedding(embedding(1.0)).completion_tokens == 0


def test_an_embedding_model_is_another_model_and_never_a_simulated_one():
    plain, embeds = (Model(base_url="http://x/v1", embeds=flag).identity("m") for flag in (False, True))
    assert plain != embeds and "embeds" not in plain
    with pytest.raises(ValueError, match="needs an endpoint"):
        Model.model_validate({"base_url": "simulated:", "embeds": True, "profile": PROFILE})


PROFILE = {
    "skill": {"spatial": 1.0, "relational": 1.0, "csp": 1.0},
    **dict.fromkeys(("attribute", "ask", "integrate", "verify", "frame", "critic"), 1.0),
}
