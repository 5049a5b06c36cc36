"""A chain of agents keeps each ledger, its success once predicted -> ``chains/{model}/{batch}.parquet``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.handoff.freezing import first_prediction
from scripts.handoff.play import TASK, Row, play_chain, words_of
from scripts.handoff.playing import play_all
from scripts.lib.agents.caller import Caller
from scripts.lib.manifest import hash_file
from scripts.lib.stage import run


def run_chains(prediction: Path, output: Path, calls: dict[str, Any], job: dict[str, Any]) -> None:
    """Write a row a step; each holds the hash of the prediction that was there before the first call.

    ``calls``: see ``Calls``; ``job``: model, identity, first, last (ledgers, last exclusive), seed, depth,
    reach, memo, chunks (steps), note (most tokens of one). Where the prediction was made anew since, the
    recorded replies are older than it, and the rows hold the hash of the first one.
    """
    now = hash_file(prediction)[1]

    async def play(caller: Caller, item: tuple[int, int]) -> list[Row]:
        index, chunk = item
        made = job | {"chunk": chunk, "prediction": now}
        if not caller.model.simulated:  # whose replies are never older: they are not recorded
            made["prediction"] = first_prediction(Path(calls["ledger"][0]), TASK, chunk, job, now)
        return await play_chain(caller, words_of(job, index), made)

    items = [(index, chunk) for index in range(job["first"], job["last"]) for chunk in job["chunks"]]
    play_all(play, items, job["model"], output, calls)


if __name__ == "__main__":
    run(run_chains)
