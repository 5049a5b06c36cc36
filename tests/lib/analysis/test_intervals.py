"""Intervals of means and ratios: textbook values, what no sample shows, properties, coverage."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from scripts.lib.analysis.bootstrap import draw_weights, weighted_means
from scripts.lib.analysis.intervals import (
    SCORE,
    best_of,
    estimate_mean,
    estimate_ratio,
    mean_interval,
    ratio_interval,
    unseen,
)

NAN = np.nan
some_scores = arrays(np.float64, (10,), elements=st.integers(0, 8).map(lambda eighths: eighths / 8))


def means(*rows: np.ndarray, resamples: int = 4000) -> np.ndarray:
    """The means of rows of scores on the same instances, and of their resamples."""
    return weighted_means(np.array(rows), draw_weights(1, "maze", resamples, len(rows[0])))


def test_symmetric_scores_get_the_t_interval_of_the_textbook() -> None:
    scores = np.linspace(0.2, 0.8, 12)
    found = estimate_mean(means(scores)[0], 0.9, [12])
    low, high = stats.t.interval(0.9, 11, scores.mean(), stats.sem(scores))
    assert (found.mean, found.low, found.high) == pytest.approx((0.5, low, high), abs=0.004)


def test_two_tasks_have_the_degrees_of_freedom_of_both() -> None:
    scores = np.linspace(0.2, 0.8, 6)
    both = [weighted_means(scores, draw_weights(1, task, 8000, 6)) for task in ("maze", "cube")]
    low, high = mean_interval(np.mean(both, axis=0), 0.95, [6, 6])
    error = stats.sem(scores) / np.sqrt(2)
    assert (high - low) / 2 == pytest.approx(stats.t.ppf(0.975, 10) * error, rel=0.02)


def test_one_loss_among_twenty_is_known_no_better_than_from_two_instances() -> None:
    scores = np.ones(20)
    scores[3] = 0
    found = estimate_mean(means(scores, resamples=40_000)[0], 0.95, [20], SCORE)
    assert found.high == 1
    skew = stats.binom.stats(20, 1 / 20, moments="s") * np.sqrt(20 * 19) / 18
    assert found.low == pytest.approx(0.95 - stats.t.ppf(0.975, 1 / (1 / 19 + skew**2 / 2)) * 0.05, abs=0.025)


def test_scores_all_alike_may_hide_what_a_sample_of_this_size_can_miss() -> None:
    found = estimate_mean(means(np.ones(20))[0], 0.95, [20], SCORE)
    assert (found.mean, found.high) == (1, 1)
    assert found.low == pytest.approx(0.025 ** (1 / 20), abs=1e-8)  # Clopper and Pearson for 20 of 20
    tax = estimate_mean(means(np.zeros(20))[0], 0.95, [20, 20])
    assert tax.high == -tax.low == pytest.approx(1 - 0.025 ** (1 / 40), abs=1e-8)


@pytest.mark.parametrize("sizes", [[], [1], [1, 1]])
def test_one_instance_a_task_says_nothing_of_the_error(sizes: list[int]) -> None:
    found = estimate_mean(means(np.ones(1))[0], 0.95, sizes)
    assert found.mean == 1 and np.isnan([found.low, found.high]).all()


def test_no_interval_without_an_estimate() -> None:
    missing = np.full(11, NAN)
    assert np.isnan(estimate_mean(missing, 0.9, [5]).low)
    for sizes in ([0], [0, 0], [1, 0]):  # tasks without a grade
        assert np.isnan(estimate_mean(missing, 0.9, sizes).low)
        assert np.isnan(estimate_ratio(missing, missing, 0.1, 0.9, sizes).low)
    assert np.isnan(estimate_ratio(missing, missing, 0.1, 0.9, [5]).mean)
    assert np.isnan(estimate_ratio(missing, np.ones(11), 0.1, 0.9, [5]).mean)


@given(some_scores, some_scores)
def test_the_interval_holds_the_estimate_and_grows_with_the_level(one: np.ndarray, two: np.ndarray) -> None:
    values = means(one, two, one - two, resamples=200)
    narrow, wide = (mean_interval(values, level, [10]) for level in (0.8, 0.95))
    assert (wide[0] <= narrow[0]).all() and (narrow[1] <= wide[1]).all()
    assert (narrow[0] <= values[:, 0] + 1e-9).all() and (values[:, 0] - 1e-9 <= narrow[1]).all()
    mirrored = mean_interval(-values, 0.8, [10])
    np.testing.assert_allclose(mirrored[0], -narrow[1], atol=2e-9)


def test_a_ratio_of_certain_terms_is_exact_but_for_what_was_not_seen() -> None:
    part, whole = means(np.full(30, 0.2), np.full(30, 0.5))
    found = estimate_ratio(part, whole, 0.05, 0.95, [30])
    assert found.mean == pytest.approx(0.4)
    assert found.high - found.mean == pytest.approx(unseen(0.95, [30]) / 0.5, abs=1e-8)


def test_fieller_by_hand() -> None:
    rng = np.random.default_rng(2)
    one, two = rng.normal(0.1, 0.1, 40), rng.normal(0.3, 0.1, 40)
    part, whole = means(one, two, resamples=20000)
    found = estimate_ratio(part, whole, 0.05, 0.95, [40])
    for end in (found.low, found.high):  # where the t statistic of part - end * whole is the quantile
        assert abs(stats.ttest_1samp(one - end * two, 0).statistic) == pytest.approx(2.02, abs=0.06)


def test_a_ratio_has_no_interval_where_the_whole_may_be_0_and_no_value_where_it_is_small() -> None:
    values = means(np.full(8, 0.1), np.array([1.0, 0, 0, 0, 0, 0, 0, 0]))
    found = estimate_ratio(values[0], values[1], 0.05, 0.95, [8])
    assert found.mean == pytest.approx(0.8) and np.isnan([found.low, found.high]).all()
    assert np.isnan(estimate_ratio(values[0], values[1], 0.2, 0.95, [8]).mean)


def test_the_better_member_is_the_same_in_every_resample() -> None:
    members = np.array([[0.5, 0.1, 0.9], [0.6, 0.8, 0.2]])
    assert best_of(members).tolist() == [0.6, 0.8, 0.2]
    assert np.isnan(best_of(np.array([[0.5, 0.1], [NAN, NAN]]))).all()


@pytest.mark.parametrize("kind", ["graded", "mostly right"])
@pytest.mark.parametrize(("count", "most"), [(10, 1.0), (40, 0.97)])  # ten passes or fails are few
def test_coverage_of_means_and_ratios(kind: str, count: int, most: float) -> None:
    """About 19 in 20 intervals hold the true value."""
    rng = np.random.default_rng(11)
    ease = rng.normal(0, 0.15, (2000, count))
    one, two = (np.clip(ease + rng.normal(base, 0.15, ease.shape), 0, 1) for base in (0.5, 0.25))
    if kind == "mostly right":
        one, two = np.where(one > 0.4, 1.0, 0.0), np.where(two > 0.4, 1.0, 0.0)
    truth = stats.norm.cdf((np.array([0.5, 0.25]) - 0.4) / np.hypot(0.15, 0.15))
    if kind == "graded":
        more = np.clip(rng.normal([[0.5], [0.25]], np.hypot(0.15, 0.15), (2, 2_000_000)), 0, 1)
        truth = more.mean(axis=1)
    weights = draw_weights(1, "maze", 500, count)
    part, whole = weighted_means(one - two, weights), weighted_means(one, weights)
    for (low, high), true in (
        (mean_interval(part, 0.95, [count]), truth[0] - truth[1]),
        (ratio_interval(part, whole, 0.95, [count]), (truth[0] - truth[1]) / truth[0]),
    ):
        given = ~np.isnan(low)
        assert given.mean() > 0.8
        assert 0.93 <= np.mean((low <= true) & (true <= high), where=given) <= most
