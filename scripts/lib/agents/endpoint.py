"""One model behind an OpenAI-compatible API: a request goes out, a Reply or a named failure comes back.

Chats go out by aiohttp: the openai client, which manages the batches, walks every message of a growing
dialogue on every call and costs several times the CPU. Retries are ours in any case, because what is worth
repeating is decided by the body too.
"""

from __future__ import annotations

import base64
import json
import logging
import os
import random
import re
import ssl
import time
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import quote

from scripts.lib.agents.calls import CallFailed, Messages, NoCredit, Reply, RunStopped
from scripts.lib.agents.failures import Failure, Kind, read_failure
from scripts.lib.agents.models import Model
from scripts.lib.agents.pacing import Pacer, Pause, Stopping
from scripts.lib.agents.replies import BadBody, error_text, read_body, read_error, read_reply
from scripts.lib.outcomes import Outcome
from scripts.lib.progress import Meter

log = logging.getLogger(__name__)

LONGEST_WAIT = 60.0  # seconds before another attempt
LONGEST_CONNECT = 20.0  # seconds until a connection stands
PATIENCE = 1800.0  # seconds without one reply, for a rate limit alone, after which the run ends
MOST_FAILURES = 20  # calls in a row that fail for good, after which the run ends
PUSHED_BACK = {Kind.RATE_LIMIT, Kind.OVERLOAD}


