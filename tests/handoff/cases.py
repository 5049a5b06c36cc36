"""Random parameters of the model, and sums written out as the paper writes them."""

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from scripts.handoff.curves import Flat, Hinge, Linear, Saturating
from scripts.handoff.model import Chain

SETS = 10_000  # parameter sets on which closed forms must equal brute force


class Setting(NamedTuple):
    """A curve, a chain and a handoff cost; the chain has load 1 a step, so that slopes are nats a step."""

    curve: object
    chain: Chain
    handoff: float


def _between(low, high):
    return st.floats(low, high, allow_nan=False)


FLAT = st.builds(Flat, _between(0, 1))
LINEAR = st.builds(Linear, _between(0, 1), _between(0.001, 0.1))
HINGE = st.builds(Hinge, _between(0, 1), _between(0.001, 0.1), _between(0, 60))
SATURATING = st.builds(Saturating, _between(0, 1), _between(0, 1), _between(1, 30))
CURVES = FLAT | LINEAR | HINGE | SATURATING
CHAINS = st.builds(Chain, st.just(1.0), _between(0, 20), _between(0, 5))


def settings_of(curves, least_handoff=0.0):
    return st.builds(Setting, curves, CHAINS, _between(least_handoff, 0.2))


def random_chains(rng):
    """SETS chains and handoff costs, in tokens and nats."""
    growth = rng.uniform(50, 500, SETS)
    chain = Chain(growth, rng.uniform(0, 3000, SETS), rng.uniform(0, 3, SETS) * growth)
    return chain, rng.uniform(0, 0.1, SETS)


def summed(curve, chain, handoff, depth, size):
    """Equation 5, chunk by chunk and step by step, for numbers or parameter sets."""
    total, done = 0.0, 0
    while done < depth:
        note = chain.note if done else 0.0
        for step in range(1, min(size, depth - done) + 1):
            total = total + curve(np.atleast_1d(chain.start + note + chain.growth * step)[None])[0]
        total = total + (handoff if done else 0.0)
        done += size
    return total
