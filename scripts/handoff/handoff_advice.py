"""``make handoff-advice``: hand over or not, and after how many steps, by a measured curve."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

from scripts.handoff.advice import advise, describe
from scripts.handoff.curves import Array
from scripts.handoff.given_curve import read_curve
from scripts.handoff.model import Chain
from scripts.handoff.pilot_counts import FAILURES
from scripts.handoff.settings import Stylised
from scripts.lib.drawing.numbers import count, interval
from scripts.lib.errors import UserError

CURVE = Path("data/handoff/pilot")  # of the demo
EXAMPLE = Stylised()  # what is not given is that of the stylised example
DEEPEST = 10_000  # steps


def handoff_draws(numbers: list[float], level: float, resamples: int, seed: int) -> Array:
    """Draws of h_eff (1 + resamples,), nats, from an estimate, or an estimate and the ends of its interval.

    The draws are normal, on each side as wide as its end says. Raises UserError where the numbers are not
    low <= estimate <= high.
    """
    if len(numbers) not in (1, 3) or not np.isfinite(numbers).all():
        raise UserError('the handoff tax is one number, or three: H="estimate low high"')
    if len(numbers) == 1:
        return np.full(1 + resamples, numbers[0])
    mean, low, high = numbers
    if not low <= mean <= high:
        raise UserError(f"the handoff tax {mean:g} must lie in its interval, from {low:g} to {high:g}")
    from scipy.special import ndtri

    drawn = np.random.default_rng([seed, 1]).standard_normal(resamples)  # apart from the curve's draws
    width = np.where(drawn < 0, mean - low, high - mean) / ndtri((1 + level) / 2)
    return np.concatenate([[mean], mean + drawn * width])


def handoff_advice(given: argparse.Namespace) -> str:
    """The advice as text for the person at the keyboard. Raises UserError with what to change."""
    check(given)
    found = read_curve(given.curve, given.failure, given.resamples, given.seed, given.model)
    handoff = handoff_draws(given.handoff, given.level, given.resamples, given.seed)
    chain = Chain(given.growth, given.start, given.note)
    loads = found.curve.loads
    advice = advise(found.curve, chain, handoff, given.depth, float(loads[-1]), given.level)
    low, high = given.handoff[1:] or (None, None)
    adds, start, note = (count(number) for number in (given.growth, given.start, given.note))
    tax = interval(given.handoff[0], low, high, 3)
    least, most = count(loads[0]), count(loads[-1])
    lines = [
        f"Curve: {found.about}",
        f"  {len(loads)} loads from {least} to {most} tokens, {count(found.steps)} steps",
        f"A step adds {adds} tokens to {start}; a note has {note}; the handoff tax is {tax} nats",
        describe(advice),
    ]
    return "\n".join(lines)


def check(given: argparse.Namespace) -> None:
    """Raise UserError for numbers that cannot be."""
    for name, least in (("growth", 0), ("start", 0), ("note", 0), ("depth", 2), ("resamples", 100)):
        number = getattr(given, name)
        if not (np.isfinite(number) and number >= least) or (name == "growth" and number == 0):
            told = "above 0" if name == "growth" else f"at least {least}"
            raise UserError(f"{name} is {number:g}; it must be {told}")
    if given.depth > DEEPEST:
        raise UserError(f"depth is {given.depth}; tasks of more than {DEEPEST} steps are not looked at")
    if not 0 < given.level < 1:
        raise UserError(f"level is {given.level:g}; it must lie between 0 and 1")


def read_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--curve", type=Path, default=CURVE, help="CSV (load,steps,failures) or a pilot's folder"
    )
    parser.add_argument(
        "--handoff", type=float, nargs="+", default=[EXAMPLE.handoff], help="h in nats, or h low high"
    )
    parser.add_argument("--growth", type=float, default=EXAMPLE.growth, help="tokens that a step adds")
    parser.add_argument("--start", type=float, default=EXAMPLE.start, help="tokens before the first step")
    parser.add_argument("--note", type=float, default=EXAMPLE.note, help="tokens of a note")
    parser.add_argument("--depth", type=int, default=EXAMPLE.depth, help="steps of the task")
    parser.add_argument("--failure", choices=FAILURES, default=FAILURES[0], help="of a pilot: which failures")
    parser.add_argument("--model", help="whose curve, where there are several")
    parser.add_argument("--level", type=float, default=0.95, help="level of the intervals")
    parser.add_argument("--resamples", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1, help="of the resampling")
    return parser.parse_args(arguments)


def main() -> int:
    """Print the advice; exit code 1 where there is none."""
    try:
        print(handoff_advice(read_arguments()))
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.code
    return 0


if __name__ == "__main__":
    sys.exit(main())
