"""A fast slice of ``make calibration``: the tables' intervals hold the truth; what counts as a miss."""

from collections import Counter

import pytest

from scripts.collaboration.check_intervals import BIASED, check_case, describe, measured, miss
from scripts.collaboration.simulated_scores import SHAPES

JOB = {"replications": 500, "resamples": 100, "seed": 1}
GOOD = {"given": 1.0, "covered": 0.95, "differing": 50.0, "bias": 0.0, "bias_error": 0.01, "quantity": "tax"}


@pytest.mark.parametrize(("shape", "count"), [(1, 20), (3, 20)], ids=["mostly right", "ceiling"])
def test_the_intervals_hold_the_truth(shape: int, count: int) -> None:
    rows = list(check_case(SHAPES[shape], count, JOB, truth=50_000))
    assert Counter(row["scope"] for row in rows) == {"task": 22, "family": 22, "all": 22}
    many = [row for row in rows if row["given"] > 0.5]
    # 500 studies tell a share of .95 to within .01; the whole study has 4,000.
    assert all(row["covered"] >= 0.92 for row in many)
    assert all(row["covered"] <= 0.98 for row in many if row["differing"] >= 20)
    assert all(abs(row["bias"]) < 4 * row["bias_error"] for row in many if row["quantity"] != BIASED)


def test_the_better_of_two_like_members_seems_better_than_it_is() -> None:
    rows = {row["quantity"]: row for row in check_case(SHAPES[0], 10, JOB | {"replications": 250}, 20_000)}
    assert rows[BIASED]["bias"] > 5 * rows[BIASED]["bias_error"]
    assert abs(rows["tax, unequals"]["bias"]) < 4 * rows["tax, unequals"]["bias_error"]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, None),
        ({"covered": 0.92}, "covered"),
        ({"covered": 0.98}, "covered"),
        ({"covered": 0.98, "differing": 5.0}, None),
        ({"covered": 0.92, "differing": 5.0}, "covered"),
        ({"covered": 0.5, "given": 0.4}, None),
        ({"bias": -0.05}, "biased"),
        ({"bias": 0.05, "quantity": BIASED}, None),
    ],
)
def test_what_a_miss_is(changes: dict, why: str | None) -> None:
    found = miss(GOOD | changes)
    assert found is None if why is None else found.startswith(why)


def test_coverage_and_bias_by_hand() -> None:
    import numpy as np

    low, high = np.array([0.0, 0.3, np.nan, 0.1]), np.array([0.4, 0.5, np.nan, 0.3])
    row = measured([np.array([0.2, 0.4, 0.3, 0.2]), low, high], 0.25, 0.0)
    assert row["covered"] == pytest.approx(2 / 3) and row["given"] == 0.75
    assert row["bias"] == pytest.approx(0.025) and row["width"] == pytest.approx(0.2)


def test_the_table_names_each_miss() -> None:
    (row, *_) = check_case(SHAPES[2], 10, JOB | {"replications": 250}, truth=10_000)
    lines = describe([row, row | {"miss": "biased"}])
    assert "MISS: biased" in lines[2] and lines[-4] == "2 kinds of interval, 1 missed"


def test_what_is_excused_is_counted() -> None:
    (row, *_) = check_case(SHAPES[2], 10, JOB | {"replications": 250}, truth=10_000)
    plain = row | {"given": 1.0, "differing": 50.0, "miss": None, "quantity": "tax", "covered": 0.95}
    wide = plain | {"differing": 5.0, "covered": 0.99}
    none = plain | {"given": 0.0, "covered": None, "bias": None, "bias_error": None}
    rows = [plain, wide, none, plain | {"quantity": BIASED}, plain | {"given": 0.9}]
    *lines, missed, coverage, few, bias = describe(rows)
    assert missed == "5 kinds of interval, 0 missed" and "1 (20%)" in coverage
    assert "1 (20%)" in few and few.endswith("1 of them are above") and "3 (60%)" in bias
    notes = ["few differ", "few have an interval", "biased upwards", "some undefined"]
    assert [note in line for note, line in zip(notes, lines[2:6], strict=True)] == [True] * 4
