"""Cells predicted from shapes: what is planted is found, what is not is not, and what cannot be is said."""

import random

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.metrics import r2_score
from sklearn.model_selection import LeaveOneGroupOut, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from scripts.collaboration.prediction_cells import COLUMNS
from tests.collaboration.prediction_cases import (
    COUNT,
    FAMILY,
    TEAMS,
    job,
    predicted,
    row_of,
    shape_rows,
    tax_rows,
)

EFFECT = 0.8
SKILL = {"strong": 0.6, "weak": 0.1, "third": 0.3}


def planted(team, task, pacing):
    return SKILL[team] + EFFECT * pacing


def from_model_alone(team, task, pacing):
    return SKILL[team] + 0.1 * random.Random(f"{team} {task}").random()


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    shapes = shape_rows()
    return predicted(tmp_path_factory.mktemp("planted"), shapes, tax_rows(shapes, planted), job())


def test_what_is_planted_is_found(found):
    rows = found["prediction"]
    assert len(rows) == 2 * (2 * 3 + 3 + 3) and not any(row["reason"] for row in rows)
    full, shape = row_of(rows), row_of(rows, variant="shape")
    assert full["r2"] > 0.8 > shape["r2"] and full["spearman"] > 0.8
    assert full["r2_low"] < full["r2"] < full["r2_high"] <= 1
    assert full["r2_p"] == full["spearman_p"] == 0.01  # 1 of 99 + 1
    assert full["r2_effect"] == pytest.approx(full["r2"] - full["r2_null"], abs=2e-6)
    assert full["gain"] > 0.1 and row_of(rows, variant="dummies")["gain"] is None
    assert (full["cells"], full["planned"], full["models"], full["tasks"], full["folds"]) == (
        36,
        36,
        3,
        12,
        3,
    )
    assert row_of(rows, scheme="leave_one_task_out")["folds"] == 12
    assert row_of(rows, choice="nested")["penalty"] in (0.1, 1.0, 10.0)
    assert all(row["simulated"] for row in rows)


def test_the_planted_feature_has_the_coefficient(found):
    table = [row for row in found["prediction_coefficients"] if row["target"] == "collab"]
    full = {row["column"]: row for row in table if row["variant"] == "full"}
    assert list(full) == [*COLUMNS, *TEAMS, "spatial", "relational", "csp"]
    largest = max(COLUMNS, key=lambda name: abs(full[name]["coefficient"]))
    assert largest == "pacing" and full["pacing"]["coefficient_low"] > 0
    assert full["pacing"]["coefficient"] == pytest.approx(EFFECT * full["pacing"]["deviation"], rel=0.15)
    assert full["samples"]["coefficient"] == 0 and full["samples"]["mean"] == COUNT
    assert (
        full["strong"]["kind"] == "model" and full["strong"]["coefficient"] > 0 > full["weak"]["coefficient"]
    )


def test_a_target_turned_over_has_the_same_fit_turned_over(found):
    """The tax is 1 - collab here."""
    for row in found["prediction"]:
        if row["target"] == "tax":
            other = row_of(found["prediction"], **{k: row[k] for k in ("variant", "choice", "scheme")})
            assert row["r2"] == pytest.approx(other["r2"], abs=2e-6)


def test_predictions_are_those_of_the_library(found):
    cells = [
        row for row in found["prediction_cells"] if row["target"] == "collab" and row["variant"] == "full"
    ]
    shapes = shape_rows()
    for scheme, name in (("leave_one_task_out", "task"), ("leave_one_model_out", "team")):
        rows = [row for row in cells if row["scheme"] == scheme]
        x = []
        for row in rows:
            own = [s for s in shapes if (s["team"], s["task"]) == (row["team"], row["task"])]
            means = [np.mean([s[feature] for s in own]) for feature in COLUMNS[1:]]
            flags = [row["team"] == team for team in TEAMS] + [
                row["family"] == f for f in dict.fromkeys(FAMILY.values())
            ]
            x.append([len(own), *means, *flags])
        y, groups = [row["observed"] for row in rows], [row[name] for row in rows]
        model = make_pipeline(StandardScaler(), Ridge(1.0))
        expected = cross_val_predict(model, np.array(x, float), y, groups=groups, cv=LeaveOneGroupOut())
        np.testing.assert_allclose([row["predicted"] for row in rows], expected, atol=2e-6)
        assert row_of(found["prediction"], scheme=scheme)["r2"] == pytest.approx(
            r2_score(y, expected), abs=2e-5
        )


