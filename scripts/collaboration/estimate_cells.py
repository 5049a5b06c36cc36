"""Sum up every planned cell: rollouts, answers, grades, instances -> ``statistics/cells.parquet``."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from scripts.collaboration.cells import (
    CELL,
    Cell,
    graded_sizes,
    planned_cells,
    planned_rows,
    read_scores,
    task_weights,
)
from scripts.collaboration.layout import artifacts
from scripts.collaboration.schemas import ANSWERS, CELLS, INSTANCES, ROLLOUTS
from scripts.lib.agents.models import Model, load_models
from scripts.lib.analysis.bootstrap import Array, Estimate, estimate_columns, weighted_means
from scripts.lib.analysis.intervals import SCORE, estimate_mean
from scripts.lib.errors import UserError, did_you_mean
from scripts.lib.names import team_name
from scripts.lib.outcomes import Outcome
from scripts.lib.stage import run
from scripts.lib.tables import read_rows, write_rows

USED = ("simulated", "outcome", "turns", "truncated", "usage")
TOKENS = ("prompt_tokens", "completion_tokens")


@dataclass
class Tally:
    """What the rollouts of one cell add up to."""

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    simulated: set[bool] = field(default_factory=set)
    turns: int = 0  # of rollouts that were run; ``replies`` also counts those that the budget cut short
    replies: int = 0
    truncated: int = 0
    tokens: dict[tuple[str, str], int | None] = field(default_factory=dict)  # (model, kind); None: unknown

    @property
    def run(self) -> int:
        """Rollouts that were run: all but those for which the budget did not last."""
        return self.outcomes.total() - self.outcomes[Outcome.BUDGET]

    def add(self, row: dict[str, Any]) -> None:
        """Count one row of the rollouts."""
        outcome = Outcome(row["outcome"])
        self.outcomes[outcome] += 1
        self.simulated.add(row["simulated"])
        self.turns += 0 if outcome is Outcome.BUDGET else row["turns"]
        self.replies += row["turns"]
        self.truncated += row["truncated"]
        for use in row["usage"]:
            for kind in TOKENS:
                before = self.tokens.get((use["model"], kind), 0)
                self.tokens[use["model"], kind] = total([before, use[kind]])


def estimate_cells(
    rollouts: list[Path],
    answers: list[Path],
    grades: list[Path],
    instances: list[Path],
    models_file: Path,
    output: Path,
    job: dict[str, Any],
) -> None:
    """Write one row for every planned cell (arm x team x mode x task), also where nothing was run.

    ``job``: arms, arm_models, teams (each one model, or two in slot order), modes, tasks ({task: family}),
    rollouts (a cell), statistics (resamples, seed, level). score is the mean over the graded rollouts;
    resampled are the task's instance indices, the same for all arms, teams and modes, so its interval covers
    the choice of instances (null where one rollout was graded). Tokens and cost (US dollars)
    cover every call of the rows present, also of rollouts cut short; null where a part of them is unknown.
    """
    teams = {team_name(tuple(team)): team for team in job["teams"]}
    models = load_models(models_file)
    _check_models(models, job["teams"], models_file)
    tallies: dict[Cell, Tally] = defaultdict(Tally)
    for cell, row in planned_rows(rollouts, ROLLOUTS, USED, job):
        tallies[cell].add(row)
    read = planned_rows(answers, ANSWERS, ["answered_by"], job)
    by_grader = Counter(cell for cell, row in read if row["answered_by"] == "grader")
    scores, floors = read_scores(grades, job), read_floors(instances, job)
    estimates = mean_scores(scores, job)
    rows = []
    for cell in planned_cells(job):
        task, members = cell[-1], [models[name] for name in teams[cell[1]]]
        row = dict(zip(CELL, cell, strict=True)) | {"family": job["tasks"][task], "floor": floors.get(task)}
        row |= {"planned": job["rollouts"], "graded": int(np.sum(~np.isnan(scores[cell])))}
        row |= {"by_grader": by_grader[cell], **estimate_columns("score", estimates[cell])}
        rows.append(row | _tally_columns(tallies[cell], members, models))
    write_rows(output, rows, CELLS)


def mean_scores(scores: dict[Cell, Array], job: dict[str, Any]) -> dict[Cell, Estimate]:
    """The mean score of each cell with its interval."""
    estimates = {}
    for task in job["tasks"]:
        weights = task_weights(job, task)
        for cell in (cell for cell in scores if cell[-1] == task):
            means, sizes = weighted_means(scores[cell], weights), graded_sizes(scores, [cell])
            estimates[cell] = estimate_mean(means, job["statistics"]["level"], sizes, SCORE)
    return estimates


def read_floors(instances: Sequence[Path], job: dict[str, Any]) -> dict[str, float]:
    """The mean one-view floor of each task, in [0, 1], over both views of the instances that are used."""
    floors: dict[str, list[float]] = defaultdict(list)
    for path in instances:
        for row in read_rows(path, INSTANCES, ["task", "index", "floor_a", "floor_b"]):
            if row["index"] < job["rollouts"]:
                floors[row["task"]] += [row[name] for name in ("floor_a", "floor_b") if row[name] is not None]
    return {task: float(np.mean(sorted(values))) for task, values in floors.items() if values}


def total(counts: Sequence[int | None]) -> int | None:
    """The sum of counts; None where one of them is unknown."""
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def cost(tally: Tally, models: dict[str, Model]) -> float | None:
    """US dollars of a cell: 0 for simulated ones without a price; None where price or counts are unknown."""
    dollars = 0.0
    for name in sorted({name for name, _ in tally.tokens}):
        model, counts = models[name], [tally.tokens[name, kind] for kind in TOKENS]
        if model.simulated and model.price is None:
            continue
        if model.price is None or counts[0] is None or counts[1] is None:
            return None
        dollars += model.price.cost(counts[0], counts[1])
    return dollars


def _tally_columns(tally: Tally, team: Sequence[Model], models: dict[str, Model]) -> dict[str, Any]:
    """The counts of a cell; its rows tell whether it is simulated, or the models where there are none."""
    planted = any(tally.simulated) if tally.simulated else any(model.simulated for model in team)
    row: dict[str, Any] = {outcome.value: tally.outcomes[outcome] for outcome in Outcome}
    row |= {"simulated": planted, "run": tally.run, "turns": tally.turns / tally.run if tally.run else None}
    row |= {"replies": tally.replies, "truncated_replies": tally.truncated, "cost": cost(tally, models)}
    for kind in TOKENS:
        row[kind] = total([count for (_, of), count in tally.tokens.items() if of == kind])
    return row


def _check_models(models: dict[str, Model], teams: Sequence[Sequence[str]], file: Path) -> None:
    for name in (name for team in teams for name in team):
        if name not in models:
            raise UserError(f'{file} has no model "{name}"{did_you_mean(name, list(models))}')


def from_data(data: Path, models_file: Path, output: Path, job: dict[str, Any]) -> None:
    """``estimate_cells`` on the planned files below the study's data folder."""
    estimate_cells(
        artifacts(data, "rollouts", job),
        artifacts(data, "answers", job),
        artifacts(data, "grades", job),
        artifacts(data, "instances", job),
        models_file,
        output,
        job,
    )


if __name__ == "__main__":
    run(from_data)
