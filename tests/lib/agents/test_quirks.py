"""What real endpoints do that the interface does not say, and what comes of it."""

import asyncio
import json
import logging
import time
from collections import Counter

import pytest
from aiohttp import web

from scripts.lib.agents import endpoint as endpoint_module
from scripts.lib.agents.calls import CallFailed, NoCredit, RunStopped
from scripts.lib.agents.endpoint import MOST_FAILURES, OpenAIEndpoint, backoff
from scripts.lib.agents.models import Model
from scripts.lib.agents.pacing import Pause
from scripts.lib.outcomes import Outcome
from scripts.lib.progress import Meter
from tests.lib.agents.fake_endpoint import MESSAGES, FakeEndpoint, completion, error

SWAP = (
    "Unsupported parameter: 'max_tokens' is not supported with this model. "
    "Use 'max_completion_tokens' instead."
)
FIXED = (
    "Unsupported value: 'temperature' does not support 0.7 with this model. "
    "Only the default (1) value is supported."
)


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Without waits; only what a server asks for is honoured."""
    monkeypatch.setattr(endpoint_module, "backoff", lambda attempt, wait: backoff(0, wait) if wait else 0.0)


def talk(fake, chats=1, limits=None, key=None, **settings):
    """What comes of so many chats, one after the other, and the client that had them."""

    async def run():
        async with fake.serve():
            limits_ = {"retries": 2, "jobs": 1, **(limits or {})}
            client = OpenAIEndpoint("model", Model(base_url=fake.url, limits=limits_, **settings))
            ends = []
            try:
                for number in range(chats):
                    chat = [*MESSAGES[:-1], {"role": "user", "content": f"hello {number}"}]
                    ends.append(await client.complete(chat))
            except (CallFailed, RunStopped) as failure:
                ends.append(failure)
            finally:
                await client.close()
            return ends, client

    return asyncio.run(run())


def sent(fake):
    return [{name: value for name, value in body.items() if name != "messages"} for body in fake.bodies]


# -- parameters --------------------------------------------------------------------------------


def test_a_renamed_parameter_is_swapped_once_and_remembered(caplog):
    fake = FakeEndpoint(lambda: error(400, SWAP), completion("hi"))
    ends, _ = talk(fake, 3, parameters={"max_tokens": 9, "top_p": 0.5})
    assert [end.text for end in ends] == ["hi"] * 3
    old, new = {"max_tokens": 9, "top_p": 0.5}, {"top_p": 0.5, "max_completion_tokens": 9}
    assert sent(fake) == [{"model": "model", **parameters} for parameters in (old, new, new, new)]
    assert [end.sent["parameters"] for end in ends] == [new] * 3
    assert "takes max_completion_tokens instead of max_tokens" in caplog.text


@pytest.mark.parametrize(
    ("message", "name"),
    [
        (FIXED, "temperature"),
        ("Unrecognized request argument supplied: seed", "seed"),
        ("seed: Extra inputs are not permitted", "seed"),
        ("`temperature` is not supported for this model", "temperature"),
    ],
)
def test_a_refused_parameter_is_dropped_once_and_loudly(message, name, caplog):
    fake = FakeEndpoint(lambda: error(400, message), completion("hi"))
    ends, _ = talk(fake, 2, parameters={"temperature": 0.7, "seed": 3})
    left = {key: value for key, value in {"temperature": 0.7, "seed": 3}.items() if key != name}
    assert sent(fake)[1:] == [{"model": "model", **left}] * 2
    assert [end.sent["parameters"] for end in ends] == [left] * 2
    assert f"refuses {name}=" in caplog.text and "NOT sent" in caplog.text


def test_many_calls_at_once_adapt_together():
    async def run():
        fake = FakeEndpoint(*[lambda: error(400, SWAP)] * 5, completion("hi"), delay=0.02)
        async with fake.serve():
            client = OpenAIEndpoint("model", Model(base_url=fake.url, parameters={"max_tokens": 9}))
            replies = await asyncio.gather(*(client.complete(MESSAGES) for _ in range(5)))
            await client.close()
            return replies, fake

    replies, fake = asyncio.run(run())
    assert [reply.sent["parameters"] for reply in replies] == [{"max_completion_tokens": 9}] * 5
    assert len(fake.bodies) == 10


def test_a_bad_request_about_something_else_is_not_sent_again():
    fake = FakeEndpoint(lambda: error(400, "temperature is the theme of your text, which I dislike"))
    ends, _ = talk(fake, parameters={"temperature": 0.7})
    assert ends[0].outcome == Outcome.FAILED and len(fake.bodies) == 1


# -- the end of the money, the rate, the road ----------------------------------------------------


@pytest.mark.parametrize(
    ("status", "message", "code"),
    [
        (
            429,
            "You exceeded your current quota, please check your plan and billing details.",
            "insufficient_quota",
        ),
        (402, "Insufficient credits. Add more using your account page.", 402),
        (400, "Your credit balance is too low to access the API.", "invalid_request_error"),
        (403, "Payment Required", None),
        (200, "Insufficient credits", 402),
    ],
)
def test_no_credit_stops_the_run_however_it_is_said(status, message, code):
    fake = FakeEndpoint(lambda: error(status, message, code=code))
    ends, _ = talk(fake)
    assert isinstance(ends[0], NoCredit) and ends[0].code == 3
    assert "no credit left" in str(ends[0]) and message[:20] in str(ends[0])
    assert len(fake.bodies) == 1


def test_a_rate_limit_is_no_failure_however_often_it_comes():
    fake = FakeEndpoint(*[lambda: error(429, headers={"Retry-After": "0"})] * 30, completion("at last"))
    meter_ends, client = talk(fake, limits={"retries": 0})
    assert meter_ends[0].text == "at last"
    assert client.meter.retries == {"rate limit": 30}


def test_a_quota_that_only_names_the_rate_is_waited_for():
    message = "You exceeded your current quota. status: RESOURCE_EXHAUSTED, retryDelay: 1s"
    ends, _ = talk(FakeEndpoint(lambda: error(429, message), completion("at last")))
    assert ends[0].text == "at last"


def test_a_rate_limit_that_never_ends_stops_the_run(monkeypatch):
    monkeypatch.setattr(endpoint_module, "PATIENCE", 0.2)
    ends, _ = talk(FakeEndpoint(lambda: error(429, headers={"Retry-After": "0.05"})))
    assert isinstance(ends[0], RunStopped) and "let no call through" in str(ends[0])


def test_a_request_that_no_rate_allows_is_not_repeated():
    fake = FakeEndpoint(
        lambda: error(429, "Request too large for model on tokens per min (TPM): Limit 10, Requested 99")
    )
    ends, _ = talk(fake)
    assert ends[0].outcome == Outcome.CONTEXT_OVERFLOW and len(fake.bodies) == 1


def test_the_wait_that_one_call_is_told_holds_for_the_next():
    async def run():
        fake = FakeEndpoint(lambda: error(429, headers={"Retry-After": "0.3"}), completion("hi"))
        async with fake.serve():
            pause = Pause()
            first, second = (OpenAIEndpoint(name, Model(base_url=fake.url), pause) for name in "ab")
            waiting = asyncio.ensure_future(first.complete(MESSAGES))
            while not fake.bodies or not pause.left():
                await asyncio.sleep(0.01)
            began = time.monotonic()
            await second.complete(MESSAGES)
            took = time.monotonic() - began
            await waiting
            await first.close()
            await second.close()
            return took

    assert 0.2 < asyncio.run(run()) < 2


@pytest.mark.parametrize("status", [200, 400, 500])
def test_an_overload_is_known_by_its_words(status):
    fake = FakeEndpoint(lambda: error(status, "The engine is currently overloaded"), completion("at last"))
    ends, client = talk(fake)
    assert ends[0].text == "at last" and client.meter.retries == {"overload": 1}
    assert client.pacer.pushed_back_at > 0


def test_an_endpoint_at_which_everything_fails_stops_the_run():
    fake = FakeEndpoint(lambda: error(400, "no such thing"))

    async def run():
        async with fake.serve():
            client = OpenAIEndpoint("model", Model(base_url=fake.url))
            asked = (client.complete(MESSAGES) for _ in range(MOST_FAILURES + 5))
            ends = await asyncio.gather(*asked, return_exceptions=True)
            await client.close()
            return ends

    ends = asyncio.run(run())
    assert Counter(type(end) for end in ends) == {CallFailed: MOST_FAILURES - 1, RunStopped: 6}
    assert all("no such thing" in str(end) for end in ends)


# -- bodies --------------------------------------------------------------------------------------


def raw(body, content_type="application/json", **more):
    return lambda: web.Response(body=body, headers={"Content-Type": content_type}, **more)


WORDS = "Grüße, ça va?"


@pytest.mark.parametrize(
    ("charset", "encoding"),
    [("latin-1", "utf-8"), ("latin-1", "latin-1"), ("no-such", "utf-8"), ("utf-16", "utf-16")],
)
def test_the_charset_of_the_header_may_be_wrong(charset, encoding):
    body = json.dumps(completion(WORDS), ensure_ascii=False).encode(encoding)
    ends, _ = talk(FakeEndpoint(raw(body, f"application/json; charset={charset}")))
    assert ends[0].text == WORDS


def test_a_megabyte_of_text_is_a_reply():
    ends, _ = talk(FakeEndpoint(completion("word " * 200_000)))
    assert len(ends[0].text) == 1_000_000


def test_bytes_that_trickle_do_not_outlast_the_time_out():
    async def trickle(request):
        response = web.StreamResponse()
        await response.prepare(request)
        try:
            for _ in range(100):
                await response.write(b" ")
                await asyncio.sleep(0.05)
        except OSError:
            pass
        return response

    class Slow(FakeEndpoint):
        async def _answer(self, request):
            self.bodies.append(await request.json())
            return await trickle(request)

    fake = Slow()
    ends, client = talk(fake, limits={"timeout": 0.3, "retries": 1})
    assert ends[0].outcome == Outcome.FAILED and "no reply within 0.3 s" in str(ends[0])
    assert client.meter.retries == {"time-out": 1} and len(fake.bodies) == 2


def test_a_connection_cut_in_mid_body_is_tried_again_and_fails_alone():
    class Cutting(FakeEndpoint):
        async def _answer(self, request):
            self.bodies.append(await request.json())
            response = web.StreamResponse(headers={"Content-Length": "1000"})
            await response.prepare(request)
            await response.write(b'{"choices": [')
            request.transport.abort()
            return response

    fake = Cutting()
    ends, client = talk(fake, limits={"retries": 2})
    assert ends[0].outcome == Outcome.FAILED and "cut" in str(ends[0])
    assert client.meter.retries == {"cut connection": 2} and len(fake.bodies) == 3


@pytest.mark.parametrize(
    ("status", "more"),
    [
        (400, {"code": "content_filter"}),
        (
            400,
            {"message": "The response was filtered due to the prompt triggering content management policy"},
        ),
        (403, {"message": "Your input was flagged by moderation"}),
    ],
)
def test_a_refusal_by_the_provider_is_an_outcome(status, more):
    fake = FakeEndpoint(lambda: error(status, more.get("message", "no"), code=more.get("code")))
    ends, _ = talk(fake)
    assert ends[0].outcome == Outcome.REFUSED and len(fake.bodies) == 1


def test_a_refusal_in_its_own_field_is_kept_as_one():
    ends, _ = talk(FakeEndpoint(completion(None, message={"refusal": "I cannot help with that."})))
    assert (ends[0].text, ends[0].finish_reason) == ("I cannot help with that.", "refusal")


def test_reasoning_in_details_is_kept_apart():
    details = [{"type": "reasoning.summary", "summary": "hm"}, {"type": "reasoning.text", "text": "so"}]
    ends, _ = talk(FakeEndpoint(completion("", message={"reasoning_details": details})))
    assert (ends[0].text, ends[0].reasoning) == ("", "hm\nso")


@pytest.mark.parametrize(
    "usage", [None, {}, {"prompt_tokens": 0, "completion_tokens": 0}, {"prompt_tokens": None}]
)
def test_usage_that_is_missing_or_zero_is_unknown(usage):
    ends, _ = talk(FakeEndpoint(completion(usage=usage)))
    assert (ends[0].prompt_tokens, ends[0].completion_tokens) == (None, None)


# -- messages and keys ---------------------------------------------------------------------------


def test_the_system_prompt_is_folded_where_the_model_needs_it():
    chat = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hi"}]

    async def run():
        fake = FakeEndpoint()
        async with fake.serve():
            client = OpenAIEndpoint("model", Model(base_url=fake.url, fold_system=True))
            await client.complete(chat)
            await client.close()
        return fake.bodies[0]["messages"]

    assert asyncio.run(run()) == [{"role": "user", "content": "Be brief.\n\nhi"}]
    plain, folded = (Model(base_url="http://x/v1", fold_system=fold).identity("m") for fold in (False, True))
    assert plain != folded and "fold_system" not in plain


@pytest.mark.parametrize("form", ["{}", "Bearer {}", "%s"])
def test_a_key_that_a_reply_echoes_is_not_kept(form, monkeypatch, caplog):
    key = "sk-very/secret+123456"
    monkeypatch.setenv("SOME_KEY", key)
    fake = FakeEndpoint(
        completion(f"your key is {form.replace('%s', 'sk-very%2Fsecret%2B123456').format(key)}")
    )
    with caplog.at_level(logging.DEBUG):
        ends, _ = talk(fake, key_variable="SOME_KEY")
    assert "[key]" in ends[0].text
    assert "secret" not in ends[0].text + caplog.text


def test_the_slowest_calls_in_flight_are_shown(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("scripts.lib.progress.time.monotonic", lambda: clock[0])
    meter = Meter(4)
    with meter.flight("slow-model"):
        clock[0] = 7.0
        with meter.flight("other"):
            assert "slowest" not in meter.line()
            clock[0] = 43.0
            assert "2 in flight, slowest: slow-model 43 s; other 36 s" in meter.line()
    assert "in flight" not in meter.line()
