"""A chain of agents keeps each ledger, its success once predicted -> ``chains/{model}/{batch}.parquet``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.handoff.play import Row, play_chain, words_of
from scripts.handoff.playing import play_all
from scripts.lib.agents.caller import Caller
from scripts.lib.manifest import hash_file
from scripts.lib.stage import run


def run_chains(prediction: Path, output: Path, calls: dict[str, Any], job: dict[str, Any]) -> None:
    """Write a row a step; each holds the hash of the prediction that was there before the first call.

    ``calls``: see ``Calls``; ``job``: model, first, last (ledgers, last exclusive), seed, depth, reach, memo,
    chunk (steps), limit (most tokens of a note).
    """
    made = job | {"prediction": hash_file(prediction)[1]}

    async def play(caller: Caller, index: int) -> list[Row]:
        return await play_chain(caller, words_of(job, index), made)

    play_all(play, range(job["first"], job["last"]), job["model"], output, calls)


if __name__ == "__main__":
    run(run_chains)
