"""What the stages that call a model share: many items at once, their rows in order to one file."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa

from scripts.handoff.play import Row
from scripts.handoff.schemas import STEPS
from scripts.lib.agents.caller import Caller, Calls, open_callers
from scripts.lib.agents.ordered import in_order
from scripts.lib.progress import Meter
from scripts.lib.tables import RowWriter, read_rows

Work = Callable[[Caller, Any], Awaitable[list[Row]]]


def play_all(
    work: Work,
    items: Iterable[Any],
    model: str,
    output: Path,
    calls: Row,
    schema: pa.Schema = STEPS,
    what: str = "conversations",
) -> None:
    """Do the work on each item with a model at hand, and write its rows in the order of the items.

    ``calls``: see ``Calls``; ``what``: the items, in the progress. Raises RunStopped where going on makes no
    sense.
    """
    counted = list(items)
    asyncio.run(_play_all(work, counted, model, Calls.read(calls), output, schema, Meter(len(counted), what)))


async def _play_all(
    work: Work, items: list[Any], model: str, calls: Calls, output: Path, schema: pa.Schema, meter: Meter
) -> None:
    async with open_callers([model], calls, meter) as session:

        async def one(item: Any) -> list[Row]:
            rows = await work(session.callers[model], item)
            meter.done += 1
            return rows

        with RowWriter(output, schema) as writer:
            async for rows in in_order(items, one, session.stop):
                for row in rows:
                    writer.add(row)


def by_ledger(path: Path) -> dict[int, list[Row]]:
    """The rows of each ledger of a file of steps, in order."""
    found: dict[int, list[Row]] = defaultdict(list)
    for row in read_rows(path, STEPS):
        found[row["index"]].append(row)
    return found
