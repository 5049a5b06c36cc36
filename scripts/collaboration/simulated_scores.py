"""Scores of made-up studies whose true tax is known: what ``check_intervals`` draws from.

Each rollout has a latent ease: the cell's level, plus what the instance adds in every mode and for every
model (so that cells are paired), plus what is the rollout's own. A shape makes the score of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from scripts.collaboration.cells import Cell
from scripts.lib.analysis.bootstrap import Array
from scripts.lib.names import team_name

INSTANCE, ROLLOUT = 0.8, 0.8  # standard deviations of the two parts of the ease
STRONG, EQUAL, WEAK = "strong", "equal", "weak"
PAIRS = ((STRONG, EQUAL), (STRONG, WEAK))
ARM = "clause"
# The cells of a task (arm, team, mode) and their levels.
LEVELS: Mapping[tuple[str, tuple[str, ...], str], float] = {
    ("baseline", (STRONG,), "solo_full"): 1.0,
    ("baseline", (STRONG,), "solo_split"): 0.7,
    ("baseline", (STRONG,), "collab"): 0.0,
    (ARM, (STRONG,), "collab"): 0.4,
    ("baseline", (EQUAL,), "solo_full"): 1.0,
    ("baseline", (WEAK,), "solo_full"): 0.0,
    ("baseline", (STRONG, EQUAL), "collab"): 0.5,
    ("baseline", (STRONG, WEAK), "collab"): 0.5,
    ("baseline", (WEAK, STRONG), "collab"): 0.3,
    ("baseline", (WEAK,), "collab"): -0.4,
}

# How much easier each task is than the others.
TASKS = {f"task {number}": 0.1 * (3 - number) for number in range(8)}


class Shape(NamedTuple):
    """How an ease becomes a score in [0, 1]."""

    name: str
    score: Callable[[Array], Array]


def _graded(ease: Array) -> Array:
    from scipy.special import ndtr

    return np.asarray(ndtr(ease))


def _steps(ease: Array) -> Array:
    """Partial credit in eighths."""
    return np.rint(_graded(ease) * 8) / 8


SHAPES = (
    Shape("graded", _graded),
    Shape("mostly right", lambda ease: np.where(ease > 0.3, 1.0, np.where(ease < -1.2, 0.0, _steps(ease)))),
    Shape("pass or fail", lambda ease: np.where(ease > 0, 1.0, 0.0)),
    Shape("ceiling", lambda ease: np.where(ease > -0.9, 1.0, _steps(ease + 1))),
)


def draw_scores(shape: Shape, task: str, size: tuple[int, ...], seed: Sequence[int]) -> dict[Cell, Array]:
    """Scores (size) of every cell of a task of TASKS; instances are the last axis."""
    rng = np.random.default_rng([*seed, list(TASKS).index(task)])
    instances = TASKS[task] + INSTANCE * rng.standard_normal(size)
    return {
        (arm, team_name(team), mode, task): shape.score(
            level + instances + ROLLOUT * rng.standard_normal(size)
        )
        for (arm, team, mode), level in LEVELS.items()
    }
