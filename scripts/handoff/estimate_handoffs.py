"""In-task curves and handoff taxes -> ``statistics/{curve,hinges,handoffs}.parquet``."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import numpy as np

from scripts.handoff.curves import Array
from scripts.handoff.handoff_cost import handoff_cost
from scripts.handoff.layout import steps_of
from scripts.handoff.ledger_schemas import CURVE, HANDOFFS, HINGES
from scripts.handoff.measured import (
    GRADINGS,
    InTask,
    Row,
    grid,
    has_curve,
    in_task_curve,
    read_steps,
    weights_of,
)
from scripts.lib.analysis.bootstrap import estimate, estimate_columns
from scripts.lib.stage import run
from scripts.lib.tables import write_rows

log = logging.getLogger(__name__)


def estimate_handoffs(data: Path, curve: Path, hinges: Path, handoffs: Path, job: dict[str, Any]) -> None:
    """Write three tables from the steps below the study's folder ``data``.

    ``job``: models ({name: simulated}), ledger, statistics (blocks of the configuration). Resampled are the
    ledgers, the same draw for the curve, the pairs and all note lengths. Without rows of the grading
    "stop_only" where too few replies ended by themselves.
    """
    tables: dict[Path, list[Row]] = {curve: [], hinges: [], handoffs: []}
    for model, simulated in job["models"].items():
        single = read_steps(steps_of(data, "trajectories", model, job["ledger"]))
        handed = read_steps(steps_of(data, "handoffs", model, job["ledger"]))
        weights = weights_of(job, model)
        for grading in GRADINGS:
            about = {"model": model, "simulated": simulated, "grading": grading}
            steps = grid(single, grading, job["ledger"]["tasks"], 0, job["ledger"]["depths"][-1])
            if grading == "stop_only" and not has_curve(steps):
                log.warning("%s: too few replies ended by themselves for a curve of their own", model)
                continue
            found = in_task_curve(steps, weights, job["ledger"]["bins"])
            tables[curve] += [about | row for row in curve_rows(found, job)]
            tables[hinges] += [about | hinge_row(found, job)]
            for limit in job["ledger"]["notes"]:
                args = (single, handed, found.curve, weights, job["ledger"], limit, grading)
                tables[handoffs] += [about | cost_row(args, job)]
    for path, schema in ((curve, CURVE), (hinges, HINGES), (handoffs, HANDOFFS)):
        write_rows(path, tables[path], schema)


def with_interval(name: str, values: Array, job: Row) -> Row:
    """An estimate with the ends of its interval as columns; null where unknown."""
    return estimate_columns(name, estimate(values, job["statistics"]["level"]))


def curve_rows(found: InTask, job: Row) -> list[Row]:
    """A row a bin."""
    hinge = found.hinge(found.loads)
    return [
        {"bin": number, "load": float(load), "steps": int(found.steps[number, 0])}
        | with_interval("failure", found.share[number], job)
        | with_interval("rising", found.rising[number], job)
        | with_interval("hinge", hinge[number], job)
        for number, load in enumerate(found.loads)
    ]


def hinge_row(found: InTask, job: Row) -> Row:
    """The hinge's three parameters."""
    return {
        k: v
        for n in ("base", "slope", "knee")
        for k, v in with_interval(n, getattr(found.hinge, n), job).items()
    }


def cost_row(args: tuple[Any, ...], job: Row) -> Row:
    """The handoff cost with one length of the note, and what the notes held."""
    _, handed, _, _, ledger, limit, _ = args
    cost = handoff_cost(*args)
    notes = [row for row in handed if row["limit"] == limit and row["needed"] is not None]
    row: Row = {"limit": limit, "planned": ledger["tasks"] * len(ledger["cuts"]), "pairs": cost.pairs}
    for name in ("tax", "writing", "effective", "relief"):
        row |= with_interval(name, getattr(cost, name), job)
    first = [
        r["load"]
        for r in handed
        if r["limit"] == limit and r["role"] == "reader" and r["step"] == r["cut"] + 1
    ]
    opening = [r["load"] for r in args[0] if r["step"] == 1 and r["load"]]
    loads = [load for load in first if load]
    return row | {
        "note": float(np.mean(loads) - np.mean(opening)) if loads and opening else None,
        "needed": sum(n["needed"] for n in notes),
        "held": sum(n["held"] for n in notes),
        "notes_right": sum(n["note_right"] for n in notes) / len(notes) if notes else None,
    }


if __name__ == "__main__":
    run(estimate_handoffs)
