"""Isotonic regression of a few points, for many resamples at once."""

from __future__ import annotations

import numpy as np

from scripts.lib.analysis.bootstrap import Array


def isotonic(means: Array, weights: Array) -> Array:
    """The rising curve (points, ...) nearest to means (points, ...) in weighted least squares; weights >= 0.

    By the max-min formula (Barlow et al. 1972): at point i the largest over j <= i of the smallest over
    k >= i of the weighted mean of points j .. k. Points without weight take no part.
    """
    points = len(means)
    total = np.cumsum(np.concatenate([np.zeros((1, *weights.shape[1:])), weights]), axis=0)
    values = np.where(weights > 0, means, 0.0) * weights
    summed = np.cumsum(np.concatenate([np.zeros((1, *values.shape[1:])), values]), axis=0)
    fitted = np.full(means.shape, -np.inf)
    for first in range(points):
        mass = total[first + 1 :] - total[first]
        part = summed[first + 1 :] - summed[first]
        block = np.divide(part, mass, out=np.full_like(part, np.inf), where=mass > 0)
        least = np.minimum.accumulate(block[::-1], axis=0)[::-1]  # over k >= i, for i = first .. points - 1
        # A start without weight up to i says nothing about i.
        fitted[first:] = np.maximum(fitted[first:], np.where(np.isfinite(least), least, -np.inf))
    return np.where(np.isfinite(fitted), fitted, np.nan)
