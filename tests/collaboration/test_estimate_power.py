"""Power: the variance of planned comparisons, how many instances they need, what cannot be known."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scripts.collaboration.design_schemas import POWER, VARIANCE_COMPONENTS
from scripts.collaboration.estimate_power import describe_power, estimate_power
from scripts.lib.analysis.variance import seeds_needed
from scripts.lib.errors import UserError
from scripts.lib.tables import read_rows
from tests.collaboration.statistics_cases import a_job, grades_of, write_grades

Row = dict[str, Any]
TASKS = {"maze": "spatial", "cube": "spatial"}
TEAMS = [["free"], ["sim"], ["free", "sim"], ["sim", "free"]]


def power(folder: Path, *cells: list[Row], **changes: Any) -> tuple[list[Row], list[Row]]:
    """The rows of both tables; all grades lie in one shard of the plan."""
    job = a_job(teams=TEAMS, tasks=TASKS, batches=["000"], arm_models=["free"], half_width=0.05) | changes
    write_grades(folder / "grades/baseline/free/collab/spatial/000.parquet", *cells)
    outputs = [folder / name for name in ("power.parquet", "components.parquet")]
    estimate_power(folder, *outputs, job)
    return read_rows(outputs[0], POWER), read_rows(outputs[1], VARIANCE_COMPONENTS)


def only(rows: list[Row], **where: Any) -> Row:
    (row,) = [row for row in rows if all(row[name] == value for name, value in where.items())]
    return row


def drawn(count: int, instance: float, rollout: float) -> list[list[Row]]:
    """Cells of both models in three modes on two tasks; variances of instance and rollout planted."""
    rng = np.random.default_rng(8)
    cells = []
    for task in TASKS:
        shared = 0.5 + instance**0.5 * rng.standard_normal(count)
        for team in ("free", "sim"):
            for mode in ("solo_full", "solo_split", "collab"):
                scores = shared + rollout**0.5 * rng.standard_normal(count)
                cells.append(grades_of(team, mode, np.clip(scores, 0, 1).tolist(), task))
    return cells


def test_planted_variances_are_recovered_and_say_how_many_seeds_are_needed(tmp_path: Path) -> None:
    rows, parts = power(tmp_path, *drawn(60, 0.01, 0.02), rollouts=60)
    found = {row["component"]: row for row in parts if row["scope"] == "all"}
    for name, true in {"instance": 0.01, "rollout": 0.02, "instance x model": 0.0}.items():
        assert found[name]["variance_low"] <= true <= found[name]["variance_high"]
    assert (found["rollout"]["instances"], found["rollout"]["models"], found["rollout"]["simulated"]) == (
        120,
        2,
        True,
    )
    tax = only(rows, quantity="tax", team="free", scope="all")
    assert tax["variance"] == pytest.approx(2 * 0.02, rel=0.25)  # what the modes share is out of it
    assert tax["seeds"] == seeds_needed(tax["variance"], 0.05, 0.9, 2)
    assert tax["seeds_4"] <= tax["seeds_2"] < tax["seeds"] <= 60 and tax["in_reach"]
    assert not tax["simulated"]


def test_comparisons_by_hand(tmp_path: Path) -> None:
    cells = [
        grades_of("free", "solo_full", [1, 1, 1, 1]),
        grades_of("free", "collab", [0, 1, 0, None]),
        grades_of("free", "collab", [0.5, 1, 0.5, 0.5], arm="all_four"),
        grades_of("free + sim", "collab", [0, 1, 0, 1]),
        grades_of("sim + free", "collab", [0, 0, 0, 0]),
    ]
    rows, _ = power(tmp_path, *cells, arms=["baseline", "all_four"], tasks={"maze": "spatial"})
    tax, gain, slot = (
        only(rows, quantity=quantity, scope="all", team=team)
        for quantity, team in (("tax", "free"), ("gain", "free"), ("slot effect", "free + sim"))
    )
    assert [row["instances"] for row in (tax, gain, slot)] == [3, 3, 4]
    assert tax["variance"] == pytest.approx(1 / 3)  # 1, 0, 1
    assert gain["variance"] == pytest.approx(1 / 12)  # .5, 0, .5
    assert slot["variance"] == pytest.approx(1 / 3) and slot["seeds_2"] is None
    assert {row["team"] for row in rows if row["quantity"] == "tax"} == {
        "free",
        "sim",
        *(f"{pair} against {one}" for pair in ("free + sim", "sim + free") for one in ("free", "sim")),
    }
    assert not tax["in_reach"] and tax["planned"] == 4
    job = a_job(half_width=0.05)
    *lines, last = describe_power([tax, slot, only(rows, quantity="tax", scope="all", team="sim")], job)
    assert last == "3 comparisons: 2 out of reach, of 1 the variance is not known"
    free, pair, unknown = lines[3:6]
    assert free.rstrip().endswith("out of reach") and "simulated" not in free
    assert "simulated" in pair and unknown.rstrip().endswith("is not known")
    assert "not known" in only(rows, quantity="tax", scope="all", team="sim")["reason"]


def test_what_the_data_cannot_tell_is_null_with_its_reason(tmp_path: Path) -> None:
    _, parts = power(tmp_path, *drawn(4, 0.01, 0.02), teams=[["free"]])
    assert {row["reason"] for row in parts} == {
        "one model or one mode: instance and rollout cannot be told apart"
    }
    ceiling = [[row | {"score": 1.0} for row in cell] for cell in drawn(4, 0.01, 0.02)]
    rows, parts = power(tmp_path, *ceiling)
    assert {row["reason"] for row in parts} == {"all instances score alike: nothing varies"}
    assert all(row["variance"] is row["seeds"] is row["in_reach"] is None for row in rows)
    assert "all differences are alike" in only(rows, quantity="tax", scope="all", team="free")["reason"]
    _, parts = power(tmp_path, *drawn(1, 0.01, 0.02))
    assert {row["reason"] for row in parts} == {
        "no task with two instances that all models were graded on in all modes"
    }


def test_nothing_graded_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="run a few rollouts first"):
        power(tmp_path)
