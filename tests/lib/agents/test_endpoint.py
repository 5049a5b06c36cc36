"""A real client against a real (small) server: what goes out, what comes back, what is tried again."""

import asyncio
import logging
import socket
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from aiohttp import web

from scripts.lib.agents import endpoint as endpoint_module
from scripts.lib.agents.calls import CallFailed, Reply, RunStopped
from scripts.lib.agents.endpoint import LONGEST_WAIT, OpenAIEndpoint, backoff
from scripts.lib.agents.models import Model
from scripts.lib.outcomes import Outcome
from tests.lib.agents.fake_endpoint import MESSAGES, FakeEndpoint, completion, error

KEY = "sk-very-secret-123456"


@pytest.fixture
def waits(monkeypatch):
    """The Retry-After headers that the client was to honour, one a retry; nothing is waited."""
    asked = []
    monkeypatch.setattr(endpoint_module, "backoff", lambda attempt, wait: asked.append(wait) or 0.0)
    return asked


def talk(fake, name="model", limits=None, **settings):
    """One call through the fake endpoint."""

    async def call():
        async with fake.serve():
            model = Model(base_url=fake.url, limits={"retries": 3, **(limits or {})}, **settings)
            client = OpenAIEndpoint(name, model)
            try:
                return replace(await client.complete(MESSAGES), sent=None)
            finally:
                await client.close()

    return asyncio.run(call())


def refused(fake, kind=CallFailed, **settings):
    with pytest.raises(kind) as failure:
        talk(fake, **settings)
    return failure.value


# -- what goes out -----------------------------------------------------------------------------


def test_what_is_not_set_is_not_sent():
    fake = FakeEndpoint()
    assert talk(fake) == Reply("hi")
    assert fake.bodies == [{"model": "model", "messages": MESSAGES}]


def test_what_is_set_is_sent_as_it_is():
    fake = FakeEndpoint()
    talk(
        fake,
        served_name="org/model@1",
        parameters={"temperature": 0, "max_completion_tokens": 5, "x": [None]},
    )
    assert fake.bodies == [
        {
            "model": "org/model@1",
            "temperature": 0,
            "max_completion_tokens": 5,
            "x": [None],
            "messages": MESSAGES,
        }
    ]


def test_the_key_comes_from_the_environment(monkeypatch):
    monkeypatch.setenv("SOME_KEY", KEY)
    fake = FakeEndpoint()
    talk(fake, key_variable="SOME_KEY")
    assert fake.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_another_models_key_is_not_sent(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    fake = FakeEndpoint()
    talk(fake)
    assert KEY not in str(fake.headers)


# -- what comes back ---------------------------------------------------------------------------


def test_a_whole_reply():
    usage = {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}
    fake = FakeEndpoint(completion("hi", "length", usage=usage, system_fingerprint="fp"))
    assert talk(fake) == Reply("hi", "length", None, 7, 2, "fp")


@pytest.mark.parametrize(
    ("body", "reply"),
    [
        (completion(None, "length"), Reply("", "length")),
        (completion(None, message={"reasoning_content": "hm"}), Reply("", reasoning="hm")),
        (completion("", message={"reasoning": "hm"}), Reply("", reasoning="hm")),
        (completion("3", message={"reasoning_content": "hm"}), Reply("3", reasoning="hm")),
        (completion("<think>hm</think>\n\n3"), Reply("3", reasoning="hm")),
        (completion("\n<think>\nhm\n</think>3"), Reply("3", reasoning="\nhm\n")),
        (completion("<think>hm\nACTI! 3", "length"), Reply("", "length", reasoning="hm\nACTI! 3")),
        (
            completion("I write <think>hm</think> when I think"),
            Reply("I write <think>hm</think> when I think"),
        ),
        (completion("", "content_filter"), Reply("", "content_filter")),
        (completion("hi", None), Reply("hi", "unknown")),
        (completion(usage=None), Reply("hi")),
        (completion(usage={"prompt_tokens": 7}), Reply("hi", prompt_tokens=7)),
        (completion([{"type": "text", "text": "h"}, {"type": "text", "text": "i"}]), Reply("hi")),
        (completion("half a pair: \ud800"), Reply("half a pair: ?")),
    ],
)
def test_replies_of_every_kind(body, reply):
    fake = FakeEndpoint(body)
    assert talk(fake) == reply
    assert len(fake.bodies) == 1


# -- what is tried again -----------------------------------------------------------------------


def test_after_a_rate_limit_the_server_says_how_long(waits):
    fake = FakeEndpoint(lambda: error(429, headers={"Retry-After": "7"}), completion("at last"))
    assert talk(fake).text == "at last"
    assert waits == ["7"]
    assert fake.bodies[0] == fake.bodies[1]


@pytest.mark.parametrize("status", [408, 500, 502, 503, 504, 529])
def test_a_passing_failure_is_tried_again(waits, status):
    fake = FakeEndpoint(lambda: error(status), completion("at last"))
    assert talk(fake).text == "at last"
    assert (len(fake.bodies), waits) == (2, [None])


@pytest.mark.parametrize(
    "body",
    [
        {"choices": []},
        {"error": {"message": "no words"}},
        {},
        {"choices": [None]},
        {"choices": ["hi"]},
        {"choices": [{"message": {"content": 3}}]},
        {"choices": {"0": "hi"}},
    ],
)
def test_a_body_that_is_no_completion_is_tried_again(waits, body):
    fake = FakeEndpoint(body, completion("at last"))
    assert talk(fake).text == "at last"
    failure = refused(FakeEndpoint(body))
    assert failure.outcome == Outcome.FAILED and "unusable reply" in str(failure)


def test_a_page_that_is_no_json_is_tried_again(waits):
    fake = FakeEndpoint(lambda: web.Response(text="<html>", content_type="text/html"), completion("at last"))
    assert talk(fake).text == "at last"
    broken = FakeEndpoint(
        lambda: web.Response(body=b'{"choices', content_type="application/json"), completion("at last")
    )
    assert talk(broken).text == "at last"


def test_attempts_come_to_an_end(waits):
    fake = FakeEndpoint(lambda: error(500, "broken inside"))
    failure = refused(fake, limits={"retries": 2})
    assert failure.outcome == Outcome.FAILED
    assert "500" in str(failure) and "broken inside" in str(failure)
    assert (len(fake.bodies), len(waits)) == (3, 2)
    alone = FakeEndpoint(lambda: error(503))
    assert refused(alone, limits={"retries": 0}).outcome == Outcome.FAILED
    assert len(alone.bodies) == 1


def test_a_call_that_takes_too_long_fails_alone(waits):
    """It would take too long each time the run is started again, and so never let it end."""
    fake = FakeEndpoint(delay=5)
    failure = refused(fake, limits={"retries": 1, "timeout": 0.1})
    assert failure.outcome == Outcome.FAILED and "no reply within 0.1 s" in str(failure)
    assert len(fake.bodies) == 2


# -- what is not -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 4096 tokens, however you requested 5000",
        "the request exceeds the available context size, try increasing it",
        "input is too long: too many tokens",
    ],
)
def test_a_conversation_that_no_longer_fits(waits, message):
    fake = FakeEndpoint(lambda: error(400, message))
    assert refused(fake).outcome == Outcome.CONTEXT_OVERFLOW
    assert (len(fake.bodies), waits) == (1, [])


