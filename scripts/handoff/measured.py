"""What was measured, as arrays over ledgers and steps, and the curve, the handoff cost and success from it.

Resampled are the ledgers: one draw for all that is computed of a model, so that singles, handoffs and chains
of a ledger stay together. Weights are (1 + resamples, ledgers), the estimate first; so are all results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from scripts.handoff.curves import Array, Hinge, Measured, step_loss
from scripts.handoff.hinge import fit_counts
from scripts.handoff.model import Chain
from scripts.handoff.schemas import STEPS
from scripts.lib.analysis.bootstrap import draw_weights
from scripts.lib.analysis.isotonic import isotonic
from scripts.lib.errors import UserError
from scripts.lib.tables import read_rows

# All steps; all but fees; of these, the steps whose replies ended by themselves.
GRADINGS = ("raw", "stationary", "stop_only")
OF_STEP = ("index", "cut", "limit", "role", "step", "stationary", "load", "finish_reason", "outcome", "right")
COLUMNS = (*OF_STEP, "chunk", "prediction", "needed", "held", "note_right")
PREDICTED = ("raw", "stationary")
Row = dict[str, Any]


@dataclass(frozen=True)
class Grid:
    """Steps of ledgers, each (ledgers, steps): failed is NaN where a step does not count or was not seen.

    ``lost`` (ledgers,): the first step (from 0) that could not be graded (a call failed for good, or the
    budget was spent), or the number of steps. ``ended``: the first that was not reached because the context
    was full or the model refused: such a ledger has failed from there on.
    """

    failed: Array
    load: Array
    lost: Array
    ended: Array

    def success(self, depth: int) -> Array:
        """Whether all counted steps up to a depth are right, as 0 or 1 (ledgers,); NaN where not known."""
        wrong = (np.nan_to_num(self.failed[:, :depth]) > 0).any(axis=1) | (self.ended < depth)
        return np.where(wrong, 0.0, np.where(self.lost < depth, np.nan, 1.0))


def read_steps(paths: Sequence[Path]) -> list[Row]:
    """The steps of files, without what was said."""
    return [row for path in paths for row in read_rows(path, STEPS, COLUMNS)]


def grid(rows: Sequence[Row], grading: str, ledgers: int, first: int, last: int) -> Grid:
    """The steps first + 1 .. last (numbers from 1) of all ledgers."""
    shape = (ledgers, last - first)
    failed, load = np.full(shape, np.nan), np.full(shape, np.nan)
    ended = np.full(ledgers, float(last - first))
    reached = np.zeros(ledgers)
    for row in rows:
        at = row["index"], row["step"] - first - 1
        reached[at[0]] = max(reached[at[0]], at[1] + 1)
        if row["right"] is None:
            reached[at[0]] = min(reached[at[0]], at[1])
        elif row["load"] is None:
            ended[at[0]] = min(ended[at[0]], at[1])
            failed[at] = 1.0
        elif _counts(row, grading):
            failed[at] = not row["right"]
        if row["load"] is not None:
            load[at] = row["load"]
    return Grid(failed, load, np.where(ended < last - first, float(last - first), reached), ended)


def _counts(row: Row, grading: str) -> bool:
    return (grading == "raw" or row["stationary"]) and (
        grading != "stop_only" or row["finish_reason"] == "stop"
    )


def weights_of(job: Row, model: str) -> Array:
    """Draws of the ledgers. ``job``: ledger (tasks), statistics (seed, resamples)."""
    settings = job["statistics"]
    return draw_weights(
        settings["seed"], f"ledgers of {model}", settings["resamples"], job["ledger"]["tasks"]
    )


def rates(failed: Array, weights: Array) -> tuple[Array, Array]:
    """Failure shares and counted weight (steps, draws) of each step of failed (ledgers, steps)."""
    seen = ~np.isnan(failed)
    mass = seen.T.astype(np.float64) @ weights.T
    failures = np.nan_to_num(failed).T @ weights.T
    return np.divide(failures, mass, out=np.full_like(mass, np.nan), where=mass > 0), mass


def loss_below_one(share: Array, mass: Array) -> Array:
    """Losses of failure shares; half a failure is taken off where all failed, 0 where nothing was seen."""
    capped = np.minimum(share, 1 - 0.5 / np.maximum(mass, 1.0))
    return np.where(mass > 0, step_loss(np.nan_to_num(capped)), 0.0)


@dataclass(frozen=True)
class InTask:
    """The in-task curve: loads (bins,), failure shares, steps, losses and rising losses (bins, draws)."""

    loads: Array
    steps: Array
    share: Array
    rising: Array
    hinge: Hinge

    @property
    def curve(self) -> Measured:
        """The rising curve through the bins."""
        return Measured(self.loads, self.rising)


def has_curve(single: Grid) -> bool:
    """Whether steps at two loads at least count."""
    return len(np.unique(single.load[~np.isnan(single.failed) & ~np.isnan(single.load)])) > 1


def in_task_curve(single: Grid, weights: Array, bins: int) -> InTask:
    """The curve of the single agents' steps by measured load, in bins of about equally many steps."""
    used = ~np.isnan(single.failed) & ~np.isnan(single.load)
    loads = single.load[used]
    if not has_curve(single):
        raise UserError(
            "the in-task curve needs steps at two loads at least; does the endpoint report the tokens of "
            "its prompts (usage)?"
        )
    edges = np.unique(np.quantile(loads, np.linspace(0, 1, bins + 1)[1:-1]))
    place = np.searchsorted(edges, np.where(used, single.load, 0.0), side="right")
    numbers = [number for number in range(len(edges) + 1) if (used & (place == number)).any()]
    masks = [used & (place == number) for number in numbers]
    steps = np.stack([weights @ mask.sum(axis=1) for mask in masks])
    failures = np.stack([weights @ np.where(mask, single.failed, 0.0).sum(axis=1) for mask in masks])
    share = np.divide(failures, steps, out=np.full_like(steps, np.nan), where=steps > 0)
    middles = np.array([single.load[mask].mean() for mask in masks])
    rising = loss_below_one(isotonic(np.nan_to_num(share), steps), np.maximum(steps, 1.0))
    return InTask(middles, steps, share, rising, fit_counts(middles, failures, steps))


def chain_of(single: Grid, readers: Array, cut_loads: int) -> Chain:
    """How loads grow: start and growth from the single agents' mean loads, the note from the readers'.

    ``readers`` (chunk,): mean load at each step after a note; ``cut_loads``: how many steps are in a chunk.
    """
    means = np.nanmean(single.load, axis=0)
    numbers = np.arange(1, len(means) + 1)[~np.isnan(means)]
    growth, start = np.polyfit(numbers, means[~np.isnan(means)], 1)
    steps = np.arange(1, cut_loads + 1)
    note = float(np.nanmean(readers - (start + growth * steps)))
    return Chain(float(growth), float(start), note)
