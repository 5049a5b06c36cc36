"""One agent keeps each ledger to the largest depth -> ``trajectories/{model}/{batch}.parquet``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.handoff.play import Row, play_single, words_of
from scripts.handoff.playing import play_all
from scripts.lib.agents.caller import Caller
from scripts.lib.stage import run


def run_trajectories(output: Path, calls: dict[str, Any], job: dict[str, Any]) -> None:
    """Write a row a step. Shallower tasks are the beginnings of these: no prompt tells the depth.

    ``calls``: see ``Calls``; ``job``: model, first, last (ledgers, last exclusive), seed, depth, reach, memo.
    """

    async def play(caller: Caller, index: int) -> list[Row]:
        return await play_single(caller, words_of(job, index), job["depth"])

    play_all(play, range(job["first"], job["last"]), job["model"], output, calls)


if __name__ == "__main__":
    run(run_trajectories)
