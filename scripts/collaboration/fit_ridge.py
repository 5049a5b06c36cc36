"""Predict cells from the shape of their talk: shape and tax -> ``statistics/prediction*.parquet``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from scripts.collaboration.layout import artifacts
from scripts.collaboration.prediction_cells import (
    VARIANTS,
    Cells,
    homogeneous,
    join_cells,
    read_shapes,
    read_targets,
)
from scripts.collaboration.prediction_schemas import PREDICTION, PREDICTION_CELLS, PREDICTION_COEFFICIENTS
from scripts.lib.analysis.bootstrap import Array, centred_estimate
from scripts.lib.analysis.groups import Rows as Numbers
from scripts.lib.analysis.groups import deal_folds, draw_groups, exchange_groups
from scripts.lib.analysis.ridge import (
    in_parts,
    moments,
    multiply,
    nested_out_of_fold,
    out_of_fold,
    r_squared,
    solve,
    spearman,
)
from scripts.lib.stage import run
from scripts.lib.tables import write_rows

TARGETS = ("collab", "tax")
SCHEMES = ("group_kfold", "leave_one_task_out", "leave_one_model_out")
FIXED, NESTED = "fixed", "nested"
MEASURES = {"r2": r_squared, "spearman": spearman}
RANGES = {"r2": (-np.inf, 1.0), "spearman": (-1.0, 1.0)}
EQUAL = 1e-9  # a permuted measure this close to the observed one counts as equal

Row = dict[str, Any]


class Resampling(NamedTuple):
    """The rows' weights (1 + bootstraps, n), the estimate first, and where each round takes its targets."""

    weights: Array
    exchanged: Numbers  # (permutations, n)


class Fit(NamedTuple):
    """Out-of-fold predictions under each weighting and each permutation, and the penalty that was used."""

    predicted: Array  # (1 + bootstraps, n)
    under_null: Array  # (permutations, n)
    penalty: float  # that of the estimate; where folds differ, their median


def fit_ridge(
    shape: list[Path], tax: Path, prediction: Path, coefficients: Path, cells: Path, job: Row
) -> None:
    """Write how well ridge regressions predict a cell (homogeneous team x task), with coefficients and cells.

    ``job``: teams, tasks ({task: family}), rollouts (a cell), simulated ({model: bool}), statistics (level),
    prediction (folds, penalty, penalties, bootstraps, permutations, seed).

    - Targets: the cell's mean score in ``collab`` and its tax, as ``estimate_tax`` has them.
    - Variants: ``full`` is the shape of the conversations with dummies for models and families, ``shape`` and
      ``dummies`` are each part alone. All columns are standardised within the rows that are fitted.
    - Schemes: a task's rows are predicted by the fit to the other folds' tasks (``group_kfold``) or to all
      other tasks; in ``leave_one_model_out`` a model's rows by the fit to the other models.
    - Choice: the penalty is ``fixed``, or, in ``group_kfold``, also ``nested``: chosen inside each fold.
    - r2 and spearman: R squared and Spearman's rho of predictions with targets, over all cells together.
      gain: r2 less that of ``dummies``, in the same scheme and choice.
    - Intervals: percentile bootstrap. The tasks of each family are drawn anew; a task's rows for all models
      stay together and in their fold, so no copy of a task is ever on both sides; all fits are made anew. A
      resample holds fewer tasks to learn from, so the interval is moved: its median lies on the estimate.
    - Null: tasks of a family exchange their targets, the same exchange for all models. It keeps models,
      families, how models agree on a task, and all conversations; p is the share of rounds, the observed one
      among them, that reach the observed value.
    - What cannot be estimated is null, and ``reason`` says why.
    """
    from threadpoolctl import threadpool_limits

    shapes, targets = read_shapes(shape, job), read_targets(tax, job)
    with threadpool_limits(1):  # many small matrices: threads would only wait for each other
        tables = fit_all(shapes, targets, job)
    for path, rows, schema in zip(
        (prediction, coefficients, cells),
        tables,
        (PREDICTION, PREDICTION_COEFFICIENTS, PREDICTION_CELLS),
        strict=True,
    ):
        write_rows(path, rows, schema)


