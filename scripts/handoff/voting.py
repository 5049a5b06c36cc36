"""Agents side by side: a verifier with one retry, and a vote under shared failure (arXiv 2610.06069).

All arguments are numbers or arrays, probabilities in [0, 1]; results have their common shape.
"""

from __future__ import annotations

import numpy as np

from scripts.handoff.curves import Array, Number


def failure_at_budget(budget: Number, least: float, spread: float) -> Array:
    """The stylised failure least + spread * exp(-budget) of one call; the unit of the budget is its scale."""
    return np.asarray(least + spread * np.exp(-np.asarray(budget, np.float64)))


def verified_failure(failure: Number, catch: Number, dependence: Number, retry_failure: Number) -> Array:
    """Equation 15: failure of a step that a verifier looks at and that is tried once more where it objects.

    eps (1 - q_eff (1 - eps_retry)) with q_eff = q (1 - rho): ``catch`` q is the share of failures that an
    independent verifier finds, ``dependence`` rho how much it shares the generator's blind spots.
    """
    effective = np.multiply(catch, np.subtract(1.0, dependence))
    return np.asarray(failure * (1 - effective * np.subtract(1.0, retry_failure)))


def vote_failure(failure: Number, votes: Number, shared: Number) -> Array:
    """Equation 16: failure of a majority of N calls, rho eps + (1 - rho) P(Bin(N, eps) > N / 2).

    With probability ``shared`` (rho) all calls fail or succeed together. Raises ValueError unless the numbers
    of votes are odd.
    """
    from scipy.special import bdtrc

    if np.any(np.asarray(votes) % 2 != 1):
        raise ValueError("a majority needs an odd number of votes")
    alone = bdtrc(np.floor_divide(votes, 2), votes, failure)
    return np.asarray(shared * np.asarray(failure) + np.subtract(1.0, shared) * alone)


def vote_limit(failure: Number, shared: Number) -> Array:
    """The failure of an endless vote, rho eps, where a single call fails less than half of the time."""
    return np.multiply(shared, failure)


def shared_failure_threshold(least: Number, failure: Number) -> Array:
    """Equation 17: rho* = eps_inf / eps_b.

    At equal and large budget a vote of calls that fail with eps_b beats one agent, whose failure falls to
    eps_inf, if and only if they share less than rho* of their failures. Failure > 0.
    """
    return np.divide(least, failure)
