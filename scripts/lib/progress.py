"""Progress of a job: done and planned, rate, tokens, money, time left; to the terminal and its log file."""

from __future__ import annotations

import asyncio
import logging
import time

from scripts.lib.agents.calls import Reply
from scripts.lib.agents.models import Model

log = logging.getLogger(__name__)


class Meter:
    """Counts rollouts, calls, tokens and US dollars of one job."""

    def __init__(self, planned: int, what: str = "rollouts") -> None:
        self.planned, self.what, self.started = planned, what, time.monotonic()
        self.done = self.calls = self.replayed = self.tokens = 0
        self.cost = 0.0
        self.cost_known = True

    def count(self, model: Model, reply: Reply, replayed: bool) -> None:
        """Add one reply; replayed ones cost nothing."""
        if replayed:
            self.replayed += 1
            return
        self.calls += 1
        given = reply.prompt_tokens is not None and reply.completion_tokens is not None
        self.tokens += (reply.prompt_tokens or 0) + (reply.completion_tokens or 0)
        if model.price and given:
            self.cost += cost(model, reply.prompt_tokens or 0, reply.completion_tokens or 0)
        elif not model.simulated:
            self.cost_known = False

    def line(self) -> str:
        """The state in one line."""
        seconds = max(time.monotonic() - self.started, 1e-6)
        left = (self.planned - self.done) * seconds / self.done if self.done else None
        money = f"{self.cost:.4f} USD" + ("" if self.cost_known else " + unknown")
        return (
            f"{self.done}/{self.planned} {self.what}, {self.calls} calls ({self.calls / seconds:.1f}/s), "
            f"{self.replayed} from the ledger, {self.tokens} tokens, {money}, "
            + (f"{left:.0f} s left" if left is not None else "time left unknown")
        )

    async def report(self, every: float = 5.0) -> None:
        """Log the state every few seconds until cancelled."""
        while True:
            await asyncio.sleep(every)
            log.info(self.line())


def cost(model: Model, prompt_tokens: int, completion_tokens: int) -> float:
    """US dollars for tokens at the model's price (0 without one)."""
    if model.price is None:
        return 0.0
    return (prompt_tokens * model.price.input + completion_tokens * model.price.output) / 1e6
