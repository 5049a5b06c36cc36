"""Ridge regression in closed form, for many weightings of the same rows at once, and out-of-fold measures.

A fit minimises sum w (y - a - z b)^2 + penalty |b|^2, where z are the columns standardised by the weighted
mean and standard deviation of the very rows that are fitted (those with w > 0). So with folds the scaling
happens inside the folds. A column that does not vary there gets the coefficient 0. With whole numbers as
weights a fit is that of rows repeated so often: a resample of rows is a row of weights.

Axes: r weightings, n rows, p columns, q targets (which share columns and weights).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from scripts.lib.analysis.bootstrap import Array, snap

Folds = npt.NDArray[np.int64]  # (n,), the fold of each row
CONSTANT = 1e-12  # share of a column's variance over all rows below which it does not vary


@dataclass(frozen=True)
class Moments:
    """What a fit needs of the rows: means, standard deviations, products of the standardised columns."""

    total: Array  # (r,), sum of weights
    centre: Array  # (r, p)
    scale: Array  # (r, p), infinite where a column does not vary
    products: Array  # (r, p, p)
    mean: Array  # (r, q), of the targets
    cross: Array  # (r, p, q), products of columns and targets


@dataclass(frozen=True)
class Products:
    """Rows and their products, taken once for all weightings."""

    shift: Array  # (p,)
    x: Array  # (n, p), less the shift
    y: Array  # (n, q)
    squares: Array  # (n, p * p)
    mixed: Array  # (n, p * q)


def multiply(x: Array, y: Array) -> Products:
    """The products of x (n, p) and y (n, q)."""
    # Sums of squares about zero lose digits far from zero. Columns are moved near it first, by the same
    # amount for all rows; what is estimated does not depend on this.
    shift = x.mean(axis=0)
    x = x - shift
    squares = (x[:, :, None] * x[:, None, :]).reshape(len(x), -1)
    mixed = (x[:, :, None] * y[:, None, :]).reshape(len(x), -1)
    return Products(shift, x, y, squares, mixed)


def moments(rows: Products, weights: Array) -> Moments:
    """Weighted moments of the rows under weights (r, n)."""
    p, q = rows.x.shape[1], rows.y.shape[1]
    total = weights.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):  # no weight at all: NaN
        centre, mean = weights @ rows.x / total[:, None], weights @ rows.y / total[:, None]
        products = (weights @ rows.squares).reshape(-1, p, p)
        products -= total[:, None, None] * centre[:, :, None] * centre[:, None, :]
        cross = (weights @ rows.mixed).reshape(-1, p, q)
        cross -= total[:, None, None] * centre[:, :, None] * mean[:, None, :]
        variance = np.einsum("rpp->rp", products) / total[:, None]
        varies = variance > CONSTANT * (rows.x**2).mean(axis=0)
        scale = np.where(varies, np.sqrt(np.abs(variance)), np.inf)
    products /= scale[:, :, None] * scale[:, None, :]
    return Moments(total, centre + rows.shift, scale, products, mean, cross / scale[:, :, None])


def solve(of: Moments, penalty: float) -> Array:
    """Coefficients (r, p, q) of the standardised columns, for a penalty above 0; NaN without any weight."""
    matrix = of.products + penalty * np.eye(of.products.shape[1])
    empty = of.total == 0
    matrix[empty] = np.eye(of.products.shape[1])
    solved = np.linalg.solve(matrix, np.where(empty[:, None, None], np.nan, of.cross))
    return np.asarray(solved)


def predict(of: Moments, coefficient: Array, x: Array) -> Array:
    """Predictions (r, n, q) for rows x (n, p)."""
    slope = coefficient / of.scale[:, :, None]
    offset = of.mean - np.einsum("rp,rpq->rq", of.centre, slope)
    return x @ slope + offset[:, None, :]


def out_of_fold(x: Array, y: Array, weights: Array, folds: Folds, penalty: float) -> Array:
    """Predictions (r, n, q) of each row by the fit to the rows of all other folds."""
    rows = multiply(x, y)
    predicted = np.empty((len(weights), *y.shape))
    for fold in np.unique(folds):
        tested = folds == fold
        of = moments(rows, weights * ~tested)
        predicted[:, tested] = predict(of, solve(of, penalty), x[tested])
    return snap(predicted)


def nested_out_of_fold(
    x: Array, y: Array, weights: Array, folds: Folds, penalties: Sequence[float]
) -> tuple[Array, Array]:
    """As ``out_of_fold``, with the penalty of each fold chosen by the other folds alone.

    Chosen is the penalty with the least weighted squared error where each of the other folds is predicted by
    the rest of them (of equals the largest). Needs three folds. Also returns the penalties (r, folds, q).
    """
    names = np.unique(folds)
    errors = _inner_errors(x, y, weights, folds, penalties)  # (penalties, folds, r, q)
    last = len(penalties) - 1
    chosen = last - np.argmin(errors[::-1], axis=0)  # (folds, r, q)
    rows = multiply(x, y)
    predicted = np.empty((len(weights), *y.shape))
    for place, fold in enumerate(names):
        tested = folds == fold
        of = moments(rows, weights * ~tested)
        for number, penalty in enumerate(penalties):
            there = predict(of, solve(of, penalty), x[tested])
            takes = np.broadcast_to((chosen[place] == number)[:, None, :], there.shape)
            predicted[:, tested] = np.where(takes, there, predicted[:, tested])
    return snap(predicted), np.asarray(penalties)[chosen].swapaxes(0, 1)


def _inner_errors(x: Array, y: Array, weights: Array, folds: Folds, penalties: Sequence[float]) -> Array:
    """Squared errors (penalties, folds, r, q) that each outer fold's choice looks at.

    The fit without two folds serves both: it predicts one of them where the other is the outer one.
    """
    names, rows = np.unique(folds), multiply(x, y)
    errors = np.zeros((len(penalties), len(names), len(weights), y.shape[1]))
    for pair in combinations(range(len(names)), 2):
        inside = [folds == names[place] for place in pair]
        of = moments(rows, weights * ~(inside[0] | inside[1]))
        for number, penalty in enumerate(penalties):
            coefficient = solve(of, penalty)
            for outer, tested in zip(pair, reversed(inside), strict=True):
                missed = (predict(of, coefficient, x[tested]) - y[tested]) ** 2
                errors[number, outer] += np.einsum("rn,rnq->rq", weights[:, tested], missed)
    return np.where(np.isnan(errors), np.inf, errors)


def r_squared(y: Array, predicted: Array, weights: Array) -> Array:
    """1 - sum of squared errors / sum of squares about the mean of all, (...), over the last axis (n).

    The three arguments are broadcast. NaN where y does not vary or a row with weight has no prediction.
    """
    counted = np.where(weights > 0, predicted, 0.0)
    total = np.sum(weights, axis=-1)
    mean = np.sum(weights * y, axis=-1) / np.where(total > 0, total, np.nan)
    around = np.sum(weights * (y - mean[..., None]) ** 2, axis=-1)
    missed = np.sum(weights * (y - counted) ** 2, axis=-1)
    varies = around > CONSTANT * np.sum(weights * y**2, axis=-1)
    return 1 - np.divide(missed, around, out=np.full_like(missed, np.nan), where=varies)


def spearman(first: Array, second: Array, weights: Array) -> Array:
    """Spearman rank correlation (...) over the last axis, ties at their mean rank; broadcast as above.

    NaN where one side does not vary or a row with weight has no value.
    """
    first, second, weights = np.broadcast_arrays(first, second, weights)
    total = np.sum(weights, axis=-1, keepdims=True)
    ranks = [ranked - (total + 1) / 2 for ranked in (_ranks(first, weights), _ranks(second, weights))]
    both = np.sum(weights * ranks[0] * ranks[1], axis=-1)
    spread = np.prod([np.sum(weights * rank**2, axis=-1) for rank in ranks], axis=0)
    unknown = np.any((weights > 0) & (np.isnan(first) | np.isnan(second)), axis=-1)
    return np.divide(both, np.sqrt(spread), out=np.full_like(both, np.nan), where=(spread > 0) & ~unknown)


def _ranks(values: Array, weights: Array) -> Array:
    """Mean ranks (..., n), from 1, where a row with weight w stands for w equal rows."""
    order = np.argsort(values, axis=-1, kind="stable")
    ordered, share = (np.take_along_axis(array, order, -1) for array in (values, weights))
    counted = np.cumsum(share, axis=-1)
    places = np.broadcast_to(np.arange(values.shape[-1]), values.shape)
    starts = np.ones(values.shape, bool)
    starts[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    ends = np.roll(starts, -1, axis=-1)
    first = np.maximum.accumulate(np.where(starts, places, 0), axis=-1)
    behind = np.where(ends, places, values.shape[-1])
    last = np.minimum.accumulate(behind[..., ::-1], axis=-1)[..., ::-1]
    before = np.take_along_axis(counted - share, first, -1)
    after = np.take_along_axis(counted, last, -1)
    ranks = np.empty_like(counted)
    np.put_along_axis(ranks, order, (before + after + 1) / 2, axis=-1)
    return ranks


def in_parts(work: Callable[[slice], Array], number: int, part: int = 200) -> Array:
    """``work`` on a part of ``number`` weightings or targets at a time, put together along the first axis."""
    return np.concatenate([work(slice(start, start + part)) for start in range(0, number, part)])
