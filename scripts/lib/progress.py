"""Progress of a job: done and planned, rate, tokens, money, time left; to the terminal and its log file."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from scripts.lib.agents.calls import Reply
from scripts.lib.agents.models import Model, cost

log = logging.getLogger(__name__)

SLOW = 10.0  # seconds in flight after which a call is shown


class Meter:
    """Counts rollouts, calls, retries, tokens and US dollars of one job, and knows the calls in flight."""

    def __init__(self, planned: int, what: str = "rollouts") -> None:
        self.planned, self.what, self.started = planned, what, time.monotonic()
        self.done = self.calls = self.replayed = self.tokens = 0
        self.cost = 0.0
        self.cost_known, self.simulated = True, False
        self.retries: Counter[str] = Counter()
        self._in_flight: dict[int, tuple[float, str]] = {}
        self._numbers = 0

    @contextmanager
    def flight(self, what: str) -> Iterator[None]:
        """A call on its way, from its first attempt to its reply."""
        self._numbers = number = self._numbers + 1
        self._in_flight[number] = (time.monotonic(), what)
        try:
            yield
        finally:
            del self._in_flight[number]

    def count_retry(self, kind: str) -> None:
        """An attempt that is made again, and why."""
        self.retries[kind] += 1

    def count(self, model: Model, reply: Reply, replayed: bool) -> None:
        """Add one reply; replayed ones cost nothing."""
        if replayed:
            self.replayed += 1
            return
        self.calls += 1
        self.simulated |= model.simulated
        self.tokens += (reply.prompt_tokens or 0) + (reply.completion_tokens or 0)
        dollars = cost(model, reply)
        self.cost_known &= dollars is not None
        self.cost += dollars or 0.0

    def line(self) -> str:
        """The state in one line."""
        seconds = max(time.monotonic() - self.started, 1e-6)
        left = f"{duration((self.planned - self.done) * seconds / self.done)} left" if self.done else ""
        money = f"{self.cost:.4f} {'simulated ' * self.simulated}USD" + " + unknown" * (not self.cost_known)
        retries = ", ".join(f"{number} x {kind}" for kind, number in sorted(self.retries.items()))
        parts = [
            f"{self.done}/{self.planned} {self.what}",
            f"{self.calls} calls ({self.calls / seconds:.1f}/s)",
            f"{self.replayed} from the ledger" * bool(self.replayed),
            f"{self.tokens} tokens",
            money,
            f"again: {retries}" * bool(retries),
            self._slowest(),
            left or "time left unknown",
        ]
        return ", ".join(filter(None, parts))

    def _slowest(self) -> str:
        """The calls in flight that have taken long."""
        now = time.monotonic()
        slow = sorted((started, what) for started, what in self._in_flight.values() if now - started > SLOW)
        shown = "; ".join(f"{what} {duration(now - started)}" for started, what in slow[:3])
        return f"{len(self._in_flight)} in flight, slowest: {shown}" if slow else ""

    async def report(self, every: float = 5.0) -> None:
        """Log the state every few seconds until cancelled."""
        while True:
            await asyncio.sleep(every)
            log.info(self.line())


def duration(seconds: float) -> str:
    """Seconds as a person would say them."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
