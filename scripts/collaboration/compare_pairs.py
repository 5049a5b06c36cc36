"""Compare mixed pairs with their members: grades -> ``statistics/pairs.parquet``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from scripts.collaboration.cells import graded_sizes, read_scores, task_weights
from scripts.collaboration.layout import artifacts
from scripts.collaboration.members import READINGS, Scores, alone_and_together, cells_of, scores_of
from scripts.collaboration.schemas import PAIRS
from scripts.collaboration.scopes import Scope, scopes
from scripts.lib.analysis.bootstrap import Array, estimate_columns, weighted_means
from scripts.lib.analysis.intervals import DIFFERENCE, SCORE, best_of, estimate_mean
from scripts.lib.names import team_name
from scripts.lib.stage import run
from scripts.lib.tables import write_rows

OF_READING = {"solo": "solo_full", "own": "own_collab"}  # ending of a column: reading of a member's score
DIFFERENCES = ("tax", "from_midpoint", "slot_effect")  # how the measures begin that are no scores
# By measure, each (..., 1 + resamples) with the estimate first; solo, own and the taxes have a row a member.
Means = dict[str, Array]


def compare_pairs(grades: list[Path], output: Path, job: dict[str, Any]) -> None:
    """Write for every mixed pair, each slot order by itself, one row a task, a family and for all tasks.

    ``job``: arms (the baseline), teams (one model, or two in slot order), modes, tasks ({task: family}),
    rollouts (a cell), simulated ({model: bool}), statistics (resamples, seed, level).

    - pair is the pair's mean score; solo_1 and solo_2 are what its members score alone (solo_full), own_1 and
      own_2 what each scores with a copy of itself (collab). Means over their graded rollouts.
    - midpoint_solo and midpoint_own are the means of the two members' scores. from_midpoint_* = pair -
      midpoint and tax_* = the better member's score - pair are means over the instance indices graded in the
      pair and in both members.
    - slot_effect = pair in this order - the same two in the other order, over the indices graded in both;
      null where the other order was not run.
    - A family is the mean of its task means, "all" of all task means, over the tasks in which the pair was
      graded (``tasks`` counts them); null where one of them lacks the measure. planned and graded count the
      pair's own rollouts.

    Intervals: ``intervals.mean_interval``, from a bootstrap that is stratified by task. Resampled are a
    task's instance indices, the same for the pair, its members and the other order; the better member is the
    one of the estimate in every resample.
    """
    scores = read_scores(grades, job)
    pairs = [team for team in job["teams"] if len(team) == 2]
    by_pair: list[dict[str, Means]] = [{} for _ in pairs]
    for task in job["tasks"] if pairs else ():
        weights = task_weights(job, task)
        for team, means in zip(pairs, by_pair, strict=True):
            means[task] = task_means(scores, weights, team, task)
    rows = [
        _row(team, scope, means, scores, job)
        for team, means in zip(pairs, by_pair, strict=True)
        for scope in scopes(job["tasks"])
    ]
    write_rows(output, rows, PAIRS)


def task_means(scores: Scores, weights: Array, team: Sequence[str], task: str) -> Means:
    """A pair's means on one task under weights (1 + resamples, rollouts); NaN where something is missing."""

    def of(models: Sequence[str], mode: str) -> Array:
        return scores_of(scores, models, mode, task, weights.shape[1])

    pair, other = of(team, "collab"), of(team[::-1], "collab")
    means = {
        "pair": weighted_means(pair, weights),
        "slot_effect": weighted_means(pair - other, weights),
        "solo": weighted_means(np.stack([of([model], "solo_full") for model in team]), weights),
        "own": weighted_means(np.stack([of([model], "collab") for model in team]), weights),
    }
    for name, reading in OF_READING.items():
        alone, together = alone_and_together(scores, weights, team, reading, task)
        means |= {f"from_midpoint_{name}": together - alone.mean(axis=0), f"tax_{name}": alone - together}
    return means


def scope_means(means: Sequence[Means]) -> tuple[Means, int]:
    """Means over tasks, each (..., 1 + resamples), and in how many of the tasks the pair was graded."""
    graded = [of for of in means if not np.isnan(of["pair"][..., 0]).all()]
    over = {name: np.mean([of[name] for of in graded or means], axis=0) for name in means[0]}
    for name in OF_READING:
        members = over.pop(name)
        over |= {f"{name}_1": members[0], f"{name}_2": members[1], f"midpoint_{name}": members.mean(axis=0)}
        over[f"tax_{name}"] = best_of(over[f"tax_{name}"])
    return over, len(graded)


def sample_sizes(scores: Scores, team: Sequence[str], tasks: Sequence[str]) -> dict[str, list[int]]:
    """The instances a task behind each measure, over the tasks in which the pair was graded."""
    pair = cells_of(team, "collab", tasks)
    graded = [cell[-1] for cell in pair if graded_sizes(scores, [cell])]
    cells = {"pair": pair, "slot_effect": pair + cells_of(team[::-1], "collab", graded)}
    for name, reading in OF_READING.items():
        members = [cells_of([model], READINGS[reading], graded) for model in team]
        both = members[0] + members[1]
        cells |= {f"{name}_1": members[0], f"{name}_2": members[1], f"midpoint_{name}": both}
        cells |= {f"from_midpoint_{name}": pair + both, f"tax_{name}": pair + both}
    return {name: graded_sizes(scores, its) for name, its in cells.items()}


def _row(
    team: Sequence[str], scope: Scope, means: dict[str, Means], scores: Scores, job: dict[str, Any]
) -> dict[str, Any]:
    over, count = scope_means([means[task] for task in scope.tasks])
    name = team_name(tuple(team))
    own = [scores_of(scores, team, "collab", task, job["rollouts"]) for task in scope.tasks]
    row: dict[str, Any] = {
        "team": name,
        "first": team[0],
        "second": team[1],
        "scope": scope.scope,
        "family": scope.family,
        "task": scope.task,
        "simulated": any(job["simulated"][model] for model in team),
        "tasks": count,
        "planned": len(own) * job["rollouts"] if "collab" in job["modes"] else 0,
        "graded": int(np.sum(~np.isnan(own))),
    }
    sizes = sample_sizes(scores, team, scope.tasks)
    for measure, values in over.items():
        bounds = DIFFERENCE if measure.startswith(DIFFERENCES) else SCORE
        found = estimate_mean(values, job["statistics"]["level"], sizes[measure], bounds)
        row |= estimate_columns(measure, found)
    return row


def from_data(data: Path, output: Path, job: dict[str, Any]) -> None:
    """``compare_pairs`` on the planned files below the study's data folder."""
    compare_pairs(artifacts(data, "grades", job), output, job)


if __name__ == "__main__":
    run(from_data)
