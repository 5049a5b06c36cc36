"""Intervals of means and of their ratios, from resamples and the number of instances behind them.

A mean's interval is Student's t interval around the estimate: the standard error is the spread of the
resamples times sqrt(N / (N - strata)), because a resample of n instances varies by (n - 1) / n too little
(Rao and Wu 1988). The degrees of freedom d follow 1 / d = 1 / (N - strata) + skew**2 / 2: a mean made of k
rare losses, all others alike, has skew**2 = 1 / k like a Poisson count, and its variance is known no better
than from 2 k instances (Satterthwaite 1946). skew is the skewness of the resamples times sqrt(n (n - 1)) / (n
- 2), as that of a sample of n is too small (Joanes and Gill 1998). ``make calibration`` measures
how often these intervals hold the true value; percentile intervals fell short where the scores were few,
skewed or at the ceiling.

Values are arrays (..., 1 + resamples) with the estimate first (see ``bootstrap``); ``sizes`` are the numbers
of instances in the strata. Ends are rounded to 2**-30, so that they are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scripts.lib.analysis.bootstrap import GRID, Array, Estimate, snap

Bounds = tuple[float, float]
SCORE: Bounds = (0.0, 1.0)
DIFFERENCE: Bounds = (-1.0, 1.0)
UNBOUNDED: Bounds = (-np.inf, np.inf)
UNDEFINED = Estimate(np.nan, np.nan, np.nan)


def best_of(members: Array) -> Array:
    """The row of members (members, ..., 1 + resamples) with the largest estimate, NaN where one is missing.

    Chosen once and kept in every resample: chosen anew in each, the better of two like members would seem
    better than it is.
    """
    chosen = np.argmax(members[..., :1], axis=0, keepdims=True)
    return np.take_along_axis(members, chosen, axis=0)[0]


def estimate_mean(values: Array, level: float, sizes: Sequence[int], bounds: Bounds = DIFFERENCE) -> Estimate:
    """A mean, or a sum or difference of means (1 + resamples,), with its ``mean_interval``."""
    low, high = mean_interval(values, level, sizes, bounds)
    return Estimate(float(values[0]), float(low), float(high))


def mean_interval(
    values: Array, level: float, sizes: Sequence[int], bounds: Bounds = DIFFERENCE
) -> tuple[Array, Array]:
    """The interval (low, high), each (...), at ``level`` in (0, 1) and inside the ``bounds`` of the mean.

    NaN without an estimate, and where no stratum has two instances. Where all resamples are equal nothing
    shows how large the error is; see ``unseen``.
    """
    error, quantile = _error(values[..., 1:], level, sizes)
    reach = np.where(error < 1 / GRID, unseen(level, sizes), error * quantile)
    return _ends(values[..., 0], reach, bounds)


def estimate_ratio(
    part: Array, whole: Array, least: float, level: float, sizes: Sequence[int], bounds: Bounds = UNBOUNDED
) -> Estimate:
    """part / whole, each (1 + resamples,), with its ``ratio_interval``; undefined where whole < ``least``."""
    if not whole[0] >= least or np.isnan(part[0]):
        return UNDEFINED
    low, high = ratio_interval(part, whole, level, sizes, bounds)
    return Estimate(float(part[0] / whole[0]), float(low), float(high))


def ratio_interval(
    part: Array, whole: Array, level: float, sizes: Sequence[int], bounds: Bounds = UNBOUNDED
) -> tuple[Array, Array]:
    """Fieller's interval (low, high), each (...), of part / whole, where both are uncertain means.

    Source: Fieller (1954): the ratios r for which the interval of the mean part - r * whole holds 0. NaN
    where the interval of the whole itself reaches 0: there no ratio can be ruled out.
    """
    first, second = part[..., 0], np.where(whole[..., 0] > 0, whole[..., 0], np.nan)
    rest = part[..., 1:] - (first / second)[..., None] * whole[..., 1:]
    error, quantile = _error(rest, level, sizes)
    scale = (quantile * _widening(sizes)) ** 2
    parts, wholes = (_centred(values[..., 1:]) for values in (part, whole))
    one, both, two = (
        scale * np.mean(x * y, axis=-1) for x, y in ((parts, parts), (parts, wholes), (wholes, wholes))
    )
    # The ends are the roots r of (second**2 - two) r**2 - 2 (first second - both) r + first**2 - one = 0.
    steep = np.where(second**2 > two, second**2 - two, np.nan)
    middle = (first * second - both) / steep
    reach = np.sqrt(np.maximum(middle**2 - (first**2 - one) / steep, 0))
    certain = (error < 1 / GRID) & ~np.isnan(steep)
    middle = np.where(certain, first / second, middle)
    reach = np.where(certain, unseen(level, sizes) / second, reach)
    return _ends(middle, reach, bounds)


def unseen(level: float, sizes: Sequence[int]) -> float:
    """How far instances unlike all that were seen may move a mean: a difference of 1 in a share of them.

    The share is the largest of which a sample of this size still holds none with probability
    (1 - level) / 2 (Clopper and Pearson 1934). NaN where no stratum has two instances.
    """
    return 1 - ((1 - level) / 2) ** (1 / sum(sizes)) if _freedom(sizes) else np.nan


def _ends(middle: Array, reach: Array, bounds: Bounds) -> tuple[Array, Array]:
    return np.clip(snap(middle - reach), *bounds), np.clip(snap(middle + reach), *bounds)


def _error(resampled: Array, level: float, sizes: Sequence[int]) -> tuple[Array, Array]:
    """Standard error and t quantile, each (...); NaN where fewer than half of the resamples are defined."""
    from scipy.special import stdtrit

    about = _centred(resampled)
    squares = about * about
    spread = np.sqrt(_mean(squares))
    skew = np.divide(_mean(squares * about), spread**3, out=np.zeros_like(spread), where=spread > 1 / GRID)
    freedom = 1 / (1 / (_freedom(sizes) or np.nan) + (skew * _sharpening(sizes)) ** 2 / 2)
    return spread * _widening(sizes), stdtrit(freedom, (1 + level) / 2)


def _centred(resampled: Array) -> Array:
    return resampled - _mean(resampled)[..., None]


def _mean(resampled: Array) -> Array:
    """The mean over the last axis, of what is defined where at least half is."""
    defined = ~np.isnan(resampled)
    count = np.count_nonzero(defined, axis=-1)
    total = np.sum(resampled, axis=-1, where=defined)
    enough = (2 * count >= resampled.shape[-1]) & (count > 0)
    return np.divide(total, count, out=np.full(total.shape, np.nan), where=enough)


def _freedom(sizes: Sequence[int]) -> int:
    """Degrees of freedom: instances less strata, of the strata that have any."""
    return sum(max(size - 1, 0) for size in sizes)


def _sharpening(sizes: Sequence[int]) -> float:
    """By how much resamples of so many instances a stratum are too little skewed."""
    mean = sum(sizes) / (len(sizes) or np.nan)
    return float(max(mean * (mean - 1), 0) ** 0.5 / max(mean - 2, 1))


def _widening(sizes: Sequence[int]) -> float:
    return (sum(sizes) / (_freedom(sizes) or np.nan)) ** 0.5
