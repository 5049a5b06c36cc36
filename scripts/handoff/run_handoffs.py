"""Hand single agents' ledgers over after some steps -> ``handoffs/{model}/{batch}.parquet``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.handoff.play import Row, goes_on, play_handoff, words_of
from scripts.handoff.playing import by_ledger, play_all
from scripts.lib.agents.caller import Caller
from scripts.lib.stage import run


def run_handoffs(trajectories: Path, output: Path, calls: dict[str, Any], job: dict[str, Any]) -> None:
    """Write a row a step: of the step that writes the note, and of the chunk that starts from it.

    The other half of each pair is the trajectory itself, which goes on from the same prefix; a trajectory
    that ended before the cut has no pair. ``calls``: see ``Calls``; ``job``: model, seed, depth, reach, memo,
    chunk, cuts (steps), notes (most tokens).
    """
    prefixes = by_ledger(trajectories)
    items = [
        (rows[:cut], limit)
        for rows in prefixes.values()
        for cut in job["cuts"]
        for limit in job["notes"]
        if len(rows) >= cut and all(map(goes_on, rows[:cut]))
    ]

    async def play(caller: Caller, item: tuple[list[Row], int]) -> list[Row]:
        prefix, limit = item
        return await play_handoff(caller, words_of(job, prefix[0]["index"]), prefix, limit, job)

    play_all(play, items, job["model"], output, calls)


if __name__ == "__main__":
    run(run_handoffs)
