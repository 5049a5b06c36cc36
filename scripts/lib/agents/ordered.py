"""Much work at once, its results in order, and a bounded amount of it in memory."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

AT_ONCE = 1000  # pieces of work begun and not yet handed on


async def in_order(
    items: Iterable[Item], work: Callable[[Item], Awaitable[Result]], stop: Callable[[Exception], None]
) -> AsyncIterator[Result]:
    """The results of ``work`` on each item, in the order of the items.

    Where one fails, ``stop`` is told and what was begun comes to its end before the error is raised: calls
    in flight are paid for and must be recorded.
    """

    async def attempt(item: Item) -> Result:
        try:
            return await work(item)
        except Exception as error:
            stop(error)
            raise

    begun: deque[asyncio.Task[Result]] = deque()
    try:
        for item in items:
            begun.append(asyncio.ensure_future(attempt(item)))
            if len(begun) >= AT_ONCE:
                yield await begun.popleft()
        while begun:
            yield await begun.popleft()
    finally:
        await asyncio.gather(*begun, return_exceptions=True)
