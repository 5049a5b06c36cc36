"""Intervals of a share of independent cases."""

from __future__ import annotations

from math import comb, sqrt
from statistics import NormalDist


def wilson(count: int, size: int, level: float) -> tuple[float, float]:
    """Wilson score interval (Wilson 1927) of ``count`` of ``size`` (> 0) cases; ends in [0, 1].

    Also for a count of 0 or of all cases it has a width. scipy and statsmodels have it too, at the price of
    two seconds of start-up.
    """
    z, share = NormalDist().inv_cdf((1 + level) / 2), count / size
    middle = (share + z * z / (2 * size)) / (1 + z * z / size)
    half = z / (1 + z * z / size) * sqrt(share * (1 - share) / size + z * z / (4 * size * size))
    return middle - half if count else 0.0, middle + half if count < size else 1.0


def mcnemar(only_first: int, only_second: int) -> float:
    """Exact two-sided p of McNemar's test (1947): pairs in which only the one, or only the other, is a case.

    Under equal shares each such pair falls to either side with the same chance; 1 where there is none.
    """
    size, least = only_first + only_second, min(only_first, only_second)
    return min(1.0, 2 * sum(comb(size, count) for count in range(least + 1)) / 2**size)
