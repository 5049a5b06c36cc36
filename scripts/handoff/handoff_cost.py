"""The handoff tax: pairs that go on from the same prefix, with the whole history or from a note."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scripts.handoff.curves import Array, Curve
from scripts.handoff.measured import Grid, Row, grid, loss_below_one, rates


@dataclass(frozen=True)
class Cost:
    """Nats a boundary, each (draws,).

    ``tax`` (h, 3): the chunk after a note - the same steps with the whole history + relief. ``relief``: what
    the smaller load saves by the curve. ``writing`` (Delta): what the step that writes the note loses to it.
    ``loads`` (chunk,): mean load after a note. ``pairs``: how many were seen.
    """

    tax: Array
    writing: Array
    relief: Array
    loads: Array
    pairs: int

    @property
    def effective(self) -> Array:
        """h_eff = h + Delta."""
        return self.tax + self.writing


def handoff_cost(
    single: Sequence[Row],
    handed: Sequence[Row],
    curve: Curve,
    weights: Array,
    job: dict[str, Any],
    limit: int,
    grading: str,
) -> Cost:
    """The cost of handing over with notes of one length, a mean over the cuts.

    Only ledgers count that have both halves of a pair. ``job``: tasks, chunk, cuts. The losses of the steps
    of a chunk are added up, each from all pairs of a cut, by the share of pairs in which it counts.
    """
    parts, pairs = [], 0
    for cut in job["cuts"]:
        after = [row for row in handed if (row["cut"], row["limit"]) == (cut, limit)]
        if not after:
            continue
        parts.append(_at_cut(single, after, curve, weights, job, cut, grading))
        pairs += int((~np.isnan(parts[-1][3])).any(axis=1).sum())
    if not parts:
        nothing = np.full(len(weights), np.nan)
        return Cost(nothing, nothing, nothing, np.full(job["chunk"], np.nan), 0)
    tax, writing, relief = (np.nanmean([part[number] for part in parts], axis=0) for number in range(3))
    loads = np.nanmean([np.nanmean(part[3], axis=0) for part in parts], axis=0)
    return Cost(tax, writing, relief, loads, pairs)


def _at_cut(
    single: Sequence[Row],
    after: Sequence[Row],
    curve: Curve,
    weights: Array,
    job: dict[str, Any],
    cut: int,
    grading: str,
) -> tuple[Array, Array, Array, Array]:
    ledgers, first, last = job["tasks"], cut - 1, cut + job["chunk"]
    there = [row for row in single if first < row["step"] <= last]
    kept, new = (grid(rows, grading, ledgers, first, last) for rows in (there, after))
    both = (kept.lost == last - first) & (new.lost == last - first) & ~np.isnan(new.load[:, :2]).any(axis=1)
    one, other = (_losses(part, both, weights) for part in (kept, new))
    counted = (~np.isnan(kept.failed[:, 1:])) & both[:, None]
    relief = _relief(kept, new, counted, curve, weights, int(both.sum()))
    loads = np.where(both[:, None], new.load[:, 1:], np.nan)
    return (other[1:] - one[1:]).sum(axis=0) + relief, other[0] - one[0], relief, loads


def _losses(part: Grid, both: Array, weights: Array) -> Array:
    """Losses (steps, draws) by step, each times the share of ledgers in which it counts."""
    share, mass = rates(np.where(both[:, None], part.failed, np.nan), weights)
    total = (weights @ both)[None]
    return loss_below_one(share, mass) * np.divide(mass, total, out=np.zeros_like(mass), where=total > 0)


def _relief(kept: Grid, new: Grid, counted: Array, curve: Curve, weights: Array, pairs: int) -> Array:
    """Summed over the steps, what the curve says the history costs more than the note (draws,)."""
    saved = np.zeros(len(weights))
    if not pairs:
        return saved
    for step in range(counted.shape[1]):
        if not counted[:, step].any():  # a fee in every ledger, or no reply that ended itself
            continue
        old, fresh = (
            np.nanmean(np.where(counted[:, step], g.load[:, step + 1], np.nan)) for g in (kept, new)
        )
        share = counted[:, step].sum() / pairs
        losses = curve(np.array([old, fresh]))
        saved += share * (losses[0] - losses[1])
    return saved
