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
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from scripts.lib.agents.calls import CallFailed, Messages, Reply, RunStopped
from scripts.lib.agents.models import Model
from scripts.lib.outcomes import Outcome

log = logging.getLogger(__name__)

TRANSIENT = {408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529}
LONGEST_WAIT = 60.0  # seconds
_OVERFLOW = re.compile(r"context.{0,20}(length|size|window)|too many tokens|exceed.{0,30}context", re.I)
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
        final: Exception
        for attempt in range(self.model.limits.retries + 1):
            try:
                data = await self.client.post("/chat/completions", body=body, cast_to=object)
                return read_reply(data)
            except self.openai.APIConnectionError as error:
                problem, final = self._unanswered(error)
                wait = None
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

    def _unanswered(self, error: Any) -> tuple[str, Exception]:
        """What happened to a call without an answer, and what it means if it stays.

        A call that takes too long fails alone: it would also in the next run, which could never end.
        """
        cause = error.__cause__ or error  # the client calls a refused connection a time-out too
        if type(cause).__name__ == "ReadTimeout":
            problem = f"no reply within {self.model.limits.timeout:g} s"
            return problem, CallFailed(Outcome.FAILED, problem)
        problem = f"cannot be reached ({self._clean(cause)})"
        return problem, RunStopped(
            f'endpoint {self.model.base_url} of model "{self.name}" {problem}. '
            "Start it or correct base_url; what was answered so far is kept."
        )

    def _lasting(self, error: Any) -> Exception:
        """What an HTTP error means if it stays: for this call, or for the whole run."""
        text = self._clean(error)
        details = f"{error} {error.body}"  # the error's code stands in the body only
        if error.status_code in (401, 403):
            variable = self.model.key_variable or "no key_variable"
            return RunStopped(
                f'endpoint {self.model.base_url} refused the key of model "{self.name}" ({variable})'
            )
        if "insufficient_quota" in details or error.status_code == 402:
            return RunStopped(f'no credit left at {self.model.base_url} (model "{self.name}"): {text}')
        if error.status_code == 404:
            return RunStopped(f'{self.model.base_url} does not know model "{self.name}": {text}')
        if _OVERFLOW.search(details):
            return CallFailed(Outcome.CONTEXT_OVERFLOW, text)
        return CallFailed(Outcome.FAILED, f"HTTP {error.status_code}: {text}")

    def _clean(self, error: Exception) -> str:
        """An error as one line, without the key."""
        text = str(error).replace(self.key, "[key]") if self.key else str(error)
        return " ".join(text.split())[:300] or type(error).__name__

    async def close(self) -> None:
        """Close the connections."""
        await self.client.close()


class BadBody(Exception):
    """A 200 whose body is an error or holds no choice; worth another attempt."""


def read_reply(data: Any) -> Reply:
    """A chat completion's body as a Reply. Reasoning is kept apart and never becomes the answer."""
    if not isinstance(data, dict) or not data.get("choices"):
        raise BadBody(f"no choices in the reply: {str(data)[:200]}")
    try:
        choice = data["choices"][0]
        message = choice.get("message") or {}
        text = _text(message.get("content"))
        reasoning = _text(message.get("reasoning_content") or message.get("reasoning")) or None
    except (KeyError, TypeError, AttributeError):
        raise BadBody(f"not a chat completion: {str(data)[:200]}") from None
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


def _text(content: Any) -> str:
    """Content as text, also where it comes in parts; a lone surrogate (no file can hold one) becomes "?"."""
    if isinstance(content, list):
        content = "".join(part.get("text") or "" for part in content)
    return (content or "").encode("utf-8", "replace").decode()


def backoff(attempt: int, retry_after: str | None) -> float:
    """Seconds to wait before the next attempt: what the server asks for, else 1, 2, 4 ..., with jitter."""
    wanted = _seconds(retry_after) if retry_after else None
    return min(2.0**attempt if wanted is None else wanted, LONGEST_WAIT) * (1 + 0.25 * random.random())


def _seconds(retry_after: str) -> float | None:
    """A Retry-After header, in seconds or as an HTTP date, as seconds from now; None where it is neither."""
    if re.fullmatch(r"\s*\d+(\.\d+)?\s*", retry_after, re.ASCII):
        return float(retry_after)
    try:
        return max(0.0, (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
