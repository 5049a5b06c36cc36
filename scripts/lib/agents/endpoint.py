"""One OpenAI-compatible endpoint: a request goes out, a Reply or a named failure comes back.

The client's own post method is used with a plain dict: its typed ``create`` walks every message of a
growing dialogue on every call. Retries are ours (jittered exponential backoff that honours
Retry-After), because what is worth repeating is decided by the body too.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import re
from typing import Any

from scripts.lib.agents.calls import CallFailed, Messages, Reply, RunStopped
from scripts.lib.agents.models import Model
from scripts.lib.outcomes import Outcome

log = logging.getLogger(__name__)

TRANSIENT = {408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529}
LONGEST_WAIT = 60.0  # seconds
_THINK = re.compile(r"\s*<think>(.*?)(?:</think>|\Z)\s*", re.DOTALL)


class OpenAIEndpoint:
    """A model behind an OpenAI-compatible API. One instance per job; calls share its connections."""

    def __init__(self, name: str, model: Model) -> None:
        import openai  # late: a second of CPU that simulated runs do not need

        self.openai, self.name, self.model = openai, name, model
        key = os.environ.get(model.key_variable, "") if model.key_variable else ""
        self.client = openai.AsyncOpenAI(
            base_url=model.base_url,
            api_key=key or "none",
            max_retries=0,
            timeout=model.limits.timeout,
            http_client=openai.DefaultAioHttpClient(),
        )
        self.key = key

    async def complete(self, messages: Messages) -> Reply:
        """One chat completion. Raises CallFailed for a lasting failure of this call, RunStopped for all."""
        body = {"model": self.model.served_name or self.name, **self.model.parameters, "messages": messages}
        for attempt in range(self.model.limits.retries + 1):
            try:
                data = await self.client.post("/chat/completions", body=body, cast_to=object)
                return read_reply(data)
            except self.openai.APIConnectionError as error:
                problem, wait = f"cannot be reached ({self._clean(error)})", None
                final: Exception = RunStopped(
                    f'endpoint {self.model.base_url} of model "{self.name}" cannot be reached: '
                    f"{self._clean(error)}. Start it or correct base_url; what was answered so far is kept."
                )
            except self.openai.APIStatusError as error:
                final = self._lasting(error)
                if error.status_code not in TRANSIENT or isinstance(final, RunStopped):
                    raise final from None
                problem, wait = f"HTTP {error.status_code}", error.response.headers.get("retry-after")
            except (BadBody, self.openai.APIResponseValidationError, ValueError) as error:
                final = CallFailed(Outcome.FAILED, f"unusable reply: {self._clean(error)}")
                problem, wait = self._clean(error), None
            if attempt < self.model.limits.retries:
                pause = backoff(attempt, wait)
                log.warning("%s: %s; attempt %d in %.1f s", self.name, problem, attempt + 2, pause)
                await asyncio.sleep(pause)
        raise final

    def _lasting(self, error: Any) -> Exception:
        """What an HTTP error means if it stays: for this call, or for the whole run."""
        text = self._clean(error)
        if error.status_code in (401, 403):
            variable = self.model.key_variable or "no key_variable"
            return RunStopped(
                f'endpoint {self.model.base_url} refused the key of model "{self.name}" ({variable})'
            )
        if "insufficient_quota" in text or error.status_code == 402:
            return RunStopped(f'no credit left at {self.model.base_url} (model "{self.name}"): {text}')
        if error.status_code == 404:
            return RunStopped(f'{self.model.base_url} does not know model "{self.name}": {text}')
        if re.search(r"context.{0,20}(length|size|window)|too many tokens|exceed.{0,30}context", text, re.I):
            return CallFailed(Outcome.CONTEXT_OVERFLOW, text)
        return CallFailed(Outcome.FAILED, f"HTTP {error.status_code}: {text}")

    def _clean(self, error: Exception) -> str:
        """An error as one line, without the key."""
        text = " ".join(str(error).split())[:300] or type(error).__name__
        return text.replace(self.key, "[key]") if self.key else text

    async def close(self) -> None:
        """Close the connections."""
        await self.client.close()


class BadBody(Exception):
    """A 200 whose body is an error or holds no choice; worth another attempt."""


def read_reply(data: Any) -> Reply:
    """A chat completion's body as a Reply. Reasoning is kept apart and never becomes the answer."""
    if not isinstance(data, dict) or not data.get("choices"):
        raise BadBody(f"no choices in the reply: {str(data)[:200]}")
    choice = data["choices"][0]
    message = choice.get("message") or {}
    text = message.get("content") or ""
    reasoning = message.get("reasoning_content") or message.get("reasoning") or None
    thought = _THINK.match(text)
    if thought:  # an unclosed tag takes the whole text: there is no answer after it
        reasoning, text = reasoning or thought[1], text[thought.end() :]
    usage = data.get("usage") or {}
    return Reply(
        text=text,
        finish_reason=choice.get("finish_reason") or "unknown",
        reasoning=reasoning,
        prompt_tokens=usage.get("prompt_tokens"),
        completion_tokens=usage.get("completion_tokens"),
        fingerprint=data.get("system_fingerprint"),
    )


def backoff(attempt: int, retry_after: str | None) -> float:
    """Seconds to wait before the next attempt: what the server asks for, else 1, 2, 4 ..., with jitter."""
    try:
        wanted = float(retry_after) if retry_after else 2.0**attempt
    except ValueError:
        wanted = 2.0**attempt
    return min(wanted, LONGEST_WAIT) * (1 + 0.25 * random.random())
