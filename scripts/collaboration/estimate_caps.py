"""Replay the turn cap: collab rollouts and grades -> ``statistics/caps.parquet``. Never calls a model.

No prompt states the cap and nobody asks for an answer at the end, so a conversation under a shorter cap is
the beginning of the one under a longer cap, turn for turn. It has no answer where the marker came later.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from scripts.collaboration.beyond_schemas import CAPS
from scripts.collaboration.cells import planned_rows
from scripts.collaboration.layout import BASELINE, artifacts
from scripts.collaboration.paired import Measures, every_cell, paired_rows
from scripts.collaboration.schemas import GRADES, ROLLOUTS
from scripts.lib.analysis.bootstrap import Array
from scripts.lib.outcomes import Outcome
from scripts.lib.stage import run
from scripts.lib.tables import write_rows

Row = dict[str, Any]
MODES = ("solo_full", "collab")


class Talk(NamedTuple):
    """A cell by instance index, each (rollouts,): scores, those of submitted answers alone, the last turn."""

    score: Array
    submitted: Array
    ended: Array


def estimate_caps(rollouts: list[Path], grades: list[Path], output: Path, job: Row) -> None:
    """Write for every homogeneous team and cap one row a scope.

    ``job``: teams, modes, tasks ({task: family}), rollouts (a cell), caps and max_exchanges (exchanges),
    simulated ({model: bool}), statistics (resamples, seed, level). Caps beyond max_exchanges cannot be
    replayed and are left out; max_exchanges itself is always there, as the longest.

    All measures are means over the instances graded in solo_full and collab, the same for every cap; see
    ``paired_rows``. At any cap only submitted answers count: what a grader model made of a conversation that
    reached the cap is left aside, because it would read each cut one anew.
    """
    talks = read_talks(rollouts, grades, job)
    rows = []
    for (name,) in (team for team in job["teams"] if len(team) == 1):
        for cap in replayed_caps(job):
            values = {
                task: at_cap(talks[name, "solo_full", task], talks[name, "collab", task], cap)
                for task in job["tasks"]
            }
            about = {"team": name, "cap": cap, "longest": cap == job["max_exchanges"]}
            about |= {"simulated": job["simulated"][name]}
            rows += [about | row for row in paired_rows(values, job)]
    write_rows(output, rows, CAPS)


def replayed_caps(job: Row) -> list[int]:
    """The caps that a replay can tell of, ascending; the last one is that of the rollouts."""
    longest = job["max_exchanges"]
    return sorted({longest, *(cap for cap in job["caps"] if cap < longest)})


def at_cap(solo: Talk, collab: Talk, cap: int) -> Measures:
    """The measures of a task under a cap of so many exchanges, two turns each."""
    cut = collab.ended > 2 * cap
    score = np.where(cut, 0.0, collab.submitted)
    known = np.where(np.isnan(collab.score), np.nan, 0.0)  # a call failed: unknown under every cap
    return {
        "solo_full": solo.score,
        "collab": score + known,
        "tax": solo.score - score + known,
        "bound": collab.submitted - score + known,
        "cut": cut + known,
        "unsubmitted": (collab.score != collab.submitted) + known,
    }


def read_talks(
    rollouts: Sequence[Path], grades: Sequence[Path], job: Row
) -> dict[tuple[str, str, str], Talk]:
    """What is known of every homogeneous team, mode and task of the baseline."""
    plan = plan_of(job)
    talks = {
        cell[1:]: Talk(*(np.full(job["rollouts"], np.nan) for _ in Talk._fields))
        for cell in every_cell(plan, MODES)
    }
    for cell, row in planned_rows(grades, GRADES, ["score", "outcome"], plan):
        if row["score"] is not None:
            talk, index = talks[cell[1:]], row["index"]
            talk.score[index] = row["score"]
            talk.submitted[index] = 0.0 if row["outcome"] == Outcome.TURN_CAP else row["score"]
    for cell, row in planned_rows(rollouts, ROLLOUTS, ["turns", "outcome", "error"], plan):
        talks[cell[1:]].ended[row["index"]] = last_turn(row)
    return talks


def last_turn(row: Row) -> float:
    """The turn, from 1, at which a rollout ended by itself; infinite where only the cap ended it."""
    if row["outcome"] == Outcome.TURN_CAP:
        return np.inf
    return float(row["turns"] + (row["error"] is not None))  # a failed call is a turn that was not counted


def plan_of(job: Row) -> Row:
    """The part of the plan that is replayed: homogeneous teams in the baseline, alone and together."""
    teams = [team for team in job["teams"] if len(team) == 1]
    modes = [mode for mode in MODES if mode in job["modes"]]
    return job | {"arms": [BASELINE], "arm_models": [], "teams": teams, "modes": modes}


def from_data(data: Path, output: Path, job: Row) -> None:
    """``estimate_caps`` on the planned files below the study's data folder."""
    plan = plan_of(job)
    estimate_caps(artifacts(data, "rollouts", plan), artifacts(data, "grades", plan), output, job)


if __name__ == "__main__":
    run(from_data)
