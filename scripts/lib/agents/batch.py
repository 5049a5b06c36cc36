"""Single calls through an endpoint's Batch API, at a part of the price: their replies go into the ledger.

A batch only fills the ledger; the stage that asked then finds the replies there, and makes the calls that
the batch did not answer one by one. A batch is known by a digest of all that its stage asks, so a run that
was killed finds it again at the endpoint and pays for nothing twice.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from typing import Any

import openai

from scripts.lib.agents.caller import Caller
from scripts.lib.agents.calls import Messages, RunStopped, call_key
from scripts.lib.agents.endpoint import OpenAIEndpoint, backoff
from scripts.lib.agents.failures import Kind, read_failure
from scripts.lib.agents.models import cost
from scripts.lib.agents.replies import BadBody, read_reply

log = logging.getLogger(__name__)

POLL = 15.0  # seconds between two looks at a batch
ENDED = {"completed", "failed", "expired", "cancelled"}
RETRIES = 5  # of each request that manages a batch
PASSING = {Kind.RATE_LIMIT, Kind.OVERLOAD, Kind.TRANSIENT}

Ask = tuple[str, Messages]  # task and messages


async def run_batch(caller: Caller, asks: Iterable[Ask]) -> None:
    """Have the calls (task, messages) answered in a batch, and wait for it.

    Raises RunStopped where the endpoint refuses the batch or the budget does not last for it.
    """
    endpoint = caller.endpoint
    if not isinstance(endpoint, OpenAIEndpoint) or caller.session.calls.replay_only:
        return
    wanted = {call_key(caller.identity, messages, 0): (task, messages) for task, messages in asks}
    digest = hashlib.sha256("".join(sorted(wanted)).encode()).hexdigest()
    missing = {key: ask for key, ask in wanted.items() if not caller.holds(ask[0], key)}
    if not missing:
        return
    worst, spent = sum(caller.worst_cost(messages, batch=True) for _, messages in missing.values()), 0.0
    caller.reserve(worst)
    api = BatchApi(caller, endpoint)
    try:
        batch = await api.find(digest) or await api.submit(missing, digest)
        log.info("batch %s of %d calls: %s", batch.id, len(missing), batch.status)
        while batch.status not in ENDED:
            await caller.session.stopping.sleep(POLL)
            batch = await api.look(batch.id)
        for line in await api.lines(batch):
            spent += _take(caller, line, missing)
        log.info("batch %s %s; %d calls are left to make singly", batch.id, batch.status, len(missing))
    finally:
        caller.session.account.settle(worst, spent)
        await api.client.close()


def _take(caller: Caller, answer: dict[str, Any], missing: dict[str, Ask]) -> float:
    """Record one answer; returns its cost in US dollars. What is no answer stays missing."""
    try:
        key, response = answer["custom_id"], answer["response"]
        if key not in missing or response["status_code"] != 200:
            return 0.0
        reply = replace(read_reply(response["body"]), batch=True, sent=caller.identity)
    except (KeyError, TypeError, BadBody):
        return 0.0
    task, _ = missing.pop(key)
    caller.record(task, key, reply, 0)
    return cost(caller.model, reply) or 0.0


class BatchApi:
    """The four requests that a batch takes, each repeated until its answer is one."""

    def __init__(self, caller: Caller, endpoint: OpenAIEndpoint) -> None:
        self.caller, self.endpoint = caller, endpoint
        self.client = openai.AsyncOpenAI(
            base_url=endpoint.model.base_url,
            api_key=endpoint.key or "none",
            max_retries=0,  # a batch whose answer was lost runs all the same
            timeout=endpoint.model.limits.timeout,
        )

    async def find(self, digest: str) -> Any:
        """The batch that was submitted for these calls before, by an earlier run or an unlucky request."""

        async def ask() -> Any:
            page = await self.client.batches.list(limit=100)
            while _whole(page.data is not None):
                for batch in page.data:
                    if (batch.metadata or {}).get("digest") == digest:
                        return batch
                if not page.has_next_page():
                    return None
                page = await page.get_next_page()
            return None

        return await self._until(ask)

    async def submit(self, missing: dict[str, Ask], digest: str) -> Any:
        """Send the calls in, once."""
        content = "".join(self._line(key, messages) for key, (_, messages) in missing.items())

        async def upload() -> Any:
            data = ("calls.jsonl", content.encode("utf-8", "replace"))
            file = await self.client.files.create(file=data, purpose="batch")
            return _whole(file.id) and file

        file = await self._until(upload)

        async def create() -> Any:
            if batch := await self.find(digest):
                return batch
            batch = await self.client.batches.create(
                input_file_id=file.id,
                endpoint="/v1/chat/completions",
                completion_window="24h",
                metadata={"digest": digest},
            )
            return _whole(batch.id) and batch

        return await self._until(create)

    def _line(self, key: str, messages: Messages) -> str:
        body = self.endpoint.body(messages, self.endpoint.parameters)
        request = {"custom_id": key, "method": "POST", "url": "/v1/chat/completions", "body": body}
        return json.dumps(request, ensure_ascii=False) + "\n"

    async def look(self, name: str) -> Any:
        """How a batch stands."""

        async def ask() -> Any:
            batch = await self.client.batches.retrieve(name)
            return _whole(batch.status) and batch

        return await self._until(ask)

    async def lines(self, batch: Any) -> list[dict[str, Any]]:
        """The answers of a batch that came to its end, as far as there are any."""

        async def ask() -> list[dict[str, Any]]:
            content = (await self.client.files.content(batch.output_file_id)).content
            lines = [json.loads(line) for line in self.endpoint.redact(content).splitlines() if line]
            _whole(lines and all("custom_id" in line for line in lines))  # an empty 200 is no file
            return lines

        return await self._until(ask) if batch.output_file_id else []

    async def _until(self, ask: Callable[[], Awaitable[Any]]) -> Any:
        """Ask until there is an answer. Raises RunStopped after some attempts, or where it is refused."""
        problem: Exception = Incomplete()
        for attempt in range(RETRIES + 1):
            try:
                async with asyncio.timeout(self.endpoint.model.limits.timeout):  # also where bytes trickle
                    return await ask()
            except (openai.APIConnectionError, TimeoutError, *NO_ANSWER) as error:
                problem = error
            except openai.APIStatusError as error:
                problem = error
                failure = read_failure(error.status_code, error.body, self.endpoint.clean(error), None, {})
                self.endpoint.end_where_it_must(failure)
                if failure.kind not in PASSING:
                    break
            await self.caller.session.stopping.sleep(backoff(attempt, None))
        where = f'{self.endpoint.model.base_url} (model "{self.caller.name}")'
        raise RunStopped(
            f"the Batch API at {where} failed: {self.endpoint.clean(problem)}. "
            "Start the same command again, or set batch: false in the models file."
        )


class Incomplete(Exception):
    """A 200 that is no answer."""


# The client hands out a page of text as it is, instead of the object with the attributes asked for.
NO_ANSWER = (Incomplete, ValueError, AttributeError)


def _whole(answer: Any) -> Any:
    if not answer:
        raise Incomplete("an answer without content")
    return answer
