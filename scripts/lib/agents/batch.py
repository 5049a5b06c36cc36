"""Single calls through an endpoint's Batch API, at a part of the price: their replies go into the ledger.

A batch only fills the ledger; the stage that asked then finds the replies there, and makes the calls that
the batch did not answer one by one. A batch is known by a digest of all that its stage asks, so a run that
was killed finds it again at the endpoint and pays for nothing twice.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import openai

from scripts.lib.agents.caller import Caller
from scripts.lib.agents.calls import Messages, RunStopped, call_key
from scripts.lib.agents.endpoint import LONGEST_WAIT, OpenAIEndpoint, fold_system
from scripts.lib.agents.models import cost
from scripts.lib.agents.replies import BadBody, read_reply

log = logging.getLogger(__name__)

POLL = 15.0  # seconds between two looks at a batch
ENDED = {"completed", "failed", "expired", "cancelled"}
RETRIES = 5  # of the requests that manage a batch


async def run_batch(caller: Caller, asks: Iterable[tuple[str, Messages]]) -> None:
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
    worst = sum(caller.worst_cost(messages, batch=True) for _, messages in missing.values())
    caller.reserve(worst)
    spent = 0.0
    client = _client(endpoint)
    try:
        batch = await _find(client, digest) or await _submit(client, endpoint, missing, digest)
        log.info("batch %s of %d calls: %s", batch.id, len(missing), batch.status)
        while batch.status not in ENDED:
            await caller.session.stopping.sleep(POLL)
            batch = await client.batches.retrieve(batch.id)
        for line in await _lines(client, endpoint, batch):
            spent += _take(caller, line, missing)
        log.info("batch %s %s; %d calls are left to make singly", batch.id, batch.status, len(missing))
    except openai.APIError as error:
        where = f'{caller.model.base_url} (model "{caller.name}")'
        raise RunStopped(
            f"the Batch API at {where} failed: {endpoint.clean(error)}. "
            "Start the same command again, or set batch: false in the models file."
        ) from None
    finally:
        caller.session.account.settle(worst, spent)
        await client.close()


def _client(endpoint: OpenAIEndpoint) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(
        base_url=endpoint.model.base_url,
        api_key=endpoint.key or "none",
        max_retries=RETRIES,
        timeout=LONGEST_WAIT,
    )


async def _find(client: openai.AsyncOpenAI, digest: str) -> Any:
    """The batch that an earlier run submitted for the same calls."""
    async for batch in client.batches.list(limit=100):
        if (batch.metadata or {}).get("digest") == digest:
            return batch
    return None


async def _submit(
    client: openai.AsyncOpenAI,
    endpoint: OpenAIEndpoint,
    missing: dict[str, tuple[str, Messages]],
    digest: str,
) -> Any:
    model = endpoint.model
    lines = []
    for key, (_, messages) in missing.items():
        chat = fold_system(messages) if model.fold_system else messages
        body = {"model": model.served_name or endpoint.name, **endpoint.parameters, "messages": chat}
        request = {"custom_id": key, "method": "POST", "url": "/v1/chat/completions", "body": body}
        lines.append(json.dumps(request, ensure_ascii=False))
    content = ("\n".join(lines) + "\n").encode("utf-8", "replace")
    file = await client.files.create(file=("calls.jsonl", content), purpose="batch")
    return await client.batches.create(
        input_file_id=file.id,
        endpoint="/v1/chat/completions",
        completion_window="24h",
        metadata={"digest": digest},
    )


async def _lines(client: openai.AsyncOpenAI, endpoint: OpenAIEndpoint, batch: Any) -> list[bytes]:
    """The answers of a batch that came to its end, as far as there are any."""
    if not batch.output_file_id:
        return []
    content = await client.files.content(batch.output_file_id)
    return endpoint.redact(content.content).splitlines()


def _take(caller: Caller, line: bytes, missing: dict[str, tuple[str, Messages]]) -> float:
    """Record one answer; returns its cost in US dollars. What is no answer stays missing."""
    try:
        answer = json.loads(line)
        key, response = answer["custom_id"], answer["response"]
        if key not in missing or response["status_code"] != 200:
            return 0.0
        reply = replace(read_reply(response["body"]), batch=True, sent=caller.identity)
    except (ValueError, KeyError, TypeError, BadBody):
        return 0.0
    task, _ = missing.pop(key)
    caller.record(task, key, reply, 0)
    return cost(caller.model, reply) or 0.0
