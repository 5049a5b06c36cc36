"""What an endpoint's error means: wait, adapt the request, end this call, or end the run.

Providers disagree about status codes (no credit may come as 429, an overload as 400, an error as 200), so
the words of the body decide before the status does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scripts.lib.outcomes import Outcome


class Kind(StrEnum):
    """What to do about a failed attempt; the name is what the progress line counts."""

    RATE_LIMIT = "rate limit"  # wait as long as it takes
    OVERLOAD = "overload"  # try again, with fewer calls in flight
    TRANSIENT = "server error"  # try again
    CUT = "cut connection"  # try again
    TIME_OUT = "time-out"  # try again
    BAD_BODY = "unusable body"  # try again
    PARAMETER = "refused parameter"  # send the request without it
    LASTING = "error"  # this call ends with ``outcome``
    UNREACHABLE = "unreachable"  # try again; if it stays, the run ends
    NO_CREDIT = "no credit"  # the run ends
    KEY_REFUSED = "key refused"  # the run ends
    UNKNOWN_MODEL = "unknown model"  # the run ends


@dataclass(frozen=True)
class Failure:
    """A failed attempt: what kind, in words, and the parts of it that matter for its kind."""

    kind: Kind
    text: str
    retry_after: str | None = None
    outcome: Outcome = Outcome.FAILED
    parameter: str = ""
    replacement: str | None = None


TRANSIENT = {408, 409, 425, 500, 502, 504, 520, 522, 524}
OVERLOADED = {503, 529}
ENDING = {401: Kind.KEY_REFUSED, 403: Kind.KEY_REFUSED, 404: Kind.UNKNOWN_MODEL}
_NO_CREDIT = re.compile(
    r"insufficient.?(quota|credit|balance|funds)|credit balance|billing.{0,20}(limit|not active)"
    r"|exceeded your current quota(?!.*RESOURCE_EXHAUSTED)|payment required|out of credits",
    re.I | re.S,  # one provider words its rate limit as a quota, under RESOURCE_EXHAUSTED
)
_OVERFLOW = re.compile(
    r"context.{0,20}(length|size|window)|too many tokens|(prompt|input) is too long"
    r"|exceed.{0,40}(context|max.{0,10}tokens|token limit)|string_above_max_length",
    re.I,
)
_REFUSED = re.compile(
    r"content.?(filter|policy|management)|responsible.?ai|flagged|moderation|safety system", re.I
)
_OVERLOAD = re.compile(r"overload|at capacity|temporarily unavailable|server (is )?busy", re.I)
_RATE = re.compile(r"rate.?limit|too many requests", re.I)
_UNSUPPORTED = re.compile(
    r"unsupported|not supported|does not support|unrecognized|unknown (parameter|field|argument)"
    r"|not permitted|not allowed|unexpected|extra (inputs|fields)|only the default",
    re.I,
)
RENAMED = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}


def read_failure(
    status: int, body: Any, text: str, retry_after: str | None, parameters: dict[str, Any]
) -> Failure:
    """What an error response means. ``text`` is safe to show, ``parameters`` is what was sent."""
    details = f"{text} {body}"  # the error's code stands in the body only
    if _NO_CREDIT.search(details) or status == 402:
        return Failure(Kind.NO_CREDIT, text)
    if "request too large" in details.lower():  # it would be over the rate limit at any time
        return Failure(Kind.LASTING, text, outcome=Outcome.CONTEXT_OVERFLOW)
    if status == 429 or (_RATE.search(details) and status not in (401, 403)):
        return Failure(Kind.RATE_LIMIT, text, retry_after)
    if _OVERFLOW.search(details):
        return Failure(Kind.LASTING, text, outcome=Outcome.CONTEXT_OVERFLOW)
    if status in OVERLOADED or _OVERLOAD.search(details):
        return Failure(Kind.OVERLOAD, f"HTTP {status}: {text}", retry_after)
    if status in TRANSIENT:
        return Failure(Kind.TRANSIENT, f"HTTP {status}: {text}", retry_after)
    if _REFUSED.search(details):
        return Failure(Kind.LASTING, text, outcome=Outcome.REFUSED)
    if status in ENDING:
        return Failure(ENDING[status], text)
    if status in (400, 422) and (name := _refused_parameter(details, parameters)):
        other = RENAMED.get(name)
        swap = other if other and other in details else None
        return Failure(Kind.PARAMETER, text, parameter=name, replacement=swap)
    return Failure(Kind.LASTING, f"HTTP {status}: {text}")


def _refused_parameter(details: str, parameters: dict[str, Any]) -> str | None:
    """The sent parameter that an error refuses, the first one named; None where it is about none."""
    if not _UNSUPPORTED.search(details):
        return None
    places = {name: re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", details) for name in parameters}
    named = [(place.start(), name) for name, place in places.items() if place]
    return min(named)[1] if named else None
