"""Where the study's artifacts lie, for the rules and the stages alike.

A plan is the part of a job that names arms, arm_models, teams, modes, tasks ({task: family}) and batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.lib.names import team_slug

BASELINE = "baseline"  # the arm without clauses
SHARDED = ("rollouts", "answers", "grades")
PER_TASK = ("instances", "views")
SHAPE = "shape"  # sharded too, but of the homogeneous teams' conversations in the baseline alone
SAMPLES = ("judgements", "descriptions", "annotations")
PER_TEAM = ("judgements", "descriptions", "embeddings")  # of the homogeneous teams only
THEMES = ("themes", "assignments", "stability")
THEME_STATISTICS = tuple(f"statistics/{name}.parquet" for name in ("themes", "theme_tasks", "theme_stages"))
STATISTICS = (
    *(
        f"statistics/{name}.parquet"
        for name in (
            "cells",
            "tax",
            "arms",
            "pairs",
            "game_values",
            "task_properties",
            "stages",
            "stage_counts",
            "stage_overlap",
            "recovery",
            "prediction",
            "prediction_coefficients",
            "prediction_cells",
            "agreement",
            "disagreements",
        )
    ),
    *THEME_STATISTICS,
)


def modes_of(arm: str, team: Sequence[str], plan: dict[str, Any]) -> list[str]:
    """The modes in which a team plays an arm: mixed teams (two models) and other arms than the baseline talk.

    Such an arm is played by the homogeneous teams of ``arm_models``; their solo scores are the baseline's.
    """
    if arm == BASELINE:
        return [mode for mode in plan["modes"] if len(team) == 1 or mode == "collab"]
    plays = len(team) == 1 and team[0] in plan["arm_models"]
    return [mode for mode in plan["modes"] if plays and mode == "collab"]


def artifacts(data: Path, stage: str, plan: dict[str, Any]) -> list[Path]:
    """The planned files of a stage below the study's data folder; files of other plans are passed over."""
    if stage == "samples":
        return [data / stage / f"{name}.parquet" for name in SAMPLES]
    if stage == "themes":
        return [data / stage / f"{name}.parquet" for name in THEMES]
    if stage == "names":
        return [data / "themes" / "names.parquet"]
    if stage in PER_TEAM:
        return [data / stage / f"{team_slug(team)}.parquet" for team in plan["teams"] if len(team) == 1]
    if stage in PER_TASK:
        return [
            data / stage / task / f"{batch}.parquet" for task in plan["tasks"] for batch in plan["batches"]
        ]
    return [
        data / stage / arm / team_slug(team) / mode / family / f"{batch}.parquet"
        for arm, team, mode, family, batch in shards(plan)
        if stage != SHAPE or (arm == BASELINE and len(team) == 1 and mode == "collab")
    ]


def shards(plan: dict[str, Any]) -> list[tuple[str, tuple[str, ...], str, str, str]]:
    """Every planned batch of rollouts (arm, team, mode, family, batch) in the order of the configuration."""
    return [
        (arm, tuple(team), mode, family, batch)
        for arm in plan["arms"]
        for team in plan["teams"]
        for mode in modes_of(arm, team, plan)
        for family in dict.fromkeys(plan["tasks"].values())
        for batch in plan["batches"]
    ]
