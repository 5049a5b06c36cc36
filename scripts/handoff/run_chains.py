"""A chain of agents keeps each ledger, its success once predicted -> ``chains/{model}/{batch}.parquet``."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from scripts.handoff.play import Row, play_chain, words_of
from scripts.handoff.playing import play_all
from scripts.lib.agents.caller import Caller
from scripts.lib.manifest import hash_file
from scripts.lib.stage import run

log = logging.getLogger(__name__)


def run_chains(prediction: Path, output: Path, calls: dict[str, Any], job: dict[str, Any]) -> None:
    """Write a row a step; each holds the hash of the prediction that was there before the first call.

    ``calls``: see ``Calls``; ``job``: model, first, last (ledgers, last exclusive), seed, depth, reach, memo,
    chunk (steps), note (most tokens of one).
    """
    made = job | {"prediction": hash_file(prediction)[1]}

    async def play(caller: Caller, index: int) -> list[Row]:
        return await play_chain(caller, words_of(job, index), made)

    replayed = play_all(play, range(job["first"], job["last"]), job["model"], output, calls)
    if replayed:
        log.warning("%d replies are older than this run: were they there before the prediction?", replayed)


if __name__ == "__main__":
    run(run_chains)
