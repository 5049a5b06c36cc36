"""Predict what chains will reach, before any is run -> ``predictions/{model}.json``.

Chains are run only after this file is there, and each of their rows holds its hash. It is never fitted to
them; ``compare_prediction`` says so where the file was made anew since.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from scripts.handoff.estimate_handoffs import with_interval
from scripts.handoff.handoff_cost import Cost, handoff_cost
from scripts.handoff.layout import steps_of
from scripts.handoff.measured import (
    PREDICTED,
    Grid,
    InTask,
    Row,
    chain_of,
    grid,
    in_task_curve,
    read_steps,
    weights_of,
)
from scripts.handoff.model import Chain, chunked_losses
from scripts.lib.analysis.bootstrap import interval
from scripts.lib.errors import UserError
from scripts.lib.files import write_text
from scripts.lib.stage import run

Setting = tuple[InTask, Chain, Cost]


def predict_success(data: Path, output: Path, job: dict[str, Any]) -> None:
    """Write JSON: for each grading, depth and chunk the predicted success, and the best chunk.

    ``job``: model, ledger, statistics. The intervals carry the uncertainty of h and of the curve (resampled
    ledgers); ``spread`` that of counting so many ledgers besides.
    """
    ledger = job["ledger"]
    single = read_steps(steps_of(data, "trajectories", job["model"], ledger))
    handed = read_steps(steps_of(data, "handoffs", job["model"], ledger))
    rows = []
    for grading in PREDICTED:
        steps = grid(single, grading, ledger["tasks"], 0, ledger["depths"][-1])
        setting = fit(steps, single, handed, grading, job)
        rows += [
            {"grading": grading, "depth": depth, "chunk": chunk} | predict(steps, setting, depth, chunk, job)
            for depth in ledger["depths"]
            for chunk in ledger["chunks"]
        ]
    text = json.dumps({"model": job["model"], "predicted": rows}, indent=1)
    write_text(output, text + "\n")


def fit(steps: Grid, single: list[Row], handed: list[Row], grading: str, job: Row) -> Setting:
    """Curve, loads and handoff cost of a grading."""
    ledger, weights = job["ledger"], weights_of(job, job["model"])
    found = in_task_curve(steps, weights, ledger["bins"])
    cost = handoff_cost(single, handed, found.curve, weights, ledger, ledger["note"], grading)
    if not cost.pairs:
        raise UserError(
            f"model {job['model']} has no pair of a continued and a handed-over ledger: its single agents "
            "ended before the first cut. Choose smaller cuts"
        )
    return found, chain_of(steps, cost.loads, ledger["chunk"]), cost


def predict(steps: Grid, setting: Setting, depth: int, chunk: int, job: Row) -> Row:
    """The predicted success at a depth with chunks of a size; only steps that the grading counts lose."""
    found, chain, cost = setting
    counted = float(np.mean(~np.isnan(steps.failed[:, :depth]) | (steps.ended[:, None] <= np.arange(depth))))
    handoff = cost.effective
    # All losses of steps are scaled by the share of steps that count; the cost of a boundary is whole.
    losses = chunked_losses(lambda load: counted * found.curve(load), chain, handoff, depth)
    success = np.exp(-np.maximum(losses[min(chunk, depth) - 1], 0.0))
    seed, ledgers = job["statistics"]["seed"], job["ledger"]["tasks"]
    shown = np.random.default_rng(seed).binomial(ledgers, success[1:]) / ledgers
    low, high = interval(shown, job["statistics"]["level"])
    return (
        with_interval("predicted", success, job)
        | {"spread_low": float(low), "spread_high": float(high), "counted": counted}
        | with_interval("best", losses.argmin(axis=0) + 1.0, job)
        | with_interval("handoff", handoff, job)
        | {"start": chain.start, "growth": chain.growth, "note": chain.note}
    )


if __name__ == "__main__":
    run(predict_success)
