"""Folds, resamples and permutations keep groups whole."""

from collections import Counter

import numpy as np
import pytest

from scripts.lib.analysis.groups import deal_folds, draw_groups, exchange_groups

TASKS = [f"t{number}" for number in range(11)]
FAMILY = {task: "abc"[number % 3] for number, task in enumerate(TASKS)}
MODELS = ["m", "n", "o"]
GROUPS = [task for _ in MODELS for task in TASKS]
MEMBERS = [model for model in MODELS for _ in TASKS]
STRATA = [FAMILY[task] for task in GROUPS]


@pytest.mark.parametrize("folds", [3, 5, 11])
def test_folds_hold_whole_groups_and_are_even(folds):
    dealt = deal_folds(GROUPS, STRATA, folds, 1)
    of = {task: {fold for fold, group in zip(dealt, GROUPS, strict=True) if group == task} for task in TASKS}
    assert all(len(found) == 1 for found in of.values())
    sizes = Counter(fold for (fold,) in of.values())
    assert max(sizes.values()) - min(sizes.values()) <= 1 and len(sizes) == folds
    for family in "abc":
        own = Counter(next(iter(of[task])) for task in TASKS if FAMILY[task] == family)
        assert max(own.values()) <= -(-sum(own.values()) // folds)


def test_the_order_of_rows_decides_nothing_and_the_seed_does():
    order = np.random.default_rng(0).permutation(len(GROUPS))
    mixed = [[names[row] for row in order] for names in (GROUPS, STRATA)]
    np.testing.assert_array_equal(deal_folds(*mixed, 3, 1), deal_folds(GROUPS, STRATA, 3, 1)[order])
    np.testing.assert_array_equal(draw_groups(*mixed, 20, 1), draw_groups(GROUPS, STRATA, 20, 1)[:, order])
    assert any(
        np.any(deal_folds(GROUPS, STRATA, 3, 1) != deal_folds(GROUPS, STRATA, 3, s)) for s in range(2, 5)
    )
    assert np.any(draw_groups(GROUPS, STRATA, 20, 1) != draw_groups(GROUPS, STRATA, 20, 2))


def test_groups_are_drawn_whole_within_their_stratum():
    weights = draw_groups(GROUPS, STRATA, 200, 1)
    assert np.all(weights[0] == 1)
    by_model = weights.reshape(201, 3, 11)
    assert np.all(by_model == by_model[:, :1])
    for family in "abc":
        inside = np.array([FAMILY[task] == family for task in TASKS])
        assert np.all(by_model[:, 0, inside].sum(axis=1) == inside.sum())
    assert by_model[1:].min() == 0 and by_model.max() > 1


def test_groups_exchange_their_targets_whole():
    taken = exchange_groups(GROUPS, MEMBERS, STRATA, 100, 1)
    for rows in taken:
        assert sorted(rows) == list(range(len(GROUPS)))
        assert [MEMBERS[row] for row in rows] == MEMBERS
        assert [STRATA[row] for row in rows] == STRATA
        sources = {(task, GROUPS[row]) for task, row in zip(GROUPS, rows, strict=True)}
        assert len(sources) == len(TASKS)  # one source for all models
    assert len({tuple(rows) for rows in taken}) > 90


def test_every_exchange_is_equally_likely():
    groups, strata = ["x", "y", "z"], ["one"] * 3
    taken = exchange_groups(groups, ["m"] * 3, strata, 6000, 3)
    counts = Counter(map(tuple, taken.tolist()))
    assert len(counts) == 6 and all(850 < count < 1150 for count in counts.values())


def test_a_group_that_others_were_not_seen_with_stays():
    groups, members = [*GROUPS, "t11"], [*MEMBERS, "m"]
    taken = exchange_groups(groups, members, [*STRATA, "a"], 50, 1)
    assert np.all(taken[:, -1] == len(GROUPS))
    assert np.any(taken[:, 0] != 0)
