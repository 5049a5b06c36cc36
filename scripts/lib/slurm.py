"""SLURM's commands, as far as a run on a cluster needs them."""

from __future__ import annotations

import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from scripts.lib.errors import UserError

# Reasons that no waiting mends: the job asks for what it will not get.
NEVER = {
    "PartitionTimeLimit",
    "PartitionNodeLimit",
    "PartitionConfig",
    "BadConstraints",
    "InvalidAccount",
    "InvalidQOS",
    "QOSMaxWallDurationPerJobLimit",
    "AssocMaxWallDurationPerJobLimit",
}
ENDING_SECONDS = 60.0  # how long cancelled jobs may take to end


@dataclass(frozen=True)
class Job:
    """A job of this user that has not ended."""

    number: str
    state: str  # PENDING, RUNNING, COMPLETING ...
    reason: str  # why it waits; "None" where it does not


def call(*command: str, env: dict[str, str] | None = None) -> str:
    """What a command prints. Raises UserError with SLURM's own words where it fails or is not there."""
    if not shutil.which(command[0]):
        raise UserError(f"there is no {command[0]} here. Start this on a login node of a SLURM cluster.")
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise UserError(f"{command[0]} failed: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def has_accounting() -> bool:
    """Whether the cluster keeps accounts, which tell how a job ended."""
    lines = call("scontrol", "show", "config").splitlines()
    stored = [line.partition("=")[2].strip() for line in lines if line.startswith("AccountingStorageType")]
    return bool(stored) and not stored[0].endswith("/none")


def jobs(prefix: str, folder: Path) -> list[Job]:
    """This user's jobs in a folder whose name begins with a prefix."""
    found = []
    for line in call("squeue", "--me", "--noheader", "--format=%A|%T|%r|%j|%Z").splitlines():
        number, state, reason, name, place = line.strip().split("|", 4)
        if name.startswith(prefix) and Path(place).resolve() == folder.resolve():
            found.append(Job(number, state, reason))
    return found


def cancel(prefix: str, folder: Path) -> list[Job]:
    """Cancel those jobs and wait until they have ended; returns what was cancelled."""
    cancelled = jobs(prefix, folder)
    if cancelled:
        call("scancel", *(job.number for job in cancelled))
    end = time.monotonic() + ENDING_SECONDS
    while jobs(prefix, folder) and time.monotonic() < end:
        time.sleep(0.5)
    return cancelled
