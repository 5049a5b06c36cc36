"""What ``bench_calls`` measures our runner against: the same dialogues through other clients.

Each client is a process of its own. Dialogues take their messages from the pipeline's own protocol, so
that every client sends the same ones.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from scripts.lib.agents.calls import Messages, Reply
from scripts.lib.dialogue.protocol import Speak, collab

MODEL = "served"
PARAMETERS = {"temperature": 0.7}


async def talk(options: argparse.Namespace, speak: Speak) -> None:
    """Run all dialogues, as many at once as calls may be in flight."""
    left = iter(options.views)

    async def work() -> None:
        for views in left:
            await collab(views, [speak, speak], options.exchanges)

    async with asyncio.TaskGroup() as group:
        for _ in range(options.in_flight):
            group.create_task(work())


async def run_plain(options: argparse.Namespace) -> None:
    """One shared openai client, called the way its documentation does."""
    from openai import AsyncOpenAI

    async with AsyncOpenAI(base_url=options.url, api_key="none", max_retries=0) as client:

        async def speak(messages: Messages) -> Reply:
            done: Any = messages
            completion = await client.chat.completions.create(model=MODEL, messages=done, **PARAMETERS)
            return Reply(completion.choices[0].message.content or "")

        await talk(options, speak)


async def run_raw(options: argparse.Namespace) -> None:
    """Bare aiohttp: what the machine and the server allow."""
    import aiohttp

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def speak(messages: Messages) -> Reply:
            body = {"model": MODEL, **PARAMETERS, "messages": messages}
            async with session.post(f"{options.url}/chat/completions", json=body) as answer:
                return Reply((await answer.json())["choices"][0]["message"]["content"])

        await talk(options, speak)


async def run_inspect(options: argparse.Namespace) -> None:
    """An inspect_ai task whose solver lets two agents talk; logs as they are by default."""
    from inspect_ai import Task, eval_async
    from inspect_ai.dataset import Sample
    from inspect_ai.solver import solver

    @solver
    def two_agents() -> Any:
        async def solve(state: Any, _generate: Any) -> Any:
            speakers = [inspect_speaker(), inspect_speaker()]
            await collab(state.metadata["views"], speakers, options.exchanges)
            return state

        return solve

    os.environ |= {"LOOPBACK_API_KEY": "none", "LOOPBACK_BASE_URL": options.url}
    samples = [Sample(input=views[0], metadata={"views": views}) for views in options.views]
    at_once: Any = {"max_connections": options.in_flight, "max_samples": options.in_flight}
    with tempfile.TemporaryDirectory() as logs:
        (log,) = await eval_async(
            Task(dataset=samples, solver=two_agents()),
            model=f"openai-api/loopback/{MODEL}",
            log_dir=logs,
            **at_once,
            **PARAMETERS,
        )
    if log.status != "success":
        sys.exit(f"inspect_ai ended with {log.status}: {log.error}")


def inspect_speaker() -> Speak:
    """An agent that keeps its own growing list of inspect_ai's messages, as a task of its own would."""
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser, get_model

    kinds = {"system": ChatMessageSystem, "user": ChatMessageUser}
    said: list[Any] = []

    async def speak(messages: Messages) -> Reply:
        said.extend(kinds[new["role"]](content=new["content"]) for new in messages[len(said) :])
        output = await get_model().generate(list(said))
        said.append(output.message)
        return Reply(output.completion)

    return speak


PEERS = {"plain": run_plain, "raw": run_raw, "inspect_ai": run_inspect}


def main() -> None:
    """Run one client."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("client", choices=PEERS)
    parser.add_argument("--url", required=True)
    parser.add_argument("--views", type=Path, required=True, help="JSON: a list of [view a, view b]")
    parser.add_argument("--exchanges", type=int, required=True)
    parser.add_argument("--in-flight", type=int, required=True)
    options = parser.parse_args()
    options.views = json.loads(options.views.read_text(encoding="utf-8"))
    asyncio.run(PEERS[options.client](options))


if __name__ == "__main__":
    main()
