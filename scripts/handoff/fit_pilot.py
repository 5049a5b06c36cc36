"""Failure by load, paired differences and the hinge -> ``statistics/{pilot,pilot_hinges}.parquet``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from scripts.handoff.curves import Array, Hinge, step_failure
from scripts.handoff.layout import pilot_files
from scripts.handoff.paired import paired_difference
from scripts.handoff.pilot_counts import FAILURES, Counts, Row, count, load_of, no_hinge, pilot_hinge
from scripts.handoff.pilot_schemas import PILOT, PILOT_HINGES, PILOT_LOADS
from scripts.lib.analysis.bootstrap import Estimate, draw_weights, estimate, estimate_columns
from scripts.lib.analysis.intervals import SCORE, estimate_mean
from scripts.lib.outcomes import UNFINISHED, Outcome
from scripts.lib.stage import run
from scripts.lib.tables import read_rows, write_rows

COLUMNS = [name for name in PILOT.names if name not in ("reply", "error")]
WIDE = 0.5  # of the measured loads: an interval of the knee as wide tells little
NOTHING = Estimate(np.nan, np.nan, np.nan)


def fit_pilot(data: Path, loads: Path, hinges: Path, job: dict[str, Any]) -> None:
    """Write both tables from the calls below the study's folder ``data``.

    ``job``: models ({name: simulated}), pilot (problems, calls, loads, batch_size), statistics (seed,
    resamples, level). Intervals of shares are t intervals with the problems resampled, those of the hinge
    percentiles of the same resamples.
    """
    tables: dict[Path, list[Row]] = {loads: [], hinges: []}
    settings = job["statistics"]
    for model, simulated in job["models"].items():
        rows = [
            row for path in pilot_files(data, model, job["pilot"]) for row in read_rows(path, PILOT, COLUMNS)
        ]
        problems = job["pilot"]["problems"]
        weights = draw_weights(settings["seed"], f"problems of {model}", settings["resamples"], problems)
        for failure in FAILURES:
            about = {"model": model, "simulated": simulated, "failure": failure}
            counts = count(rows, failure, len(job["pilot"]["loads"]), problems)
            hinge = pilot_hinge(counts, weights)
            tables[hinges].append(about | hinge_row(counts, hinge, settings["level"]))
            tables[loads] += [about | row for row in load_rows(rows, counts, hinge, weights, job)]
    write_rows(loads, tables[loads], PILOT_LOADS)
    write_rows(hinges, tables[hinges], PILOT_HINGES)


def load_rows(rows: list[Row], counts: Counts, hinge: Hinge | None, weights: Array, job: Row) -> list[Row]:
    """A row a load."""
    level, shares, drawn = job["statistics"]["level"], counts.shares(), counts.drawn_shares(weights)
    fitted = step_failure(hinge(np.nan_to_num(counts.loads))) if hinge else np.full_like(drawn, np.nan)
    found = []
    for number, aim in enumerate(job["pilot"]["loads"]):
        size = int((counts.graded[number] > 0).sum())
        paired = paired_difference(shares[number], shares[0], level)
        answered = size and not np.isnan(counts.loads[number])
        row: Row = {"level": number, "aim": aim, "load": known(counts.loads[number])}
        row |= calls_of([r for r in rows if r["level"] == number])
        row |= {"graded": int(counts.graded[number].sum()), "failures": int(counts.failures[number].sum())}
        row |= {"planned": job["pilot"]["problems"] * job["pilot"]["calls"]}
        row |= estimate_columns("share", estimate_mean(drawn[number], level, [size], SCORE))
        row |= estimate_columns("hinge", estimate(fitted[number], level) if answered else NOTHING)
        if number:
            row |= estimate_columns("difference", Estimate(paired.mean, paired.low, paired.high))
            row |= {"pairs": paired.pairs, "t": known(paired.t), "df": paired.df, "p": known(paired.p)}
        found.append(row)
    return found


def calls_of(rows: list[Row]) -> Row:
    """How the calls at one load ended, whatever the definition of failure."""
    ended = Counter(row["outcome"] for row in rows)
    answered = [row for row in rows if row["missing"] is not None and row["outcome"] != Outcome.REFUSED]
    loads = [load_of(row) for row in answered]
    return {
        "least": min(loads, default=None),
        "most": max(loads, default=None),
        "counted": all(row["load"] is not None for row in answered),
        "run": len(rows) - sum(ended[outcome] for outcome in UNFINISHED),
        "refused": ended[Outcome.CONTEXT_OVERFLOW],
        "cut": ended[Outcome.TRUNCATED],
    }


def hinge_row(counts: Counts, hinge: Hinge | None, level: float) -> Row:
    """The hinge's parameters, and whether the data tell where its knee is."""
    measured = counts.loads[counts.answered()]
    if hinge is None:
        return {"loads": len(measured), "determined": False, "remark": no_hinge(counts)}
    found = {name: estimate(getattr(hinge, name), level) for name in ("base", "slope", "knee")}
    remark = doubt(found["slope"], found["knee"], measured)
    row: Row = {"loads": len(measured), "determined": remark is None, "remark": remark}
    return row | {k: v for name, value in found.items() for k, v in estimate_columns(name, value).items()}


def doubt(slope: Estimate, knee: Estimate, loads: Array) -> str | None:
    """Why the knee is poorly determined; None where it is determined. ``loads``: measured, rising."""
    if not slope.low > 0:
        return "the slope may be 0: there may be no knee"
    if knee.low <= loads[0]:
        return "the loss may rise from the smallest load on: there may be no knee"
    if knee.high >= loads[-2]:
        return "the knee may lie beyond the largest load but one, where a single load would tell its slope"
    if knee.high - knee.low > WIDE * (loads[-1] - loads[0]):
        return "its interval is wider than half of the measured loads"
    return None


def known(value: float) -> float | None:
    """A finite number, or null."""
    return float(value) if np.isfinite(value) else None


if __name__ == "__main__":
    run(fit_pilot)
