"""Paired differences: Student's t over the pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scripts.handoff.curves import Array


@dataclass(frozen=True)
class Paired:
    """Mean of later - earlier over ``pairs`` pairs with its t interval; t with df = pairs - 1, two-sided p.

    NaN without two pairs. Where all differences are equal nothing shows how large the error is: the interval,
    t and p are NaN.
    """

    pairs: int
    mean: float
    low: float = np.nan
    high: float = np.nan
    t: float = np.nan
    p: float = np.nan

    @property
    def df(self) -> int:
        """Degrees of freedom."""
        return max(self.pairs - 1, 0)


def paired_difference(later: Array, earlier: Array, level: float) -> Paired:
    """The paired difference of values (units,), NaN where not known; only units with both count."""
    from scipy.special import stdtr, stdtrit

    differences = (later - earlier)[~np.isnan(later - earlier)]
    pairs = len(differences)
    mean = float(differences.mean()) if pairs else np.nan
    spread = float(differences.std(ddof=1)) if pairs > 1 else 0.0
    if spread < 1e-12:
        return Paired(pairs, mean)
    error = spread / np.sqrt(pairs)
    reach = float(stdtrit(pairs - 1, (1 + level) / 2)) * error
    t = mean / error
    p = 2 * float(stdtr(pairs - 1, -abs(t)))
    return Paired(pairs, mean, mean - reach, mean + reach, t, p)