def test_a_task_is_in_one_fold(found):
    rows = [row for row in found["prediction_cells"] if row["scheme"] == "group_kfold"]
    assert len({(row["task"], row["fold"]) for row in rows}) == len(FAMILY)
    assert {row["fold"] for row in rows} == {0, 1, 2}


def test_shapes_that_tell_nothing_gain_nothing(tmp_path):
    shapes = shape_rows()
    rows = predicted(tmp_path, shapes, tax_rows(shapes, from_model_alone), job())["prediction"]
    full = row_of(rows)
    assert full["r2"] > 0.5  # the dummies know the models
    assert full["r2_p"] > 0.05 and full["gain"] < 0.05 and full["gain_low"] < 0
    assert row_of(rows, variant="shape")["r2"] < 0.1
    alone = row_of(rows, variant="dummies", scheme="leave_one_task_out")
    assert alone["r2_effect"] == pytest.approx(0, abs=1e-6) and alone["r2_p"] == 1


def test_the_order_of_rows_and_rollouts_of_other_plans_change_nothing(found, tmp_path):
    shapes = shape_rows()
    taxes = tax_rows(shapes, planted)
    more = [row | {"index": COUNT} for row in shapes] + [row | {"team": "strong + weak"} for row in shapes]
    ended = [
        dict.fromkeys(shapes[0]) | {k: row[k] for k in ("arm", "team", "mode", "family", "task")}
        for row in shapes
    ]
    ended = [row | {"index": 0, "outcome": "failed", "turns": 1.0, "simulated": True} for row in ended]
    again = predicted(tmp_path, [*ended, *more, *shapes[::-1]], taxes[::-1], job())
    assert again == found


def reasons(rows):
    return {row["scheme"]: row["reason"] for row in rows if row["target"] == "collab"}


@pytest.mark.parametrize(
    ("teams", "tasks", "score", "expected"),
    [
        (["strong"], FAMILY, planted, {"leave_one_model_out": "there is one model"}),
        (
            TEAMS,
            {"t": "csp"},
            planted,
            {"group_kfold": "fewer tasks than folds (1 < 3)", "leave_one_task_out": "there is one task"},
        ),
        (TEAMS, {"t": "csp", "u": "csp"}, planted, {"group_kfold": "fewer tasks than folds (2 < 3)"}),
        (
            TEAMS,
            FAMILY,
            lambda *_: 0.5,
            dict.fromkeys(
                ("group_kfold", "leave_one_task_out", "leave_one_model_out"), "all cells have the same value"
            ),
        ),
        (
            TEAMS,
            FAMILY,
            lambda *_: None,
            dict.fromkeys(
                ("group_kfold", "leave_one_task_out", "leave_one_model_out"),
                "no cell has both a conversation and a value",
            ),
        ),
    ],
)
def test_what_cannot_be_predicted_is_null_with_its_reason(tmp_path, teams, tasks, score, expected):
    shapes = shape_rows(teams, tasks)
    tables = predicted(tmp_path, shapes, tax_rows(shapes, score), job(teams, tasks))
    found = reasons(tables["prediction"])
    assert {scheme: reason for scheme, reason in found.items() if reason} == expected
    for row in tables["prediction"]:
        assert (row["r2"] is None) == (row["reason"] is not None)
        assert row["r2"] is not None or row["r2_p"] is row["gain"] is row["folds"] is None
    kept = {row["scheme"] for row in tables["prediction_cells"]}
    assert kept == {scheme for scheme, reason in found.items() if not reason}


def test_features_that_do_not_vary_and_a_cell_without_conversation(tmp_path):
    shapes = [row | {"coordinates": 0.0, "turns": 4.0} for row in shape_rows()]
    taxes = tax_rows(shapes, planted)
    silent = [row for row in shapes if (row["team"], row["task"]) != ("weak", "csp0")]
    tables = predicted(tmp_path, silent, taxes, job())
    row = row_of(tables["prediction"])
    assert (row["cells"], row["planned"]) == (35, 36) and row["r2"] > 0.8
    flat = [row for row in tables["prediction_coefficients"] if row["column"] in ("coordinates", "turns")]
    assert flat and all(row["coefficient"] == row["coefficient_low"] == row["deviation"] == 0 for row in flat)


def test_another_seed_deals_other_folds(found, tmp_path):
    shapes = shape_rows()
    other = predicted(tmp_path, shapes, tax_rows(shapes, planted), job(seed=2))
    fold = {row["task"]: row["fold"] for row in found["prediction_cells"] if row["scheme"] == "group_kfold"}
    assert any(
        fold[row["task"]] != row["fold"]
        for row in other["prediction_cells"]
        if row["scheme"] == "group_kfold"
    )
