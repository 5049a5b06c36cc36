"""Paired, stratified bootstrap over instances, on arrays.

Resampled are the instance indices of a stratum (a task): one draw of indices per stratum, shared by every
row of scores on it, so that differences between rows keep their pairing and strata stay fixed. A draw is
kept as weights, how often each index was drawn. Row 0 of the weights counts every index once: it gives the
estimate itself, so any statistic is written once, on arrays whose last axis is (estimate, resample 1, ...).
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

GRID = 2.0**30


@dataclass(frozen=True)
class Estimate:
    """A statistic with its percentile interval; NaN where undefined."""

    mean: float
    low: float
    high: float


def estimate_columns(name: str, estimate: Estimate) -> dict[str, float | None]:
    """An estimate as the columns name, name_low and name_high; what is undefined is null."""
    values = {name: estimate.mean, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
    return {column: None if math.isnan(value) else value for column, value in values.items()}


def draw_weights(seed: int, stratum: str, resamples: int, size: int) -> Array:
    """Weights (1 + resamples, size) of a stratum's indices 0 .. size-1; each row sums to size.

    They depend on the arguments alone: another stratum, or another row of scores, changes none of them.
    """
    digest = hashlib.sha256(f"{seed}\x1f{stratum}".encode()).digest()
    drawn = np.random.default_rng(int.from_bytes(digest[:16], "big")).integers(size, size=(resamples, size))
    cells = drawn + size * np.arange(resamples)[:, None]
    counts = np.bincount(cells.ravel(), minlength=resamples * size).reshape(resamples, size)
    return np.vstack([np.ones(size), counts])


def snap(scores: Array) -> Array:
    """Scores in [-1, 1] rounded to multiples of 2**-30 (an error below 5e-10).

    Weighted sums of such numbers are exact in float64 for up to 2**23 indices: no order of rows, BLAS
    or number of cores can change a digit of a mean.
    """
    return np.rint(scores * GRID) / GRID


def weighted_means(scores: Array, weights: Array) -> Array:
    """Means (..., resamples) of scores (..., size) under weights (resamples, size).

    Missing scores (NaN) are left out of numerator and denominator; NaN where a resample holds no score.
    """
    present = ~np.isnan(scores)
    totals = np.where(present, snap(scores), 0.0) @ weights.T
    counts = present.astype(np.float64) @ weights.T
    return np.divide(totals, counts, out=np.full_like(totals, np.nan), where=counts > 0)


def share_below(values: Array, least: float) -> float:
    """The share of the resamples values[1:] below ``least``; NaN where there is no estimate values[0]."""
    return np.nan if np.isnan(values[0]) else float(np.mean(values[1:] < least))


def interval(resampled: Array, level: float) -> tuple[Array, Array]:
    """Percentile interval (low, high), each (...), over the last axis of values (..., resamples).

    Taken over the resamples where the value is defined; NaN where fewer than half are. The quantiles are
    interpolated linearly between order statistics. ``level`` is in (0, 1).
    """
    ordered = np.sort(resampled, axis=-1)  # NaN last
    defined = np.count_nonzero(~np.isnan(ordered), axis=-1)
    enough = (2 * defined >= resampled.shape[-1]) & (defined > 0)
    low, high = (_quantile(ordered, defined, (1 + side * level) / 2) for side in (-1, 1))
    return np.where(enough, low, np.nan), np.where(enough, high, np.nan)


def _quantile(ordered: Array, defined: npt.NDArray[np.intp], share: float) -> Array:
    last = np.maximum(defined - 1, 0)
    place = share * last
    below = np.floor(place).astype(np.intp)
    above = np.minimum(below + 1, last)
    lower, upper = (np.take_along_axis(ordered, at[..., None], -1)[..., 0] for at in (below, above))
    return lower + (upper - lower) * (place - below)


def centred_estimate(
    values: Array, level: float, lowest: float = -np.inf, highest: float = np.inf
) -> Estimate:
    """As ``estimate``, with the interval moved so that the resamples' median lies on the estimate.

    For statistics that are worse in a resample for the reason alone that it holds fewer distinct units, as
    the out-of-fold error of a fit that learns from them: their spread is wanted, not their level. The
    interval ends at ``lowest`` and ``highest``.
    """
    found = estimate(values, level)
    if np.isnan(found.low):
        return found
    move = found.mean - float(np.nanmedian(values[1:]))
    return Estimate(found.mean, max(found.low + move, lowest), min(found.high + move, highest))


def estimate(values: Array, level: float) -> Estimate:
    """The estimate values[0] with the interval of its resamples values[1:]; no interval without estimate."""
    if np.isnan(values[0]):
        return Estimate(np.nan, np.nan, np.nan)
    low, high = interval(values[1:], level)
    return Estimate(float(values[0]), float(low), float(high))
