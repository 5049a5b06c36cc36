"""What the jobs of one run share: which run it is, what it may still spend, whether it was stopped.

A small JSON file beside the ledger, written under a lock. The head of a run opens it anew; a job that was
left over from an earlier run sees that and stops.
"""

from __future__ import annotations

import fcntl
import json
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scripts.lib.agents.calls import BudgetSpent, NoCredit, RunStopped
from scripts.lib.errors import UserError

NAME = "run.json"
_WIDTH = 4096  # bytes; always the same, so that one write replaces all
_STOPS = {stop.code: stop for stop in (NoCredit, BudgetSpent)}


def open_run(path: Path, budget: float | None, spent: float) -> None:
    """Begin a run: ``budget`` and what was ``spent`` before it, both in US dollars.

    Raises UserError where the file cannot be written.
    """
    state = {"run": uuid.uuid4().hex, "budget": budget, "spent": spent, "reserved": 0.0, "stopped": None}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            with _locked(file):
                _write(file, state)
        finally:
            os.close(file)
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}") from error


class Account:
    """A job's view of its run. Without a file (None) nothing is shared and nothing limited."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._file = os.open(path, os.O_RDWR) if path and path.exists() else None
        self._seen = -1
        self._run = self._read()["run"] if self._file is not None else ""
        self.budget: float | None = self._read()["budget"] if self._file is not None else None

    def check(self) -> None:
        """Raise RunStopped where another job ended the run, or another run has begun."""
        if self._file is None or self._seen == (seen := os.fstat(self._file).st_mtime_ns):
            return
        self._raise_if_stopped(self._read())
        self._seen = seen

    def reserve(self, dollars: float) -> None:
        """Set aside what the next call can cost at most; raises BudgetSpent where it is not there."""
        if self._file is None or self.budget is None:
            return
        with self._changed() as state:
            self._raise_if_stopped(state)
            taken = state["spent"] + state["reserved"]
            if taken + dollars > self.budget:
                reason = (
                    f"the budget of {self.budget:g} USD does not last for the next call: "
                    f"{state['spent']:.4f} spent, {state['reserved']:.4f} set aside for calls in flight, "
                    f"{dollars:.4f} needed at most. "
                    "What was paid for is kept; raise budget and start the same command to go on."
                )
                state["stopped"] = {"code": BudgetSpent.code, "reason": reason}
            else:
                state["reserved"] += dollars
        self._raise_if_stopped(state)

    def settle(self, reserved: float, cost: float) -> None:
        """Replace what was set aside for a call by what it cost (0 where it failed)."""
        if self._file is None or self.budget is None:
            return
        with self._changed() as state:
            if state["run"] == self._run:  # a later run has counted it from the ledger
                state["reserved"] = max(0.0, state["reserved"] - reserved)
                state["spent"] += cost

    def stop(self, error: RunStopped) -> None:
        """Tell the other jobs that no call makes sense any more."""
        if self._file is None:
            return
        with self._changed() as state:
            if state["run"] == self._run:
                state["stopped"] = state["stopped"] or {"code": error.code, "reason": str(error)}

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _raise_if_stopped(self, state: dict[str, Any]) -> None:
        if state["run"] != self._run:
            raise RunStopped("another run has begun in this folder; this job was left over and stops")
        if stopped := state["stopped"]:
            raise _STOPS.get(stopped["code"], RunStopped)(stopped["reason"])

    def _read(self) -> dict[str, Any]:
        assert self._file is not None
        with _locked(self._file, fcntl.LOCK_SH):
            return json.loads(os.pread(self._file, _WIDTH, 0))

    @contextmanager
    def _changed(self) -> Iterator[dict[str, Any]]:
        """The state, written back at the end under one lock."""
        assert self._file is not None
        with _locked(self._file):
            state = json.loads(os.pread(self._file, _WIDTH, 0))
            yield state
            _write(self._file, state)


def read_stop(path: Path) -> tuple[int, str] | None:
    """Exit code and reason of a run that its jobs stopped; None where they did not."""
    try:
        stopped = json.loads(path.read_bytes())["stopped"]
    except (OSError, ValueError, KeyError):
        return None
    return (stopped["code"], stopped["reason"]) if stopped else None


def _write(file: int, state: dict[str, Any]) -> None:
    os.pwrite(file, json.dumps(state).encode("utf-8", "replace").ljust(_WIDTH), 0)


@contextmanager
def _locked(file: int, how: int = fcntl.LOCK_EX) -> Iterator[None]:
    """Alone with the file; where the file system knows no locks, without."""
    try:
        fcntl.flock(file, how)
    except OSError:
        yield
        return
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)
