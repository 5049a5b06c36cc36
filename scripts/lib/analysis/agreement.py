"""Chance-corrected agreement on nominal labels: Fleiss' kappa, Krippendorff's alpha, Cohen's kappa.

Ratings are arrays (items, raters) of label numbers, NaN where a rater gave none. The statistics with
``weights`` (resamples, items), how often each item counts, give one value a resample; with
``bootstrap.draw_weights`` and ``bootstrap.estimate`` they get intervals over items. Where a coefficient is
undefined it is NaN: no item or too few ratings, or all ratings in one class (no disagreement by chance).
Sums are of counts, or of numbers that ``snap`` made exact, so that no order of items changes a digit.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scripts.lib.analysis.bootstrap import Array, snap


def fleiss_kappa(ratings: Array, weights: Array | None = None) -> Array:
    """Fleiss' kappa (resamples,) in [-1, 1] over the items that all raters labelled.

    Source: Fleiss (1971): (P - P_e) / (1 - P_e), P the mean share of agreeing pairs of raters within an
    item, P_e the sum of squared shares of the labels. NaN for fewer than two raters.
    """
    raters = ratings.shape[1]
    complete = np.asarray(~np.isnan(ratings).any(axis=1))
    counts = _counts(ratings) * complete[:, None]
    weights = _weights(weights, len(ratings))
    if raters < 2:
        return np.full(len(weights), np.nan)
    total = raters * (weights @ complete)
    pairs = weights @ (counts * (counts - 1)).sum(axis=1)
    chance = ((weights @ counts) ** 2).sum(axis=1)
    return _divide(pairs * total / (raters - 1) - chance, total**2 - chance)


def krippendorff_alpha(ratings: Array, weights: Array | None = None) -> Array:
    """Krippendorff's alpha (resamples,) for nominal labels, at most 1, over items with two ratings or more.

    Source: Krippendorff (2011), "Computing Krippendorff's alpha-reliability": 1 - D_o / D_e from the
    coincidences of pairable values. Missing ratings are left out.
    """
    counts = _counts(ratings)
    rated = counts.sum(axis=1)
    counts = counts * (rated >= 2)[:, None]
    rated = counts.sum(axis=1)
    weights = _weights(weights, len(ratings))
    observed = weights @ snap((rated**2 - (counts**2).sum(axis=1)) / np.maximum(rated - 1, 1))
    total = weights @ rated
    expected = total**2 - ((weights @ counts) ** 2).sum(axis=1)
    return 1 - _divide((total - 1) * observed, expected)


def cohen_kappas(first: Array, second: Array, weights: Array | None = None) -> Array:
    """Cohen's kappa (resamples,) in [-1, 1] of two raters (items,), over the items that both labelled.

    Source: Cohen (1960): (p_o - p_e) / (1 - p_e), p_e from each rater's own shares of the labels.
    """
    both = ~np.isnan(first) & ~np.isnan(second)
    labels = _labels(np.stack([first, second], axis=1))
    one, two = ((column[:, None] == labels) & both[:, None] for column in (first, second))
    weights = _weights(weights, len(first))
    total = weights @ both
    chance = ((weights @ one) * (weights @ two)).sum(axis=1)
    return _divide(total * (weights @ (one & two).sum(axis=1)) - chance, total**2 - chance)


def cohen_kappa(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """Cohen's kappa of two equally long sequences of labels; see ``cohen_kappas``."""
    return float(cohen_kappas(np.asarray(first, float), np.asarray(second, float))[0])


def raw_agreement(ratings: Array, weights: Array | None = None) -> Array:
    """Share (resamples,) of agreeing pairs of raters within an item, in [0, 1], averaged over the items.

    Over the items with two ratings or more; NaN where there is none.
    """
    counts = _counts(ratings)
    rated = counts.sum(axis=1)
    pairs = rated * (rated - 1)
    shares = _divide((counts * (counts - 1)).sum(axis=1), pairs, undefined=0.0)
    weights = _weights(weights, len(ratings))
    return _divide(weights @ snap(shares), weights @ (pairs > 0))


def majority(ratings: Array) -> Array:
    """The label (items,) that more raters gave than any other; NaN for a tie or without ratings."""
    counts, labels = _counts(ratings), _labels(ratings)
    if not len(labels):
        return np.full(len(ratings), np.nan)
    most = counts.max(axis=1)
    single = ((counts == most[:, None]).sum(axis=1) == 1) & (most > 0)
    return np.where(single, labels[counts.argmax(axis=1)], np.nan)


def _labels(ratings: Array) -> Array:
    return np.unique(ratings[~np.isnan(ratings)])


def _counts(ratings: Array) -> Array:
    """How many raters gave each item (rows) each label (columns)."""
    return (ratings[:, :, None] == _labels(ratings)).sum(axis=1).astype(float)


def _weights(weights: Array | None, items: int) -> Array:
    return np.ones((1, items)) if weights is None else weights


def _divide(part: Array, whole: Array, undefined: float = np.nan) -> Array:
    return np.divide(part, whole, out=np.full(np.shape(part), undefined), where=whole != 0)
