"""The crossover L*: the least depth at which a new agent for each step beats one agent (arXiv 2610.06069).

Whole numbers as floats (...), at least 2; infinite where there is none. One exists if and only if the limit
of the attention tax exceeds the handoff cost. ``handoff`` is h_eff in nats. The forms for hinge and
saturating curves are our own derivation; all are tested against the search.
"""

from __future__ import annotations

import numpy as np

from scripts.handoff.curves import Array, Curve, Hinge, Linear, Number, Saturating
from scripts.handoff.model import Chain, advantages


def search_crossover(curve: Curve, chain: Chain, handoff: Number, depth: int) -> Array:
    """L* by looking at the depths 1 .. depth, for any curve; infinite where one agent does not lose there.

    Where a measured curve falls somewhere, so that D may cross zero more than once, its last crossing counts.
    """
    lost = advantages(curve, chain, handoff, depth) <= 0
    last = depth - lost[::-1].argmax(axis=0)  # depth 1 is always lost: D = 0
    return np.where(last < depth, last + 1.0, np.inf)


def linear_crossover(curve: Linear, chain: Chain, handoff: Number) -> Array:
    """Equation 11: L* = max(2, floor(2 (h + lambda s) / (lambda k)) + 1)."""
    return _next_depth(2 * (handoff + curve.slope * chain.note) / (curve.slope * chain.growth))


def linear_advantage(curve: Linear, chain: Chain, handoff: Number, depth: Number) -> Array:
    """Equation 12: D(L) = (L - 1) (lambda k L / 2 - h - lambda s), nats."""
    gain = curve.slope * chain.growth * depth / 2 - handoff - curve.slope * chain.note
    return np.asarray(np.subtract(depth, 1) * gain)


def hinge_crossover_law(curve: Hinge, chain: Chain, handoff: Number) -> Array:
    """Equation 10, no whole number: t + H + sqrt(H^2 + 2 H (t - 1)), H = h / (lambda k), t = (knee - c0) / k.

    It neglects the length of the note; without it, it is within one step of L* where t >= 1 and h >= 0.
    """
    steps, cost = (curve.knee - chain.start) / chain.growth, handoff / (curve.slope * chain.growth)
    return np.asarray(steps + cost + np.sqrt(cost**2 + 2 * cost * (steps - 1)))


def hinge_crossover(curve: Hinge, chain: Chain, handoff: Number) -> Array:
    """L* for a hinge: the larger root of D, a quadratic of the depth past the knee.

    With n the last step at or before the knee, the taxes up to L sum to lambda k times the sum of
    u - t over u = n+1 .. L, less (L - 1) times what the note costs above the knee. Handoff >= 0.
    """
    steps = (curve.knee - chain.start) / chain.growth
    last = np.maximum(1.0, np.floor(steps))
    fresh = np.maximum(0.0, 1 + chain.note / chain.growth - steps)
    cost = fresh + handoff / (curve.slope * chain.growth)
    half = steps - 0.5 + cost  # D / (lambda k) = L^2 / 2 - half L + constant
    constant = last * steps - last * (last + 1) / 2 + cost
    return _next_depth(half + np.sqrt(np.maximum(0.0, half**2 - 2 * constant)))


def saturating_crossover(curve: Saturating, chain: Chain, handoff: Number) -> Array:
    """L* for a saturating curve, by Lambert's W; infinite where the limit of the tax is no more than h.

    With n = L - 1, r = exp(-k / scale) and A = rise exp(-c0 / scale):
    D = (A r exp(-s / scale) - h) n - A r^2 / (1 - r) (1 - r^n).
    """
    from scipy.special import lambertw

    rate = chain.growth / curve.scale
    height = curve.rise * np.exp(-chain.start / curve.scale - rate)
    gain = np.asarray(height * np.exp(-chain.note / curve.scale) - handoff)
    wins = gain > 0
    turn = height / np.expm1(rate) / np.where(wins, gain, 1.0)
    root = turn + lambertw(-rate * turn * np.exp(-rate * turn)).real / rate
    return np.where(wins, _next_depth(1 + root), np.inf)


def avoidable_tax(curve: Saturating, chain: Chain) -> Array:
    """The sum over i >= 1 of g(inf) - g(c0 + s + k i), nats: the most that one more chunk can save.

    At large depth some chunk size beats one agent if and only if this exceeds h.
    """
    below = curve.rise * np.exp(-np.add(chain.start, chain.note) / curve.scale)
    return np.asarray(below / np.expm1(chain.growth / curve.scale))


def _next_depth(root: Number) -> Array:
    """The least whole depth, from 2 on, beyond a root of D."""
    return np.asarray(np.maximum(2.0, np.floor(root) + 1))
