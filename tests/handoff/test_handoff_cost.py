"""The handoff tax where little counts: small ledgers with a real model are like that."""

import numpy as np
import pytest

from scripts.handoff.curves import Measured
from scripts.handoff.handoff_cost import handoff_cost
from scripts.handoff.hinge import fit_counts
from scripts.handoff.measured import grid, has_curve


def row(index, step, role, stationary, cut=None):
    seen = {"stationary": stationary, "load": 100 * step, "finish_reason": "stop", "outcome": "answered"}
    return seen | {
        "index": index,
        "cut": cut,
        "limit": cut and 100,
        "role": role,
        "step": step,
        "right": True,
    }


@pytest.mark.parametrize("fees", [{3}, {2, 3, 4}])
def test_a_step_that_is_a_fee_in_every_ledger_costs_nothing(fees):
    steps = range(1, 5)
    single = [row(index, step, "step", step not in fees) for index in range(3) for step in steps]
    handed = [row(i, step, "reader", step not in fees, cut=2) for i in range(3) for step in (2, 3, 4)]
    curve = Measured(np.array([100.0, 400.0]), np.zeros((2, 5)))
    job = {"tasks": 3, "chunk": 2, "cuts": [2]}
    cost = handoff_cost(single, handed, curve, np.ones((5, 3)), job, 100, "stationary")
    assert (cost.tax == 0).all() and cost.pairs == 3


def test_a_resample_without_steps_has_no_hinge_and_warns_of_nothing():
    failures, steps = np.array([[1.0, 0], [2, 0], [5, 0]]), np.array([[10.0, 0], [10, 0], [10, 0]])
    with np.errstate(all="raise"):
        found = fit_counts(np.array([0.0, 1, 2]), failures, steps)
    assert np.isfinite(found.slope[0]) and np.isnan(found.slope[1]) and np.isnan(found.base[1])


def test_steps_at_one_load_alone_make_no_curve():
    rows = [row(0, 1, "step", True), row(1, 1, "step", True)]
    assert not has_curve(grid(rows, "raw", 2, 0, 1))
    assert has_curve(grid([*rows, row(1, 2, "step", True)], "raw", 2, 0, 2))
