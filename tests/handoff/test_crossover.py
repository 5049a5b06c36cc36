"""The crossover: exact values, closed forms against the search, when there is one."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scripts.handoff.crossover import (
    avoidable_tax,
    hinge_crossover,
    hinge_crossover_law,
    linear_advantage,
    linear_crossover,
    saturating_crossover,
    search_crossover,
)
from scripts.handoff.curves import Flat, Hinge, Linear, Saturating
from scripts.handoff.model import Chain, advantages, chunked_losses, limit_tax
from tests.handoff.cases import CURVES, HINGE, LINEAR, SATURATING, SETS, random_chains, settings_of

CLOSED = {Linear: linear_crossover, Hinge: hinge_crossover, Saturating: saturating_crossover}


def test_the_exact_values():
    curve, chain = Linear(0.01, 0.002), Chain(1.0, 0.0, 0.75)
    handoffs = np.array([0, 0.005, 0.01, 0.02, 0.04, 0.05])
    expected = [2, 7, 12, 22, 42, 52]
    assert linear_crossover(curve, chain, handoffs) == pytest.approx(expected)
    assert search_crossover(curve, chain, handoffs, 60) == pytest.approx(expected)


def random_curves(rng, chain):
    """A curve of each kind whose crossover mostly lies within 400 steps."""
    slope = rng.uniform(0.002, 0.02, SETS) / chain.growth
    knee = chain.start + rng.uniform(-3, 60, SETS) * chain.growth
    yield Linear(0.01, slope)
    yield Hinge(0.01, slope, knee)
    yield Saturating(0.01, rng.uniform(0, 0.5, SETS), rng.uniform(5, 50, SETS) * chain.growth)


@pytest.mark.parametrize("number", range(3), ids=["linear", "hinge", "saturating"])
def test_closed_forms_equal_the_search_on_many_parameter_sets(number):
    rng = np.random.default_rng(8)
    chain, handoff = random_chains(rng)
    curve = list(random_curves(rng, chain))[number]
    closed = CLOSED[type(curve)](curve, chain, handoff)
    searched = search_crossover(curve, chain, handoff, 400)
    assert (np.where(closed <= 400, closed, np.inf) == searched).all()
    assert np.isfinite(searched).sum() > 7000 and len(np.unique(searched)) > 50


def test_the_hinge_law_is_within_one_step_where_notes_are_short():
    rng = np.random.default_rng(10)
    chain, handoff = random_chains(rng)
    chain = Chain(chain.growth, chain.start, 0.0)
    slope = rng.uniform(0.002, 0.02, SETS) / chain.growth
    curve = Hinge(0.01, slope, chain.start + rng.uniform(1, 60, SETS) * chain.growth)
    law = hinge_crossover_law(curve, chain, handoff)
    assert np.abs(law - search_crossover(curve, chain, handoff, 400)).max() <= 1


@given(settings_of(LINEAR | HINGE | SATURATING))
def test_a_closed_form_is_the_least_depth_with_an_advantage(setting):
    curve, chain, handoff = setting
    assume(handoff == 0 or handoff > 1e-6)
    found = float(CLOSED[type(curve)](curve, chain, handoff))
    depth = int(min(found, 3000))
    advantage = advantages(curve, chain, handoff, depth)
    assert found >= 2
    assert (advantage[: depth - 1] <= 1e-9).all()
    assert found > depth or advantage[-1] >= -1e-9


@given(settings_of(CURVES))
def test_there_is_a_crossover_if_and_only_if_the_limit_tax_exceeds_the_handoff_cost(setting):
    curve, chain, handoff = setting
    limit = float(limit_tax(curve, chain))
    assume(abs(limit - handoff) > 0.02)  # nearer than this it may lie very deep
    assert np.isfinite(search_crossover(curve, chain, handoff, 3000)) == (limit > handoff)


@given(settings_of(LINEAR), st.integers(1, 200))
def test_the_advantage_on_a_linear_curve(setting, depth):
    curve, chain, handoff = setting
    closed = linear_advantage(curve, chain, handoff, np.arange(1, depth + 1))
    assert advantages(curve, chain, handoff, depth) == pytest.approx(closed, abs=1e-9)


def test_a_flat_curve_has_no_crossover():
    assert search_crossover(Flat(0.1), Chain(1.0), np.array([0, 0.02]), 500).tolist() == [np.inf, np.inf]


@given(
    st.floats(0.1, 0.5),
    st.floats(1, 10),
    st.floats(0, 3),
    st.floats(0.3, 0.85) | st.floats(1.2, 3),
)
def test_chunks_win_at_large_depth_if_and_only_if_the_avoidable_tax_exceeds_the_handoff_cost(
    rise, scale, note, share
):
    curve, chain = Saturating(0.01, rise, scale), Chain(1.0, 0.0, note)
    handoff = float(avoidable_tax(curve, chain)) / share
    losses = chunked_losses(curve, chain, handoff, 2000)
    assert (losses[:400] < losses[-1]).any() == (share > 1)


@given(st.floats(0.01, 1), st.floats(1, 30), st.floats(0, 20), st.floats(0, 5))
def test_the_avoidable_tax_is_its_sum(rise, scale, start, note):
    curve, chain = Saturating(0.1, rise, scale), Chain(1.0, start, note)
    below = curve.limit - curve(chain.loads(np.arange(1, 2000), after_note=True))
    assert avoidable_tax(curve, chain) == pytest.approx(below.sum(), rel=1e-9, abs=1e-9)
