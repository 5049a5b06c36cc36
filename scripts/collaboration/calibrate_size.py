"""Which size suits a model: solo scores on a ladder of sizes -> ``calibration/{model}.parquet``."""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from scripts.collaboration.grade_answers import score_answer
from scripts.collaboration.instances import instance_row, read_puzzle, to_json
from scripts.collaboration.reading import read_by_program
from scripts.collaboration.schemas import CALIBRATION
from scripts.lib.agents.caller import Caller, Calls, open_callers
from scripts.lib.agents.ordered import in_order
from scripts.lib.dialogue.protocol import solo
from scripts.lib.outcomes import UNFINISHED
from scripts.lib.progress import Meter
from scripts.lib.stage import run
from scripts.lib.tables import write_rows
from tasks import TASKS, get_task
from tasks.contract import Draft, Task
from tasks.making import make_instance

log = logging.getLogger(__name__)

Row = dict[str, Any]


def calibrate_size(output: Path, calls: Row, job: Row) -> None:
    """Run ``job["rollouts"]`` solo_full rollouts for every task and size, and propose a size for each task.

    ``calls``: see ``Calls``; ``job``: model, tasks, seed, critic, rollouts, target. Proposed is the
    largest size whose mean score reaches the target, or the smallest size where none does. The proposal is
    printed as a block for the configuration (``collaboration: sizes:``).
    """
    rows = asyncio.run(_climb(Calls.read(calls), job))
    for task in job["tasks"]:
        propose([row for row in rows if row["task"] == task], job["target"])
    write_rows(output, rows, CALIBRATION)
    log.info("%s", describe(rows, job))


async def _climb(calls: Calls, job: Row) -> list[Row]:
    ladder = [(get_task(task), size) for task in job["tasks"] for size in get_task(task).sizes]
    meter = Meter(len(ladder) * job["rollouts"])
    async with open_callers([job["model"]], calls, meter) as session:
        work = functools.partial(_rung, caller=session.callers[job["model"]], meter=meter, job=job)
        return [row async for row in in_order(ladder, work, session.stop)]


async def _rung(rung: tuple[Task, str], caller: Caller, meter: Meter, job: Row) -> Row:
    """One task in one size."""
    task, size = rung
    scores = await asyncio.gather(
        *(_solo_score(task, size, index, caller, meter, job) for index in range(job["rollouts"]))
    )
    graded = [score for score in scores if score is not None]
    return {
        "model": job["model"],
        "task": task.name,
        "family": TASKS[task.name],
        "size": size,
        "simulated": caller.model.simulated,
        "planned": job["rollouts"],
        "graded": len(graded),
        "score": fmean(graded) if graded else None,
        "proposed": False,
    }


async def _solo_score(
    task: Task, size: str, index: int, caller: Caller, meter: Meter, job: Row
) -> float | None:
    """The score of one rollout, read by program; None where it could not be run to its end."""
    puzzle = read_puzzle(instance_row(task, make_instance(task, size, job["seed"], index)))
    text = task.view(Draft(puzzle.facts, puzzle.frames), "full")
    speak = functools.partial(caller.call, task.name)
    dialogue = await solo("solo_full", [text], speak, job["critic"])
    meter.done += 1
    if dialogue.outcome in UNFINISHED:
        return None
    row = {
        "answer_text": dialogue.answer,
        "mode": "solo_full",
        "outcome": dialogue.outcome,
        "messages": [{"text": turn.text} for turn in dialogue.turns],
    }
    value, _ = read_by_program(task, row)
    return score_answer(task.name, None if value is None else to_json(value), puzzle).score


def propose(ladder: Sequence[Row], target: float) -> None:
    """Mark one row of a task's ladder (sizes in rising order) as proposed."""
    reached = [row for row in ladder if row["score"] is not None and row["score"] >= target]
    (reached[-1] if reached else ladder[0])["proposed"] = True


def describe(rows: Sequence[Row], job: Row) -> str:
    """The ladder as a table, and the proposal as a block of configuration."""
    sizes = list(dict.fromkeys(row["size"] for row in rows))
    lines = [f"solo scores of {job['model']}, target {job['target']:.2f}", "  task".ljust(22) + "".join(
        size.rjust(8) for size in sizes)]  # fmt: skip
    block = ["collaboration:", "  sizes:"]
    for task in job["tasks"]:
        ladder = {row["size"]: row for row in rows if row["task"] == task}
        cells = ["-" if row["score"] is None else f"{row['score']:.2f}" for row in ladder.values()]
        lines.append(f"  {task}".ljust(22) + "".join(cell.rjust(8) for cell in cells))
        proposed = next(row for row in ladder.values() if row["proposed"])
        below = proposed["score"] is None or proposed["score"] < job["target"]
        block.append(
            f"    {task}: {proposed['size']}" + ("  # below the target at every size" if below else "")
        )
    return "\n".join([*lines, "proposed sizes:", *block])


if __name__ == "__main__":
    run(calibrate_size)
