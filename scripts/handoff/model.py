"""What a chain of steps costs one agent, and a chain of agents: log-losses in nats (arXiv 2610.06069).

A task is a chain of L steps, one call each; the losses of its steps add up (Assumption 1). The load of one
agent grows step by step. A chain of agents cuts the task into chunks of m steps; each but the first starts
from a note. The axis of depths, chunk sizes or steps comes first (entry 0 is 1); trailing axes are parameter
sets side by side.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scripts.handoff.curves import Array, Curve, Number, Stylised, aligned


@dataclass(frozen=True)
class Chain:
    """How the load grows, in tokens: c0 + k t at step t of one agent, c0 + s + k i at step i after a note.

    Numbers or arrays (...), with growth > 0 and note >= 0.
    """

    growth: Number
    start: Number = 0.0
    note: Number = 0.0

    def loads(self, steps: Number, after_note: bool = False) -> Array:
        """Loads (steps, ...) at step numbers (steps,)."""
        numbers = aligned(np.atleast_1d(np.asarray(steps, np.float64)), self.growth, self.start, self.note)
        return np.asarray(np.add(self.start, self.note if after_note else 0.0) + self.growth * numbers)


def effective_handoff_cost(
    handoff: Number, loss: Callable[[Number, Number], Array], load: Number, budget: Number, note: Number
) -> Array:
    """Equation 2: h_eff = h + Delta, nats: a note of o tokens is paid from the budget b of its writer.

    Delta = g(c, b - o) - g(c, b) is our reading. ``loss`` is g(load, budget), not rising with the budget.
    Raises ValueError unless 0 <= note <= budget.
    """
    if not (np.all(np.greater_equal(note, 0)) and np.all(np.less_equal(note, budget))):
        raise ValueError("the note must fit into the budget of the step that writes it")
    return np.asarray(handoff + loss(load, np.subtract(budget, note)) - loss(load, budget))


def single_losses(curve: Curve, chain: Chain, depth: int) -> Array:
    """Equation 4: G_SA (depth, ...) of one agent at depths 1 .. depth."""
    return np.cumsum(curve(chain.loads(np.arange(1.0, depth + 1))), axis=0)


def chunked_losses(curve: Curve, chain: Chain, handoff: Number, depth: int) -> Array:
    """Equation 5: G_D (depth, ...) of a chain of agents at one depth, with chunks of 1 .. depth steps.

    ``handoff`` is h_eff, nats a boundary. Where the size does not divide the depth, the last chunk is shorter
    (our choice). A chunk as long as the task is one agent.
    """
    first = single_losses(curve, chain, depth)
    later = np.cumsum(curve(chain.loads(np.arange(1.0, depth + 1), after_note=True)), axis=0)
    sizes = np.arange(1, depth + 1)
    whole, rest = aligned(depth // sizes - 1, first[0]), depth % sizes
    last = np.where(aligned(rest > 0, first[0]), later[rest - 1], 0.0)
    boundaries = aligned(-(-depth // sizes) - 1.0, first[0], handoff)
    return aligned(first + whole * later + last, handoff) + boundaries * handoff


def attention_taxes(curve: Curve, chain: Chain, depth: int) -> Array:
    """Equation 7: a_t = g(c0 + k t) - g(c0 + s + k) (depth, ...), nats; 0 at step 1, where no note is read.

    It is what step t costs one agent more than it costs an agent that starts from a note.
    """
    fresh = curve(chain.loads(1.0, after_note=True))
    taxes = curve(chain.loads(np.arange(1.0, depth + 1))) - fresh
    taxes[0] = 0.0
    return taxes


def limit_tax(curve: Stylised, chain: Chain) -> Array:
    """a_inf (...), nats: the limit of the attention tax; infinite for linear and hinge curves."""
    return np.asarray(curve.limit - curve(chain.loads(1.0, after_note=True))[0])


def advantages(curve: Curve, chain: Chain, handoff: Number, depth: int) -> Array:
    """Equation 8: D = G_SA(L) - G_D(L, 1) (depth, ...), nats: above 0 where a new agent for each step wins.

    D(1) = 0, and D is convex in the depth, so it crosses zero at most once.
    """
    taxes = np.cumsum(attention_taxes(curve, chain, depth), axis=0)
    boundaries = aligned(np.arange(depth, dtype=np.float64), taxes[0], handoff)
    return aligned(taxes, handoff) - boundaries * handoff
