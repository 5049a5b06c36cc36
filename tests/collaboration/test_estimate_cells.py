"""Cells: every planned one has a row whose counts, means and costs are right."""

from pathlib import Path
from typing import Any

import pytest

from scripts.collaboration.estimate_cells import estimate_cells
from scripts.collaboration.schemas import ANSWERS, CELLS, INSTANCES, ROLLOUTS
from scripts.lib.errors import UserError
from scripts.lib.tables import read_rows, write_rows
from tests.collaboration.statistics_cases import MODELS, SHAPE, a_job, grades_of, write_grades

Row = dict[str, Any]


def rollout(index: int, outcome: str = "answered", model: str = "priced", **changes: Any) -> Row:
    cell = {"arm": "baseline", "team": model, "mode": "collab", "family": "spatial", "task": "maze"}
    usage = [
        {"slot": slot, "model": model, "calls": 2, "prompt_tokens": 1000, "completion_tokens": 100}
        for slot in (1, 2)
    ]
    row = cell | {"index": index, "digest": "d", "simulated": model == "sim", "outcome": outcome}
    return row | {"turns": 4, "truncated": 1, "messages": [], "usage": usage, "sent": "{}"} | changes


def estimates(
    folder: Path,
    job: Row,
    rollouts: list[Row],
    grades: list[Row] | None = None,
    answers: list[Row] | None = None,
) -> list[Row]:
    """The rows that estimate_cells writes; rollouts stand in two shards."""
    shards = [folder / "first.parquet", folder / "second.parquet"]
    write_rows(shards[0], rollouts[::2], ROLLOUTS)
    write_rows(shards[1], rollouts[1::2], ROLLOUTS)
    write_rows(folder / "answers.parquet", answers or [], ANSWERS)
    instances = [
        {"task": "maze", "index": index, "floor_a": 0.1 * index, "floor_b": 0.2}
        for index in range(job["rollouts"] + 1)
    ]
    write_rows(folder / "instances.parquet", instances, INSTANCES)
    (folder / "models.yaml").write_text(MODELS)
    estimate_cells(
        shards,
        [folder / "answers.parquet"],
        [write_grades(folder / "grades.parquet", grades or [])],
        [folder / "instances.parquet"],
        folder / "models.yaml",
        folder / "cells.parquet",
        job,
    )
    return read_rows(folder / "cells.parquet", CELLS)


def only(rows: list[Row], **where: str) -> Row:
    (row,) = [row for row in rows if all(row[name] == value for name, value in where.items())]
    return row


def test_one_cell_by_hand(tmp_path: Path) -> None:
    rollouts = [rollout(0), rollout(1, "turn_cap", turns=8), rollout(2, "failed", turns=0, truncated=0)]
    rollouts += [rollout(3, "budget", turns=2), rollout(4)]  # the last is left over from a larger run
    answers = [
        {**grades_of("priced", "collab", [None])[0], "index": index, "answered_by": by}
        for index, by in enumerate(["program", "grader", "none", "none", "grader"])
    ]
    answers = [{name: row[name] for name in ANSWERS.names if name in row} for row in answers]
    grades = grades_of("priced", "collab", [1.0, 0.5, None, None, 0.0])
    row = only(estimates(tmp_path, a_job(), rollouts, grades, answers), mode="collab")
    assert (row["planned"], row["run"], row["graded"], row["by_grader"]) == (4, 3, 2, 1)
    assert (row["answered"], row["turn_cap"], row["failed"], row["budget"], row["refused"]) == (1, 1, 1, 1, 0)
    assert (row["turns"], row["replies"], row["truncated_replies"]) == (4.0, 14, 3)
    assert (row["prompt_tokens"], row["completion_tokens"]) == (8000, 800)
    assert row["cost"] == pytest.approx((8000 * 1 + 800 * 10) / 1e6)
    assert (row["score"], row["score_low"], row["score_high"]) == (0.75, 0.5, 1.0)
    assert row["floor"] == pytest.approx((0.15 + 0.2) / 2)
    assert row["simulated"] is False


def test_every_planned_cell_has_a_row_in_the_order_of_the_config(tmp_path: Path) -> None:
    job = a_job(
        arms=["mine", "baseline"],
        arm_models=["sim"],
        teams=[["sim"], ["sim", "priced"]],
        tasks={"maze": "spatial", "logic": "csp"},
    )
    rows = estimates(tmp_path, job, [])
    cells = [(row["arm"], row["team"], row["mode"], row["task"]) for row in rows]
    wanted = [("mine", "sim", "collab", task) for task in job["tasks"]]
    wanted += [("baseline", "sim", mode, task) for mode in job["modes"] for task in job["tasks"]]
    wanted += [("baseline", "sim + priced", "collab", task) for task in job["tasks"]]
    assert cells == wanted
    row = rows[1]
    assert (row["family"], row["floor"], row["planned"], row["run"], row["graded"]) == ("csp", None, 4, 0, 0)
    assert (row["score"], row["score_low"], row["turns"], row["replies"], row["cost"]) == (
        None,
        None,
        None,
        0,
        0,
    )
    assert all(row["simulated"] for row in rows)


@pytest.mark.parametrize(
    ("model", "tokens", "cost"), [("sim", None, 0.0), ("free", 1000, None), ("priced", None, None)]
)
def test_what_is_unknown_is_null_and_simulated_is_free(
    tmp_path: Path, model: str, tokens: int | None, cost: float | None
) -> None:
    row = rollout(1, model=model)
    row["usage"][0]["prompt_tokens"] = tokens
    found = only(estimates(tmp_path, a_job(teams=[[model]]), [rollout(0, model=model), row]), mode="collab")
    assert found["prompt_tokens"] == (None if tokens is None else 4000)
    assert (found["completion_tokens"], found["cost"]) == (400, cost)


def test_order_of_rows_and_other_teams_change_nothing(tmp_path: Path) -> None:
    grades = grades_of("priced", "collab", [0.1, 0.7, 1 / 3, 0.9]) + grades_of(
        "free", "collab", [1, 0, 0.3, 1]
    )
    rollouts = [rollout(index, model=model) for index in range(4) for model in ("priced", "free")]
    job = a_job(teams=[["priced"]])
    rows = estimates(tmp_path, job, rollouts, grades)
    assert rows == estimates(tmp_path, job, rollouts[::-1], grades[::-1])
    more = job | {"teams": [["free"], ["priced"]], "tasks": {"logic": "csp", "maze": "spatial"}}
    bigger = estimates(tmp_path, more, rollouts, grades)
    assert rows == [row for row in bigger if row["team"] == "priced" and row["task"] == "maze"]


def test_errors_name_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="repeats rollout 0 of baseline / priced / collab / maze"):
        estimates(tmp_path, a_job(), [rollout(0), rollout(0)])
    with pytest.raises(UserError, match=r'models\.yaml has no model "pricd"; did you mean "priced"\?'):
        estimates(tmp_path, a_job(teams=[["pricd"]]), [])


def test_the_interval_is_of_the_statistics_level(tmp_path: Path) -> None:
    grades = grades_of("priced", "collab", [0.1, 0.7, 0.4, 0.9])
    narrow = only(estimates(tmp_path, a_job(statistics=SHAPE | {"level": 0.5}), [], grades), mode="collab")
    wide = only(estimates(tmp_path, a_job(), [], grades), mode="collab")
    assert wide["score_low"] < narrow["score_low"] < 0.525 < narrow["score_high"] < wide["score_high"]
