"""Steps as arrays: what counts, what success is, curves and the handoff tax by hand."""

import numpy as np
import pytest

from scripts.handoff.curves import Flat, Linear, step_loss
from scripts.handoff.handoff_cost import handoff_cost
from scripts.handoff.measured import chain_of, grid, in_task_curve, loss_below_one, rates
from scripts.lib.errors import UserError

ONCE = np.ones((1, 2))


def step(index, number, right=True, load=100, **more):
    row = {"index": index, "step": number, "right": right, "load": load, "stationary": True}
    return row | {"finish_reason": "stop", "cut": None, "limit": None, "role": "step"} | more


def test_gradings_count_other_steps():
    rows = [step(0, 1, False, stationary=False), step(0, 2, False, finish_reason="length"), step(0, 3)]
    failed = {name: grid(rows, name, 1, 0, 3).failed[0] for name in ("raw", "stationary", "stop_only")}
    np.testing.assert_array_equal(failed["raw"], [1, 1, 0])
    np.testing.assert_array_equal(failed["stationary"], [np.nan, 1, 0])
    np.testing.assert_array_equal(failed["stop_only"], [np.nan, np.nan, 0])


def test_success_is_no_counted_error_and_unknown_where_a_call_was_lost():
    rows = [step(0, n) for n in (1, 2, 3, 4)]
    rows += [step(1, 1), step(1, 2, False), step(1, 3), step(1, 4)]
    rows += [step(2, 1), step(2, 2, None, None)]  # lost: the budget was spent
    rows += [step(3, 1), step(3, 2, False, None)]  # ended: the context was full
    found = grid(rows, "raw", 4, 0, 4)
    np.testing.assert_array_equal(found.success(1), [1, 1, 1, 1])
    np.testing.assert_array_equal(found.success(4), [1, 0, np.nan, 0])


def test_rates_and_losses_under_weights():
    failed = np.array([[0.0, 1], [1, np.nan]])
    share, mass = rates(failed, np.array([[1.0, 1], [2, 0]]))
    np.testing.assert_array_equal(share, [[0.5, 0], [1, 1]])
    np.testing.assert_array_equal(mass, [[2, 2], [1, 2]])
    losses = loss_below_one(share, mass)  # where all failed half a failure is taken off
    np.testing.assert_allclose(losses, step_loss(np.array([[0.5, 0], [0.5, 0.75]])))


def test_the_curve_has_bins_of_like_size_and_rises():
    rng = np.random.default_rng(1)
    rows = [step(i, n, bool(rng.random() > 0.004 * n), 100 * n) for i in range(100) for n in range(1, 41)]
    found = in_task_curve(grid(rows, "raw", 100, 0, 40), np.ones((1, 100)), 8)
    assert found.loads == pytest.approx([300 + 500 * bin for bin in range(8)])
    np.testing.assert_array_equal(found.steps[:, 0], [500] * 8)
    assert (np.diff(found.rising[:, 0]) >= 0).all()
    assert found.rising[-1, 0] == pytest.approx(float(step_loss(0.004 * 38)), abs=0.05)


def test_without_loads_there_is_no_curve():
    rows = [step(0, n, load=None if n > 1 else 100) for n in (1, 2)]
    with pytest.raises(UserError, match="report the tokens"):
        in_task_curve(grid(rows, "raw", 1, 0, 2), np.ones((1, 1)), 4)


def handed(index, number, right=True, load=50, role="reader"):
    return step(index, number, right, load, cut=2, limit=100, role=role)


def test_the_handoff_tax_by_hand():
    single = [step(i, n, load=100 * n) for i in range(2) for n in range(1, 5)]
    after = [handed(i, 2, True, 210, "writer") for i in range(2)]
    after += [handed(0, 3, False, 60), handed(1, 3, True, 60)] + [handed(i, 4, load=160) for i in range(2)]
    job = {"tasks": 2, "chunk": 2, "cuts": [2]}
    cost = handoff_cost(single, after, Flat(0.0), ONCE, job, 100, "raw")
    assert cost.pairs == 2 and cost.relief == [0] and cost.writing == [0]
    assert cost.tax == pytest.approx([np.log(2)]) and cost.effective == pytest.approx([np.log(2)])
    np.testing.assert_array_equal(cost.loads, [60, 160])
    # The history costs more by the curve: 240 tokens at each of the two steps is added back.
    cost = handoff_cost(single, after, Linear(0.0, 1e-4), ONCE, job, 100, "raw")
    assert cost.relief == pytest.approx([0.048]) and cost.tax == pytest.approx([np.log(2) + 0.048])


def test_a_pair_needs_both_halves():
    single = [step(0, n) for n in range(1, 5)] + [step(1, n) for n in range(1, 3)] + [step(1, 3, None, None)]
    after = [handed(i, 2, role="writer") for i in range(2)] + [handed(i, n) for i in range(2) for n in (3, 4)]
    job = {"tasks": 2, "chunk": 2, "cuts": [2]}
    assert handoff_cost(single, after, Flat(0.0), ONCE, job, 100, "raw").pairs == 1
    assert handoff_cost(single, [], Flat(0.0), ONCE, job, 100, "raw").pairs == 0


def test_how_loads_grow_is_read_off_the_agents():
    rows = [step(0, n, load=150 + 10 * n) for n in range(1, 21)]
    chain = chain_of(grid(rows, "raw", 1, 0, 20), np.array([200.0, 210, 220]), 3)
    assert [chain.start, chain.growth, chain.note] == pytest.approx([150, 10, 40])
