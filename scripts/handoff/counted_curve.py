"""A loss curve from counted failures, with draws."""

from __future__ import annotations

import numpy as np

from scripts.handoff.curves import Array, Measured, step_loss
from scripts.lib.errors import UserError


def curve_from_counts(loads: Array, failures: Array, steps: Array, resamples: int, seed: int) -> Measured:
    """A curve with losses (points, 1 + resamples) through failures among steps at loads (points,), in tokens.

    Entry 0 is the estimate. The others are drawn from the beta distribution with Jeffreys's prior, each point
    for itself, so steps count as independent. Where they are not (several calls on one problem), resample the
    problems and make a Measured from those draws. Where all steps failed, half a failure is taken off the
    estimate, which would be infinite. Raises UserError where the counts cannot be.
    """
    loads, failures, steps = (np.asarray(values, np.float64) for values in (loads, failures, steps))
    if not (loads.ndim == 1 and len(loads) and loads.shape == failures.shape == steps.shape):
        raise UserError("the curve needs one load, one number of failures and one number of steps a point")
    if not (np.diff(loads) > 0).all():
        raise UserError(
            "the loads of the curve must increase from point to point: sort them, join equal ones"
        )
    if not ((failures >= 0) & (failures <= steps) & (steps >= 1)).all():
        raise UserError("each point of the curve needs at least one step, and 0 to that many failures")
    rng = np.random.default_rng(seed)
    shape = (len(loads), resamples)
    drawn = rng.beta((failures + 0.5)[:, None], (steps - failures + 0.5)[:, None], size=shape)
    share = np.minimum(failures, steps - 0.5) / steps
    return Measured(loads, step_loss(np.column_stack([share, drawn])))
