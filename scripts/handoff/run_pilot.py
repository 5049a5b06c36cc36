"""Ask a model padded problems at every load -> ``pilot/{model}/{batch}.parquet``."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from scripts.handoff.pilot import Pilot
from scripts.handoff.pilot_schemas import PILOT
from scripts.lib.agents.caller import Calls, open_callers
from scripts.lib.agents.ordered import in_order
from scripts.lib.progress import Meter
from scripts.lib.stage import run
from scripts.lib.tables import RowWriter


def run_pilot(output: Path, calls: dict[str, Any], job: dict[str, Any]) -> None:
    """Write a row a call, in order of problem, load and call.

    ``calls``: see ``Calls``; ``job``: model, first, last (problems, last exclusive), what ``Pilot`` takes.
    """
    asyncio.run(_run(output, Calls.read(calls), job))


async def _run(output: Path, calls: Calls, job: dict[str, Any]) -> None:
    problems = range(job["first"], job["last"])
    meter = Meter(len(problems), "problems")
    async with open_callers([job["model"]], calls, meter) as session:
        pilot = Pilot(session.callers[job["model"]], job)

        async def ask(index: int) -> list[dict[str, Any]]:
            rows = await pilot.ask(index)
            meter.done += 1
            return rows

        with RowWriter(output, PILOT) as writer:
            async for rows in in_order(problems, ask, session.stop):
                for row in rows:
                    writer.add(row)


if __name__ == "__main__":
    run(run_pilot)
