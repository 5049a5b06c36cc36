"""What a call to a model is, whoever answers it: request in, reply or named failure out."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from scripts.lib.errors import UserError
from scripts.lib.outcomes import Outcome

Messages = list[dict[str, str]]


@dataclass(frozen=True)
class Reply:
    """A model's reply. Token counts are None where the endpoint reports none.

    ``sent`` is what went out beside the messages, ``key`` the reply's key in the ledger.
    """

    text: str
    finish_reason: str = "stop"
    reasoning: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    fingerprint: str | None = None
    batch: bool = False
    sent: dict[str, Any] | None = None
    key: str = ""


class CallFailed(Exception):
    """A call that ends its rollout, and the outcome it ends with."""

    def __init__(self, outcome: Outcome, message: str) -> None:
        super().__init__(message)
        self.outcome = outcome


class RunStopped(UserError):
    """Going on makes no sense (endpoint unreachable, key refused, no credit); answers so far are kept."""


class NoCredit(RunStopped):
    """The provider takes no more calls until it is paid."""

    code = 3


class BudgetSpent(RunStopped):
    """The next call could cost more than the budget has left."""

    code = 4


def call_key(identity: dict[str, Any], messages: Messages, replicate: int) -> str:
    """The ledger key: a hash over endpoint, model, all parameters, messages and replicate number."""
    content = {"identity": identity, "messages": messages, "replicate": replicate}
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]
