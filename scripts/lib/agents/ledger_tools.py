"""What can be done with a ledger at rest: list it, verify it, compact it, export it."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa

from scripts.lib.agents.calls import Reply
from scripts.lib.agents.ledger import LOCK, read_entries, read_line
from scripts.lib.agents.models import Model, cost
from scripts.lib.errors import UserError, did_you_mean
from scripts.lib.names import slug
from scripts.lib.tables import RowWriter

RUN_LOCK = Path(".snakemake") / "run.lock"  # held by a run at work, see workflow/rules/common.smk
_KEY = re.compile(r"[0-9a-f]{32}")

# One row a recorded reply. ``sent`` is JSON, ``at`` ISO 8601; what a line does not hold is null.
REPLIES = pa.schema(
    [
        *((name, pa.string()) for name in ("model", "task")),
        ("replicate", pa.int32()),
        *((name, pa.string()) for name in ("key", "text", "reasoning", "finish_reason")),
        *((name, pa.int64()) for name in ("prompt_tokens", "completion_tokens")),
        ("fingerprint", pa.string()),
        *((name, pa.bool_()) for name in ("batch", "repeat")),
        *((name, pa.string()) for name in ("sent", "at")),
    ]
)


@dataclass
class Holding:
    """What a ledger holds of one model and task. ``cost`` is in US dollars, None where a part is unknown."""

    model: str
    task: str
    segments: int = 0
    size: int = 0  # bytes
    replies: int = 0
    repetitions: int = 0  # paid for although the reply was there
    damaged: int = 0
    prompt: int = 0
    completion: int = 0
    cost: float | None = 0.0
    first: str = ""
    last: str = ""

    def count(self, entry: dict[str, Any], reply: Reply, model: Model | None) -> None:
        """Add one line."""
        repeated = bool(entry.get("repeat"))
        self.repetitions += repeated
        self.replies += not repeated
        self.prompt += reply.prompt_tokens or 0
        self.completion += reply.completion_tokens or 0
        dollars = cost(model, reply) if model else None
        self.cost = _sum(self.cost, dollars)
        self._saw(str(entry.get("at") or ""))

    def add(self, other: Holding) -> None:
        """Add all of another one."""
        for name in ("segments", "size", "replies", "repetitions", "damaged", "prompt", "completion"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.cost = _sum(self.cost, other.cost)
        self._saw(other.first)
        self._saw(other.last)

    def _saw(self, at: str) -> None:
        if at:
            self.first, self.last = min(self.first or at, at), max(self.last, at)


def _sum(dollars: float | None, more: float | None) -> float | None:
    return None if dollars is None or more is None else dollars + more


@dataclass
class Findings:
    """What a verification found: ``faults`` are damage, ``notes`` are not."""

    lines: int = 0
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def folders(root: Path, model: str | None = None) -> list[Path]:
    """The folders of a ledger, one a model and task. Raises UserError for no ledger and an unknown model."""
    if not root.is_dir():
        raise UserError(f"there is no ledger at {root}; name its folder with --ledger")
    found = sorted({path.parent for path in root.glob("*/*/*.jsonl")})
    if model is None:
        return found
    names = [_name(folder.parent) for folder in found]
    chosen = [folder for folder in found if folder.parent.name == slug(model)]
    if not chosen:
        raise UserError(f'{root} holds no reply of model "{model}"{did_you_mean(model, sorted(set(names)))}')
    return chosen


def _name(folder: Path) -> str:
    """The model of a folder: as its first line tells, else the folder's name."""
    for path in sorted(folder.glob("*/*.jsonl")):
        with path.open("rb") as file:
            line = read_line(file.readline())
        if line and line[0].get("model"):
            return str(line[0]["model"])
    return folder.name


def list_ledger(root: Path, models: dict[str, Model], model: str | None = None) -> list[Holding]:
    """What is recorded, by model and task."""
    holdings = {}
    for folder in folders(root, model):
        segments = list(folder.glob("*.jsonl"))
        size = sum(path.stat().st_size for path in segments)
        holdings[folder] = Holding(_name(folder.parent), folder.name, len(segments), size)
    for path, _, line in read_entries(root, model):
        holding = holdings[path.parent]
        if line is None:
            holding.damaged += 1
        else:
            holding.count(*line, models.get(holding.model))
    return list(holdings.values())


def verify_ledger(root: Path, model: str | None = None) -> Findings:
    """Look at every line: damage, what it should not hold, and calls with two different replies.

    A damaged last line of a segment is no fault: a kill cuts it, and its call is made again.
    """
    folders(root, model)
    findings, folder = Findings(), Path()
    said: dict[str, tuple[Reply, str]] = {}
    for path, number, line in read_entries(root, model):
        if path.parent != folder:
            folder, said = path.parent, {}
        findings.lines += 1
        where = f"{path} line {number}"
        if line is None:
            cut = _is_last(path, number)
            (findings.notes if cut else findings.faults).append(
                f"{where} is {'cut off' if cut else 'damaged'}"
            )
            continue
        entry, reply = line
        findings.faults += [f"{where}: {fault}" for fault in _faults(entry, reply, folder)]
        if not entry.get("repeat"):
            first, there = said.setdefault(reply.key, (reply, where))
            if first != reply:
                findings.faults.append(f"{where}: another reply to the call of {there}, which counts")
    return findings


