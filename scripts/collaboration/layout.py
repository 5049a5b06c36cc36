"""Where the study's artifacts lie, for the rules and the stages alike.

A plan is the part of a job that names arms, teams, modes, tasks ({task: family}) and batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.lib.names import team_slug

SHARDED = ("rollouts", "answers", "grades")
PER_TASK = ("instances", "views")
SHAPE = "shape"  # sharded too, but of conversations alone
SAMPLES = ("judgements", "descriptions", "annotations")
PREDICTION = ("prediction", "prediction_coefficients", "prediction_cells")
STATISTICS = tuple(f"statistics/{name}.parquet" for name in ("cells", "tax", "task_properties", *PREDICTION))


def modes_of(team: Sequence[str], modes: Sequence[str]) -> list[str]:
    """The modes a team is run in: a mixed team (two models) only talks."""
    return [mode for mode in modes if len(team) == 1 or mode == "collab"]


def artifacts(data: Path, stage: str, plan: dict[str, Any]) -> list[Path]:
    """The planned files of a stage below the study's data folder; files of other plans are passed over."""
    if stage == "samples":
        return [data / stage / f"{name}.parquet" for name in SAMPLES]
    if stage in PER_TASK:
        return [
            data / stage / task / f"{batch}.parquet" for task in plan["tasks"] for batch in plan["batches"]
        ]
    return [
        data / stage / arm / team_slug(team) / mode / family / f"{batch}.parquet"
        for arm, team, mode, family, batch in shards(plan)
        if stage != SHAPE or mode == "collab"
    ]


def shards(plan: dict[str, Any]) -> list[tuple[str, tuple[str, ...], str, str, str]]:
    """Every planned batch of rollouts (arm, team, mode, family, batch) in the order of the configuration."""
    return [
        (arm, tuple(team), mode, family, batch)
        for arm in plan["arms"]
        for team in plan["teams"]
        for mode in modes_of(team, plan["modes"])
        for family in dict.fromkeys(plan["tasks"].values())
        for batch in plan["batches"]
    ]
