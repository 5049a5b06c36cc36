"""The pilot's statistics: exact counts, exact hinges of noise-free points, the planted curve recovered."""

import numpy as np
import pytest

from scripts.handoff.curves import Hinge, step_failure
from scripts.handoff.fit_pilot import doubt
from scripts.handoff.hinge import fit_hinge
from scripts.handoff.pilot_counts import (
    FAILURES,
    Counts,
    count,
    has_failed,
    no_hinge,
    pilot_curve,
    pilot_hinge,
)
from scripts.lib.analysis.bootstrap import Estimate, draw_weights, estimate
from tests.handoff.pilot_cases import LOADS, call, fit, play, write_calls

TRUTH = {"base": 0.05, "slope": 4e-4, "knee": 700.0}


@pytest.mark.parametrize("knee", [100.0, 2000.0, 8000.0])
def test_a_hinge_through_noise_free_points_is_exact(knee):
    loads = np.array([100.0, 500, 2000, 8000, 16000])
    truth = Hinge(0.05, 1e-5, knee)
    step = (loads[-2] - loads[0]) / 59
    found = fit_hinge(loads, truth(loads), np.ones(5))
    assert abs(found.knee - knee) <= step / 2 + 1e-9
    if knee in (loads[0], loads[-2]):  # a knee of the grid
        assert found.base == pytest.approx(0.05) and found.slope == pytest.approx(1e-5)


@pytest.mark.parametrize(
    ("missing", "wrong", "expected"),
    [
        (True, None, (True, True, None)),
        (False, True, (True, False, True)),
        (False, False, (False, False, False)),
        (None, None, (None, None, None)),
    ],
)
def test_the_three_definitions(missing, wrong, expected):
    row = {"missing": missing, "wrong": wrong}
    assert tuple(has_failed(row, failure) for failure in FAILURES) == expected


def test_counts_and_intervals_of_a_pilot_by_hand(tmp_path):
    rows = [call(i, 0, False, False) for i in range(4)]
    rows += [call(i, 1, i < 1, None if i < 1 else i < 2) for i in range(4)]
    rows += [call(i, 2, i < 3, None if i < 3 else False) for i in range(4)]
    rows += [call(i, 3, None, None, outcome="context_overflow", error="too long") for i in range(3)]
    rows += [call(3, 3, None, None, outcome="failed", error="HTTP 500")]
    write_calls(tmp_path, rows)
    loads, hinges = fit(tmp_path, problems=4, loads=[0, 1000, 2000, 3000], calls=1)
    by = {(row["failure"], row["level"]): row for row in loads}
    told = [(by["either", n]["graded"], by["either", n]["failures"]) for n in range(4)]
    assert told == [(4, 0), (4, 2), (4, 3), (0, 0)]
    assert [by["arithmetic", n]["graded"] for n in range(3)] == [4, 3, 1]
    assert [by["format", n]["share"] for n in range(3)] == [0, 0.25, 0.75]
    last = by["either", 3]
    assert (last["planned"], last["run"], last["refused"], last["load"], last["share"]) == (
        4,
        3,
        3,
        None,
        None,
    )
    paired = by["either", 2]
    assert (paired["difference"], paired["df"], paired["t"]) == (0.75, 3, pytest.approx(3.0))
    assert by["either", 0]["difference"] is None
    assert hinges[0]["loads"] == 3 and hinges[2]["loads"] == 3


@pytest.mark.parametrize(("failed", "word"), [(True, "all"), (False, "none")])
def test_no_hinge_where_every_call_ended_alike(tmp_path, failed, word):
    write_calls(tmp_path, [call(i, level, failed, None) for i in range(4) for level in range(3)])
    _, hinges = fit(tmp_path, problems=4, loads=[0, 1000, 2000], calls=1)
    assert hinges[0]["slope"] is None and not hinges[0]["determined"]
    assert hinges[0]["remark"].startswith(word)


def test_no_hinge_through_two_loads():
    counts = count([call(0, 0, False, False), call(0, 2, True, None)], "either", 3, 1)
    assert no_hinge(counts) == "answered loads: 2; a hinge needs 3"
    assert pilot_hinge(counts, np.ones((3, 1))) is None


def test_a_curve_where_all_failed_stays_finite():
    counts = count([call(i, level, True, None) for i in range(5) for level in (0, 1)], "either", 2, 5)
    curve = pilot_curve(counts, draw_weights(1, "x", 50, 5))
    assert np.isfinite(curve.losses).all() and curve.losses[0, 0] == pytest.approx(np.log(10))


def test_the_planted_hinge_lies_in_its_intervals(tmp_path):
    play(tmp_path, problems=100, planted=TRUTH)
    loads, hinges = fit(tmp_path, problems=100)
    either, form, arithmetic = hinges
    for name, planted in TRUTH.items():
        assert either[f"{name}_low"] <= planted <= either[f"{name}_high"], name
    assert form["slope_low"] <= TRUTH["slope"] <= form["slope_high"] and arithmetic["slope_low"] == 0
    assert either["determined"] and not arithmetic["determined"]
    truth = Hinge(**TRUTH)
    for row in loads:
        if row["failure"] == "either":
            expected = float(step_failure(truth(np.array([row["load"]])))[0])
            assert row["share_low"] <= expected <= row["share_high"]
    last = next(row for row in loads if row["failure"] == "either" and row["level"] == len(LOADS) - 1)
    assert last["difference_low"] > 0 and last["p"] < 0.001 and last["df"] == 99


@pytest.mark.slow
def test_the_intervals_hold_the_planted_hinge_about_as_often_as_they_say():
    loads, truth = np.array([165.0, 8000, 16000, 32000, 63000]), (0.05, 1e-5, 20000.0)
    rng, weights = np.random.default_rng(0), draw_weights(1, "x", 400, 100)
    failure = step_failure(Hinge(*truth)(loads))
    held = np.zeros(3)
    for _ in range(150):
        failures = rng.binomial(2, failure[:, None], size=(5, 100)).astype(np.float64)
        hinge = pilot_hinge(Counts(loads, np.full((5, 100), 2.0), failures), weights)
        found = [estimate(getattr(hinge, name), 0.95) for name in ("base", "slope", "knee")]
        held += [one.low <= value <= one.high for one, value in zip(found, truth, strict=True)]
    assert (held / 150 >= 0.9).all(), held / 150


@pytest.mark.parametrize(
    ("slope", "knee", "word"),
    [
        ((1, 0, 2), (5, 4, 6), "slope may be 0"),
        ((1, 1, 2), (5, 0, 6), "smallest load"),
        ((1, 1, 2), (5, 4, 20), "largest load but one"),
        ((1, 1, 2), (5, 1, 17), "half of the measured loads"),
        ((1, 1, 2), (5, 4, 6), None),
    ],
)
def test_when_a_knee_is_poorly_determined(slope, knee, word):
    told = doubt(Estimate(*slope), Estimate(*knee), np.array([0.0, 10, 20, 30]))
    assert told is None if word is None else word in told
