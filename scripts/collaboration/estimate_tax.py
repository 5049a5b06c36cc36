"""Estimate the collaboration tax and its parts: grades -> ``statistics/tax.parquet``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from scripts.collaboration.cells import (
    Cell,
    graded_sizes,
    read_scores,
    task_weights,
)
from scripts.collaboration.layout import BASELINE, artifacts, modes_of
from scripts.collaboration.schemas import TAX
from scripts.collaboration.scopes import Scope, scopes
from scripts.lib.analysis.bootstrap import Array, Estimate, estimate_columns, weighted_means
from scripts.lib.analysis.intervals import DIFFERENCE, SCORE, best_of, estimate_mean, estimate_ratio
from scripts.lib.names import team_name
from scripts.lib.stage import run
from scripts.lib.tables import write_rows

Scores = Mapping[Cell, Array]
# A task's means, each (..., 1 + resamples) with the estimate first; solo_full and tax have one row a member.
Means = dict[str, Array]
MEASURES = {  # the modes that each is made of
    "solo_full": ("solo_full",),
    "solo_split": ("solo_split",),
    "collab": ("collab",),
    "tax": ("solo_full", "collab"),
    "alignment": ("solo_full", "solo_split"),
    "talking": ("solo_split", "collab"),
}


def estimate_tax(grades: list[Path], output: Path, job: dict[str, Any]) -> None:
    """Write, for every arm and team that plays it, one row a task, a family and for all tasks together.

    ``job``: arms, arm_models, teams (each one model, or two in slot order), modes, tasks ({task: family}),
    rollouts (a cell), simulated ({model: bool}), statistics (resamples, seed, level, solo_tractable,
    least_solo).

    - solo_full, solo_split, collab: means over the graded rollouts of the mode. For a mixed team solo_full is
      the larger of its members' means at that scope, taken from their homogeneous rows. The solo scores of
      an arm are those of the baseline.
    - tax = solo_full - collab, alignment = solo_full - solo_split, talking = solo_split - collab: means over
      the instance indices graded in all modes (for a mixed team: by both members and the pair) that the
      difference names. So tax = alignment + talking wherever the three modes were graded on the same indices.
    - ratio_gap = tax / solo_full; null where solo_full is below least_solo.
    - A family is the mean of its task means, "all" the mean over all task means. Both are over the tasks that
      have a tax; ``tasks`` says how many these are. Where none has one (a mode is missing), the means stand
      over all tasks of the scope, null unless every task has them; likewise solo_split and its differences.
    - planned and graded count the team's own rollouts in the scope, over all its planned modes.

    Intervals: ``mean_interval`` and, for the ratio gap, ``ratio_interval``, from a bootstrap that is
    stratified by task. Resampled are a task's instance indices, the same for every arm, team and mode; the
    better member is the one of the estimate in every resample.
    """
    scores = read_scores(grades, job)
    rows = []
    for arm in job["arms"]:
        by_team = arm_means(scores, arm, job)
        for team, means in zip(job["teams"], by_team, strict=True):
            played = scopes(job["tasks"]) if modes_of(arm, team, job) else ()
            rows += [_row(arm, team, scope, means, scores, job) for scope in played]
    write_rows(output, rows, TAX)


def arm_means(scores: Scores, arm: str, job: dict[str, Any]) -> list[dict[str, Means]]:
    """For every team of an arm its means by task."""
    by_team: list[dict[str, Means]] = [{} for _ in job["teams"]]
    for task in job["tasks"]:
        weights = task_weights(job, task)
        for team, means in zip(job["teams"], by_team, strict=True):
            means[task] = task_means(scores, weights, arm, team, task)
    return by_team


def task_means(scores: Scores, weights: Array, arm: str, team: Sequence[str], task: str) -> Means:
    """A team's means on one task under weights (1 + resamples, rollouts); NaN where a mode is missing."""
    missing = np.full(weights.shape[1], np.nan)

    def of(models: Sequence[str], mode: str) -> Array:
        its = arm if mode == "collab" else BASELINE
        return scores.get((its, team_name(tuple(models)), mode, task), missing)

    solo = np.stack([of([model], "solo_full") for model in team])
    split, collab = of(team, "solo_split"), of(team, "collab")
    common = ~np.isnan(solo).any(axis=0)
    both = {
        "solo_full": solo,
        "tax": np.where(common, solo - collab, np.nan),
        "solo_split": split,
        "collab": collab,
        "alignment": solo[0] - split,
        "talking": split - collab,
    }
    return {name: weighted_means(values, weights) for name, values in both.items()}


