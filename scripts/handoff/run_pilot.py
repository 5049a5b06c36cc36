"""Ask a model padded problems at every load -> ``pilot/{model}/{batch}.parquet``."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from scripts.handoff.pilot import Pilot
from scripts.handoff.pilot_schemas import PILOT
from scripts.handoff.playing import play_all
from scripts.lib.agents.caller import Caller
from scripts.lib.stage import run


def run_pilot(output: Path, calls: dict[str, Any], job: dict[str, Any]) -> None:
    """Write a row a call, in order of problem, load and call.

    ``calls``: see ``Calls``; ``job``: model, first, last (problems, last exclusive), what ``Pilot`` takes.
    """
    pilot = functools.cache(lambda caller: Pilot(caller, job))  # one, which measures tokens a word once

    async def ask(caller: Caller, index: int) -> list[dict[str, Any]]:
        return await pilot(caller).ask(index)

    play_all(ask, range(job["first"], job["last"]), job["model"], output, calls, PILOT, "problems")


if __name__ == "__main__":
    run(run_pilot)
