"""Read every team as a cooperative game: grades -> ``statistics/game_values.parquet``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from scripts.collaboration.cells import graded_sizes, read_scores, task_weights
from scripts.collaboration.layout import artifacts
from scripts.collaboration.members import READINGS, Scores, alone_and_together, cells_of
from scripts.collaboration.schemas import GAME_VALUES
from scripts.collaboration.scopes import Scope, scopes
from scripts.lib.analysis import games
from scripts.lib.analysis.bootstrap import Array, Estimate, estimate, estimate_columns
from scripts.lib.analysis.intervals import Bounds, best_of, estimate_mean
from scripts.lib.names import team_name
from scripts.lib.stage import run
from scripts.lib.tables import write_rows

Games = dict[str, Array]  # by task, each (4, 1 + resamples) with the estimate first
MEASURES: dict[str, Bounds] = {  # and the range of each, with scores in [0, 1]
    "v1": (0.0, 1.0),
    "v2": (0.0, 1.0),
    "v12": (0.0, 1.0),
    "tax": (-1.0, 1.0),
    "surplus": (-2.0, 1.0),
    "phi_1": (-0.5, 1.0),
    "phi_2": (-0.5, 1.0),
}
# Counted over tasks: the measure, and the sign that it has where the game violates what it stands for.
VIOLATIONS = {"taxed": ("tax", 1), "subadditive": ("surplus", -1)}


def estimate_game_values(grades: list[Path], output: Path, job: dict[str, Any]) -> None:
    """Write for every team and reading of "alone" one row a task, a family and for all tasks together.

    ``job``: arms (the baseline), teams (one model, or two in slot order), modes, tasks ({task: family}),
    rollouts (a cell), simulated ({model: bool}), statistics (resamples, seed, level).

    - v1 and v2 are what the members score alone, v12 what they score together (collab), over the instance
      indices graded in all of them. alone says which score is meant: solo_full, or own_collab, that of the
      member with a copy of itself; a team of one model has the first reading only, with v1 = v2.
    - tax = max(v1, v2) - v12 is above 0 where max-superadditivity is violated; surplus = v12 - v1 - v2 is
      below 0 where the game is strictly subadditive; phi_1 and phi_2 are the Shapley values. No score is
      above 1, so two able members can hardly have a surplus.
    - A family is the game of the means over its tasks, "all" that over all tasks that have a game.
    - taxed and subadditive count the tasks of the scope with tax > 0 and with surplus < 0, with the
      percentiles of the count over the resamples, which are no test: a resample is noisier than the sample.
      *_clear counts those whose own interval lies on that side of 0. Where a true tax is 0, taxed counts it
      half of the time, taxed_clear in (1 - level) / 2.

    Intervals: ``intervals.mean_interval``, from a bootstrap that is stratified by task. Resampled are a
    task's instance indices, the same for a team and its members; the better member is the one of the
    estimate in every resample.
    """
    scores = read_scores(grades, job)
    keys = [(team, reading) for team in job["teams"] for reading in readings(team)]
    found: list[Games] = [{} for _ in keys]
    for task in job["tasks"]:
        weights = task_weights(job, task)
        for (team, reading), its in zip(keys, found, strict=True):
            its[task] = task_game(scores, weights, team, reading, task)
    rows = [
        _row(team, reading, scope, its, scores, job)
        for (team, reading), its in zip(keys, found, strict=True)
        for scope in scopes(job["tasks"])
    ]
    write_rows(output, rows, GAME_VALUES)


def task_game(scores: Scores, weights: Array, team: Sequence[str], reading: str, task: str) -> Array:
    """The game (4, ..., 1 + resamples) of a team on one task; see ``members.alone_and_together``."""
    alone, together = alone_and_together(scores, weights, team, reading, task)
    return games.two_player_game(alone[0], alone[1], together)


def readings(team: Sequence[str]) -> list[str]:
    """The readings of "alone" that are another thing than the team's own score."""
    return list(READINGS) if len(team) == 2 else ["solo_full"]


def measures(game: Array) -> dict[str, Array]:
    """What is estimated of a game (4, ..., 1 + resamples), each of MEASURES (..., 1 + resamples)."""
    _, one, two, both = game
    values = (one, two, both, best_of(game[1:3]) - both, both - one - two, *games.shapley(game))
    return dict(zip(MEASURES, values, strict=True))


def estimate_measure(values: Array, measure: str, level: float, sizes: Sequence[int]) -> Estimate:
    """A measure (1 + resamples,) with its interval, from samples of these ``sizes``."""
    return estimate_mean(values, level, sizes, MEASURES[measure])


def count_violations(
    by_task: Sequence[dict[str, Array]], level: float, sizes: Sequence[Sequence[int]]
) -> dict[str, Any]:
    """How many tasks are taxed and how many subadditive, each with its interval and how many clearly so."""
    row: dict[str, Any] = {}
    for name, (measure, sign) in VIOLATIONS.items():
        values = [sign * its[measure] for its in by_task]
        counts = np.sum([value > 0 for value in values], axis=0) if values else np.full(2, np.nan)
        row |= estimate_columns(name, estimate(np.asarray(counts, float), level))
        found = [
            estimate_measure(its[measure], measure, level, size)
            for its, size in zip(by_task, sizes, strict=True)
        ]
        clear = sum(its.low > 0 if sign > 0 else its.high < 0 for its in found)
        row[f"{name}_clear"] = clear if values else None
    return row


def share_violated(values: Array, sign: int) -> float | None:
    """The share of the resamples values[1:] of this sign; null without an estimate values[0]."""
    return None if np.isnan(values[0]) else float(np.mean(sign * values[1:] > 0))


def sample_size(scores: Scores, team: Sequence[str], reading: str, task: str) -> list[int]:
    """How many instances of the task are graded alone and together: one number, or none."""
    cells = [cell for model in team for cell in cells_of([model], READINGS[reading], [task])]
    return graded_sizes(scores, cells + cells_of(team, "collab", [task]))


def _row(
    team: Sequence[str], reading: str, scope: Scope, found: Games, scores: Scores, job: dict[str, Any]
) -> dict[str, Any]:
    level = job["statistics"]["level"]
    tasks = [task for task in scope.tasks if not np.isnan(found[task][:, 0]).any()]
    played = [found[task] for task in tasks]
    over = measures(np.mean(played or [found[scope.tasks[0]]], axis=0))
    sizes = [sample_size(scores, team, reading, task) for task in tasks]
    row: dict[str, Any] = {
        "team": team_name(tuple(team)),
        "kind": "homogeneous" if len(team) == 1 else "mixed",
        "alone": reading,
        "scope": scope.scope,
        "family": scope.family,
        "task": scope.task,
        "simulated": any(job["simulated"][model] for model in team),
        "tasks": len(played),
    }
    for name, values in over.items():
        row |= estimate_columns(
            name, estimate_measure(values, name, level, [n for its in sizes for n in its])
        )
    for measure, sign in VIOLATIONS.values():
        row[f"{measure}_share"] = share_violated(over[measure], sign)
    return row | count_violations([measures(game) for game in played], level, sizes)


def from_data(data: Path, output: Path, job: dict[str, Any]) -> None:
    """``estimate_game_values`` on the planned files below the study's data folder."""
    estimate_game_values(artifacts(data, "grades", job), output, job)


if __name__ == "__main__":
    run(from_data)
