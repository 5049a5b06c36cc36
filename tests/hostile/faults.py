"""What a call can meet instead of its good reply: the register, and the faults that pass when asked again.

A fault is a small function from a Call to an Answer. It is registered under its own name, once for each
variant (``server_error_503``), and may return None where it does not apply to the call.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from email.utils import formatdate
from enum import StrEnum
from functools import cached_property, partial
from typing import Any

Body = dict[str, Any]


class Kind(StrEnum):
    """How long a fault stays, and what it leaves of the reply."""

    TRANSIENT = "transient"  # gone when the call is made again
    TERMINAL = "terminal"  # meets a body always: another text or another outcome
    STANDING = "standing"  # terminal, but of the account or the model: drawn only where it is named
    HARMLESS = "harmless"  # a good reply in odd dress: its text is the same
    BATCH = "batch"  # of a whole batch; its function takes the batch (see batches.py)


class Wire(StrEnum):
    """What happens to an answer on its way."""

    WHOLE = "whole"
    RESET = "reset"  # the connection is reset before a byte
    HALF = "half"  # all headers and half of the body, then a reset
    NEVER = "never"  # nothing until the client gives up
    SLOW = "slow"  # a byte every now and then


@dataclass(frozen=True)
class Answer:
    """What goes out. A WHOLE 200 that was written to the end counts as delivered."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    wire: Wire = Wire.WHOLE


class Call:
    """A request, and the answer that a faultless endpoint gives; that is worked out once, when looked at."""

    def __init__(
        self, request: Body, work: Callable[[], Answer], key: str = "", retry_after: float = 0.1
    ) -> None:
        self.request, self.key, self.retry_after = request, key, retry_after
        self._work = work

    @cached_property
    def answer(self) -> Answer:
        """The faultless answer. For a batch or a file, what was asked for has been done by then."""
        return self._work()

    @property
    def good(self) -> bytes:
        """The body of the faultless answer."""
        return self.answer.body

    @property
    def text(self) -> str:
        """The text of the good reply to a chat."""
        return json.loads(self.good)["choices"][0]["message"]["content"]

    @property
    def for_grader(self) -> bool:
        """Whether a grader model is asked, whose reply is JSON."""
        messages = self.request.get("messages") or [{}]
        return str(messages[0].get("content")).startswith("You convert the outcome of a conversation")


@dataclass(frozen=True)
class Fault:
    """A registered fault. ``chat_only``: it needs a chat completion to spoil."""

    name: str
    kind: Kind
    make: Callable[..., Any]
    chat_only: bool


FAULTS: dict[str, Fault] = {}


def fault(kind: Kind, *variants: Any, chat_only: bool = False) -> Callable[[Any], Any]:
    """Register a function under its name, or once for each variant, which it gets as ``variant``."""

    def register(make: Callable[..., Any]) -> Callable[..., Any]:
        for variant in variants or [None]:
            name = make.__name__ if variant is None else f"{make.__name__}_{variant}"
            made = make if variant is None else partial(make, variant=variant)
            FAULTS[name] = Fault(name, kind, made, chat_only)
        return make

    return register


def named(names: tuple[str, ...]) -> list[Fault]:
    """The faults of these names, or that begin with them; all but the STANDING ones where none is given.

    Raises ValueError for a name that no fault has.
    """
    if not names:
        return [one for one in FAULTS.values() if one.kind != Kind.STANDING]
    found: dict[str, Fault] = {}
    for name in names:
        matches = [name] if name in FAULTS else [one for one in FAULTS if one.startswith(f"{name}_")]
        if not matches:
            raise ValueError(f'no fault is named "{name}"; there are: {", ".join(FAULTS)}')
        found |= {one: FAULTS[one] for one in matches}
    return list(found.values())


def as_json(body: Any, status: int = 200, **headers: str) -> Answer:
    """An answer in UTF-8; ``Retry_After`` in ``headers`` becomes Retry-After."""
    more = {name.replace("_", "-"): value for name, value in headers.items()}
    data = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
    return Answer(data, status, {"Content-Type": "application/json", **more})