def test_an_overflow_may_stand_in_the_errors_code_alone(waits):
    fake = FakeEndpoint(lambda: error(400, "Bad request", code="context_length_exceeded"))
    assert refused(fake).outcome == Outcome.CONTEXT_OVERFLOW


def test_a_bad_request_fails_this_call_alone(waits):
    fake = FakeEndpoint(lambda: error(400, "temperature is not supported"))
    failure = refused(fake)
    assert failure.outcome == Outcome.FAILED and "temperature is not supported" in str(failure)
    assert len(fake.bodies) == 1


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_stops_the_run_and_is_never_shown(waits, status, monkeypatch, caplog):
    monkeypatch.setenv("SOME_KEY", KEY)
    fake = FakeEndpoint(lambda: error(status, f"Incorrect API key provided: {KEY}"))
    with caplog.at_level(logging.DEBUG, "scripts"):
        stop = refused(fake, RunStopped, key_variable="SOME_KEY")
    assert "SOME_KEY" in str(stop) and fake.url in str(stop)
    assert KEY not in f"{stop} {stop!r} {caplog.text}"
    assert len(fake.bodies) == 1


@pytest.mark.parametrize("before", [0, 264, 270, 277, 281])  # also where a long message is cut
@pytest.mark.parametrize("status", [400, 404, 500])
def test_a_key_in_an_error_is_never_shown(waits, before, status, monkeypatch, caplog):
    monkeypatch.setenv("SOME_KEY", KEY)
    fake = FakeEndpoint(lambda: error(status, "x" * before + KEY))
    with pytest.raises((CallFailed, RunStopped)) as failure:
        talk(fake, key_variable="SOME_KEY")
    assert "xxx" in str(failure.value) or not before
    assert "sk-" not in f"{failure.value} {caplog.text}"


def test_no_credit_stops_the_run(waits):
    fake = FakeEndpoint(lambda: error(429, "You exceeded your current quota", code="insufficient_quota"))
    assert fake.url in str(refused(fake, RunStopped))
    assert len(fake.bodies) == 1
    assert "no credit" in str(refused(FakeEndpoint(lambda: error(402)), RunStopped))


def test_an_unknown_model_stops_the_run(waits):
    stop = refused(FakeEndpoint(lambda: error(404, "no such model")), RunStopped, served_name="typo")
    assert 'does not know model "model"' in str(stop) and "no such model" in str(stop)


def test_an_endpoint_that_is_not_there_stops_the_run_and_is_named(waits):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{probe.getsockname()[1]}/v1"

    async def call():
        client = OpenAIEndpoint("model", Model(base_url=url, limits={"retries": 1}))
        try:
            await client.complete(MESSAGES)
        finally:
            await client.close()

    with pytest.raises(RunStopped, match=f'endpoint {url} of model "model" cannot be reached'):
        asyncio.run(call())
    assert waits == [None]


# -- how long is waited ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attempt", "retry_after", "seconds"),
    [
        (0, None, 1),
        (1, None, 2),
        (4, None, 16),
        (30, None, LONGEST_WAIT),
        (0, "7", 7),
        (0, "0.5", 0.5),
        (3, "0", 0),
        (0, "86400", LONGEST_WAIT),
        (2, "soon", 4),
        (2, "nan", 4),
        (2, "-3", 4),
        (2, "", 4),
        (0, "Wed, 21 Oct 2015 07:28:00 GMT", 0),
        (0, "Wed, 21 Oct 2099 07:28:00 GMT", LONGEST_WAIT),
    ],
)
def test_the_wait_is_what_the_server_asks_for_or_doubles(attempt, retry_after, seconds):
    for _ in range(20):
        assert seconds <= backoff(attempt, retry_after) <= 1.25 * seconds


def test_the_wait_may_be_a_date():
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=20), usegmt=True)
    assert 17 < backoff(0, date) < 25
