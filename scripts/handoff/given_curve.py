"""A measured curve as a user gives it: counts in a CSV, the calls of a pilot, or a curve of the ledgers."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scripts.handoff.counted_curve import curve_from_counts
from scripts.handoff.curves import Measured
from scripts.handoff.ledger_schemas import CURVE
from scripts.handoff.pilot_counts import count, pilot_curve
from scripts.handoff.pilot_schemas import PILOT
from scripts.lib.analysis.bootstrap import draw_weights
from scripts.lib.errors import UserError, did_you_mean
from scripts.lib.tables import Rows, read_rows

NAMES = ("load", "steps", "failures")
MOST = 1000  # points
GRADING = "stationary"  # of the ledgers' curve: all steps but fees
CALLS = [name for name in PILOT.names if name not in ("reply", "error")]


Point = tuple[float, float, float]  # load (tokens), steps, failures


@dataclass(frozen=True)
class Given:
    """A curve with draws (the estimate first), and what is to be said about where it comes from."""

    curve: Measured
    steps: int
    about: str


def read_curve(path: Path, failure: str, resamples: int, seed: int, model: str | None = None) -> Given:
    """The curve in a CSV (load, steps, failures), in a pilot's files below a folder, or in ``curve.parquet``.

    ``failure``: the pilot's definition (see ``pilot_counts.FAILURES``). ``model``: which one of several.
    Draws: steps count as independent; of the pilot the problems are resampled. Raises UserError with file,
    line and remedy.
    """
    if not path.exists():
        raise UserError(
            f"{path} does not exist. `make paper` makes the demo's pilot; or name a curve of your own with "
            "CURVE=<CSV file, or folder of a pilot>"
        )
    if path.name == "curve.parquet":
        points, about = _read_ledgers(path, model)
    elif path.is_dir() or path.suffix == ".parquet":
        return _read_pilot(path, failure, resamples, seed, model)
    else:
        points, about = read_points(path), str(path)
    loads, steps, failures = (np.array(column, np.float64) for column in zip(*points, strict=True))
    return Given(curve_from_counts(loads, failures, steps, resamples, seed), int(steps.sum()), about)


def _read_ledgers(path: Path, wanted: str | None) -> tuple[list[Point], str]:
    rows = [r for r in read_rows(path, CURVE) if r["grading"] == GRADING and r["failure"] is not None]
    model, rows = _of_one_model(path, rows, wanted)
    simulated = ", simulated agents" if rows[0]["simulated"] else ""
    points = [(row["load"], row["steps"], round(row["steps"] * row["failure"])) for row in rows]
    return points, f"{path} ({model}{simulated}), failures: {GRADING}"


def read_points(path: Path) -> list[Point]:
    """Load (tokens), steps, failures of each line of a CSV. Raises UserError with the line and a remedy."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.reader(stream)
            places = _places(path, next(reader, []))
            points: list[Point] = []
            for cells in reader:
                if any(cell.strip() for cell in cells):
                    points.append(_point(f"{path}, line {reader.line_num}", cells, places, points))
    except (csv.Error, UnicodeDecodeError, OSError) as error:
        raise UserError(f"{path} is no CSV that can be read ({error}): save it as CSV in UTF-8") from None
    if not points:
        raise UserError(f"{path} holds no points: each line below the heading is a load, steps and failures")
    return points


def _places(path: Path, heading: list[str]) -> list[int]:
    names = [cell.strip().lower() for cell in heading]
    for name in NAMES:
        if names.count(name) != 1:
            wrong = f'two columns "{name}"' if name in names else f'no column "{name}"'
            hint = "" if name in names else did_you_mean(name, names)
            raise UserError(
                f"{path}, line 1 has {wrong}{hint}: begin the file with the line load,steps,failures"
            )
    return [names.index(name) for name in NAMES]


def _point(where: str, cells: list[str], places: list[int], before: list[Point]) -> Point:
    load, steps, failures = (_number(where, cells, at, name) for at, name in zip(places, NAMES, strict=True))
    if steps < 1 or steps % 1 or failures % 1:
        raise UserError(f"{where}: steps and failures are counts, with at least one step")
    if failures > steps:
        raise UserError(f"{where}: {failures:.0f} failures among {steps:.0f} steps; are the columns swapped?")
    if before and load <= before[-1][0]:
        raise UserError(
            f"{where}: the load is not larger than the one before; sort the lines, join equal loads"
        )
    if len(before) == MOST:
        raise UserError(f"{where}: more than {MOST} points; join loads into bins and add up their counts")
    return load, steps, failures


def _number(where: str, cells: list[str], at: int, name: str) -> float:
    text = cells[at].strip() if at < len(cells) else ""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < 1e12:
        raise UserError(f'{where}: {name} is "{text[:40]}"; it must be a number, 0 or more, as in 8000')
    return number


def _read_pilot(path: Path, failure: str, resamples: int, seed: int, wanted: str | None) -> Given:
    files = sorted(path.rglob("*.parquet")) if path.is_dir() else [path]
    rows = [row for file in files for row in read_rows(file, PILOT, CALLS)]
    model, rows = _of_one_model(path, rows, wanted)
    problems, levels = (max(row[name] for row in rows) + 1 for name in ("index", "level"))
    counts = count(rows, failure, levels, problems)
    if not counts.answered():
        raise UserError(f"{path}: no call of the pilot was answered, so there is no curve")
    weights = draw_weights(seed, f"problems of {model}", resamples, problems)
    simulated = ", simulated agents" if rows[0]["simulated"] else ""
    about = f"{path} ({model}{simulated}), failures: {failure}"
    return Given(pilot_curve(counts, weights), int(counts.graded.sum()), about)


def _of_one_model(path: Path, rows: Rows, wanted: str | None) -> tuple[str, Rows]:
    """A model and its rows. Raises UserError where there are several to choose from, or none."""
    models = list(dict.fromkeys(row["model"] for row in rows))
    if not models:
        raise UserError(f"{path} holds nothing that was graded; run the study first: make paper")
    if wanted is None and len(models) > 1:
        raise UserError(f"{path} holds {', '.join(models)}: choose one with MODEL=")
    model = wanted or models[0]
    if model not in models:
        raise UserError(f'{path} holds no model "{model}"{did_you_mean(model, models)}')
    return model, [row for row in rows if row["model"] == model]
