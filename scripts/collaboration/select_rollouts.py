"""Draw the rollouts that are judged, described and annotated: grades -> ``samples/*.parquet``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from scripts.collaboration.cells import planned_rows
from scripts.collaboration.layout import SAMPLES, artifacts
from scripts.collaboration.schemas import GRADES, ROLLOUT_ID
from scripts.collaboration.schemas import SAMPLES as SCHEMA
from scripts.lib.analysis.sampling import stratified
from scripts.lib.stage import run
from scripts.lib.tables import Rows, write_rows


def select_rollouts(data: Path, output: Path, job: dict[str, Any]) -> None:
    """Write one table of drawn rollouts for each of judgements, descriptions and annotations.

    ``job``: the plan of the homogeneous baseline conversations (see ``layout``), rollouts, success (score
    from which a rollout counts as a success), seed, sizes ({sample: number of rollouts}).

    Drawn are graded conversations, stratified over team x task x success, the same number from each stratum
    as far as it has them; descriptions only from failures. ``available`` and ``drawn`` count the stratum.
    """
    rows = _graded(data, job)
    for name in SAMPLES:
        pool = [row for row in rows if not row["success"]] if name == "descriptions" else rows
        write_rows(output / f"{name}.parquet", draw(pool, job["sizes"][name], job["seed"]), SCHEMA)


def _graded(data: Path, job: dict[str, Any]) -> Rows:
    columns = ["family", "outcome", "score"]
    found = planned_rows(artifacts(data, "grades", job), GRADES, columns, job)
    rows = [row for _, row in found if row["score"] is not None]
    for row in rows:
        row["success"] = row["score"] >= job["success"]
    return rows


def draw(pool: Rows, size: int, seed: int) -> Rows:
    """The drawn rows, in the order of the pool, with what their stratum has."""
    names = ["/".join(str(row[name]) for name in ROLLOUT_ID) for row in pool]
    strata = [f"{row['team']}/{row['task']}/{'success' if row['success'] else 'failure'}" for row in pool]
    chosen = stratified(names, strata, size, seed)
    available, drawn = Counter(strata), Counter(strata[position] for position in chosen)
    return [
        {name: pool[position][name] for name in (*ROLLOUT_ID, "outcome", "score", "success")}
        | {"stratum": strata[position]}
        | {"available": available[strata[position]], "drawn": drawn[strata[position]]}
        for position in chosen
    ]


if __name__ == "__main__":
    run(select_rollouts)
