"""Predicted against observed -> ``statistics/{comparison,independence}.parquet``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from scripts.handoff.curves import Array
from scripts.handoff.estimate_handoffs import with_interval
from scripts.handoff.independence import independence_of
from scripts.handoff.layout import steps_of
from scripts.handoff.ledger_schemas import COMPARISON, INDEPENDENCE
from scripts.handoff.measured import PREDICTED, Grid, Row, grid, read_steps, weights_of
from scripts.lib.analysis.bootstrap import weighted_means
from scripts.lib.analysis.proportions import mcnemar, wilson
from scripts.lib.manifest import hash_file
from scripts.lib.names import slug
from scripts.lib.stage import run
from scripts.lib.tables import write_rows

PLAYED = ("trajectories", "chains")


def compare_prediction(data: Path, comparison: Path, independence: Path, job: dict[str, Any]) -> None:
    """Write how often one agent and a chain of agents succeed on the same ledgers, beside the prediction.

    ``job``: models ({name: simulated}), ledger, statistics. Intervals of shares are Wilson's; differences
    are paired by ledger, with a bootstrap interval and McNemar's exact p. The test of independence:
    ``independence_of``.
    """
    compared: list[Row] = []
    tested: list[Row] = []
    for model, simulated in job["models"].items():
        file = data / "predictions" / f"{slug(model)}.json"
        predicted = json.loads(file.read_text(encoding="utf-8"))["predicted"]
        single, chains = (read_steps(steps_of(data, stage, model, job["ledger"])) for stage in PLAYED)
        frozen = _frozen(chains, hash_file(file)[1])
        weights = weights_of(job, model)
        for grading in PREDICTED:
            about = {"model": model, "simulated": simulated, "grading": grading}
            size = job["ledger"]["tasks"], 0, job["ledger"]["depths"][-1]
            one = grid(single, grading, *size)
            by_chunk = {
                chunk: grid([row for row in chains if row["chunk"] == chunk], grading, *size)
                for chunk in job["ledger"]["chunks"]
            }
            for row in (r for r in predicted if r["grading"] == grading):
                compared.append(about | compare(one, by_chunk[row["chunk"]], weights, row, job) | frozen)
            for chunk, part in {None: one, **by_chunk}.items():
                named = about | {"part": "chain" if chunk else "single", "chunk": chunk}
                tested += [
                    named | independence_of(part, weights, depth, job["statistics"])
                    for depth in job["ledger"]["depths"]
                ]
    write_rows(comparison, compared, COMPARISON)
    write_rows(independence, tested, INDEPENDENCE)


def _frozen(chains: list[Row], prediction: str) -> Row:
    """The hash of the prediction, and whether all chains were first run under it."""
    return {"prediction": prediction, "frozen": {row["prediction"] for row in chains} == {prediction}}


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
        {"depth": row["depth"], "chunk": row["chunk"], "planned": len(one), "graded": graded}
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


if __name__ == "__main__":
    run(compare_prediction)