def fit_all(
    shapes: dict[tuple[str, str], list[float]], targets: list[Row], job: Row
) -> tuple[list[Row], list[Row], list[Row]]:
    """The rows of the three tables."""
    rows: list[Row] = []
    coefficient_rows: list[Row] = []
    cell_rows: list[Row] = []
    for target in TARGETS:
        found = join_cells(shapes, targets, target)
        resampling = draw(found, job["prediction"])
        rows += prediction_rows(found, target, resampling, job, cell_rows)
        coefficient_rows += coefficient_table(found, target, resampling, job)
    return rows, coefficient_rows, cell_rows


def draw(cells: Cells, settings: Row) -> Resampling:
    """The resamples and permutations that all variants and schemes share."""
    seed = settings["seed"]
    weights = draw_groups(cells.tasks, cells.families, settings["bootstraps"], seed)
    return Resampling(
        weights,
        exchange_groups(cells.tasks, cells.teams, cells.families, settings["permutations"], seed),
    )


def problem(cells: Cells, scheme: str, folds: int) -> str | None:
    """Why a scheme says nothing about these cells; None where it does."""
    tasks, teams = len(set(cells.tasks)), len(set(cells.teams))
    if not cells.tasks:
        return "no cell has both a conversation and a value"
    if np.ptp(cells.target) == 0:
        return "all cells have the same value"
    if scheme == "group_kfold" and tasks < folds:
        return f"fewer tasks than folds ({tasks} < {folds})"
    if scheme == "leave_one_task_out" and tasks < 2:
        return "there is one task"
    if scheme == "leave_one_model_out" and teams < 2:
        return "there is one model"
    return None


def prediction_rows(
    cells: Cells, target: str, resampling: Resampling, job: Row, cell_rows: list[Row]
) -> list[Row]:
    """A row for each scheme, choice and variant; the predictions of the fixed penalty go to ``cell_rows``."""
    settings, rows = job["prediction"], []
    for scheme in SCHEMES:
        reason = problem(cells, scheme, settings["folds"])
        folds = None if reason else folds_of(cells, scheme, settings)
        for choice in (FIXED, NESTED) if scheme == "group_kfold" else (FIXED,):
            fits = {
                variant: None
                if folds is None
                else fit(cells.design(variant)[1], cells.target, folds, resampling, choice, settings)
                for variant in VARIANTS
            }
            for variant, fitted in fits.items():
                about = {"target": target, "variant": variant, "choice": choice, "scheme": scheme}
                about |= _counts(cells, folds, job) | {"reason": reason}
                rows.append(about | _measured(cells, fitted, fits["dummies"], resampling, job))
                if fitted is not None and folds is not None and choice == FIXED:
                    about = {"target": target, "variant": variant, "scheme": scheme}
                    cell_rows += _cell_rows(cells, about, fitted, folds, job)
    return rows


def folds_of(cells: Cells, scheme: str, settings: Row) -> Numbers:
    """The fold (n,) of each cell."""
    if scheme == "group_kfold":
        return deal_folds(cells.tasks, cells.families, settings["folds"], settings["seed"])
    names = cells.tasks if scheme == "leave_one_task_out" else cells.teams
    places = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return np.array([places[name] for name in names], np.int64)


def fit(x: Array, y: Array, folds: Numbers, resampling: Resampling, choice: str, settings: Row) -> Fit:
    """Predict out of fold, under every weighting and every permutation."""
    used: list[float] = []

    def predicted(targets: Array, weights: Array) -> Array:
        if choice == FIXED:
            used.append(settings["penalty"])
            return out_of_fold(x, targets, weights, folds, settings["penalty"])
        found, penalties = nested_out_of_fold(x, targets, weights, folds, settings["penalties"])
        used.append(float(np.median(penalties[0, :, 0])))
        return found

    once, permuted = np.ones((1, len(y))), y[resampling.exchanged].T
    resampled = in_parts(
        lambda part: predicted(y[:, None], resampling.weights[part])[:, :, 0], len(resampling.weights)
    )
    under_null = in_parts(lambda part: predicted(permuted[:, part], once)[0].T, permuted.shape[1])
    return Fit(resampled, under_null, used[0])


