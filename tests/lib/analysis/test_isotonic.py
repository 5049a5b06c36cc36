"""Isotonic regression: the nearest rising curve, as scikit-learn has it, also where points have no weight."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

from scripts.lib.analysis.isotonic import isotonic

POINTS = st.lists(st.tuples(st.floats(0, 1), st.floats(0.1, 50)), min_size=1, max_size=12)


def test_by_hand():
    found = isotonic(np.array([0.2, 0.5, 0.1, 0.6]), np.array([1.0, 1.0, 3.0, 1.0]))
    np.testing.assert_allclose(found, [0.2, 0.2, 0.2, 0.6])


@given(POINTS)
def test_it_is_that_of_scikit_learn(points):
    means, weights = map(np.array, zip(*points, strict=True))
    expected = IsotonicRegression().fit_transform(np.arange(len(means)), means, sample_weight=weights)
    np.testing.assert_allclose(isotonic(means, weights), expected, atol=1e-12)


@given(POINTS)
def test_a_rising_curve_stays_and_resamples_are_fitted_one_by_one(points):
    means, weights = map(np.array, zip(*points, strict=True))
    rising = np.sort(means)
    both = isotonic(np.stack([means, rising], axis=1), np.stack([weights, weights], axis=1))
    np.testing.assert_allclose(both[:, 1], rising, atol=1e-12)
    np.testing.assert_allclose(both[:, 0], isotonic(means, weights), atol=1e-12)


def test_points_without_weight_take_no_part():
    found = isotonic(np.array([0.3, np.nan, 0.1]), np.array([1.0, 0.0, 1.0]))
    assert found[[0, 2]] == pytest.approx([0.2, 0.2])
