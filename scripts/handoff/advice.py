"""Advice on a measured curve: hand over, and after how many steps, or not; and whether the data can tell.

Arrays have draws last: entry 0 is the estimate, the others its resamples. What is not measured is not
guessed: beyond the largest measured load the curve is held level. That favours the single agent, so "hand
over" stays a safe advice there, and "one agent" is not given.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scripts.handoff.crossover import search_crossover
from scripts.handoff.curves import Array, Curve
from scripts.handoff.model import Chain, chunked_losses
from scripts.lib.analysis.bootstrap import Estimate, estimate
from scripts.lib.drawing.numbers import count, interval, percent
from scripts.lib.errors import UserError

HAND_OVER, ONE_AGENT, CANNOT_TELL = "hand over", "one agent", "cannot tell"
DEEPEST = 1000  # steps to which a crossover is looked for, where the task is not deeper


@dataclass(frozen=True)
class Advice:
    """What to do with a task of ``depth`` steps, and how sure that is.

    ``chunk``: the best number of steps between two handoffs, chosen on the estimate. ``saving``: log-loss
    (nats) of one agent less that of such chunks; ``wins``: share of the resamples in which it is above 0.
    ``single``, ``chunked``: success of the whole task, in [0, 1]. ``best``: the best chunk of each resample,
    the depth where that is one agent. ``crossover``: L* of an agent each step, infinite beyond ``horizon``.
    """

    verdict: str
    depth: int
    chunk: int
    saving: Estimate
    wins: float
    single: Estimate
    chunked: Estimate
    best: Estimate
    crossover: Estimate
    horizon: int
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class _Capped:
    """A curve that is level beyond the largest measured load."""

    curve: Curve
    largest: float

    def __call__(self, load: Array) -> Array:
        return self.curve(np.minimum(load, self.largest))


def advise(
    curve: Curve, chain: Chain, handoff: Array, depth: int, largest: float, level: float = 0.95
) -> Advice:
    """Advice for a task of ``depth`` steps from a curve and h_eff (nats), both with equally many draws.

    ``largest``: the largest load (tokens) at which the curve was measured. The chain holds numbers. "Hand
    over" needs an interval of the saving above 0, "one agent" that of each resample's largest saving below 0.
    Raises UserError where there is nothing to hand over within the measured loads.
    """
    longest = _longest_chunk(chain, depth, largest)
    capped = _Capped(curve, largest)
    losses = chunked_losses(capped, chain, handoff, depth)
    savings = losses[-1] - losses[:longest]
    chunk = int(savings[:, 0].argmax()) + 1
    best = np.vstack([losses[:longest], losses[-1:]]).argmin(axis=0) + 1
    horizon = min(_steps_within(chain, largest), max(depth, DEEPEST))
    saving = estimate(savings[chunk - 1], level)
    most = estimate(savings.max(axis=0), level)
    beyond = depth > _steps_within(chain, largest)
    return Advice(
        verdict=HAND_OVER if saving.low > 0 else ONE_AGENT if most.high < 0 and not beyond else CANNOT_TELL,
        depth=depth,
        chunk=chunk,
        saving=saving,
        wins=float((savings[chunk - 1, 1:] > 0).mean()),
        single=estimate(np.exp(-losses[-1]), level),
        chunked=estimate(np.exp(-losses[chunk - 1]), level),
        best=_whole(np.where(best > longest, depth, best), level),
        crossover=_whole(search_crossover(capped, chain, handoff, horizon), level),
        horizon=horizon,
        remarks=_remarks(most, saving, estimate(handoff, level), beyond, largest),
    )


def _steps_within(chain: Chain, largest: float) -> int:
    """How many steps one agent takes up to a load."""
    return int((largest - float(chain.start)) // float(chain.growth))


def _longest_chunk(chain: Chain, depth: int, largest: float) -> int:
    """The longest chunk to look at: shorter than the task, and within the measured loads after a note too."""
    start = float(chain.start) + float(chain.note)
    longest = min(depth - 1, int((largest - start) // float(chain.growth)))
    if longest < 1:
        raise UserError(
            f"no advice on a task of {_steps(depth)}: it takes two steps to hand over, and the load of one "
            f"step after a note ({count(start + float(chain.growth))} tokens) must lie within the measured "
            f"loads, which end at {count(largest)}"
        )
    return longest


def _whole(values: Array, level: float) -> Estimate:
    """An estimate of whole numbers, some of which may be infinite: the interval is not interpolated."""
    low, high = np.quantile(values[1:], [(1 - level) / 2, (1 + level) / 2], method="inverted_cdf")
    return Estimate(float(values[0]), float(low), float(high))


def _remarks(
    most: Estimate, saving: Estimate, handoff: Estimate, beyond: bool, largest: float
) -> tuple[str, ...]:
    """What the reader must know to trust the advice as far as it goes, and no further."""
    remarks = []
    if saving.low <= 0 <= most.high:
        remarks.append("The saving may be on either side of 0: measure more steps.")
    if beyond:
        remarks.append(
            f"One agent would pass {count(largest)} tokens, beyond which nothing was measured. Its success "
            "is an upper bound, the saving a lower one; longer chunks were not looked at."
        )
    if handoff.low <= 0 <= handoff.high:
        span = interval(handoff.mean, handoff.low, handoff.high, 3)
        remarks.append(f"The sign of the handoff tax is not established: {span} nats.")
    return tuple(remarks)


def describe(advice: Advice) -> str:
    """The advice as lines for the person at the keyboard."""
    chunked = f"a new agent each {_steps(advice.chunk)}"
    say = {
        HAND_OVER: f"Hand over: {chunked}.",
        ONE_AGENT: "Do not hand over: one agent for the whole task.",
        CANNOT_TELL: "The data cannot tell whether handing over helps.",
    }
    lines = [
        f"Task of {_steps(advice.depth)}. {say[advice.verdict]}",
        f"success of one agent: {_span(advice.single)}; of {chunked}: {_span(advice.chunked)}",
        f"saving: {_span(advice.saving)} nats, above 0 in {percent(advice.wins)} of the resamples",
        f"best chunk (steps): {_whole_span(advice.best, advice.depth - 1, 'one agent')}",
        "a new agent each step wins from depth: "
        + _whole_span(advice.crossover, advice.horizon, f"none up to {count(advice.horizon)}"),
    ]
    return "\n  ".join([*lines, *advice.remarks])


def _steps(number: int) -> str:
    return "1 step" if number == 1 else f"{count(number)} steps"


def _span(found: Estimate) -> str:
    return interval(found.mean, found.low, found.high, 3)


def _whole_span(found: Estimate, most: int, beyond: str) -> str:
    """Whole numbers with their interval, and other words for what is above the most."""
    numbers = (found.mean, found.low, found.high)
    mean, low, high = (count(number) if number <= most else beyond for number in numbers)
    return f"{mean} [{low}, {high}]"
