"""Agents side by side: published values, every outcome enumerated, limits and the threshold."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scripts.handoff.voting import (
    failure_at_budget,
    shared_failure_threshold,
    verified_failure,
    vote_failure,
    vote_limit,
)

shares = st.floats(0, 1)
VOTES = np.array([1, 3, 5, 7, 9, 15])


@pytest.mark.parametrize(
    ("shared", "expected"),
    [
        (0.0, [0.161, 0.069, 0.032, 0.016, 0.008, 0.001]),
        (0.2, [0.161, 0.088, 0.058, 0.045, 0.038, 0.033]),
        (0.5, [0.161, 0.115, 0.097, 0.088, 0.084, 0.081]),
        (0.8, [0.161, 0.143, 0.135, 0.132, 0.130, 0.129]),
    ],
)
def test_the_exact_values_of_a_vote(shared, expected):
    failure = failure_at_budget(1, 0.08, 0.22)
    assert vote_failure(failure, VOTES, shared) == pytest.approx(expected, abs=5e-4)


def test_the_exact_values_of_one_agent():
    assert failure_at_budget(1, 0.08, 0.22) == pytest.approx(0.16093, abs=5e-6)
    assert failure_at_budget(VOTES, 0.08, 0.22) == pytest.approx(
        [0.161, 0.091, 0.0815, 0.0802, 0.08, 0.08], abs=5e-4
    )
    assert shared_failure_threshold(0.08, failure_at_budget(1, 0.08, 0.22)) == pytest.approx(0.4971, abs=5e-5)


@given(shares, st.sampled_from([1, 3, 5, 7]), shares)
def test_a_vote_is_the_sum_over_all_ballots(failure, votes, shared):
    alone = sum(
        np.prod([failure if lost else 1 - failure for lost in ballot])
        for ballot in itertools.product((True, False), repeat=votes)
        if sum(ballot) > votes / 2
    )
    expected = shared * failure + (1 - shared) * alone
    assert vote_failure(failure, votes, shared) == pytest.approx(expected, abs=1e-12)


def test_a_vote_is_the_sum_over_all_ballots_on_many_parameter_sets():
    rng = np.random.default_rng(16)
    failure, shared = rng.uniform(0, 1, (2, 10_000))
    ballots = np.array(list(itertools.product((0, 1), repeat=7)))
    lost = ballots.sum(axis=1, keepdims=True)
    alone = (failure**lost * (1 - failure) ** (7 - lost))[lost[:, 0] > 3].sum(axis=0)
    assert vote_failure(failure, 7, shared) == pytest.approx(shared * failure + (1 - shared) * alone)


@given(st.floats(0, 0.45), shares)
def test_more_votes_help_down_to_what_is_shared(failure, shared):
    losses = vote_failure(failure, np.array([1, 3, 9, 27, 2001]), shared)
    assert (np.diff(losses) <= 1e-12).all()
    assert losses[-1] == pytest.approx(vote_limit(failure, shared), abs=1e-5)


@given(st.floats(0.01, 0.3), st.floats(0.01, 0.15), shares)
def test_a_large_vote_beats_one_agent_if_and_only_if_little_is_shared(least, spread, shared):
    failure = failure_at_budget(1, least, spread)
    threshold = shared_failure_threshold(least, failure)
    assume(abs(shared - threshold) > 1e-3)
    assert (vote_failure(failure, 9999, shared) < failure_at_budget(9999, least, spread)) == (
        shared < threshold
    )


def test_a_vote_needs_a_majority():
    with pytest.raises(ValueError, match="odd"):
        vote_failure(0.1, np.array([3, 4]), 0.0)


@given(shares, shares, shares, shares)
def test_a_verified_step_fails_in_the_ways_that_are_left(failure, catch, dependence, retry):
    blind = failure * dependence
    unseen, caught = failure * (1 - dependence) * (1 - catch), failure * (1 - dependence) * catch
    expected = blind + unseen + caught * retry
    found = verified_failure(failure, catch, dependence, retry)
    assert found == pytest.approx(expected, abs=1e-12) and -1e-12 <= found <= failure + 1e-12
    assert verified_failure(failure, catch, 1.0, retry) == pytest.approx(failure)
