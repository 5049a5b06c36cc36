"""Advice on a measured curve: right where the data are plenty, silent where they are few or end too early."""

import numpy as np
import pytest

from scripts.handoff.advice import CANNOT_TELL, HAND_OVER, ONE_AGENT, advise, describe
from scripts.handoff.chunks import best_chunk
from scripts.handoff.counted_curve import curve_from_counts
from scripts.handoff.crossover import linear_crossover
from scripts.handoff.curves import Flat, Linear, step_failure, step_loss
from scripts.handoff.model import Chain
from scripts.lib.errors import UserError

RESAMPLES = 300
LOADS = np.array([1000.0, 7000, 14000, 23000, 31000, 40000])
CHAIN = Chain(400.0, 300.0, 300.0)


def draws(mean, deviation, seed=1):
    return np.r_[mean, np.random.default_rng(seed).normal(mean, deviation, RESAMPLES)]


def counted(failures, steps, seed=1):
    return curve_from_counts(LOADS, np.array(failures), np.full(len(LOADS), steps), RESAMPLES, seed)


def test_a_known_curve_gives_the_numbers_of_the_model():
    curve = Linear(np.full(1 + RESAMPLES, 0.01), 5e-6)
    found = advise(curve, CHAIN, draws(0.02, 0), 60, 40000)
    plain = Linear(0.01, 5e-6)
    assert found.verdict == HAND_OVER and found.wins == 1
    assert found.chunk == found.best.mean == best_chunk(plain, CHAIN, 0.02, 60)
    assert found.crossover.low == found.crossover.high == linear_crossover(plain, CHAIN, 0.02)
    assert found.chunked.mean / found.single.mean == pytest.approx(np.exp(found.saving.mean))


def test_a_known_flat_curve_says_one_agent():
    curve = Flat(np.full(1 + RESAMPLES, 0.05))
    found = advise(curve, CHAIN, draws(0.02, 0.002), 60, 40000)
    assert found.verdict == ONE_AGENT and found.wins == 0 and found.crossover.low == np.inf
    assert found.best.low == found.best.mean == 60  # steps: one agent
    text = describe(found)
    assert "Do not hand over" in text and "one agent [one agent, one agent]" in text
    assert "none up to 99 [none up to 99, none up to 99]" in text


def test_many_steps_on_a_rising_curve_say_hand_over():
    found = advise(counted([27, 100, 200, 300, 500, 707], 1000), CHAIN, draws(0.02, 0.004), 50, 40000)
    assert found.verdict == HAND_OVER and found.best.low <= found.chunk <= found.best.high
    assert found.remarks == ()
    assert f"Hand over: a new agent each {found.chunk} steps." in describe(found)


def test_few_steps_cannot_tell():
    found = advise(counted([1, 1, 2, 1, 2, 2], 20), CHAIN, draws(0.02, 0.004), 50, 40000)
    assert found.verdict == CANNOT_TELL and found.saving.low < 0 < found.saving.high
    assert "cannot tell" in describe(found) and "measure more steps" in describe(found)


def test_an_uncertain_handoff_tax_is_named():
    found = advise(counted([50] * 6, 1000), CHAIN, draws(0.015, 0.07), 50, 40000)
    assert found.verdict == CANNOT_TELL
    assert any("sign of the handoff tax is not established: 0.015 [" in remark for remark in found.remarks)


def test_beyond_the_measured_loads_no_single_agent_is_advised():
    handoff = draws(0.02, 0.002)
    within = advise(Flat(np.full(1 + RESAMPLES, 0.05)), CHAIN, handoff, 90, 40000)
    beyond = advise(Flat(np.full(1 + RESAMPLES, 0.05)), CHAIN, handoff, 110, 40000)
    assert (within.verdict, beyond.verdict) == (ONE_AGENT, CANNOT_TELL)
    assert any("beyond which nothing was measured" in remark for remark in beyond.remarks)


def test_beyond_the_measured_loads_the_curve_is_held_level():
    steep = Linear(np.full(1 + RESAMPLES, 0.01), 5e-6)
    handoff = draws(0.02, 0)
    capped, known = (advise(steep, CHAIN, handoff, 200, largest) for largest in (40000, 100_000))
    assert capped.verdict == known.verdict == HAND_OVER and capped.chunk == known.chunk
    assert capped.saving.mean < known.saving.mean and capped.single.mean > known.single.mean


@pytest.mark.parametrize(("depth", "largest"), [(1, 40000), (50, 900)])
def test_there_must_be_something_to_hand_over(depth, largest):
    with pytest.raises(UserError, match="it takes two steps to hand over"):
        advise(Flat(np.full(1 + RESAMPLES, 0.05)), CHAIN, draws(0.02, 0), depth, largest)


def test_on_a_flat_curve_handing_over_is_rarely_advised():
    """At a level of .95 a wrong advice has a chance of about .025; here 60 experiments, so 5 are unlikely."""
    rng, wrong = np.random.default_rng(5), 0
    for seed in range(60):
        curve = counted(rng.binomial(200, 0.05, len(LOADS)), 200, seed)
        handoff = draws(0.005 + rng.normal(0, 0.002), 0.002, seed)
        wrong += advise(curve, CHAIN, handoff, 50, 40000).verdict == HAND_OVER
    assert wrong <= 5


def test_the_curve_of_counts():
    curve = counted([0, 10, 20, 50, 100, 100], 100)
    assert curve.losses.shape == (6, 1 + RESAMPLES) and np.isfinite(curve.losses).all()
    assert step_failure(curve.losses[:, 0]) == pytest.approx([0, 0.1, 0.2, 0.5, 0.995, 0.995])
    spread = step_failure(curve.losses[2, 1:])
    assert spread.mean() == pytest.approx(20.5 / 101, abs=0.01)
    assert spread.std() == pytest.approx(np.sqrt(0.2 * 0.8 / 100), rel=0.15)
    assert curve(np.array([10500.0]))[0, 0] == pytest.approx((step_loss(0.1) + step_loss(0.2)) / 2)
    assert (curve.losses == counted([0, 10, 20, 50, 100, 100], 100).losses).all()


@pytest.mark.parametrize(
    ("loads", "failures", "steps", "words"),
    [
        ([1, 2], [1], [5, 5], "one number of failures"),
        ([], [], [], "one load"),
        ([2, 1], [1, 1], [5, 5], "must increase"),
        ([1, 2], [1, 6], [5, 5], "0 to that many failures"),
        ([1, 2], [0, 0], [0, 5], "at least one step"),
        ([1, 2], [0, np.nan], [5, 5], "0 to that many"),
    ],
)
def test_counts_that_cannot_be(loads, failures, steps, words):
    with pytest.raises(UserError, match=words):
        curve_from_counts(np.array(loads), np.array(failures), np.array(steps), 10, 1)
