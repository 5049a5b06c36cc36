"""The best chunk: exact values, the two closed forms against all chunk sizes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.handoff.chunks import best_chunk, best_chunk_at_depth, best_chunk_law
from scripts.handoff.curves import Linear
from scripts.handoff.model import Chain, chunked_losses
from tests.handoff.cases import FLAT, LINEAR, SETS, random_chains, settings_of, summed

EXAMPLE = Linear(0.01, 0.002), Chain(1.0, 0.0, 0.75), 0.02


def test_the_exact_values():
    assert best_chunk_law(*EXAMPLE, 100) == pytest.approx(4.472, abs=5e-4)
    assert best_chunk(*EXAMPLE, 100) == 5 and best_chunk(*EXAMPLE, 1000) == 5


def test_the_best_divisor_is_next_to_the_closed_form_on_many_parameter_sets():
    """Equation 5 is convex in the size, so the best size that divides the depth is a neighbour of m*."""
    depth, divisors = 60, np.array([1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60])
    rng = np.random.default_rng(14)
    chain, handoff = random_chains(rng)
    curve = Linear(0.01, rng.uniform(0.0005, 0.02, SETS) / chain.growth)
    totals = np.stack([summed(curve, chain, handoff, depth, size) for size in divisors]).squeeze()
    found = totals.argmin(axis=0)
    closed = best_chunk_at_depth(curve, chain, handoff, depth)
    below = np.searchsorted(divisors, closed, side="right") - 1
    above = np.searchsorted(divisors, closed, side="left")
    assert ((found == below) | (found == above)).all() and len(np.unique(found)) > 8
    assert (totals.min(axis=0) >= chunked_losses(curve, chain, handoff, depth).min(axis=0) - 1e-9).all()


@given(settings_of(LINEAR, least_handoff=0.001), st.integers(2, 200))
def test_the_law_is_the_closed_form_without_notes_and_at_large_depth(setting, depth):
    curve, chain, handoff = setting
    bare = Chain(chain.growth, chain.start, 0.0)
    assert best_chunk_at_depth(curve, bare, handoff, depth) == pytest.approx(
        best_chunk_law(curve, bare, handoff, depth)
    )
    deep = 1e9
    assert best_chunk_at_depth(curve, chain, handoff, deep) == pytest.approx(
        best_chunk_law(curve, chain, handoff, deep), rel=1e-6
    )


@given(settings_of(LINEAR), st.integers(1, 200))
def test_the_closed_forms_stay_within_the_task(setting, depth):
    for form in (best_chunk_law, best_chunk_at_depth, best_chunk):
        assert 1 <= form(*setting, depth) <= depth


@given(settings_of(LINEAR, least_handoff=0.001))
def test_at_the_best_chunk_load_and_handoffs_cost_the_same(setting):
    curve, chain, handoff = setting
    size = best_chunk_law(curve, chain, handoff, np.inf)
    if size > 1:  # not held at one step
        assert curve.slope * chain.growth * size / 2 == pytest.approx(handoff / size)


def test_notes_that_fill_the_context_are_best_avoided():
    curve, chain = Linear(0.01, 0.002), Chain(1.0, 0.0, 100.0)
    assert best_chunk_at_depth(curve, chain, 0.02, 100) == 100
    assert best_chunk(curve, chain, 0.02, 100) == 100


@given(settings_of(FLAT, least_handoff=0.001), st.integers(1, 100))
def test_on_a_flat_curve_the_best_chunk_is_the_whole_task(setting, depth):
    assert best_chunk(*setting, depth) == depth
