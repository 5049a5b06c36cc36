"""Predicted against observed -> ``statistics/{comparison,independence}.parquet``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from scripts.handoff.curves import Array
from scripts.handoff.estimate_handoffs import with_interval
from scripts.handoff.layout import steps_of
from scripts.handoff.ledger_schemas import COMPARISON, INDEPENDENCE
from scripts.handoff.measured import PREDICTED, Grid, Row, grid, loss_below_one, rates, read_steps, weights_of
from scripts.handoff.schemas import STEPS
from scripts.lib.analysis.bootstrap import weighted_means
from scripts.lib.analysis.proportions import mcnemar, wilson
from scripts.lib.manifest import hash_file
from scripts.lib.names import slug
from scripts.lib.stage import run
from scripts.lib.tables import read_rows, write_rows


def compare_prediction(data: Path, comparison: Path, independence: Path, job: dict[str, Any]) -> None:
    """Write how often one agent and a chain of agents succeed on the same ledgers, beside the prediction.

    ``job``: models ({name: simulated}), ledger, statistics. Intervals of shares are Wilson's; differences
    are paired by ledger, with a bootstrap interval and McNemar's exact p.
    """
    compared: list[Row] = []
    tested: list[Row] = []
    for model, simulated in job["models"].items():
        file = data / "predictions" / f"{slug(model)}.json"
        frozen: Row = {"prediction": hash_file(file)[1]}
        parts = {part: steps_of(data, stage, model, job["ledger"]) for part, stage in PARTS.items()}
        seen = {
            row["prediction"] for path in parts["chain"] for row in read_rows(path, STEPS, ["prediction"])
        }
        frozen |= {"frozen": seen == {frozen["prediction"]}}
        predicted = json.loads(file.read_text(encoding="utf-8"))["predicted"]
        steps = {part: read_steps(paths) for part, paths in parts.items()}
        weights = weights_of(job, model)
        for grading in PREDICTED:
            about = {"model": model, "simulated": simulated, "grading": grading}
            size, depth = job["ledger"]["tasks"], job["ledger"]["depths"][-1]
            grids = {part: grid(rows, grading, size, 0, depth) for part, rows in steps.items()}
            for row in (r for r in predicted if r["grading"] == grading):
                compared += [about | compare(grids["single"], grids["chain"], weights, row, job) | frozen]
                tested += [
                    about | {"part": part} | independent(g, weights, row["depth"], job)
                    for part, g in grids.items()
                ]
    write_rows(comparison, compared, COMPARISON)
    write_rows(independence, tested, INDEPENDENCE)


PARTS = {"single": "trajectories", "chain": "chains"}


def compare(single: Grid, chain: Grid, weights: Array, row: Row, job: Row) -> Row:
    """One depth: shares, their paired difference, and whether the prediction holds."""
    one, other = (part.success(row["depth"]) for part in (single, chain))
    both = ~np.isnan(one) & ~np.isnan(other)
    one, other = np.where(both, one, np.nan), np.where(both, other, np.nan)
    only_single, only_chain = int((one > other).sum()), int((other > one).sum())
    graded = int(both.sum())
    copied = ("predicted", "best")
    shares = share_columns("single", one, job) | share_columns("chain", other, job)
    return (
        {"depth": row["depth"], "chunk": job["ledger"]["chunk"], "planned": len(one), "graded": graded}
        | {f"{name}{end}": row[f"{name}{end}"] for name in copied for end in ("", "_low", "_high")}
        | {name: row[name] for name in ("spread_low", "spread_high")}
        | shares
        | with_interval("difference", weighted_means(other - one, weights), job)
        | {"covered": bool(row["spread_low"] <= shares["chain"] <= row["spread_high"]) if graded else None}
        | {"only_single": only_single, "only_chain": only_chain}
        | {"p": mcnemar(only_single, only_chain) if graded else None}
    )


def share_columns(name: str, success: Array, job: Row) -> Row:
    """A share of ledgers with Wilson's interval; null where none was graded."""
    graded = int((~np.isnan(success)).sum())
    if not graded:
        return dict.fromkeys((name, f"{name}_low", f"{name}_high"))
    count = int(np.nansum(success))
    low, high = wilson(count, graded, job["statistics"]["level"])
    return {name: count / graded, f"{name}_low": low, f"{name}_high": high}


def independent(part: Grid, weights: Array, depth: int, job: Row) -> Row:
    """Product of the steps' success shares against the share of ledgers without an error.

    Each step's loss counts as often as the step does. A ledger that was not graded to the depth is left out.
    """
    success = part.success(depth)
    kept = ~np.isnan(success)
    share, mass = rates(np.where(kept[:, None], part.failed[:, :depth], np.nan), weights)
    total = (weights @ kept)[None]
    often = np.divide(mass, total, out=np.zeros_like(mass), where=total > 0)
    product = np.exp(-(loss_below_one(share, mass) * often).sum(axis=0))
    seen = weighted_means(success, weights)
    return (
        {"depth": depth, "graded": int(kept.sum())}
        | with_interval("product", product, job)
        | with_interval("share", seen, job)
        | with_interval("difference", seen - product, job)
    )


if __name__ == "__main__":
    run(compare_prediction)
