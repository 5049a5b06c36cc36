"""Ridge in closed form: hand-computed and library values, weights as copies, and no leakage between folds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr
from sklearn.linear_model import Ridge
from sklearn.metrics import r2_score
from sklearn.model_selection import GridSearchCV, GroupKFold, PredefinedSplit, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from scripts.lib.analysis.bootstrap import centred_estimate
from scripts.lib.analysis.groups import deal_folds, draw_groups
from scripts.lib.analysis.ridge import (
    in_parts,
    moments,
    multiply,
    nested_out_of_fold,
    out_of_fold,
    predict,
    r_squared,
    solve,
    spearman,
)

PENALTIES = [0.01, 0.1, 1.0, 10.0, 100.0]
RNG = np.random.default_rng(5)
GROUPS = np.tile(np.arange(9), 4)
X = RNG.normal([0, 100, -3, 0], [1, 20, 0.01, 1], (36, 4)) + GROUPS[:, None] * [0.3, 9, 0, 0]
Y = X[:, :1] + 0.03 * X[:, 1:2] + RNG.normal(0, 0.7, (36, 1))
ONCE = np.ones((1, 36))


def library(penalty: float = 1.0):
    return make_pipeline(StandardScaler(), Ridge(penalty))


def library_folds() -> np.ndarray:
    folds = np.empty(36, np.int64)
    for fold, (_, tested) in enumerate(GroupKFold(3).split(X, groups=GROUPS)):
        folds[tested] = fold
    return folds


FOLDS = library_folds()


def fitted(x, y, weights, penalty=1.0):
    return solve(moments(multiply(x, y), weights), penalty)


def test_two_points_by_hand():
    """z = -1, 1: b = sum zy / (sum zz + lambda) = 2 / (2 + 1)."""
    x, y = np.array([[3.0], [5.0]]), np.array([[-1.0], [1.0]])
    of = moments(multiply(x, y), np.ones((1, 2)))
    assert (of.centre[0, 0], of.scale[0, 0], of.mean[0, 0]) == (4, 1, 0)
    assert solve(of, 1.0)[0, 0, 0] == pytest.approx(2 / 3)
    np.testing.assert_allclose(predict(of, solve(of, 1.0), np.array([[6.0]]))[0], [[4 / 3]])


@pytest.mark.parametrize("penalty", PENALTIES)
def test_coefficients_and_out_of_fold_predictions_are_those_of_the_library(penalty):
    expected = library(penalty).fit(X, Y[:, 0])[-1].coef_
    np.testing.assert_allclose(fitted(X, Y, ONCE, penalty)[0, :, 0], expected, rtol=1e-9, atol=1e-12)
    expected = cross_val_predict(library(penalty), X, Y[:, 0], groups=GROUPS, cv=GroupKFold(3))
    np.testing.assert_allclose(out_of_fold(X, Y, ONCE, FOLDS, penalty)[0, :, 0], expected, atol=1e-8)


def test_scaling_is_inside_the_folds():
    everywhere = StandardScaler().fit_transform(X)
    leaking = cross_val_predict(Ridge(1.0), everywhere, Y[:, 0], groups=GROUPS, cv=GroupKFold(3))
    assert np.abs(out_of_fold(X, Y, ONCE, FOLDS, 1.0)[0, :, 0] - leaking).max() > 1e-3


@pytest.mark.parametrize("nested", [False, True])
def test_nothing_of_a_fold_reaches_its_own_predictions(nested):
    """Neither its targets nor the columns of its other rows, under any weights."""
    weights = np.vstack([ONCE, RNG.integers(0, 3, (3, 9)).astype(float)[:, GROUPS]])

    def predicted(x, y):
        if nested:
            return nested_out_of_fold(x, y, weights, FOLDS, PENALTIES)[0]
        return out_of_fold(x, y, weights, FOLDS, 1.0)

    before, held = predicted(X, Y), np.flatnonzero(FOLDS == 1)
    x, y = X.copy(), Y.copy()
    y[held] = RNG.normal(50, 9, (len(held), 1))
    x[held[1:]] = RNG.normal(0, 1000, (len(held) - 1, 4))
    after = predicted(x, y)
    np.testing.assert_allclose(after[:, held[0]], before[:, held[0]], atol=1e-7)
    assert np.abs(after[:, FOLDS == 0] - before[:, FOLDS == 0]).max() > 0.1


def test_a_nested_penalty_is_the_one_that_a_search_inside_the_fold_finds():
    predicted, penalties = nested_out_of_fold(X, Y, ONCE, FOLDS, PENALTIES)
    for fold in range(3):
        rest, tested = fold != FOLDS, fold == FOLDS
        # All folds are equally large, so the mean over folds is that over rows.
        inner = PredefinedSplit(FOLDS[rest])
        search = GridSearchCV(
            library(), {"ridge__alpha": PENALTIES}, scoring="neg_mean_squared_error", cv=inner
        ).fit(X[rest], Y[rest, 0])
        assert penalties[0, fold, 0] == search.best_params_["ridge__alpha"]
        np.testing.assert_allclose(predicted[0, tested, 0], search.predict(X[tested]), atol=1e-8)


def test_of_equally_good_penalties_the_largest_is_chosen():
    constant = np.ones((36, 1))
    assert np.all(nested_out_of_fold(X, constant, ONCE, FOLDS, PENALTIES)[1] == PENALTIES[-1])


def test_weights_are_copies_of_rows():
    weights = RNG.integers(0, 4, (5, 36)).astype(float)
    for row, found in zip(weights, fitted(X, Y, weights), strict=True):
        copies = np.repeat(np.arange(36), row.astype(int))
        expected = library().fit(X[copies], Y[copies, 0])[-1].coef_
        np.testing.assert_allclose(found[:, 0], expected, rtol=1e-9, atol=1e-12)


def test_many_targets_and_weightings_at_once_are_those_one_by_one():
    weights, y = RNG.integers(0, 3, (3, 36)).astype(float), RNG.normal(size=(36, 2))
    together = out_of_fold(X, y, weights, FOLDS, 1.0)
    for r in range(3):
        for q in range(2):
            alone = out_of_fold(X, y[:, [q]], weights[[r]], FOLDS, 1.0)
            np.testing.assert_allclose(together[r, :, q], alone[0, :, 0], atol=1e-8)
    parts = in_parts(lambda part: out_of_fold(X, y, weights[part], FOLDS, 1.0), 3, part=2)
    np.testing.assert_allclose(parts, together, atol=1e-8)


def test_a_column_that_does_not_vary_counts_for_nothing():
    flat = np.hstack([X, np.full((36, 1), 7.3), np.full((36, 1), 1e9)])
    assert np.all(fitted(flat, Y, ONCE)[0, 4:] == 0)
    np.testing.assert_array_equal(out_of_fold(flat, Y, ONCE, FOLDS, 1.0), out_of_fold(X, Y, ONCE, FOLDS, 1.0))
    only_there = np.hstack([X, (FOLDS == 0)[:, None]])  # varies, but not in what fold 0 is predicted from
    tested = FOLDS == 0
    with_it, without = (out_of_fold(x, Y, ONCE, FOLDS, 1.0)[0, tested] for x in (only_there, X))
    np.testing.assert_allclose(with_it, without, atol=1e-8)


def test_without_any_weight_nothing_is_predicted():
    weights = np.where(FOLDS == 0, 1.0, 0.0)[None]
    assert np.all(np.isnan(out_of_fold(X, Y, weights, FOLDS, 1.0)[0, FOLDS == 0]))


def test_measures_by_hand():
    y, predicted, once = np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 2.0]), np.ones(3)
    assert r_squared(y, predicted, once) == pytest.approx(1 - 1 / 2)
    assert spearman(y, predicted, once) == pytest.approx(1.5 / np.sqrt(2 * 1.5))  # ranks 1, 2.5, 2.5
    assert r_squared(y, y, once) == 1 and r_squared(y, np.full(3, 2.0), once) == 0
    assert spearman(y, -y, once) == -1


VALUES = st.lists(st.integers(-3, 3), min_size=12, max_size=12).map(lambda values: np.array(values) / 3)


@settings(max_examples=60, deadline=None)
@given(VALUES, VALUES, st.lists(st.integers(0, 3), min_size=12, max_size=12))
def test_measures_are_those_of_the_libraries(y, predicted, weights):
    copies = np.repeat(np.arange(12), weights)
    found = [measure(y, predicted, np.array(weights, float)) for measure in (r_squared, spearman)]
    if len(set(y[copies])) < 2:
        assert np.isnan(found[0]) and np.isnan(found[1])
        return
    assert found[0] == pytest.approx(r2_score(y[copies], predicted[copies]), abs=1e-9)
    if len(set(predicted[copies])) < 2:
        assert np.isnan(found[1])
    else:
        assert found[1] == pytest.approx(spearmanr(y[copies], predicted[copies])[0], abs=1e-9)


def test_a_missing_prediction_counts_only_where_it_has_weight():
    y, predicted = np.array([1.0, 2.0, 3.0]), np.array([1.0, np.nan, 3.0])
    for measure in (r_squared, spearman):
        assert np.isnan(measure(y, predicted, np.ones(3)))
        assert measure(y, predicted, np.array([1.0, 0.0, 1.0])) == 1


def test_coverage_of_intervals_on_data_of_known_truth():
    """90 % intervals hold the true R squared nine times in ten or more; without fitting anew far less."""
    rng, found, groups = np.random.default_rng(2), [], [f"t{task}" for _ in range(3) for task in range(20)]
    task, model, strata = np.tile(np.arange(20), 3), np.repeat(np.arange(3), 20), ["one"] * 60
    folds = deal_folds(groups, strata, 5, 1)
    for seed in range(60):
        x = 0.7 * rng.normal(size=(20, 16))[task] + 0.7 * rng.normal(size=(60, 16))
        y = x[:, 0] + 0.5 * model + 0.6 * rng.normal(size=20)[task] + 0.5 * rng.normal(size=60)
        weights = draw_groups(groups, strata, 100, seed)
        values = r_squared(y, out_of_fold(x, y[:, None], weights, folds, 1.0)[:, :, 0], weights)
        fixed = r_squared(y, out_of_fold(x, y[:, None], weights[:1], folds, 1.0)[:, :, 0], weights)
        found.append((centred_estimate(values, 0.9), centred_estimate(fixed, 0.9)))
    truth = np.mean([anew.mean for anew, _ in found])
    held = np.array([[its.low <= truth <= its.high for its in pair] for pair in found]).mean(axis=0)
    assert held[0] >= 0.86 and held[1] < held[0] - 0.15
