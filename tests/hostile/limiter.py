"""A rate limit that is really enforced: so many chats in any window of time, so many at once."""

from __future__ import annotations

from collections import deque

from tests.hostile.faults import Answer, too_many
from tests.hostile.options import Options


class Limiter:
    """A sliding window. Its limits are read at every request, so they may change on the way."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.counted: deque[float] = deque()
        self.at_once = 0

    def refuse(self, now: float) -> tuple[str, Answer] | None:
        """The name of the limit that a request at this time breaks and its 429; None where it is let in.

        A request that is let in takes a place until ``leave`` is called.
        """
        window, most = self.options.window, self.options.per_window
        while self.counted and self.counted[0] <= now - window:
            self.counted.popleft()
        if most and len(self.counted) >= most:
            wait = self.counted[-most] + window - now + 0.001  # it is rounded
            if self.options.refused_count:
                self.counted.append(now)
            used = f"Limit {most} in {window:g} s, Used {len(self.counted)}, Requested 1."
            return "over_rate", too_many(f"{wait:.3f}", f"Rate limit reached for requests: {used}")
        if self.options.at_once and self.at_once >= self.options.at_once:
            message = f"Too many concurrent requests: limit {self.options.at_once}."
            return "over_at_once", too_many(None, message)
        self.counted.append(now)
        self.at_once += 1
        return None

    def leave(self) -> None:
        """A request that was let in is over."""
        self.at_once -= 1
