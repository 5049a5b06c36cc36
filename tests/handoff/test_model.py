"""Losses of one agent and of a chain of agents: sums written out, theorems over random parameters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.handoff.curves import Flat, Hinge, Linear, Measured, Saturating, step_failure, step_loss
from scripts.handoff.model import (
    Chain,
    advantages,
    attention_taxes,
    chunked_losses,
    effective_handoff_cost,
    limit_tax,
    single_losses,
)
from tests.handoff.cases import CURVES, FLAT, HINGE, LINEAR, SATURATING, settings_of, summed


def test_losses_of_steps_add_up_to_the_chance_that_all_of_them_succeed():
    failures = np.array([0.1, 0.25, 0.5])
    assert step_loss(0.5) == pytest.approx(0.693147, abs=1e-6) and step_loss(1) == np.inf
    assert np.exp(-step_loss(failures).sum()) == pytest.approx(0.9 * 0.75 * 0.5)


@given(st.floats(0, 0.999999))
def test_failure_and_loss_are_inverse(failure):
    assert step_failure(step_loss(failure)) == pytest.approx(failure, abs=1e-12)


def test_curves_by_hand():
    loads = np.array([0.0, 10, 20, 1e9])
    assert Flat(0.5)(loads) == pytest.approx([0.5] * 4)
    assert Linear(0.5, 0.1)(loads[:3]) == pytest.approx([0.5, 1.5, 2.5])
    assert Hinge(0.5, 0.1, 15)(loads[:3]) == pytest.approx([0.5, 0.5, 1.0])
    assert Saturating(0.5, 2, 10)(loads) == pytest.approx([0.5, 2.5 - 2 / np.e, 2.5 - 2 / np.e**2, 2.5])
    measured = Measured(np.array([10.0, 20]), np.array([[0.1, 0.2], [0.3, 0.2]]))
    assert measured(np.array([0.0, 15, 30])) == pytest.approx(np.array([[0.1, 0.2], [0.2, 0.2], [0.3, 0.2]]))


@given(CURVES)
def test_no_curve_falls_and_none_passes_its_limit(curve):
    losses = curve(np.linspace(0, 1000, 50))
    assert (np.diff(losses) >= 0).all() and losses[-1] <= curve.limit + 1e-12


@given(settings_of(CURVES), st.integers(1, 25))
def test_losses_are_the_sums_of_the_paper(setting, depth):
    curve, chain, handoff = setting
    losses = chunked_losses(curve, chain, handoff, depth)
    expected = [summed(curve, chain, handoff, depth, size)[0] for size in range(1, depth + 1)]
    assert losses == pytest.approx(np.array(expected))
    assert losses[-1] == pytest.approx(single_losses(curve, chain, depth)[-1])


@given(settings_of(CURVES), st.integers(1, 60))
def test_the_advantage_is_the_difference_of_the_losses(setting, depth):
    curve, chain, handoff = setting
    losses = chunked_losses(curve, chain, handoff, depth)
    advantage = advantages(curve, chain, handoff, depth)
    assert advantage[-1] == pytest.approx(losses[-1] - losses[0], abs=1e-9)
    assert advantage[0] == 0
    assert (np.diff(advantage, 2) >= -1e-9).all()  # convex
    won = advantage > 1e-9
    assert (np.diff(won.astype(int)) >= 0).all()  # at most one crossing


@given(settings_of(FLAT), st.integers(1, 60))
def test_on_a_flat_curve_one_agent_never_loses(setting, depth):
    curve, chain, handoff = setting
    advantage = advantages(curve, chain, handoff, depth)
    assert advantage == pytest.approx(-np.arange(depth) * handoff)
    losses = chunked_losses(curve, chain, handoff, depth)
    assert (losses >= losses[-1] - 1e-9).all()


@given(settings_of(LINEAR | HINGE | SATURATING), st.integers(2, 60))
def test_the_attention_tax_rises_towards_its_limit(setting, depth):
    curve, chain, _ = setting
    taxes = attention_taxes(curve, chain, depth)
    assert taxes[0] == 0 and (np.diff(taxes[1:]) >= 0).all()
    assert (taxes[1:] <= limit_tax(curve, chain) + 1e-12).all()


def test_parameter_sets_lie_side_by_side():
    chain, handoff = Chain(1.0, 0.0, 0.75), np.array([0.01, 0.02])
    curve = Linear(np.array([0.1, 0.2]), 0.002)
    for number in range(2):
        alone = Linear(float(curve.base[number]), 0.002)
        for both, one in (
            (chunked_losses(curve, chain, handoff, 12), chunked_losses(alone, chain, handoff[number], 12)),
            (advantages(curve, chain, handoff, 12), advantages(alone, chain, handoff[number], 12)),
        ):
            assert both[:, number] == pytest.approx(one)


def test_a_note_is_paid_from_the_budget_of_its_writer():
    def loss(load, budget):
        return step_loss(0.08 + 0.22 * np.exp(-np.asarray(budget)))

    assert effective_handoff_cost(0.02, loss, 0, 1.0, 0.0) == pytest.approx(0.02)
    paid = effective_handoff_cost(0.02, loss, 0, 1.0, 0.25)
    assert paid == pytest.approx(0.02 + loss(0, 0.75) - loss(0, 1.0)) and paid > 0.02
    with pytest.raises(ValueError, match="fit into the budget"):
        effective_handoff_cost(0.02, loss, 0, 1.0, 1.5)
