"""In which order figures and report show teams and tasks, and the mean that orders the tasks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from scripts.lib.drawing.numbers import known
from tasks.contract import FAMILIES

Row = dict[str, Any]  # a row of the tax table


def by_capability(rows: Sequence[Row]) -> list[str]:
    """The teams from the highest overall solo_full score to the lowest, unknown ones last."""
    scores = {row["team"]: row["solo_full"] for row in rows if row["scope"] == "all"}
    return sorted(scores, key=lambda team: (not known(scores[team]), -(scores[team] or 0), team))


def mean_gap(rows: Sequence[Row]) -> tuple[float | None, bool]:
    """Mean ratio gap over the models of one task, and whether it is exploratory.

    Over solo-tractable models where there are any, otherwise over all with a defined gap (exploratory).
    """
    gaps = [(row["ratio_gap"], bool(row["dagger"])) for row in rows if known(row["ratio_gap"])]
    sure = [gap for gap, dagger in gaps if not dagger]
    chosen = sure or [gap for gap, _ in gaps]
    return (math.fsum(chosen) / len(chosen) if chosen else None), not sure


def ordered_tasks(rows: Sequence[Row]) -> list[str]:
    """The tasks by family and, within it, from the largest mean gap to the smallest, undefined ones last."""
    by_task: dict[str, list[Row]] = {}
    for row in rows:
        by_task.setdefault(row["task"], []).append(row)

    def place(task: str) -> tuple[int, bool, float, str]:
        mean, _ = mean_gap(by_task[task])
        family = by_task[task][0]["family"]
        return list(FAMILIES).index(family), mean is None, -(mean or 0), task

    return sorted(by_task, key=place)
