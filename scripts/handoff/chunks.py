"""The best chunk m*: how many steps an agent should take before it hands over (arXiv 2610.06069).

``handoff`` is h_eff in nats, at least 0; ``curve`` is linear where a closed form is asked for.
"""

from __future__ import annotations

import numpy as np

from scripts.handoff.curves import Array, Curve, Linear, Number
from scripts.handoff.model import Chain, chunked_losses


def best_chunk_law(curve: Linear, chain: Chain, handoff: Number, depth: Number) -> Array:
    """Equation 14: m* = sqrt(2 h / (lambda k)), within 1 .. depth; no whole number.

    It neglects the length of the note, which costs little at large depth.
    """
    return np.clip(np.sqrt(2 * handoff / (curve.slope * chain.growth)), 1.0, depth)


def best_chunk_at_depth(curve: Linear, chain: Chain, handoff: Number, depth: Number) -> Array:
    """m* at a finite depth: sqrt(2 h / (lambda (k - 2 s / L))), within 1 .. L; no whole number.

    L where k <= 2 s / L: notes are then so long that fewer are always better.
    """
    room = np.asarray(chain.growth - 2 * np.divide(chain.note, depth))
    open_ended = np.sqrt(2 * handoff / (curve.slope * np.where(room > 0, room, 1.0)))
    return np.where(room > 0, np.clip(open_ended, 1.0, depth), depth)


def best_chunk(curve: Curve, chain: Chain, handoff: Number, depth: int) -> Array:
    """The whole number of steps with the least loss, for any curve (...); the smaller one of equals."""
    return chunked_losses(curve, chain, handoff, depth).argmin(axis=0) + 1.0
