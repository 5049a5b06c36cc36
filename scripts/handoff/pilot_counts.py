"""The pilot's calls as arrays: failures by load and problem, curve and hinge with resampled problems.

Resampled are the problems, because calls on one problem are not independent: weights are (draws, problems),
the estimate first (see ``bootstrap.draw_weights``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scripts.handoff.curves import Array, Hinge, Measured, step_loss
from scripts.handoff.hinge import fit_counts

Row = dict[str, Any]
FAILURES = ("either", "format", "arithmetic")  # the three definitions
LEAST_LOADS = 3  # for a hinge


@dataclass(frozen=True)
class Counts:
    """Graded calls and failures (levels, problems) under one definition; mean load of each level (levels,).

    The load is NaN where no call was graded.
    """

    loads: Array
    graded: Array
    failures: Array

    def shares(self) -> Array:
        """Failure shares (levels, problems); NaN where no call was graded."""
        return _divided(self.failures, self.graded)

    def drawn(self, weights: Array) -> tuple[Array, Array]:
        """Failures and graded calls (levels, draws)."""
        return self.failures @ weights.T, self.graded @ weights.T

    def drawn_shares(self, weights: Array) -> Array:
        """Failure shares (levels, draws); NaN where a draw holds no graded call."""
        return _divided(*self.drawn(weights))

    def answered(self) -> list[int]:
        """The levels with graded calls."""
        return [level for level, calls in enumerate(self.graded.sum(axis=1)) if calls]


def count(rows: Sequence[Row], failure: str, levels: int, problems: int) -> Counts:
    """Counts of rows of ``pilot_schemas.PILOT`` under a definition (of FAILURES)."""
    graded, failures = np.zeros((levels, problems)), np.zeros((levels, problems))
    loads: list[list[int]] = [[] for _ in range(levels)]
    for row in rows:
        failed = has_failed(row, failure)
        if failed is not None:
            graded[row["level"], row["index"]] += 1
            failures[row["level"], row["index"]] += failed
        if row["missing"] is not None:
            loads[row["level"]].append(load_of(row))
    means = [float(np.mean(found)) if found else np.nan for found in loads]
    return Counts(np.array(means), graded, failures)


def has_failed(row: Row, failure: str) -> bool | None:
    """Whether a call failed; None where it does not count: no reply of the model, or no number to look at."""
    by_name: dict[str, bool | None] = {"format": row["missing"], "arithmetic": row["wrong"]}
    if failure in by_name or row["missing"] is None:
        return by_name.get(failure)
    return bool(row["missing"] or row["wrong"])


def load_of(row: Row) -> int:
    """Prompt tokens as the endpoint counted them, or words times 4/3 where it did not."""
    load: int = row["estimate"] if row["load"] is None else row["load"]
    return load


def pilot_curve(counts: Counts, weights: Array) -> Measured:
    """The measured curve with draws. Where all calls failed, half a failure is taken off."""
    levels = counts.answered()
    failures, graded = (part[levels] for part in counts.drawn(weights))
    share = _divided(np.minimum(failures, graded - 0.5), graded)
    estimate = share[:, :1]
    return Measured(counts.loads[levels], step_loss(np.where(np.isnan(share), estimate, share)))


def pilot_hinge(counts: Counts, weights: Array) -> Hinge | None:
    """The hinge through the answered levels, parameters (draws,); None where ``no_hinge`` says why."""
    if no_hinge(counts):
        return None
    levels = counts.answered()
    loads = counts.loads[levels]
    failures, graded = (part[levels] for part in counts.drawn(weights))
    return fit_counts(loads, failures, graded)


def no_hinge(counts: Counts) -> str | None:
    """Why no hinge can be fitted; None where one can."""
    answered, failures = len(counts.answered()), counts.failures.sum()
    if answered < LEAST_LOADS:
        return f"answered loads: {answered}; a hinge needs {LEAST_LOADS}"
    if failures in (0, counts.graded.sum()):
        return f"{'all' if failures else 'none'} of the graded calls failed, so there is no curve"
    return None


def _divided(part: Array, whole: Array) -> Array:
    return np.divide(part, whole, out=np.full_like(whole, np.nan), where=whole > 0)