def taxed_tasks(means: Mapping[str, Means], tasks: Sequence[str]) -> list[str]:
    """The tasks that have a tax."""
    return [task for task in tasks if not np.isnan(means[task]["tax"][..., 0]).any()]


def scope_means(means: Sequence[Means]) -> Means:
    """Means over tasks, each (..., 1 + resamples).

    solo_full and tax come by member; the better one is who the pair is measured against: max(v1, v2) - v12.
    """
    over = {name: np.mean([of[name] for of in means], axis=0) for name in MEASURES}
    return over | {name: best_of(over[name]) for name in ("solo_full", "tax")}


def estimates(
    over: Means, sizes: Mapping[str, Sequence[int]], settings: dict[str, Any]
) -> dict[str, Estimate]:
    """Every measure with its interval, each from means (1 + resamples,) of samples of these ``sizes``."""
    level = settings["level"]
    found = {
        name: estimate_mean(over[name], level, sizes[name], SCORE if len(modes) == 1 else DIFFERENCE)
        for name, modes in MEASURES.items()
    }
    gap = (over["tax"], over["solo_full"], settings["least_solo"], level, sizes["tax"], (-np.inf, 1.0))
    return found | {"ratio_gap": estimate_ratio(*gap)}


def sample_sizes(scores: Scores, arm: str, team: Sequence[str], tasks: Sequence[str]) -> dict[str, list[int]]:
    """The instances a task behind each measure; see ``graded_sizes``."""

    def cells(mode: str) -> list[Cell]:
        teams = [(model,) for model in team] if mode == "solo_full" else [tuple(team)]
        its = arm if mode == "collab" else BASELINE
        return [(its, team_name(who), mode, task) for who in teams for task in tasks]

    return {
        name: graded_sizes(scores, [cell for mode in modes for cell in cells(mode)])
        for name, modes in MEASURES.items()
    }


def _row(
    arm: str, team: Sequence[str], scope: Scope, means: dict[str, Means], scores: Scores, job: dict[str, Any]
) -> dict[str, Any]:
    settings, name, modes = job["statistics"], team_name(tuple(team)), modes_of(arm, team, job)
    taxed = taxed_tasks(means, scope.tasks)
    used = taxed or scope.tasks
    over = scope_means([means[task] for task in used])
    own = [scores[arm, name, mode, task] for mode in modes for task in scope.tasks]
    row: dict[str, Any] = {
        "arm": arm,
        "team": name,
        "kind": "homogeneous" if len(team) == 1 else "mixed",
        "scope": scope.scope,
        "family": scope.family,
        "task": scope.task,
        "simulated": any(job["simulated"][model] for model in team),
        "tasks": len(taxed),
        "planned": len(own) * job["rollouts"],
        "graded": int(np.sum(~np.isnan(own))),
    }
    for measure, found in estimates(over, sample_sizes(scores, arm, team, used), settings).items():
        row |= estimate_columns(measure, found)
    solo = row["solo_full"]
    return row | {"dagger": None if solo is None else solo < settings["solo_tractable"]}


def from_data(data: Path, output: Path, job: dict[str, Any]) -> None:
    """``estimate_tax`` on the planned files below the study's data folder."""
    estimate_tax(artifacts(data, "grades", job), output, job)


if __name__ == "__main__":
    run(from_data)