def _measured(cells: Cells, fitted: Fit | None, dummies: Fit | None, resampling: Resampling, job: Row) -> Row:
    """R squared and Spearman's rho with interval, null and p; the gain over the dummies."""
    columns: Row = {"penalty": fitted.penalty if fitted else None}
    for name, measure in MEASURES.items():
        values, null = np.array([np.nan]), np.array([])
        if fitted:
            values = measure(cells.target, fitted.predicted, resampling.weights)
            if np.any(resampling.exchanged != np.arange(len(cells.target))):
                once = np.ones(len(cells.target))
                null = measure(cells.target[resampling.exchanged], fitted.under_null, once)
        columns |= _interval(name, values, job) | _null(name, values[0], null[~np.isnan(null)], job)
    gain = np.array([np.nan])
    if fitted and dummies and fitted is not dummies:
        gain = r_squared(cells.target, fitted.predicted, resampling.weights)
        gain = gain - r_squared(cells.target, dummies.predicted, resampling.weights)
    return columns | _interval("gain", gain, job)


def _interval(name: str, values: Array, job: Row) -> Row:
    found = centred_estimate(values, job["statistics"]["level"], *RANGES.get(name, ()))
    return {
        name: _rounded(found.mean),
        f"{name}_low": _rounded(found.low),
        f"{name}_high": _rounded(found.high),
    }


def _null(name: str, observed: float, null: Array, job: Row) -> Row:
    """Mean and upper quantile of the null, the effect (observed less that mean), and p (one-sided)."""
    names = (f"{name}_null", f"{name}_null_high", f"{name}_effect", f"{name}_p")
    if np.isnan(observed) or not len(null):
        return dict.fromkeys(names)
    reached = int(np.sum(null >= observed - EQUAL))
    values = (
        np.mean(null),
        np.quantile(null, job["statistics"]["level"]),
        observed - np.mean(null),
        (1 + reached) / (1 + len(null)),
    )
    return dict(zip(names, map(_rounded, values), strict=True))


def _rounded(value: float) -> float | None:
    """Six decimals: what is below them may differ between machines."""
    return None if np.isnan(value) else round(float(value), 6) + 0.0


def _counts(cells: Cells, folds: Numbers | None, job: Row) -> Row:
    return {
        "simulated": any(job["simulated"][team] for team in homogeneous(job)),
        "planned": len(homogeneous(job)) * len(job["tasks"]),
        "cells": len(cells.tasks),
        "models": len(set(cells.teams)),
        "tasks": len(set(cells.tasks)),
        "folds": None if folds is None else len(np.unique(folds)),
    }


def _cell_rows(cells: Cells, about: Row, fitted: Fit, folds: Numbers, job: Row) -> list[Row]:
    columns = zip(cells.teams, cells.tasks, cells.families, cells.shape[:, 0], strict=True)
    return [
        about
        | {"team": team, "task": task, "family": family, "samples": int(samples), "fold": int(folds[row])}
        | {"simulated": job["simulated"][team], "observed": _rounded(cells.target[row])}
        | {"predicted": _rounded(fitted.predicted[0, row])}
        for row, (team, task, family, samples) in enumerate(columns)
    ]


def coefficient_table(cells: Cells, target: str, resampling: Resampling, job: Row) -> list[Row]:
    """The coefficients of the fits to all cells with the fixed penalty, each with mean and SD of its column.

    They are in units of the target for one standard deviation of the column. None without two cells.
    """
    rows = []
    for variant in VARIANTS if len(cells.tasks) > 1 else ():
        names, x = cells.design(variant)
        values = in_parts(_solver(x, cells.target, resampling.weights, job), len(resampling.weights))
        for place, (kind, name) in enumerate(names):
            about = {"target": target, "variant": variant, "kind": kind, "column": name}
            numbers: Row = {"simulated": any(job["simulated"][team] for team in cells.teams)}
            numbers |= {"mean": _rounded(x[:, place].mean()), "deviation": _rounded(x[:, place].std())}
            rows.append(about | numbers | _interval("coefficient", values[:, place], job))
    return rows


def _solver(x: Array, y: Array, weights: Array, job: Row) -> Callable[[slice], Array]:
    rows, penalty = multiply(x, y[:, None]), job["prediction"]["penalty"]
    return lambda part: solve(moments(rows, weights[part]), penalty)[:, :, 0]


def from_data(data: Path, prediction: Path, coefficients: Path, cells: Path, job: Row) -> None:
    """``fit_ridge`` on the planned files below the study's data folder."""
    plan = job | {"arms": ["baseline"], "teams": [team for team in job["teams"] if len(team) == 1]}
    shape = artifacts(data, "shape", plan)
    fit_ridge(shape, data / "statistics" / "tax.parquet", prediction, coefficients, cells, job)


if __name__ == "__main__":
    run(from_data)
