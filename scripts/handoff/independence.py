"""Do the losses of steps add up (Assumption 1)? A test by permutation."""

from __future__ import annotations

from typing import Any

import numpy as np

from scripts.handoff.curves import Array
from scripts.handoff.estimate_handoffs import with_interval
from scripts.handoff.measured import Grid, Row, loss_below_one, rates
from scripts.lib.analysis.bootstrap import interval, weighted_means


def independence_of(part: Grid, weights: Array, depth: int, settings: dict[str, Any]) -> Row:
    """The share of ledgers without a counted error against the product of the steps' success shares.

    A ledger that was not graded to the depth is left out; each step's loss counts as often as the step does.
    ``product`` and ``share`` have bootstrap intervals (ledgers resampled). Their difference has none: where
    few ledgers hold two errors, resampling ledgers makes too narrow a one. Instead each step's results are
    dealt anew to the ledgers, so that nothing but chance ties the errors of a ledger together: ``null`` is
    the range of the difference then, and p the share of rounds that are as far from their middle as it is.
    ``settings``: resamples (of the bootstrap and rounds), seed, level.
    """
    success = part.success(depth)
    kept = ~np.isnan(success)
    row: Row = {"depth": depth, "graded": int(kept.sum())}
    job = {"statistics": settings}
    product = _product(np.where(kept[:, None], part.failed[:, :depth], np.nan), kept, weights)
    seen = weighted_means(success, weights)
    row |= with_interval("product", product, job) | with_interval("share", seen, job)
    if not kept.any():
        return row | dict.fromkeys(("difference", "null_low", "null_high", "p"))
    under_null = _dealt(part.failed[kept, :depth], settings) - product[0]
    difference, middle = float(seen[0] - product[0]), float(np.median(under_null))
    low, high = interval(under_null, settings["level"])
    as_far = np.abs(under_null - middle) >= abs(difference - middle) - 1e-12
    p = float((1 + as_far.sum()) / (1 + len(under_null)))
    return row | {"difference": difference, "null_low": float(low), "null_high": float(high), "p": p}


def _product(failed: Array, kept: Any, weights: Array) -> Array:
    """The product of the steps' success shares (draws,)."""
    share, mass = rates(failed, weights)
    total = (weights @ kept)[None]
    often = np.divide(mass, total, out=np.zeros_like(mass), where=total > 0)
    return np.asarray(np.exp(-(loss_below_one(share, mass) * often).sum(axis=0)))


def _dealt(failed: Array, settings: dict[str, Any]) -> Array:
    """The share of ledgers without an error, where each column of failed (ledgers, steps) is dealt anew."""
    rng = np.random.default_rng(settings["seed"])
    wrong = np.nan_to_num(failed) > 0
    return np.array([_share(rng, wrong) for _ in range(settings["resamples"])])


def _share(rng: np.random.Generator, wrong: Any) -> float:
    return float(1 - rng.permuted(wrong, axis=0).any(axis=1).mean())
