"""Agreement: published and hand-worked values, two libraries, degenerate tables, properties, coverage."""

import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss_kappa

from scripts.lib.analysis.agreement import (
    cohen_kappa,
    cohen_kappas,
    fleiss_kappa,
    krippendorff_alpha,
    majority,
    raw_agreement,
)
from scripts.lib.analysis.bootstrap import draw_weights, estimate

NAN = np.nan
labels = st.sampled_from([0.0, 1.0])
complete = arrays(np.float64, (12, 4), elements=labels)
with_gaps = arrays(np.float64, (12, 4), elements=st.sampled_from([0.0, 1.0, NAN]))
COEFFICIENTS = [
    lambda ratings: float(fleiss_kappa(ratings)[0]),
    lambda ratings: float(krippendorff_alpha(ratings)[0]),
    lambda ratings: float(raw_agreement(ratings)[0]),
    lambda ratings: cohen_kappa(ratings[:, 0], ratings[:, 1]),
]

# Krippendorff (2011): four observers, twelve units, five nominal values. Of 40 pairable values 9, 13, 10, 5
# and 3 are of one kind, and the units 2, 6 and 8 disagree by 2, 4 and 2: 1 - 39 * 8 / (1600 - 384).
OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
).T


def same(one: float, two: float) -> bool:
    return bool(np.isclose(one, two, rtol=0, atol=1e-8, equal_nan=True))


def test_the_published_example_of_alpha() -> None:
    assert same(krippendorff_alpha(OBSERVERS)[0], 1 - 39 * 8 / 1216)
    assert round(float(krippendorff_alpha(OBSERVERS)[0]), 3) == 0.743


def test_alpha_of_two_raters_by_hand() -> None:
    # The binary example of the same paper: ten units, .095.
    two = np.array([[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]], float).T
    assert same(krippendorff_alpha(two)[0], 1 - 19 * 8 / (400 - 14**2 - 6**2))
    assert round(float(krippendorff_alpha(two)[0]), 3) == 0.095


def test_fleiss_kappa_by_hand() -> None:
    # Shares of agreeing pairs: 1, 1/3, 1/3, 1; of the labels: 7 and 5 of 12.
    ratings = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 1], [0, 0, 0]], float)
    chance = (49 + 25) / 144
    assert same(fleiss_kappa(ratings)[0], (2 / 3 - chance) / (1 - chance))
    assert same(raw_agreement(ratings)[0], 2 / 3)


def test_cohen_kappa_by_hand() -> None:
    first = [1] * 25 + [0] * 25
    second = [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
    assert same(cohen_kappa(first, second), (0.7 - 0.5) / (1 - 0.5))


@given(complete)
def test_fleiss_kappa_is_that_of_statsmodels(ratings: np.ndarray) -> None:
    assume(len(np.unique(ratings)) == 2)
    assert same(fleiss_kappa(ratings)[0], statsmodels_fleiss_kappa(aggregate_raters(ratings)[0]))


@given(complete)
def test_cohen_kappa_is_that_of_sklearn(ratings: np.ndarray) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns where it is undefined, and so returns NaN
        theirs = cohen_kappa_score(ratings[:, 0], ratings[:, 1])
    assert same(cohen_kappa(ratings[:, 0], ratings[:, 1]), theirs)


@given(complete)
def test_without_gaps_alpha_is_fleiss_kappa_corrected_for_a_small_sample(ratings: np.ndarray) -> None:
    # D_o is 1 - P, and D_e is n / (n - 1) times 1 - P_e with n ratings in all.
    kappa, alpha, total = fleiss_kappa(ratings)[0], krippendorff_alpha(ratings)[0], ratings.size
    assert same(1 - alpha, (1 - kappa) * (total - 1) / total)


@given(with_gaps, st.permutations(range(4)), st.permutations(range(12)))
def test_names_of_labels_and_orders_do_not_count(ratings: np.ndarray, raters: list, items: list) -> None:
    for coefficient in COEFFICIENTS:
        value = coefficient(ratings)
        assert same(coefficient(1 - ratings), value) and same(coefficient(ratings[items]), value)
    for coefficient in COEFFICIENTS[:3]:
        assert same(coefficient(ratings[:, raters]), coefficient(ratings))
    assert same(cohen_kappa(ratings[:, 1], ratings[:, 0]), cohen_kappa(ratings[:, 0], ratings[:, 1]))


@given(arrays(np.float64, (12,), elements=labels))
def test_perfect_agreement_is_one(column: np.ndarray) -> None:
    assume(len(np.unique(column)) == 2)
    assert [coefficient(np.stack([column] * 3, axis=1)) for coefficient in COEFFICIENTS] == [1, 1, 1, 1]


@given(with_gaps)
def test_a_weight_counts_an_item_so_often(ratings: np.ndarray) -> None:
    weights = draw_weights(1, "any", 5, 12)
    for number, drawn in enumerate(weights):
        repeated = np.repeat(ratings, drawn.astype(int), axis=0)
        assert same(fleiss_kappa(ratings, weights)[number], fleiss_kappa(repeated)[0])
        assert same(krippendorff_alpha(ratings, weights)[number], krippendorff_alpha(repeated)[0])
        assert same(raw_agreement(ratings, weights)[number], raw_agreement(repeated)[0])
        pair = cohen_kappas(ratings[:, 0], ratings[:, 1], weights)[number]
        assert same(pair, cohen_kappa(repeated[:, 0], repeated[:, 1]))


@pytest.mark.parametrize(
    ("ratings", "agreement"),
    [
        (np.empty((0, 3)), NAN),
        (np.full((4, 3), NAN), NAN),
        (np.array([[0.0, NAN], [NAN, 1.0]]), NAN),  # no item in common
        (np.ones((4, 3)), 1.0),  # one class: nothing to tell from chance
        (np.array([[1.0, 1.0]]), 1.0),
    ],
)
def test_undefined_coefficients_are_nan(ratings: np.ndarray, agreement: float) -> None:
    values = [coefficient(ratings) for coefficient in COEFFICIENTS]
    assert np.isnan([values[0], values[1], values[3]]).all() and same(values[2], agreement)


def test_one_rater_agrees_with_nobody() -> None:
    ratings = np.array([[1.0], [0.0]])
    assert np.isnan(
        [fleiss_kappa(ratings)[0], krippendorff_alpha(ratings)[0], raw_agreement(ratings)[0]]
    ).all()


def test_the_majority_needs_more_votes_than_any_other_label() -> None:
    votes = np.array([[1, 1, 0, NAN], [1, 0, NAN, NAN], [0, NAN, NAN, NAN], [NAN] * 4, [1, 0, 1, 0]])
    np.testing.assert_array_equal(majority(votes), [1, NAN, 0, NAN, NAN])
    assert np.isnan(majority(np.full((2, 3), NAN))).all()


def test_intervals_hold_the_true_value_about_as_often_as_they_say() -> None:
    # Three raters who each flip an even coin's label with chance .2: kappa is (1 - 2 * .2) ** 2.
    rng, truth, hits = np.random.default_rng(5), 0.6**2, 0
    for number in range(200):
        label = rng.random(100) < 0.5
        ratings = (label[:, None] != (rng.random((100, 3)) < 0.2)).astype(float)
        found = estimate(fleiss_kappa(ratings, draw_weights(number, "any", 400, 100)), 0.95)
        hits += found.low <= truth <= found.high
    assert 180 <= hits <= 198
