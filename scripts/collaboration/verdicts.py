"""The judged rollouts as the statistics need them: one row each, with its verdicts side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from scripts.collaboration.layout import artifacts
from scripts.collaboration.schemas import JUDGEMENTS, ROLLOUT_ID, SAMPLES
from scripts.lib.analysis.bootstrap import Array
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.errors import UserError
from scripts.lib.tables import read_rows

Row = dict[str, Any]


@dataclass
class Judged:
    """A drawn rollout. ``weight``: how many graded rollouts of its stratum it stands for."""

    team: str
    family: str
    task: str
    success: bool
    weight: float
    simulated: bool = False
    judge: str = ""
    verdicts: dict[str, bool | None] = field(default_factory=dict)

    @property
    def row(self) -> list[float]:
        """1, 0 or NaN (no valid verdict) for each stage."""
        found = (self.verdicts.get(stage) for stage in STAGES)
        return [np.nan if verdict is None else float(verdict) for verdict in found]


def read_verdicts(sample: Path, judgements: Sequence[Path]) -> list[Judged]:
    """The drawn rollouts in the order of the sample; raises UserError where one was not judged."""
    drawn = {tuple(row[name] for name in ROLLOUT_ID): _drawn(row) for row in read_rows(sample, SAMPLES)}
    for path in judgements:
        for row in read_rows(path, JUDGEMENTS):
            if its := drawn.get(tuple(row[name] for name in ROLLOUT_ID)):
                its.simulated, its.judge = row["simulated"], row["judge"]
                its.verdicts[row["stage"]] = row["satisfied"]
    for identity, its in drawn.items():
        if len(its.verdicts) < len(STAGES):
            raise UserError(
                f"the drawn rollout {identity} is not judged; make it with: snakemake --forcerun judge_stages"
            )
    return list(drawn.values())


def planned_verdicts(data: Path, job: Row) -> list[Judged]:
    """``read_verdicts`` below the study's data folder; none where ``job["judge"]`` is null."""
    if job["judge"] is None:
        return []
    return read_verdicts(data / "samples" / "judgements.parquet", artifacts(data, "judgements", job))


def _drawn(row: Row) -> Judged:
    weight = row["available"] / row["drawn"]
    return Judged(row["team"], row["family"], row["task"], row["success"], weight)


def as_array(judged: Sequence[Judged]) -> Array:
    """Verdicts (stages, rollouts): 1 satisfied, 0 fired, NaN without a valid one."""
    return np.array([its.row for its in judged], dtype=np.float64).reshape(-1, len(STAGES)).T
