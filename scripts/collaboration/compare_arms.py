"""Compare each arm with the baseline: grades -> ``statistics/arms.parquet``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from scripts.collaboration.arms import ALL_FOUR
from scripts.collaboration.cells import (
    Cell,
    graded_sizes,
    read_scores,
    task_weights,
)
from scripts.collaboration.layout import BASELINE, artifacts, modes_of
from scripts.collaboration.schemas import ARMS
from scripts.collaboration.scopes import Scope, scopes
from scripts.lib.analysis.bootstrap import Array, estimate_columns, share_below, weighted_means
from scripts.lib.analysis.intervals import DIFFERENCE, SCORE, estimate_mean, estimate_ratio
from scripts.lib.stage import run
from scripts.lib.tables import write_rows

Scores = Mapping[Cell, Array]
Means = dict[str, Array]  # by measure, each (1 + resamples,) with the estimate first
ByTask = dict[str, Means]
MEASURES = {"solo_full": SCORE, "collab": SCORE, "gain": DIFFERENCE, "tax": DIFFERENCE}  # and their bounds
OF_LOST = ("lost_score", "lost_tax")  # what an arm scores less than all four, and the tax on these instances


def compare_arms(grades: list[Path], output: Path, job: dict[str, Any]) -> None:
    """Write for every arm but the baseline one row a scope, for each team that plays it and for all of them.

    ``job``: arms, arm_models, teams, modes, tasks ({task: family}), rollouts (a cell), simulated ({model:
    bool}), statistics (resamples, seed, level, solo_tractable, least_tax).

    - collab is the arm's mean score, gain what it has more than the baseline's collab, tax the baseline's
      tax: means over the instance indices graded in solo_full and in collab of both arms.
    - recovered = gain / tax, the share of the tax that the arm closes; lost = (collab of all_four - collab of
      the arm) / tax, over the indices graded in all_four too. Undefined where the tax is below least_tax,
      and without interval where the interval of the tax reaches 0 (``intervals.ratio_interval``).
    - A family is the mean of its task means, "all" of all task means, over the tasks with a gain. Models
      together (team null) are the mean of their taxes and gains; the share is taken of these means.

    Intervals: see ``intervals``; from a bootstrap that is stratified by task. Resampled are a task's instance
    indices, the same for all arms, modes and teams; both terms of a share are uncertain.
    """
    scores = read_scores(grades, job)
    rows = []
    for arm in job["arms"]:
        teams = [team[0] for team in job["teams"] if arm != BASELINE and modes_of(arm, team, job)]
        by_team = team_means(scores, arm, teams, job) if teams else {}
        for scope in scopes(job["tasks"]):
            over = [scope_means(by_team[team], scope) for team in teams]
            for team, means in zip(teams, over, strict=True):
                rows.append(_row(arm, [team], scope, means, scores, job) | {"team": team})
            if teams:
                rows.append(_row(arm, teams, scope, pooled(over), scores, job) | {"team": None})
    write_rows(output, rows, ARMS)


def team_means(scores: Scores, arm: str, teams: Sequence[str], job: dict[str, Any]) -> dict[str, ByTask]:
    """For every team its means by task."""
    by_team: dict[str, ByTask] = {team: {} for team in teams}
    for task in job["tasks"]:
        weights = task_weights(job, task)
        for team in teams:
            by_team[team][task] = task_means(scores, weights, arm, team, task)
    return by_team


def task_means(scores: Scores, weights: Array, arm: str, team: str, task: str) -> Means:
    """A team's means on one task under weights (1 + resamples, rollouts); NaN where a mode is missing."""
    missing = np.full(weights.shape[1], np.nan)

    def of(arm: str, mode: str) -> Array:
        return scores.get((arm, team, mode, task), missing)

    solo, before, after = of(BASELINE, "solo_full"), of(BASELINE, "collab"), of(arm, "collab")
    four = of(ALL_FOUR, "collab") if arm != ALL_FOUR else missing
    common = np.where(np.isnan(solo + before + after), np.nan, 0.0)
    of_four = common + np.where(np.isnan(four), np.nan, 0.0)
    values = [solo + common, after + common, after - before + common, solo - before + common]
    values += [four - after + of_four, solo - before + of_four]
    return dict(zip((*MEASURES, *OF_LOST), weighted_means(np.stack(values), weights), strict=True))


class Over(NamedTuple):
    """Means over tasks and teams, and how many of each have a gain; only these are in the means."""

    means: Means
    tasks: int
    teams: int = 1


def scope_means(means: ByTask, scope: Scope) -> Over:
    """A team's means over the tasks of a scope."""
    used = [means[task] for task in scope.tasks if not np.isnan(means[task]["gain"][0])]
    return Over(mean_of(used or [means[scope.tasks[0]]]), len(used), teams=int(bool(used)))


def pooled(over: Sequence[Over]) -> Over:
    """The mean over teams; tasks are those of the team that has the most."""
    used = [its for its in over if its.tasks] or over[:1]
    return Over(
        mean_of([its.means for its in used]), max(its.tasks for its in used), sum(its.teams for its in used)
    )


def mean_of(means: Sequence[Means]) -> Means:
    """The mean of each measure."""
    return {name: np.mean([of[name] for of in means], axis=0) for name in means[0]}


def sample_sizes(scores: Scores, arm: str, teams: Sequence[str], scope: Scope) -> list[int]:
    """The instances a task behind a row, those of the team with the fewest.

    Teams play the same instances, so more teams add none.
    """
    modes = ((BASELINE, "solo_full"), (BASELINE, "collab"), (arm, "collab"))
    cells = [[(its, team, mode, task) for its, mode in modes for task in scope.tasks] for team in teams]
    return min(filter(None, (graded_sizes(scores, its) for its in cells)), key=sum, default=[])


def _row(
    arm: str,
    teams: Sequence[str],
    scope: Scope,
    over: Over,
    scores: Scores,
    job: dict[str, Any],
) -> dict[str, Any]:
    settings, means = job["statistics"], over.means
    own = [scores[arm, team, "collab", task] for team in teams for task in scope.tasks]
    row: dict[str, Any] = {"arm": arm, "scope": scope.scope, "family": scope.family, "task": scope.task}
    row |= {"simulated": any(job["simulated"][team] for team in teams)}
    row |= {"teams": over.teams, "tasks": over.tasks}
    row |= {"planned": len(own) * job["rollouts"], "graded": int(np.sum(~np.isnan(own)))}
    sizes = sample_sizes(scores, arm, teams, scope)
    for measure, bounds in MEASURES.items():
        row |= estimate_columns(measure, estimate_mean(means[measure], settings["level"], sizes, bounds))
    limits = settings["least_tax"], settings["level"], sizes
    row |= estimate_columns("recovered", estimate_ratio(means["gain"], means["tax"], *limits))
    row |= estimate_columns("lost", estimate_ratio(means["lost_score"], means["lost_tax"], *limits))
    if row["tax"] is not None:
        row["tax_small"] = share_below(means["tax"], settings["least_tax"])
        row["dagger"] = row["solo_full"] < settings["solo_tractable"]
    return row


def from_data(data: Path, output: Path, job: dict[str, Any]) -> None:
    """``compare_arms`` on the planned files below the study's data folder."""
    compare_arms(artifacts(data, "grades", job), output, job)


if __name__ == "__main__":
    run(from_data)