class OpenAIEndpoint:
    """A model behind an OpenAI-compatible API. One instance per job; calls share its connections."""

    path = "chat/completions"
    read = staticmethod(read_reply)

    def __init__(
        self,
        name: str,
        model: Model,
        pause: Pause | None = None,
        stopping: Stopping | None = None,
        meter: Meter | None = None,
    ) -> None:
        import aiohttp  # late: simulated runs need no network

        self.aiohttp, self.name, self.model = aiohttp, name, model
        self.key = os.environ.get(model.key_variable, "") if model.key_variable else ""
        self.url = f"{model.base_url.rstrip('/')}/{self.path}"
        self.headers = {"Content-Type": "application/json", "User-Agent": "collaboration-tax"}
        if self.key:
            self.headers["Authorization"] = f"Bearer {self.key}"
        self._http: Any = None
        self.pause, self.stopping = pause or Pause(), stopping or Stopping()
        self.pacer = Pacer(model.limits.share(), self.pause, self.stopping)
        self.meter = meter or Meter(0)
        self.parameters = dict(model.parameters)  # what is sent; loses what the endpoint refuses
        self.last_reply = time.monotonic()
        self.failures_in_a_row = 0

    @property
    def http(self) -> Any:
        """The connections, opened with the first call."""
        if self._http is None:
            limits = self.model.limits
            # The whole attempt counts: a trickle of bytes does not extend it.
            connect = min(limits.timeout, LONGEST_CONNECT)
            timeout = self.aiohttp.ClientTimeout(total=limits.timeout, sock_connect=connect)
            connector = self.aiohttp.TCPConnector(limit=0, ssl=certificates())
            self._http = self.aiohttp.ClientSession(connector=connector, timeout=timeout, trust_env=True)
        return self._http

    async def complete(self, messages: Messages) -> Reply:
        """One chat completion. Raises CallFailed for a lasting failure of this call, RunStopped for all."""
        attempt = 0
        while True:
            sent = dict(self.parameters)
            result = await self._attempt(messages, sent)
            if isinstance(result, Reply):
                self.failures_in_a_row = 0
                return replace(result, sent=self._identity(sent))
            self.end_where_it_must(result)
            if result.kind is Kind.PARAMETER:
                self._adapt(result, sent)
                continue
            lasts = result.kind is Kind.LASTING or attempt >= self.model.limits.retries
            if lasts and result.kind is not Kind.RATE_LIMIT:
                raise self._final(result)
            await self._wait(result, attempt)
            attempt += result.kind is not Kind.RATE_LIMIT  # being told to wait is no failure

    async def _attempt(self, messages: Messages, sent: dict[str, Any]) -> Reply | Failure:
        started = await self.pacer.enter()
        result: Reply | Failure | None = None
        try:
            with self.meter.flight(self.name):
                result = await self._post(messages, sent)
        except TimeoutError as error:
            result = self._time_out(error)
        except self.aiohttp.ClientError as error:
            result = self._connection_lost(error)
        except BadBody as error:
            result = self._bad_body(error, sent)
        finally:
            answered = isinstance(result, Reply)
            pushed_back = isinstance(result, Failure) and result.kind in PUSHED_BACK
            self.pacer.leave(started, answered, pushed_back, _tokens(result))
        if answered:
            self.last_reply = time.monotonic()
        return result

    def body(self, messages: Messages, sent: dict[str, Any]) -> dict[str, Any]:
        """A request for a chat completion, with the parameters that are sent."""
        chat = fold_system(messages) if self.model.fold_system else messages
        return {"model": self.model.served_name or self.name, **sent, "messages": chat}

    async def _post(self, messages: Messages, sent: dict[str, Any]) -> Reply | Failure:
        data = json.dumps(self.body(messages, sent), ensure_ascii=False).encode("utf-8", "replace")
        async with self.http.post(self.url, data=data, headers=self.headers) as response:
            content = self.redact(await response.read())
        if response.status >= 300:
            after = response.headers.get("Retry-After")
            error = read_error(content)
            return read_failure(response.status, error, self.clean(error_text(error)), after, sent)
        return self.read(read_body(content, response.charset))

    def _time_out(self, error: Exception) -> Failure:
        """No reply in time, or no connection at all."""
        if isinstance(error, self.aiohttp.ConnectionTimeoutError):
            return Failure(Kind.UNREACHABLE, "no connection in time")
        return Failure(Kind.TIME_OUT, f"no reply within {self.model.limits.timeout:g} s")

    def _connection_lost(self, error: Exception) -> Failure:
        if isinstance(error, self.aiohttp.ClientConnectorError | self.aiohttp.InvalidURL):
            return Failure(Kind.UNREACHABLE, self.clean(error))
        return Failure(Kind.CUT, f"the connection was cut ({self.clean(error)})")

    def _bad_body(self, error: BadBody, sent: dict[str, Any]) -> Failure:
        """A 200 without a reply; the error in it is read like any other."""
        text = self.clean(error)
        if isinstance(error.error, dict):
            code = error.error.get("code")
            status = code if isinstance(code, int) and not isinstance(code, bool) else 500
            return read_failure(status, error.error, f"unusable reply: {text}", None, sent)
        return Failure(Kind.BAD_BODY, f"unusable reply: {text}")

    def _adapt(self, failure: Failure, sent: dict[str, Any]) -> None:
        """Never again send the parameter that was refused; a call that was already out changes nothing."""
        name, other = failure.parameter, failure.replacement
        if self.parameters.get(name) is None and name not in self.parameters:
            return
        value = self.parameters.pop(name)
        if other and other not in sent:
            self.parameters[other] = value
            log.warning('model "%s" takes %s instead of %s; sent so from now on', self.name, other, name)
        else:
            log.warning('model "%s" refuses %s=%r; NOT sent from now on', self.name, name, value)

    def end_where_it_must(self, failure: Failure) -> None:
        """Raise RunStopped where a failure holds for all calls: no credit, no access, no end of waiting."""
        where = f'{self.model.base_url} (model "{self.name}")'
        if failure.kind is Kind.NO_CREDIT:
            raise NoCredit(f"no credit left at {where}: {failure.text}. Answers so far are kept.")
        if failure.kind is Kind.KEY_REFUSED:
            variable = self.model.key_variable or "no key_variable"
            raise RunStopped(f"the key ({variable}) was refused at {where}: {failure.text}")
        if failure.kind is Kind.UNKNOWN_MODEL:
            raise RunStopped(f'{self.model.base_url} does not know model "{self.name}": {failure.text}')
        silent = time.monotonic() - self.last_reply
        if failure.kind is Kind.RATE_LIMIT and silent > PATIENCE:
            raise RunStopped(f"{where} let no call through for {silent / 60:.0f} min: {failure.text}")

    async def _wait(self, failure: Failure, attempt: int) -> None:
        self.meter.count_retry(failure.kind)
        seconds = backoff(attempt, failure.retry_after)
        if failure.kind in PUSHED_BACK and failure.retry_after:
            self.pause.extend(min(seconds, LONGEST_WAIT))
        if self.meter.retries[failure.kind] == 1:  # the progress line counts the others
            log.warning("%s: %s; again in %.1f s", self.name, failure.text, seconds)
        await self.stopping.sleep(seconds)

    def _final(self, failure: Failure) -> Exception:
        """What a failure means when it stays: for this call, or for the whole run."""
        if failure.kind is Kind.UNREACHABLE:
            return RunStopped(
                f'endpoint {self.model.base_url} of model "{self.name}" cannot be reached '
                f"({failure.text}). Start it or correct base_url; what was answered so far is kept."
            )
        if failure.outcome is Outcome.FAILED:
            self.failures_in_a_row += 1
            if self.failures_in_a_row >= MOST_FAILURES:
                return RunStopped(
                    f'{MOST_FAILURES} calls in a row to {self.model.base_url} (model "{self.name}") failed, '
                    f"the last one: {failure.text}. What was answered so far is kept."
                )
        return CallFailed(failure.outcome, failure.text)

    def _identity(self, sent: dict[str, Any]) -> dict[str, Any]:
        return self.model.identity(self.name) | {"parameters": sent}

    def redact(self, content: bytes) -> bytes:
        """A response without the key, should the endpoint echo it."""
        if self.key:
            for form in _forms(self.key):
                content = content.replace(form.encode(), b"[key]")
        return content

    def clean(self, error: BaseException | str) -> str:
        """An error as one line, without the key."""
        text = self.redact(str(error).encode("utf-8", "replace")).decode()
        return " ".join(text.split())[:300] or type(error).__name__

    async def close(self) -> None:
        """Close the connections."""
        if self._http is not None:
            await self._http.close()


def _forms(key: str) -> list[str]:
    """A key as it is and as it may be written elsewhere."""
    encoded = base64.b64encode(key.encode()).decode()
    return list(dict.fromkeys([key, quote(key, safe=""), encoded, encoded.rstrip("=")]))


def certificates() -> ssl.SSLContext:
    """The system's certificates and those that come with Python's packages."""
    import certifi

    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


def _tokens(reply: Reply | Failure | None) -> int | None:
    if not isinstance(reply, Reply) or reply.prompt_tokens is None or reply.completion_tokens is None:
        return None
    return reply.prompt_tokens + reply.completion_tokens


def fold_system(messages: Messages) -> Messages:
    """The system prompt as the opening of the first user turn, for models that take no system turn."""
    if len(messages) < 2 or messages[0]["role"] != "system":
        return messages
    first = {"role": "user", "content": f"{messages[0]['content']}\n\n{messages[1]['content']}"}
    return [first, *messages[2:]]


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
