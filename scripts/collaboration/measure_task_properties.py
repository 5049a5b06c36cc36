"""Measure the tasks themselves, without any model -> ``statistics/task_properties.parquet``."""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

from scripts.collaboration.instances import to_json
from scripts.collaboration.schemas import TASK_PROPERTIES
from scripts.lib.stage import run
from scripts.lib.tables import write_rows
from tasks import TASKS, get_task
from tasks.contract import HOLDERS, VIEWS, Task
from tasks.making import Instance, make_instance

OTHERS = 5  # answers of other instances that are tried on each instance


def measure_task_properties(output: Path, job: dict[str, Any], threads: int) -> None:
    """Write one row a task. ``job``: sizes ({task: size}), seed (of the study), instances (how many)."""
    measure = partial(measure_task, seed=job["seed"], instances=job["instances"])
    with ProcessPoolExecutor(threads) as pool:
        rows = list(pool.map(measure, job["sizes"], job["sizes"].values()))
    write_rows(output, rows, TASK_PROPERTIES)


def measure_task(name: str, size: str, seed: int, instances: int) -> dict[str, Any]:
    """One row: means over the first instances of a study seed, the same ones that the study plays.

    - floor: the better of optimistic and random guessing on each view, mean over both views (as in the
      instances); floor_optimistic and floor_random: either way alone.
    - false_accept: share of answers to *other* instances that are fully right in some accepted convention;
      convention_gain: what the best convention adds to their score over the notation of view A.
    - answers_open: distinct optimal answers among the completions of one view that the certificate looked
      at (a lower bound of what a guesser chooses from); answers_seen: distinct optimal answers in all.
    - rejected_share: refused draws over draws, by reason in ``rejected`` (JSON).
    """
    task = get_task(name)
    start = time.process_time()
    made = [make_instance(task, size, seed, index) for index in range(instances)]
    seconds = (time.process_time() - start) / instances
    refused = sum((Counter(instance.rejected) for instance in made), Counter())
    guesses = [instance.guesses[holder] for instance in made for holder in HOLDERS]
    return {
        "task": name,
        "family": TASKS[name],
        "size": size,
        "instances": instances,
        "floor": fmean(max(guess) for guess in guesses),
        "floor_optimistic": fmean(guess.optimistic for guess in guesses),
        "floor_random": fmean(guess.random for guess in guesses),
        **_luck(task, made),
        "answers_open": fmean(i.certificate[holder].answers for i in made for holder in HOLDERS),
        "answers_seen": len({to_json(instance.answer) for instance in made}),
        **{f"characters_{v}": fmean(len(task.view(i.draft, v)) for i in made) for v in VIEWS},
        "draws": instances + refused.total(),
        "rejected_share": refused.total() / (instances + refused.total()),
        "rejected": to_json(dict(refused)),
        "seconds": seconds,
    }


def _luck(task: Task, made: list[Instance]) -> dict[str, Any]:
    """How often, and by how much, an answer to another instance is right here."""
    best, plain = [], []
    for number, instance in enumerate(made):
        truth, frames = instance.answer, instance.draft.frames
        for step in range(1, min(OTHERS, len(made) - 1) + 1):
            other = made[(number + step) % len(made)]
            value = task.write_answer(other.answer, frames["a"])
            best.append(task.score(instance.draft.union, truth, value, frames).score)
            answer = task.interpret(value, frames["a"])
            plain.append(0.0 if answer is None else task.grade(instance.draft.union, truth, answer))
    return {
        "false_accept": fmean(score >= 1 for score in best),
        "convention_gain": fmean(best) - fmean(plain),
        "conventions": len(task.conventions(made[0].draft.frames)),
    }


if __name__ == "__main__":
    run(measure_task_properties)
