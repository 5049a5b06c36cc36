"""The tests' own endpoint: its faults are the same each time, and its record says what really happened."""

import asyncio
import json
import time

import aiohttp
import openai
import pytest

from tests.hostile.faults import FAULTS, Kind
from tests.hostile.lasting import INJECTION
from tests.hostile.options import Options
from tests.hostile.plan import Plan, body_hash
from tests.hostile.record import (
    counts_by_fault,
    most_in_flight,
    most_in_window,
    pace,
    read_log,
    repeated_after_delivery,
)
from tests.hostile.server import HostileServer, own_process

MODEL = "simulated-middle"
GONE = (aiohttp.ClientError, asyncio.TimeoutError)


def chat(text="hello", **more):
    return {"model": MODEL, "messages": [{"role": "user", "content": text}], **more}


async def ask(session, url, body, timeout=5.0):
    """Status and body, or None where no whole answer came."""
    limit = aiohttp.ClientTimeout(total=timeout)
    try:
        async with session.post(f"{url}/chat/completions", json=body, timeout=limit) as reply:
            return reply.status, await reply.read()
    except GONE:
        return None


def serving(options, use):
    """The server after ``use`` was done with it and a session, and what that returned."""

    async def run():
        server = HostileServer(options)
        async with server.serve(), aiohttp.ClientSession() as session:
            result = await use(server, session)
            await asyncio.sleep(0.02)  # lets the last clients' leaving be seen
        return server, result

    return asyncio.run(run())


def met(seed, keys, calls=5, **rates):
    plan = Plan(Options(seed=seed, **rates))
    return [(key, [getattr(plan.next_fault(key), "name", None) for _ in range(calls)]) for key in keys]


def test_faults_follow_from_seed_and_body_alone():
    keys = [body_hash(chat(str(number))) for number in range(300)]
    rates = {"faults": 0.5, "terminal": 0.2}
    first = met(1, keys, **rates)
    assert sorted(met(1, reversed(keys), **rates)) == sorted(first) != sorted(met(2, keys, **rates))
    assert body_hash(chat(temperature=1)) == body_hash(chat()) != body_hash(chat("other"))
    terminal = [names for _, names in first if names[0] and FAULTS[names[0]].kind == Kind.TERMINAL]
    passing = [names for _, names in first if names not in terminal]
    assert all(len(set(names)) == 1 for names in terminal) and 40 <= len(terminal) <= 80
    lengths = {sum(name is not None for name in names) for names in passing}
    assert lengths == {0, 1, 2, 3} and all(names[3:] == [None, None] for names in passing)
    assert 90 <= sum(names[0] is not None for names in passing) <= 150


def test_a_name_that_no_fault_has_is_refused():
    with pytest.raises(ValueError, match='no fault is named "hangs"'):
        Plan(Options(only=("hangs",)))


@pytest.mark.parametrize("name", [name for name, fault in FAULTS.items() if fault.kind != Kind.BATCH])
def test_every_fault_meets_its_call(name):
    kind = FAULTS[name].kind
    body = chat(max_tokens=5, temperature=0.7, seed=1)
    if name in ("fenced_json", "broken_json"):
        system = {"role": "system", "content": "You convert the outcome of a conversation into data."}
        body["messages"].insert(0, system)
    options = Options(only=(name,), faults=1, terminal=1, harmless=1, in_a_row=1, greeting="Grüße. ")

    async def twice(server, session):
        patience = 0.3 if name in ("hang", "slow_bytes") else 5
        return [await ask(session, server.url, body, timeout) for timeout in (patience, 5)]

    server, (first, second) = serving(options, twice)
    assert [entry.fault for entry in server.log] == [name, None if kind == Kind.TRANSIENT else name]
    assert [entry.delivered for entry in server.log] == [
        reply is not None and reply[0] == 200 for reply in (first, second)
    ]
    assert {entry.final for entry in server.log[:1]} == {kind != Kind.TRANSIENT}
    if kind == Kind.TRANSIENT:
        assert "Grüße. I see" in json.loads(second[1])["choices"][0]["message"]["content"]


def test_an_injection_is_said_after_the_agents_own_words():
    async def once(server, session):
        return await ask(session, server.url, chat())

    _, (_, body) = serving(Options(only=("injection",), terminal=1), once)
    text = json.loads(body)["choices"][0]["message"]["content"]
    assert text.startswith("I see no problem") and text.endswith(INJECTION)


def test_a_reply_to_a_client_that_left_is_not_delivered():
    async def use(server, session):
        assert await ask(session, server.url, chat("left"), timeout=0.05) is None
        assert await ask(session, server.url, chat("left")) is not None
        assert repeated_after_delivery(server.log) == {}
        assert await ask(session, server.url, chat("left")) is not None

    server, _ = serving(Options(delay=0.3), use)
    assert counts_by_fault(server.log) == {"gone": 1, "delivered": 2}
    assert repeated_after_delivery(server.log) == {body_hash(chat("left")): 1}
    assert [entry.in_flight for entry in server.log] == [1, 1, 1]


