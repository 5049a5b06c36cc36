"""Small tables for the tests of the statistics."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.collaboration.schemas import ARMS, CELLS, GRADES, TAX
from scripts.lib.tables import write_rows

SHAPE = {"resamples": 200, "seed": 1, "level": 0.9, "solo_tractable": 0.55, "least_solo": 0.05}

MODELS = """
priced:
  base_url: https://example.org/v1
  price: {input: 1.0, output: 10.0}
free:
  base_url: https://example.org/v1
sim:
  base_url: "simulated:"
  profile: {skill: {spatial: 1, relational: 1, csp: 1}, attribute: 1, ask: 1, integrate: 1,
            verify: 1, frame: 1, critic: 1}
"""


def a_job(**changes: Any) -> dict[str, Any]:
    """A job of one arm, one team, three modes and one task of four rollouts, with changes."""
    job: dict[str, Any] = {
        "arms": ["baseline"],
        "teams": [["priced"]],
        "modes": ["solo_full", "solo_split", "collab"],
        "tasks": {"maze": "spatial"},
        "rollouts": 4,
        "statistics": SHAPE,
        "simulated": {"priced": False, "free": False, "sim": True},
    }
    return job | changes


def grades_of(
    team: str, mode: str, scores: Sequence[float | None], task: str = "maze", arm: str = "baseline"
) -> list[dict[str, Any]]:
    """Grade rows of one cell, one score an index."""
    cell = {"arm": arm, "team": team, "mode": mode, "family": "spatial", "task": task}
    end = {"outcome": "answered", "answered_by": "program", "accepted": [], "answer": None}
    return [cell | end | {"index": index, "score": score} for index, score in enumerate(scores)]


def write_grades(path: Path, *cells: list[dict[str, Any]]) -> Path:
    """A grades shard of these rows."""
    write_rows(path, [row for cell in cells for row in cell], GRADES)
    return path


def cell_row(**changes: Any) -> dict[str, Any]:
    """A row of the cells: nothing run, with changes."""
    row = {field.name: 0 for field in CELLS} | {"arm": "baseline", "team": "m_1", "mode": "collab"}
    row |= {"family": "spatial", "task": "maze", "simulated": False}
    return row | changes


def tax_row(**changes: Any) -> dict[str, Any]:
    """A row of the taxes with nothing estimated, with changes."""
    row: dict[str, Any] = dict.fromkeys(TAX.names) | {"arm": "baseline", "team": "m_1", "kind": "homogeneous"}
    row |= {"scope": "task", "family": "spatial", "task": "maze", "simulated": False, "tasks": 1}
    return row | {"planned": 4, "graded": 4, "dagger": False} | changes


def arm_row(**changes: Any) -> dict[str, Any]:
    """A row of the arms, with changes."""
    row: dict[str, Any] = dict.fromkeys(ARMS.names) | {"arm": "all_four", "team": "m_1", "scope": "all"}
    row |= {"simulated": False, "teams": 1, "tasks": 2, "planned": 8, "graded": 8, "dagger": False}
    for name, value in {"collab": 0.6, "gain": 0.1, "tax": 0.3, "recovered": 1 / 3, "lost": 0.1}.items():
        row |= {name: value, f"{name}_low": value - 0.05, f"{name}_high": value + 0.05}
    return row | {"tax_small": 0.0} | changes
