"""Simulated agents over HTTP, as any OpenAI client meets them."""

import socket
import subprocess
import sys

import openai
import pytest

from scripts.lib.dialogue.marker import read_message
from scripts.lib.dialogue.prompts import prompt
from tasks import TASKS, get_task
from tests.lib.agents.simulated.game import MODELS, ROOT, graded, instance, view


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def client():
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, "-m", "scripts.lib.agents.simulated.server", "--port", str(port)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    try:
        assert f"http://127.0.0.1:{port}/v1" in server.stdout.readline()
        client = openai.OpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key="none", max_retries=20)
        client.models.list()  # it prints its line just before it listens
        yield client.with_options(max_retries=0)
        client.close()
    finally:
        server.terminate()
        server.communicate(timeout=10)


HELLO = [{"role": "user", "content": "hello"}]


def test_the_simulated_models_with_a_profile_are_listed(client):
    assert [model.id for model in client.models.list()] == [n for n, m in MODELS.items() if m.profile]


def test_a_reply_has_all_that_a_client_reads(client):
    reply = client.chat.completions.create(model="simulated-perfect", messages=HELLO, temperature=0.7)
    assert "no problem here that I know" in reply.choices[0].message.content
    assert (reply.choices[0].finish_reason, reply.system_fingerprint) == ("stop", "simulated")
    assert reply.usage.prompt_tokens == 1
    assert reply.usage.total_tokens == reply.usage.prompt_tokens + reply.usage.completion_tokens


def test_a_streamed_reply_is_the_same(client):
    made = instance("maze", "small", 0)
    chat = [{"role": "user", "content": view("maze", made, "full")}]
    whole = client.chat.completions.create(model="simulated-perfect", messages=chat)
    chunks = list(client.chat.completions.create(model="simulated-perfect", messages=chat, stream=True))
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    assert text == whole.choices[0].message.content
    assert [chunk.choices[0].finish_reason for chunk in chunks][-1] == "stop"
    assert graded("maze", made, read_message(text).answer) == 1.0


def test_content_may_come_in_parts(client):
    parts = [{"type": "text", "text": "Task: "}, {"type": "text", "text": get_task("maze").title}]
    reply = client.chat.completions.create(
        model="simulated-perfect", messages=[{"role": "user", "content": parts}]
    )
    assert "cannot find the facts" in reply.choices[0].message.content


@pytest.mark.parametrize("task", TASKS)
def test_a_person_solves_an_instance_with_an_agent(client, task):
    """The test plays view A in plain sentences; the agent holds view B."""
    made = instance(task, "paper", 2)
    facts, frames = made.draft.facts, made.draft.frames
    chat = [
        {"role": "system", "content": prompt("collab_system")},
        {"role": "user", "content": f"[user]: {view(task, made, 'b').rstrip()}"},
    ]

    def tell(text):
        if chat[-1]["role"] == "user":
            chat[-1]["content"] += f"\n\n[other agent]: {text}"
        else:
            chat.append({"role": "user", "content": f"[other agent]: {text}"})
        reply = client.chat.completions.create(model="simulated-perfect", messages=chat)
        chat.append({"role": "assistant", "content": reply.choices[0].message.content})
        return chat[-1]["content"]

    told = tell("Hello! I hold the other part. What does your part say?")
    assert get_task(task).hear_blocks(told) == [(frames["b"], facts["b"])]
    assert read_message(told).answer is None
    proposal = tell(
        f"Thanks, I wrote it down. Mine says:\n\n{get_task(task).block(facts['a'], frames['a'])}\nYour turn."
    )
    assert "Proposal:" in proposal and read_message(proposal).answer is None
    done = tell("I checked each step of it and get the same. I agree with your proposal.")
    assert graded(task, made, read_message(done).answer) == 1.0


@pytest.mark.parametrize("name", ["gpt-4o-mini", "simulated-stronk", ""])
def test_an_unknown_model_is_a_404_that_lists_the_models(client, name):
    with pytest.raises(openai.NotFoundError, match="simulated-perfect"):
        client.chat.completions.create(model=name, messages=HELLO)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b'{"model": "simulated-perfect"}',
        b'{"model": "simulated-perfect", "messages": 3}',
        b'{"model": "simulated-perfect", "messages": [3]}',
        b'{"model": "simulated-perfect", "messages": [{"role": "user", "content": [3]}]}',
        b'{"model": "simulated-perfect", "messages": [{"role": "user", "content": 3}]}',
        b'{"model": "simulated-perfect", "messages": [{"content": "hello"}]}',
    ],
)
def test_a_bad_body_is_a_400(client, body):
    with pytest.raises(openai.BadRequestError):
        client.post(
            "/chat/completions",
            content=body,
            cast_to=object,
            options={"headers": {"Content-Type": "application/json"}},
        )


def test_a_lone_surrogate_is_read(client):
    made = instance("maze", "small", 0)
    body = '{"model": "simulated-perfect", "messages": [{"role": "user", "content": "%s\\ud800"}]}'
    text = view("maze", made, "full").replace("\n", "\\n").replace('"', '\\"')
    reply = client.post("/chat/completions", content=(body % text).encode(), cast_to=object)
    assert "ACTI!" in reply["choices"][0]["message"]["content"]


def test_a_busy_port_is_one_clear_line():
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = str(busy.getsockname()[1])
        shown = subprocess.run(
            [sys.executable, "-m", "scripts.lib.agents.simulated.server", "--port", port],
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
        )
    assert shown.returncode == 1
    assert shown.stderr.startswith(f"cannot listen on port {port}") and shown.stderr.count("\n") == 1