def test_two_replies_to_one_question_at_once_are_one_too_many():
    async def use(server, session):
        await asyncio.gather(*(ask(session, server.url, chat()) for _ in range(3)))

    server, _ = serving(Options(delay=0.1), use)
    assert repeated_after_delivery(server.log) == {body_hash(chat()): 2}
    assert most_in_flight(server.log) == 3


def test_a_rate_limit_lets_so_many_in():
    async def use(server, session):
        for number in range(8):
            await ask(session, server.url, chat(str(number)))
        await asyncio.sleep(1)
        return (await ask(session, server.url, chat("later")))[0]

    server, status = serving(Options(per_window=5, window=1), use)
    assert counts_by_fault(server.log) == {"delivered": 6, "over_rate": 3} and status == 200
    spans = pace(server.log, 1)
    assert most_in_window(server.log, 1) == 5 and (spans[0], spans[-1]) == ((5, 3), (1, 0))


def test_the_record_of_a_process_of_its_own_is_in_its_file(tmp_path):
    log = tmp_path / "log.jsonl"
    arguments = ("--faults", "1", "--only", "server_error_503", "--in-a-row", "1", "--log", str(log))

    async def use(url):
        async with aiohttp.ClientSession() as session:
            return [(await ask(session, url, chat()))[0] for _ in range(2)]

    before = time.time()
    with own_process(*arguments) as url:
        assert asyncio.run(use(url)) == [503, 200]
        assert read_log(log)  # while it runs
    first, second = read_log(log)
    assert (first.fault, first.delivered, first.final) == ("server_error_503", False, False)
    assert (second.fault, second.delivered, second.model) == (None, True, MODEL)
    assert before < first.time <= first.ended <= second.time <= second.ended < time.time()


def run_batch(client, bodies):
    lines = [
        {"custom_id": str(number), "method": "POST", "url": "/v1/chat/completions", "body": body}
        for number, body in enumerate(bodies)
    ]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    file = client.files.create(file=("in.jsonl", text.encode()), purpose="batch")
    batch = client.batches.create(
        input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h", metadata={"n": "1"}
    )
    end = time.monotonic() + 10
    while not (batch.completed_at or batch.failed_at or batch.expired_at) and time.monotonic() < end:
        time.sleep(0.02)
        batch = client.batches.retrieve(batch.id)
    return batch


def rows(client, name):
    """The lines of a file by custom_id."""
    lines = client.files.content(name).content.decode().splitlines() if name else []
    return {line["custom_id"]: line for line in map(json.loads, lines)}


@pytest.fixture
def batching():
    """A server for batches and OpenAI's own client of it."""
    with (
        HostileServer(Options(batch_seconds=0.1)).in_thread() as server,
        openai.OpenAI(base_url=server.url, api_key="none", max_retries=0, timeout=10) as client,
    ):
        yield server, client


def test_a_batch_says_what_chats_say_and_is_paid_for_as_they_are(batching):
    server, client = batching
    bodies = [chat(str(number)) for number in range(4)]
    batch = run_batch(client, bodies)
    output = rows(client, batch.output_file_id)
    assert (batch.status, batch.error_file_id, batch.metadata) == ("completed", None, {"n": "1"})
    assert batch.request_counts.to_dict() == {"total": 4, "completed": 4, "failed": 0}
    assert repeated_after_delivery(server.log) == {}
    said = client.chat.completions.create(**bodies[2]).to_dict()
    assert output["2"]["response"]["body"] == said and set(output) == {"0", "1", "2", "3"}
    assert repeated_after_delivery(server.log) == {body_hash(bodies[2]): 1}
    again = run_batch(client, bodies)
    assert [one.id for one in client.batches.list(limit=1)] == [again.id, batch.id]  # by pages of one
    assert sum(repeated_after_delivery(server.log).values()) == 5


@pytest.mark.parametrize(
    ("fault", "status", "answered", "failed"),
    [
        ("batch_expired", "expired", 3, 2),
        ("batch_token_limit", "failed", 0, 0),
        ("batch_lost_lines", "completed", 4, 0),
        ("server_error", "completed", 0, 5),
        ("hang", "completed", 0, 5),
        ("no_choices", "completed", 5, 0),
    ],
)
def test_a_batch_that_ends_badly(batching, fault, status, answered, failed):
    server, client = batching
    server.options.only = (fault,)
    server.options.faults = server.options.batch_faults = 1
    batch = run_batch(client, [chat(str(number)) for number in range(5)])
    assert batch.status == status
    assert len(rows(client, batch.output_file_id)) == answered
    assert len(rows(client, batch.error_file_id)) == failed


def test_a_lost_answer_to_a_new_batch_leaves_the_batch(batching):
    server, client = batching
    server.options.only, server.options.api_faults, server.options.in_a_row = ("reset_before_body",), 1, 1
    with pytest.raises(openai.APIConnectionError):
        client.files.create(file=("in.jsonl", b"{}"), purpose="batch")
    file = client.files.create(file=("in.jsonl", b"{}"), purpose="batch")
    with pytest.raises(openai.APIConnectionError):
        client.batches.create(input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h")
    server.options.api_faults = 0
    assert [batch.input_file_id for batch in client.batches.list()] == [file.id]
