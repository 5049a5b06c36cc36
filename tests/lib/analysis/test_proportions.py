"""Wilson's interval against published values and its properties."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_of_statsmodels

from scripts.lib.analysis.proportions import mcnemar, wilson


@pytest.mark.parametrize(
    ("count", "size", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_published_values(count, size, low, high):  # Newcombe (1998), table I, method 3
    assert wilson(count, size, 0.95) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 400).flatmap(lambda size: st.tuples(st.integers(0, size), st.just(size))))
def test_the_share_lies_inside_and_the_ends_mirror(case):
    count, size = case
    low, high = wilson(count, size, 0.9)
    assert 0 <= low <= count / size <= high <= 1 and low < high
    mirrored = wilson(size - count, size, 0.9)
    assert mirrored == pytest.approx((1 - high, 1 - low))
    wider = wilson(count, size, 0.99)
    assert wider[0] <= low and high <= wider[1]


@given(st.integers(0, 200), st.integers(0, 200))
def test_mcnemar_is_the_exact_test_of_the_library(first, second):
    expected = (
        1.0 if first == second else mcnemar_of_statsmodels([[0, first], [second, 0]], exact=True).pvalue
    )
    assert mcnemar(first, second) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_mcnemar_by_hand():
    assert mcnemar(0, 0) == 1 and mcnemar(0, 5) == 2 / 32 and mcnemar(5, 0) == 2 / 32
