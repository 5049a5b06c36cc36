"""The paired bootstrap: shapes, hand-worked values, properties, coverage."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from scripts.lib.analysis.bootstrap import (
    centred_estimate,
    draw_weights,
    estimate,
    interval,
    ratio,
    snap,
    weighted_means,
)

NAN = np.nan
score_rows = arrays(np.float64, (12,), elements=st.floats(0, 1))


def test_weights_count_draws_and_open_with_the_estimate() -> None:
    weights = draw_weights(1, "maze", 500, 7)
    assert weights.shape == (501, 7)
    assert (weights.sum(axis=1) == 7).all() and (weights[0] == 1).all()
    assert weights[1:].mean() == 1 and 0.7 < weights[1:].var() < 1.0  # multinomial: 6/7


def test_weights_depend_on_seed_and_stratum_alone() -> None:
    weights = draw_weights(1, "maze", 50, 9)
    assert (weights == draw_weights(1, "maze", 50, 9)).all()
    assert (weights != draw_weights(2, "maze", 50, 9)).any()
    assert (weights != draw_weights(1, "cube", 50, 9)).any()


def test_weighted_means_by_hand() -> None:
    weights = np.array([[1.0, 1, 1], [2, 1, 0], [0, 0, 3]])
    means = weighted_means(np.array([[0.0, 0.75, 1.5], [1.0, 0.5, NAN]]), weights)
    np.testing.assert_array_equal(means, [[0.75, 0.25, 1.5], [0.75, 2.5 / 3, NAN]])


@given(score_rows, st.permutations(range(12)))
def test_means_are_the_same_to_the_last_digit_in_any_order_and_company(
    scores: np.ndarray, order: list[int]
) -> None:
    weights = draw_weights(1, "maze", 40, 12)
    alone = weighted_means(scores, weights)
    shuffled = weighted_means(scores[order], weights[:, order])
    company = weighted_means(np.stack([scores, 1 - scores, scores * 0]), weights)[0]
    assert alone.tobytes() == shuffled.tobytes() == company.tobytes()
    np.testing.assert_allclose(alone[0], scores.mean(), atol=1e-9)


@given(score_rows, st.integers(-512, 512))
def test_a_constant_paired_shift_has_no_uncertainty(scores: np.ndarray, steps: int) -> None:
    shift = steps / 1024
    difference = (snap(scores) + shift) - snap(scores)
    found = estimate(weighted_means(difference, draw_weights(3, "cube", 60, 12)), 0.95)
    assert found.low == found.mean == found.high == shift


@given(arrays(np.float64, (12,), elements=st.one_of(st.just(NAN), st.floats(0, 1))))
def test_missing_scores_are_as_if_never_planned(scores: np.ndarray) -> None:
    weights = draw_weights(1, "maze", 80, 12)
    present = ~np.isnan(scores)
    np.testing.assert_array_equal(
        weighted_means(scores, weights), weighted_means(scores[present], weights[:, present])
    )


def test_interval_agrees_with_numpy_and_leaves_out_what_is_undefined() -> None:
    values = np.random.default_rng(5).random((3, 101))
    values[1, ::4] = NAN
    values[2, :60] = NAN  # fewer than half are left
    low, high = interval(values, 0.9)
    np.testing.assert_allclose(low[:2], np.nanquantile(values[:2], 0.05, axis=-1))
    np.testing.assert_allclose(high[:2], np.nanquantile(values[:2], 0.95, axis=-1))
    assert np.isnan(low[2]) and np.isnan(high[2])


def test_no_interval_without_an_estimate() -> None:
    found = estimate(np.array([NAN, 0.5, 0.5]), 0.9)
    assert np.isnan([found.mean, found.low, found.high]).all()


def test_ratio_is_undefined_where_the_whole_is_small() -> None:
    part, whole = np.array([0.2, 0.01, 0.2, NAN]), np.array([0.8, 0.04, NAN, 0.8])
    np.testing.assert_array_equal(ratio(part, whole, 0.05), [0.25, NAN, NAN, NAN])
    np.testing.assert_array_equal(ratio(part[:1], np.array([0.05]), 0.05), [4.0])


@pytest.mark.parametrize("paired", [False, True])
def test_coverage_on_simulated_data(paired: bool) -> None:
    """Nine in ten 90 % intervals hold the true mean (percentile intervals fall a little short at 40)."""
    rng = np.random.default_rng(11)
    ease = rng.normal(0.5, 0.15, (300, 40))
    scores = ease + rng.normal(0, 0.1, ease.shape)
    if paired:
        scores = scores - (ease - 0.2 + rng.normal(0, 0.1, ease.shape))
    low, high = interval(weighted_means(scores, draw_weights(1, "maze", 400, 40))[:, 1:], 0.9)
    truth = 0.2 if paired else 0.5
    assert 0.84 < np.mean((low <= truth) & (truth <= high)) < 0.94
    if paired:
        assert np.mean(high - low) < 0.075  # unpaired it would be about 0.13 wide


def test_a_centred_interval_has_its_median_on_the_estimate() -> None:
    values = np.array([5.0, *np.linspace(0, 2, 101)])
    found = centred_estimate(values, 0.9)
    assert (found.mean, found.low, found.high) == pytest.approx((5, 4.1, 5.9))
    assert centred_estimate(values, 0.9, highest=5.5).high == 5.5
    assert centred_estimate(values, 0.9, 4.5, 6).low == 4.5
    unknown = centred_estimate(np.array([NAN, 1.0, 2.0]), 0.9, 1.0)
    assert np.isnan([unknown.mean, unknown.low, unknown.high]).all()
