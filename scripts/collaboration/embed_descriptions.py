"""Turn descriptions into vectors: ``descriptions/{team}.parquet`` -> ``embeddings/{team}.parquet``."""

from __future__ import annotations

import asyncio
import functools
from pathlib import Path
from typing import Any

from scripts.collaboration.schemas import DESCRIPTIONS, EMBEDDINGS, ROLLOUT_ID
from scripts.lib.agents.caller import Caller, Calls, open_callers
from scripts.lib.agents.calls import CallFailed
from scripts.lib.agents.embedding import read_vector, text_to_embed
from scripts.lib.agents.ordered import in_order
from scripts.lib.progress import Meter
from scripts.lib.stage import run
from scripts.lib.tables import RowWriter, count_rows, read_each

LEDGER_TASK = "descriptions"  # where the ledger keeps these calls: equal texts of two tasks are one call

Row = dict[str, Any]


def embed_descriptions(descriptions: Path, output: Path, calls: Row, job: Row) -> None:
    """Embed each description. ``calls``: see ``Calls``; ``job``: embedder (a model with ``embeds: true``).

    A description that is missing, or whose call fails, has no vector (null) and is in no theme of embeddings.
    """
    asyncio.run(_embed_all(descriptions, output, Calls.read(calls), job["embedder"]))


async def _embed_all(descriptions: Path, output: Path, calls: Calls, embedder: str) -> None:
    meter = Meter(count_rows(descriptions, DESCRIPTIONS), "embeddings")
    rows = read_each(descriptions, DESCRIPTIONS, [*ROLLOUT_ID, "simulated", "description"])
    async with open_callers([embedder], calls, meter) as session:
        work = functools.partial(_embed_one, caller=session.callers[embedder], meter=meter)
        with RowWriter(output, EMBEDDINGS) as writer:
            async for row in in_order(rows, work, session.stop):
                writer.add(row)


async def _embed_one(row: Row, caller: Caller, meter: Meter) -> Row:
    about = {name: row[name] for name in (*ROLLOUT_ID, "simulated")}
    about |= {"embedder": caller.name, "vector": None, "error": None}
    if row["description"]:
        try:
            reply = await caller.call(LEDGER_TASK, text_to_embed(row["description"]))
            about["vector"] = read_vector(reply)
        except CallFailed as failure:
            about["error"] = str(failure)
    meter.done += 1
    return about


if __name__ == "__main__":
    run(embed_descriptions)
