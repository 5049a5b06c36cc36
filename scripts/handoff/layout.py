"""Where the study's artifacts lie, for the rules and the stages alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.lib.names import slug

PLAYED = ("trajectories", "handoffs", "chains")  # one file a model and batch of ledgers
LEDGER_TABLES = ("curve", "hinges", "handoffs", "comparison", "independence")  # below statistics/

# Folders of the study's data in the order in which they are made.
ORDER = ("pilot", "trajectories", "handoffs", "predictions", "chains", "statistics")


def batches(ledger: dict[str, Any]) -> list[str]:
    """The names of the batches of ledgers. ``ledger``: tasks, batch_size."""
    return [f"{number:03d}" for number in range(-(-ledger["tasks"] // ledger["batch_size"]))]


def steps_of(data: Path, stage: str, model: str, ledger: dict[str, Any]) -> list[Path]:
    """The files of a stage of PLAYED for a model."""
    return [data / stage / slug(model) / f"{batch}.parquet" for batch in batches(ledger)]


def pilot_batches(pilot: dict[str, Any]) -> list[str]:
    """The names of the batches of problems. ``pilot``: problems, batch_size."""
    return [f"{number:03d}" for number in range(-(-pilot["problems"] // pilot["batch_size"]))]


def pilot_files(data: Path, model: str, pilot: dict[str, Any]) -> list[Path]:
    """The files of the pilot of a model."""
    return [data / "pilot" / slug(model) / f"{batch}.parquet" for batch in pilot_batches(pilot)]
