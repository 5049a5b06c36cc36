"""The hinge fit: exact on points without noise, never below 0, flat where there is nothing to see."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.handoff.curves import Hinge
from scripts.handoff.hinge import KNEES, fit_counts, fit_hinge, loss_of_counts

LOADS = np.linspace(100.0, 6000.0, 30)
STEP = (LOADS[-2] - LOADS[0]) / (KNEES - 1)


@given(st.floats(0, 0.3), st.floats(1e-5, 1e-3), st.integers(0, KNEES - 10))
def test_points_on_a_hinge_give_it_back(base, slope, place):
    knee = LOADS[0] + place * STEP  # one of the knees that are tried
    found = fit_hinge(LOADS, Hinge(base, slope, knee)(LOADS), np.ones(30))
    assert [float(found.base), float(found.slope)] == pytest.approx([base, slope], rel=1e-6, abs=1e-9)
    assert float(found.knee) == pytest.approx(knee, abs=1e-6)


@given(st.lists(st.floats(0, 2), min_size=4, max_size=10), st.randoms())
def test_base_and_slope_are_never_below_zero(losses, random):
    loads = np.cumsum([random.uniform(1, 100) for _ in losses])
    found = fit_hinge(loads, np.array(losses), np.array([random.uniform(0.1, 5) for _ in losses]))
    assert found.base >= 0 and found.slope >= 0 and loads[0] <= found.knee <= loads[-2]


def test_a_curve_that_falls_is_flat_at_its_weighted_mean():
    found = fit_hinge(np.array([1.0, 2, 3, 4]), np.array([0.4, 0.3, 0.2, 0.1]), np.array([1.0, 1, 1, 5]))
    assert float(found.slope) == 0 and float(found.base) == pytest.approx(1.4 / 8)


def test_counts_get_a_loss_and_a_weight_even_without_a_failure():
    losses, weights = loss_of_counts(np.array([0.0, 10.0, 0.0]), np.array([10.0, 10.0, 0.0]))
    assert losses[:2] == pytest.approx([-np.log(1 - 0.5 / 11), -np.log(1 - 10.5 / 11)])
    assert weights[0] > weights[1] > 0 and weights[2] == 0


def test_large_counts_tell_the_hinge_in_each_resample():
    truth = Hinge(0.02, 1e-4, LOADS[0] + 20 * STEP)
    steps = np.full((30, 2), 1e9)
    found = fit_counts(LOADS, steps * -np.expm1(-truth(LOADS))[:, None], steps)
    for name in ("base", "slope", "knee"):
        assert getattr(found, name) == pytest.approx([getattr(truth, name)] * 2, rel=1e-3)
