"""A team's members and the team itself on the same instances: what pairs and games are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scripts.collaboration.cells import Cell
from scripts.collaboration.layout import BASELINE
from scripts.lib.analysis.bootstrap import Array, weighted_means
from scripts.lib.names import team_name

# What a member's score "alone" may mean, and the mode it is of.
READINGS = {"solo_full": "solo_full", "own_collab": "collab"}
Scores = Mapping[Cell, Array]


def scores_of(scores: Scores, team: Sequence[str], mode: str, task: str, rollouts: int) -> Array:
    """A team's scores (rollouts,) in the baseline; NaN where the mode is not planned or not graded."""
    return scores.get((BASELINE, team_name(tuple(team)), mode, task), np.full(rollouts, np.nan))


def alone_and_together(
    scores: Scores, weights: Array, team: Sequence[str], reading: str, task: str
) -> tuple[Array, Array]:
    """Means of the two members (2, resamples) and of the team (resamples,) on one task.

    Over the instance indices graded in all three, under weights (resamples, rollouts). A team of one model
    has it in both seats.
    """
    mode, rollouts = READINGS[reading], weights.shape[1]
    together = scores_of(scores, team, "collab", task, rollouts)
    alone = np.stack([scores_of(scores, [model], mode, task, rollouts) for model in (team[0], team[-1])])
    common = np.where(np.isnan(alone).any(axis=0) | np.isnan(together), np.nan, 0.0)
    return weighted_means(alone + common, weights), weighted_means(together + common, weights)
