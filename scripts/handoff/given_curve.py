"""A measured curve as a user gives it: counts in a CSV, or the calls of a pilot."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scripts.handoff.counted_curve import curve_from_counts
from scripts.handoff.curves import Measured
from scripts.handoff.pilot_counts import count, pilot_curve
from scripts.handoff.pilot_schemas import PILOT
from scripts.lib.analysis.bootstrap import draw_weights
from scripts.lib.errors import UserError, did_you_mean
from scripts.lib.tables import read_rows

NAMES = ("load", "steps", "failures")
MOST = 1000  # points
CALLS = [name for name in PILOT.names if name not in ("reply", "error")]


@dataclass(frozen=True)
class Given:
    """A curve with draws (the estimate first), and what is to be said about where it comes from."""

    curve: Measured
    steps: int
    about: str


def read_curve(path: Path, failure: str, resamples: int, seed: int) -> Given:
    """The curve in a CSV (columns load, steps, failures) or in the pilot's files of one model below a folder.

    ``failure``: the pilot's definition (see ``pilot_counts.FAILURES``). Draws: the steps of a CSV count as
    independent; of the pilot the problems are resampled. Raises UserError with file, line and remedy.
    """
    if not path.exists():
        raise UserError(
            f"{path} does not exist. `make paper` makes the demo's pilot; or name a curve of your own with "
            "CURVE=<CSV file, or folder of a pilot>"
        )
    if path.is_dir() or path.suffix == ".parquet":
        return _read_pilot(path, failure, resamples, seed)
    points = read_points(path)
    loads, steps, failures = (np.array(column, np.float64) for column in zip(*points, strict=True))
    return Given(curve_from_counts(loads, failures, steps, resamples, seed), int(steps.sum()), str(path))


def read_points(path: Path) -> list[tuple[float, float, float]]:
    """Load (tokens), steps and failures of each line of a CSV. Raises UserError with the line and a remedy."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.reader(stream)
            places = _places(path, next(reader, []))
            points: list[tuple[float, float, float]] = []
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


def _point(
    where: str, cells: list[str], places: list[int], before: list[tuple[float, float, float]]
) -> tuple[float, float, float]:
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


def _read_pilot(path: Path, failure: str, resamples: int, seed: int) -> Given:
    files = sorted(path.rglob("*.parquet")) if path.is_dir() else [path]
    rows = [row for file in files for row in read_rows(file, PILOT, CALLS)]
    models = list(dict.fromkeys(row["model"] for row in rows))
    if len(models) != 1:
        held = f"the calls of {', '.join(models)}" if models else "no calls of a pilot"
        raise UserError(
            f"{path} holds {held}: name the folder of one model, as in data/handoff/pilot/<model>"
        )
    problems, levels = (max(row[name] for row in rows) + 1 for name in ("index", "level"))
    counts = count(rows, failure, levels, problems)
    if not counts.answered():
        raise UserError(f"{path}: no call of the pilot was answered, so there is no curve")
    weights = draw_weights(seed, f"problems of {models[0]}", resamples, problems)
    simulated = ", simulated agents" if rows[0]["simulated"] else ""
    about = f"{path} ({models[0]}{simulated}), failures: {failure}"
    return Given(pilot_curve(counts, weights), int(counts.graded.sum()), about)
