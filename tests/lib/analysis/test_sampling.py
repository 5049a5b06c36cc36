"""Stratified samples: equal shares as far as a stratum has items, and nested whatever the size."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from scripts.lib.analysis.sampling import stratified

STRATA = st.lists(st.sampled_from("abcd"), max_size=40)


def names(strata):
    return [f"item {number}" for number in range(len(strata))]


@given(STRATA, st.integers(0, 50), st.integers(0, 3))
def test_the_strata_get_equal_shares_as_far_as_they_reach(strata, size, seed):
    chosen = stratified(names(strata), strata, size, seed)
    assert chosen == sorted(set(chosen)) and len(chosen) == min(size, len(strata))
    drawn, available = Counter(strata[position] for position in chosen), Counter(strata)
    most = max(drawn.values(), default=0)
    assert all(drawn[name] >= min(most - 1, available[name]) for name in available)


@given(STRATA, st.integers(0, 40), st.integers(0, 40))
def test_a_larger_sample_holds_the_smaller_one(strata, one, other):
    small, large = (set(stratified(names(strata), strata, size, 0)) for size in sorted((one, other)))
    assert small <= large


@given(STRATA, st.integers(0, 40), st.randoms())
def test_the_draw_does_not_depend_on_the_order(strata, size, rng):
    items = list(zip(names(strata), strata, strict=True))
    chosen = {items[position][0] for position in stratified(names(strata), strata, size, 0)}
    rng.shuffle(items)
    again = stratified([name for name, _ in items], [stratum for _, stratum in items], size, 0)
    assert {items[position][0] for position in again} == chosen


def test_another_seed_draws_others():
    strata = ["a"] * 100
    assert stratified(names(strata), strata, 10, 0) != stratified(names(strata), strata, 10, 1)
