"""Paired differences: as scipy's paired t test."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scripts.handoff.paired import paired_difference

shares = st.lists(
    st.tuples(st.sampled_from([0, 0.5, 1]), st.sampled_from([0, 0.5, 1])), min_size=3, max_size=60
)


@given(shares)
def test_it_is_the_paired_t_test_of_scipy(pairs):
    later, earlier = np.array(pairs, np.float64).T
    found = paired_difference(later, earlier, 0.95)
    assert found.mean == pytest.approx((later - earlier).mean())
    if np.ptp(later - earlier) == 0:
        assert np.isnan([found.t, found.p, found.low, found.high]).all()
        return
    expected = stats.ttest_rel(later, earlier)
    assert (found.t, found.p, found.df) == (
        pytest.approx(expected.statistic),
        pytest.approx(expected.pvalue),
        expected.df,
    )
    bounds = expected.confidence_interval(0.95)
    assert (found.low, found.high) == (pytest.approx(bounds.low), pytest.approx(bounds.high))


def test_units_that_lack_one_of_both_do_not_count():
    later, earlier = np.array([1.0, np.nan, 0.5, 1.0]), np.array([0.0, 0.0, np.nan, 0.5])
    found = paired_difference(later, earlier, 0.95)
    assert (found.pairs, found.df, found.mean) == (2, 1, 0.75)


def test_without_pairs_nothing_is_known():
    found = paired_difference(np.array([np.nan]), np.array([1.0]), 0.95)
    assert found.pairs == 0 and np.isnan(found.mean) and found.df == 0


def test_the_published_difference_is_what_such_a_test_gives():
    # +22.5 points over 100 problems with t(99) = 6.7 means a standard deviation of .336 between problems.
    deviation = 0.225 * 10 / 6.7
    differences = np.array([0.225 - deviation, 0.225 + deviation] * 50) / 1.0
    found = paired_difference(differences, np.zeros(100), 0.95)
    assert found.df == 99 and found.t == pytest.approx(6.7 * np.sqrt(99 / 100))
