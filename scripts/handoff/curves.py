"""Loss curves: what a step costs, in nats, at a context load in tokens.

Equations and assumptions are those of "Attention Tax, Handoff Tax" (arXiv 2610.06069). A curve g is called
with loads (steps, ...) and gives losses of that shape. Its parameters are numbers or arrays (...): trailing
axes are parameter sets side by side, such as the resamples of a bootstrap. g does not fall with the load
(Assumption 2), so slopes and rises are at least 0. The form of the saturating curve is our own choice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Number = float | Array
Curve = Callable[[Array], Array]


def step_loss(failure: Number) -> Array:
    """Equation 1: g = -log(1 - failure), in nats, of failure probabilities in [0, 1]; infinite at 1."""
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log1p(-np.asarray(failure, np.float64)))


def step_failure(loss: Number) -> Array:
    """The inverse of step_loss: failure probabilities in [0, 1] of losses >= 0, in nats."""
    return np.asarray(-np.expm1(-np.asarray(loss, np.float64)))


def aligned(values: npt.NDArray[Any], *others: Number) -> npt.NDArray[Any]:
    """Values (steps, ...) with enough axes after the first to meet all of the others' axes (...)."""
    missing = max(0, max(map(np.ndim, others)) - values.ndim + 1)
    return values.reshape(len(values), *(1 for _ in range(missing)), *values.shape[1:])


@dataclass(frozen=True)
class Flat:
    """g = base: the load does not matter."""

    base: Number

    def __call__(self, load: Array) -> Array:
        return self.base + 0.0 * aligned(load, self.base)

    @property
    def limit(self) -> Array:
        """The loss at an endless load."""
        return np.asarray(self.base, np.float64)


@dataclass(frozen=True)
class Linear:
    """g = base + slope * load; slope in nats a token, above 0."""

    base: Number
    slope: Number

    def __call__(self, load: Array) -> Array:
        return self.base + self.slope * aligned(load, self.base, self.slope)

    @property
    def limit(self) -> Array:
        """The loss at an endless load: infinite."""
        return np.full(np.broadcast(self.base, self.slope).shape, np.inf)


@dataclass(frozen=True)
class Hinge:
    """g = base + slope * max(0, load - knee): flat up to a knee (tokens), then linear; slope above 0."""

    base: Number
    slope: Number
    knee: Number

    def __call__(self, load: Array) -> Array:
        beyond = aligned(load, self.base, self.slope, self.knee) - self.knee
        return self.base + self.slope * np.maximum(0.0, beyond)

    @property
    def limit(self) -> Array:
        """The loss at an endless load: infinite."""
        return np.full(np.broadcast(self.base, self.slope, self.knee).shape, np.inf)


@dataclass(frozen=True)
class Saturating:
    """g = base + rise * (1 - exp(-load / scale)): rises by ``rise`` nats in all; scale in tokens."""

    base: Number
    rise: Number
    scale: Number

    def __call__(self, load: Array) -> Array:
        load = aligned(load, self.base, self.rise, self.scale)
        return self.base - self.rise * np.expm1(-load / self.scale)

    @property
    def limit(self) -> Array:
        """The loss at an endless load."""
        return np.asarray(np.add(self.base, self.rise), np.float64)


@dataclass(frozen=True)
class Measured:
    """A curve through measured points: straight between them, level before the first and after the last.

    ``loads`` (points,), increasing, in tokens; ``losses`` (points, ...), in nats.
    """

    loads: Array
    losses: Array

    def __call__(self, load: Array) -> Array:
        load = aligned(load, self.losses[0])
        shape = np.broadcast_shapes(load.shape, (1, *self.losses.shape[1:]))
        place = np.interp(load, self.loads, np.arange(len(self.loads), dtype=np.float64))
        place = np.broadcast_to(place, shape)
        below = np.floor(place).astype(np.intp)
        above = np.minimum(below + 1, len(self.loads) - 1)
        losses = np.broadcast_to(self.losses, (len(self.loads), *shape[1:]))
        low, high = (np.take_along_axis(losses, at, axis=0) for at in (below, above))
        return np.asarray(low + (high - low) * (place - below))


Stylised = Flat | Linear | Hinge | Saturating
