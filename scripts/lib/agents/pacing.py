"""When the next call to a model may start: a level that finds itself, configured rates, shared pauses."""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque

from scripts.lib.agents.models import Limits

FIRST_LEVEL = 64  # calls in flight to begin with, where the limits allow them
FIRST_STEPS = 2.0  # by which the level rises with each reply, until the endpoint first pushes back
LOWERED = 0.7  # what is left of the level after the endpoint pushed back
LEAST_SHARE = 8  # the level never falls below this part of the limit
FIRST_GUESS = 500  # tokens of a call before one was counted


class Stopping:
    """Whether a job is coming to its end early; calls in flight are waited for, no other starts."""

    def __init__(self) -> None:
        self.error: Exception | None = None
        self._event = asyncio.Event()

    def stop(self, error: Exception) -> None:
        """End the job with an error; the first one tells."""
        self.error = self.error or error
        self._event.set()

    def check(self) -> None:
        """Raise the error that ends the job, where there is one."""
        if self.error:
            raise self.error

    async def sleep(self, seconds: float) -> None:
        """Wait; raises at once when the job is to end."""
        try:
            await asyncio.wait_for(self._event.wait(), seconds)
        except TimeoutError:
            return
        self.check()


class Pause:
    """How long an endpoint asked all its callers to wait."""

    def __init__(self) -> None:
        self.until = 0.0

    def extend(self, seconds: float) -> None:
        """Nobody calls for so many seconds from now."""
        self.until = max(self.until, time.monotonic() + seconds)

    def left(self) -> float:
        """Seconds to wait, with jitter so that not all come back at once; 0 without a pause."""
        left = self.until - time.monotonic()
        return left * (1 + 0.1 * random.random()) if left > 0 else 0.0


class Rate:
    """An even pace below so many units a minute; unused time is not saved up."""

    def __init__(self, per_minute: float) -> None:
        self.seconds_each = 60.0 / per_minute
        self.free_at = 0.0

    def book(self, amount: float) -> float:
        """Take an amount; returns the seconds to wait before it may be used."""
        now = time.monotonic()
        start = max(self.free_at, now)
        self.free_at = start + amount * self.seconds_each
        return start - now

    def correct(self, amount: float) -> None:
        """Add what was used beyond the booking; negative gives back."""
        self.free_at += amount * self.seconds_each


class Pacer:
    """The calls of one job to one model: so many at once, and so many a minute.

    The level rises by two with every reply until the endpoint first pushes back, then by one a round; it
    falls by a third when the endpoint pushes back, at most once for the calls that were in flight then.
    """

    def __init__(self, limits: Limits, pause: Pause, stopping: Stopping) -> None:
        self.limits, self.pause, self.stopping = limits, pause, stopping
        self.level = float(min(FIRST_LEVEL, limits.in_flight))
        self.running = 0
        self.pushed_back_at = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._requests = Rate(limits.requests_per_minute) if limits.requests_per_minute else None
        self._tokens = Rate(limits.tokens_per_minute) if limits.tokens_per_minute else None
        self._guess = float(FIRST_GUESS)

    async def enter(self) -> float:
        """Wait for a place; returns the time of the start, which ``leave`` takes."""
        if self._waiting or self.running >= int(self.level):
            await self._turn()
        else:
            self.running += 1
        try:
            self.stopping.check()
            if wait := self._booked():
                await self.stopping.sleep(wait)
            while left := self.pause.left():
                await self.stopping.sleep(left)
        except BaseException:
            self._free()
            raise
        return time.monotonic()

    async def _turn(self) -> None:
        """Wait in line until a place is handed over; who came later does not pass by."""
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():  # it was handed over and is not taken
                self._free()
            raise

    def _booked(self) -> float:
        """Seconds until the rates allow another call."""
        wait = self._requests.book(1) if self._requests else 0.0
        return max(wait, self._tokens.book(self._guess)) if self._tokens else wait

    def leave(self, started: float, answered: bool, pushed_back: bool, tokens: int | None) -> None:
        """Give the place back; ``tokens`` (both ways) of a reply, None where there is none or no count."""
        if pushed_back and started > self.pushed_back_at:
            least = min(self.level, max(self.limits.in_flight / LEAST_SHARE, 1.0))
            self.level = max(self.level * LOWERED, least)
            self.pushed_back_at = time.monotonic()
        elif answered:
            step = 1.0 / self.level if self.pushed_back_at else FIRST_STEPS
            self.level = min(self.level + step, self.limits.in_flight)
        if self._tokens and tokens is not None:
            self._tokens.correct(tokens - self._guess)
            self._guess += 0.1 * (tokens - self._guess)
        self._free()

    def _free(self) -> None:
        self.running -= 1
        while self._waiting and self.running < int(self.level):
            place = self._waiting.popleft()
            if not place.done():
                self.running += 1
                place.set_result(None)
