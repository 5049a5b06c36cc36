"""Components of variance of scores on instances that every model played once in every mode.

Scores of a task are an array (instances, models, modes). After each cell's mean is taken out, a score is
instance + instance x model + instance x mode + rollout, independent with mean 0. Each instance is played once
a cell, so the part named rollout also holds what suits one model in one mode on one instance; nothing in such
data tells the two apart. The estimates equate mean squares with their expectations (analysis of variance,
Searle, Casella and McCulloch 1992, ch. 4), which is the REML solution of the mixed model where the data are
balanced and no component is negative.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scripts.lib.analysis.bootstrap import Array

COMPONENTS = ("instance", "instance x model", "instance x mode", "rollout", "model")


def components(scores: Mapping[str, Array], weights: Mapping[str, Array]) -> dict[str, Array]:
    """Each component (1 + resamples,), pooled over tasks; not cut off at 0.

    ``scores``: by task (instances, models, modes), the same models and modes, two or more of each, nothing
    missing; ``weights``: by task (1 + resamples, instances), see ``bootstrap.draw_weights``. "model" is how
    much the means of just these models vary within a task: the models are no sample.
    """
    _, models, modes = next(iter(scores.values())).shape
    squares, freedom, means = np.zeros((4, 1)), np.zeros(4), []
    for task, its in scores.items():
        size = len(its)
        squares = squares + np.stack([_within(part, weights[task]) for part in _parts(its)])
        freedom += (size - 1) * np.array([1, models - 1, modes - 1, (models - 1) * (modes - 1)])
        means.append((weights[task] @ its.mean(axis=2) / size, size))
    whole, by_model, by_mode, rollout = squares / freedom[:, None]
    between = [of.var(axis=1, ddof=1) - by_model / (size * modes) for of, size in means]
    found = (
        (whole - by_model - by_mode + rollout) / (models * modes),
        (by_model - rollout) / modes,
        (by_mode - rollout) / models,
        rollout,
        np.mean(between, axis=0),
    )
    return dict(zip(COMPONENTS, found, strict=True))


def _parts(scores: Array) -> list[Array]:
    """Deviations (instances, columns) of whole, model, mode and rest; their squares add up to all."""
    size, models, modes = scores.shape
    whole = scores.mean(axis=(1, 2))
    by_model = scores.mean(axis=2) - whole[:, None]
    by_mode = scores.mean(axis=1) - whole[:, None]
    rest = scores - by_model[:, :, None] - by_mode[:, None, :] - whole[:, None, None]
    scaled = (whole * (models * modes) ** 0.5, by_model * modes**0.5, by_mode * models**0.5, rest)
    return [part.reshape(size, -1) for part in scaled]


def _within(columns: Array, weights: Array) -> Array:
    """Sum of squares (1 + resamples,) around the columns' means, the resamples' widened by n / (n - 1)."""
    size = len(columns)
    sums = weights @ columns
    squares = weights @ (columns**2).sum(axis=1) - (sums**2).sum(axis=1) / size
    squares[1:] *= size / (size - 1)
    return np.asarray(squares)


def seeds_needed(variance: float, half_width: float, level: float, tasks: int) -> int:
    """The fewest instances a task for which the mean over tasks has a ``level`` interval of this half width.

    ``variance`` is that of an instance's value, averaged over the tasks; see ``expected_half_width``.
    """
    low, high = 1, 2
    while expected_half_width(variance, high, level, tasks) > half_width:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        wide = expected_half_width(variance, middle, level, tasks) > half_width
        low, high = (middle, high) if wide else (low, middle)
    return high


def expected_half_width(variance: float, count: int, level: float, tasks: int) -> float:
    """Half the width of Student's t interval of a mean over tasks, with ``count`` (> 1) instances in each."""
    from scipy.special import stdtrit

    freedom = tasks * (count - 1)
    return float(stdtrit(freedom, (1 + level) / 2) * (variance / (tasks * count)) ** 0.5)


def mean_variance(tasks: Sequence[Array]) -> float:
    """The sample variance of values (instances,), averaged over tasks; each needs two values."""
    return float(np.mean([np.var(values, ddof=1) for values in tasks]))