def as_error(status: int, message: str, headers: dict[str, str] | None = None, **more: Any) -> Answer:
    """An error as OpenAI sends it."""
    body = {"message": message, "type": "invalid_request_error", "param": None, "code": None, **more}
    return as_json({"error": body}, status, **(headers or {}))


# -- too much at once --------------------------------------------------------------------------


def too_many(seconds: str | None, message: str = "") -> Answer:
    """A 429; ``seconds`` is the Retry-After header."""
    message = message or "Rate limit reached for requests per min (RPM): Limit 500, Used 500, Requested 1."
    headers = {} if seconds is None else {"Retry_After": seconds}
    return as_error(429, message, headers, type="requests", code="rate_limit_exceeded")


@fault(Kind.TRANSIENT)
def rate_limit_seconds(call: Call) -> Answer:
    """Retry-After in seconds."""
    return too_many(f"{call.retry_after:g}")


@fault(Kind.TRANSIENT)
def rate_limit_date(call: Call) -> Answer:
    """Retry-After as a date, which knows whole seconds only."""
    return too_many(formatdate(math.ceil(time.time() + call.retry_after), usegmt=True))


# -- broken inside -----------------------------------------------------------------------------

_INSIDE = {
    500: ("The server had an error while processing your request. Sorry about that!", "server_error"),
    502: ("Bad gateway.", "server_error"),
    503: ("That model is currently overloaded with other requests.", "server_error"),
    529: ("Overloaded", "overloaded_error"),
}


@fault(Kind.TRANSIENT, *_INSIDE)
def server_error(call: Call, variant: int) -> Answer:
    """An error under the status that says so."""
    message, kind = _INSIDE[variant]
    return as_error(variant, message, type=kind)


@fault(Kind.TRANSIENT, 400, 200)
def overload(call: Call, variant: int) -> Answer:
    """An overload under a status that does not say so."""
    return as_json({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, variant)


@fault(Kind.TRANSIENT)
def error_body_200(call: Call) -> Answer:
    """An error of the provider behind a router, which answers 200."""
    about = {"raw": "upstream connect error", "provider_name": "Upstream"}
    return as_json({"error": {"message": "Provider returned error", "code": 502, "metadata": about}})


@fault(Kind.TRANSIENT, chat_only=True)
def error_in_choice(call: Call) -> Answer:
    """The same where the reply had begun: the error stands in the choice."""
    body = json.loads(call.good)
    body["choices"][0] |= {
        "finish_reason": "error",
        "error": {"code": 502, "message": "Network connection lost."},
        "message": {"role": "assistant", "content": call.text[: len(call.text) // 2]},
    }
    return as_json(body)


@fault(Kind.TRANSIENT, chat_only=True)
def no_choices(call: Call) -> Answer:
    """A completion without a choice."""
    return as_json(json.loads(call.good) | {"choices": []})


@fault(Kind.TRANSIENT)
def empty_body(call: Call) -> Answer:
    """200, and nothing."""
    return Answer()


@fault(Kind.TRANSIENT, 200, 502)
def html_page(call: Call, variant: int) -> Answer:
    """A page of whatever stands before the endpoint."""
    page = b"<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>cloud</body></html>"
    return Answer(page, variant, {"Content-Type": "text/html; charset=utf-8"})


# -- on the wire -------------------------------------------------------------------------------
# What was asked for has been done: only the answer is lost.


def _lost(call: Call, wire: Wire) -> Answer:
    return Answer(call.good, call.answer.status, call.answer.headers, wire)


@fault(Kind.TRANSIENT)
def reset_before_body(call: Call) -> Answer:
    """The connection is reset before a byte."""
    return _lost(call, Wire.RESET)


@fault(Kind.TRANSIENT)
def reset_in_body(call: Call) -> Answer:
    """The whole length is declared, half of it comes, then a reset."""
    return _lost(call, Wire.HALF)


@fault(Kind.TRANSIENT)
def hang(call: Call) -> Answer:
    """No reply until the client gives up."""
    return _lost(call, Wire.NEVER)


@fault(Kind.TRANSIENT)
def slow_bytes(call: Call) -> Answer:
    """A byte every now and then, so that something always comes."""
    return _lost(call, Wire.SLOW)