def _faults(entry: dict[str, Any], reply: Reply, folder: Path) -> list[str]:
    """What of a whole line is not as the ledger writes it."""
    faults = [] if _KEY.fullmatch(reply.key) else [f"the key {reply.key!r} is not 32 hex digits"]
    for name in ("prompt_tokens", "completion_tokens"):
        if (getattr(reply, name) or 0) < 0:
            faults.append(f"{name} is {getattr(reply, name)}")
    for name, place in (("model", folder.parent.name), ("task", folder.name)):
        if name in entry and slug(str(entry[name])) != place:
            faults.append(f"the {name} {entry[name]!r} does not belong into {folder}")
    return faults


def _is_last(path: Path, number: int) -> bool:
    """Whether nothing comes after a line."""
    with path.open("rb") as file:
        return not any(line.strip() for line in islice(file, number, None))


def compact_ledger(root: Path, model: str | None = None) -> tuple[int, int, int]:
    """Merge the segments of each model and task into one; returns segments before, after, and lines dropped.

    Dropped are damaged lines and copies; every paid reply stays, repetitions too. A kill at any time loses
    and doubles nothing: the merged segment takes the place of the first one, and copies count once. Raises
    UserError while a run is at work.
    """
    before = after = dropped = 0
    with _no_run():
        for folder in folders(root, model):
            segments = sorted(folder.glob("*.jsonl"))
            before, after = before + len(segments), after + 1
            try:
                with _alone(folder):
                    dropped += _merge(segments)
            except OSError as error:
                raise UserError(f"cannot compact {folder}: {error.strerror}; no reply was lost") from error
    return before, after, dropped


def _merge(segments: Sequence[Path]) -> int:
    """Put the lines of all segments into the first one and delete the others; returns lines dropped."""
    first, *others = segments
    temporary = first.with_name(f".{first.name}.tmp")
    seen, dropped = set(), 0
    try:
        with temporary.open("wb") as merged:
            for line in _lines(segments):
                mark = hashlib.sha256(line).digest()
                if mark in seen or not _is_paid(line):
                    dropped += 1
                else:
                    seen.add(mark)
                    merged.write(line + b"\n")
            merged.flush()
            os.fsync(merged.fileno())
        if others or dropped:
            temporary.replace(first)
            _sync(first.parent)  # the others go only when the merged one is sure to be there
            for path in others:
                path.unlink()
    finally:
        temporary.unlink(missing_ok=True)
    return dropped


def _lines(segments: Sequence[Path]) -> Iterator[bytes]:
    """The lines of segments in the order in which they are read."""
    for path in segments:
        with path.open("rb") as file:
            yield from filter(None, (line.strip() for line in file))


def _is_paid(line: bytes) -> bool:
    """Whether a line is whole, perhaps as another version of this program wrote it."""
    try:
        entry = json.loads(line)
        return isinstance(entry["key"], str) and isinstance(entry["reply"], dict)
    except (ValueError, KeyError, TypeError):
        return False


def _sync(folder: Path) -> None:
    """Have a folder's names on the disk."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


@contextmanager
def _no_run() -> Iterator[None]:
    """No run is at work in this folder, and none begins."""
    RUN_LOCK.parent.mkdir(exist_ok=True)
    with RUN_LOCK.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UserError("a run is at work in this folder; compact its ledger when it has ended") from None
        yield


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """No other process appends meanwhile."""
    with (folder / LOCK).open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def export_ledger(root: Path, output: Path, model: str | None = None) -> int:
    """Write every recorded reply as a row of one table (``REPLIES``); returns the rows."""
    folders(root, model)
    rows = 0
    with RowWriter(output, REPLIES) as writer:
        for path, _, line in read_entries(root, model):
            if line is not None:
                writer.add(_row(*line, path.parent))
                rows += 1
    return rows


def _row(entry: dict[str, Any], reply: Reply, folder: Path) -> dict[str, Any]:
    kept = ("key", "text", "reasoning", "finish_reason", "prompt_tokens", "completion_tokens", "fingerprint")
    return {
        "model": str(entry.get("model") or folder.parent.name),
        "task": str(entry.get("task") or folder.name),
        "replicate": replicate if isinstance(replicate := entry.get("replicate"), int) else None,
        **{name: getattr(reply, name) for name in kept},
        "batch": bool(reply.batch),
        "repeat": bool(entry.get("repeat")),
        "sent": json.dumps(reply.sent, ensure_ascii=False) if reply.sent is not None else None,
        "at": str(entry["at"]) if entry.get("at") else None,
    }
