"""Means of paired measures by task, by family and over all, with intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from scripts.collaboration.cells import Cell, task_weights
from scripts.collaboration.layout import BASELINE
from scripts.collaboration.scopes import scopes
from scripts.lib.analysis.bootstrap import Array, estimate_columns, weighted_means
from scripts.lib.analysis.intervals import DIFFERENCE, SCORE, estimate_mean
from scripts.lib.names import team_name

Measures = dict[str, Array]  # by name, each (rollouts,) by instance index, NaN where there is none
Row = dict[str, Any]
DIFFERENCES = ("tax", "change", "from_")  # how the names of measures in [-1, 1] begin; others lie in [0, 1]


def paired_rows(values: Mapping[str, Measures], job: Row) -> Iterator[Row]:
    """One row a scope from {task: its measures}; all tasks have the same measures.

    ``job``: tasks, rollouts, statistics (resamples, seed, level). Only instances that have all measures
    count. A family is the mean of its task means, "all" of all task means, over the tasks that have such
    instances; ``tasks`` says how many these are. Intervals: ``mean_interval`` from a bootstrap, by task;
    resampled are a task's instance indices, the same for all measures.
    """
    paired = {task: _complete(its) for task, its in values.items()}
    means = {task: _means(its, task_weights(job, task)) for task, its in paired.items()}
    for scope in scopes(job["tasks"]):
        counts = {task: _graded(paired[task]) for task in scope.tasks}
        used = [task for task in scope.tasks if counts[task]] or scope.tasks[:1]
        row: Row = {"scope": scope.scope, "family": scope.family, "task": scope.task}
        row |= {"tasks": sum(count > 0 for count in counts.values())}
        row |= {"planned": len(scope.tasks) * job["rollouts"], "graded": sum(counts.values())}
        for name in means[used[0]]:
            over = np.mean([means[task][name] for task in used], axis=0)
            bounds = DIFFERENCE if name.startswith(DIFFERENCES) else SCORE
            found = estimate_mean(over, job["statistics"]["level"], [counts[task] for task in used], bounds)
            row |= estimate_columns(name, found)
        yield row


def every_cell(plan: Row, modes: Sequence[str]) -> list[Cell]:
    """The cells of a plan's teams in the baseline, whether their mode is played or not."""
    return [
        (BASELINE, team_name(tuple(team)), mode, task)
        for team in plan["teams"]
        for mode in modes
        for task in plan["tasks"]
    ]


def _complete(measures: Measures) -> Measures:
    """The measures on the instances that have all of them."""
    missing = np.isnan(list(measures.values())).any(axis=0)
    return {name: np.where(missing, np.nan, its) for name, its in measures.items()}


def _graded(measures: Measures) -> int:
    return int(np.sum(~np.isnan(next(iter(measures.values())))))


def _means(measures: Measures, weights: Array) -> Measures:
    means = weighted_means(np.stack(list(measures.values())), weights)
    return dict(zip(measures, means, strict=True))
