"""The append-only ledger of replies: no reply is paid for twice, and a kill loses only calls in flight.

``<root>/<model>/<task>/<writer>.jsonl``: one segment per writing process, so that many jobs on many
nodes never write to one file. A line is one JSON object in UTF-8. Failures are not recorded, so they are
never replayed as answers. In memory is only where each reply stands.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import socket
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scripts.lib.agents.calls import Reply
from scripts.lib.agents.models import Model, cost
from scripts.lib.errors import UserError
from scripts.lib.names import slug

log = logging.getLogger(__name__)

LOCK = ".lock"
_HEAD = b'{"key": "'
_SHAPE: dict[str, Any] = {"key": str, "text": str, "finish_reason": str, "reasoning": str | None}
_SHAPE |= {"prompt_tokens": int | None, "completion_tokens": int | None, "fingerprint": str | None}
APART = ("key", "sent", "batch")  # fields of a reply that stand beside it in a line


@dataclass
class Segment:
    """A file of the ledger, and how far it was read."""

    path: Path
    read: int = 0  # bytes
    lines: int = 0
    reported: int = 0  # the last damaged line that the user was told of


class Ledger:
    """Replies of one model on one task. All roots are read; segments are written below the first."""

    def __init__(self, roots: Sequence[Path], model: str, task: str) -> None:
        self._folders = [root / slug(model) / slug(task) for root in roots]
        self._path = self._folders[0] / f"{socket.gethostname()}-{uuid.uuid4().hex[:12]}.jsonl"
        self._places: dict[str, tuple[int, int]] = {}  # key: segment and offset
        self._segments: list[Segment] = []
        self._known: set[Path] = set()
        self._own = -1  # the number of this writer's segment
        self._file: int | None = None
        self._lock: int | None = None
        self._refresh()

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def get(self, key: str) -> Reply | None:
        """The recorded reply for a key, or None."""
        place = self._places.get(key)
        if place is None:
            return None
        segment, offset = self._segments[place[0]], place[1]
        with segment.path.open("rb") as file:
            file.seek(offset)
            entry = read_line(file.readline())
        if entry is None or entry[1].key != key:
            log.warning("ledger: %s is damaged at byte %d; its call will be made again", segment.path, offset)
            del self._places[key]
            return None
        return entry[1]

    def append(self, key: str, reply: Reply, **about: Any) -> Reply:
        """Record a reply before it is used; ``about`` is what was asked. Returns the reply that counts.

        Where another writer has recorded the call meanwhile, its reply counts, and this one is recorded
        as a repetition: it was paid for. Raises UserError where the disk is full or the path is wrong.
        """
        try:
            with self._alone():
                earlier = self.get(key)
                self._write(key, reply, {"repeat": True, **about} if earlier else about)
                return earlier or replace(reply, key=key)
        except OSError as error:
            raise UserError(
                f"cannot write to the ledger {self._path}: {error.strerror}. Replies recorded so far are "
                "kept; make room (or mend the path) and start the same command again."
            ) from error

    def _write(self, key: str, reply: Reply, about: dict[str, Any]) -> None:
        line = format_line(key, reply, about)
        if self._file is None:
            self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            self._own = self._take_up(self._path)
        own = self._segments[self._own]
        offset = own.read
        try:
            while line:
                written = os.write(self._file, line)
                line, own.read = line[written:], own.read + written
        except OSError:
            os.ftruncate(self._file, offset)  # a part of a line is of no use
            own.read = offset
            raise
        if not about.get("repeat"):
            self._places[key] = (self._own, offset)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """No other process appends meanwhile, and what others appended before is known."""
        if self._lock is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(self._path.parent / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX)
        except OSError:  # a file system without locks: two writers may then both pay for a call
            self._refresh()
            yield
            return
        try:
            me = self._path.stem.rpartition("-")[2].encode()
            if os.pread(self._lock, len(me), 0) != me:  # somebody else was the last to write
                self._refresh()
                os.pwrite(self._lock, me, 0)
            yield
        finally:
            fcntl.flock(self._lock, fcntl.LOCK_UN)

    def _refresh(self) -> None:
        """Take up lines that are new in any segment."""
        for folder in self._folders:
            for path in sorted(folder.glob("*.jsonl")):
                if path not in self._known:
                    self._take_up(path)
        for number, segment in enumerate(self._segments):
            if segment.path != self._path and segment.path.stat().st_size > segment.read:
                self._index(number, segment)

    def _take_up(self, path: Path) -> int:
        """The number of a new segment."""
        self._known.add(path)
        self._segments.append(Segment(path))
        return len(self._segments) - 1

    def _index(self, number: int, segment: Segment) -> None:
        """Where the new lines of a segment begin. The first reply to a call is the one that was used."""
        with segment.path.open("rb") as file:
            file.seek(segment.read)
            for line in file:
                key = _key_of(line)
                if key:
                    self._places.setdefault(key, (number, segment.read))
                elif key is None and line.strip():
                    self._report(segment)
                    if not line.endswith(b"\n"):  # cut by a kill, or still being written
                        return
                segment.read += len(line)
                segment.lines += 1

    @staticmethod
    def _report(segment: Segment) -> None:
        if segment.reported <= segment.lines:
            segment.reported = segment.lines + 1
            log.warning(
                "ledger: %s line %d is damaged and left out; its call will be made again",
                *(segment.path, segment.reported),
            )

    def close(self) -> None:
        """Close this writer's segment."""
        for file in filter(None, (self._file, self._lock)):
            os.close(file)
        self._file = self._lock = None


def format_line(key: str, reply: Reply, about: dict[str, Any]) -> bytes:
    """A reply as a line of a segment; the key stands first, so that it can be found without reading on."""
    fields = {name: value for name, value in vars(reply).items() if name not in APART}
    line = {"key": key, "reply": fields, **about, "sent": reply.sent}
    if reply.batch:
        line["batch"] = True
    line["at"] = datetime.now(UTC).isoformat(timespec="microseconds")  # also tells two repetitions apart
    return (json.dumps(line, ensure_ascii=False) + "\n").encode("utf-8", "replace")


def read_line(line: bytes) -> tuple[dict[str, Any], Reply] | None:
    """A line as an entry and its reply; None where it is damaged."""
    try:
        entry = json.loads(line)
        beside = {"key": entry["key"], "sent": entry.get("sent"), "batch": entry.get("batch", False)}
        reply = Reply(**entry["reply"], **beside)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return (entry, reply) if all(isinstance(getattr(reply, n), kind) for n, kind in _SHAPE.items()) else None


def _key_of(line: bytes) -> str | None:
    """The key of a line, "" for a repetition, None for a damaged line."""
    end = line.find(b'"', len(_HEAD))
    if not line.startswith(_HEAD) or end < 0 or not line.endswith(b"}\n") or b'"repeat"' in line:
        entry = read_line(line)  # the long way
        if entry is None:
            return None
        return "" if entry[0].get("repeat") else str(entry[0]["key"])
    return line[len(_HEAD) : end].decode("ascii", "replace")


def read_entries(
    root: Path, model: str | None = None
) -> Iterator[tuple[Path, int, tuple[dict[str, Any], Reply] | None]]:
    """Every line below a ledger's folder: its segment, its number, its entry and reply (None: damaged).

    ``model``: this one alone. What stands twice in a folder, byte for byte, is one payment: a kill in the
    middle of a compaction leaves copies behind.
    """
    folder, seen = Path(), set[int]()
    for path in sorted(root.glob(f"{slug(model) if model else '*'}/*/*.jsonl")):
        if path.parent != folder:
            folder, seen = path.parent, set()
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                mark = hash(line.strip())
                if line.strip() and mark not in seen:
                    seen.add(mark)
                    yield path, number, read_line(line)


def spent(root: Path, models: dict[str, Model]) -> float:
    """US dollars that the replies below a ledger's folder cost, repetitions too, where prices are known."""
    dollars = 0.0
    for _, _, line in read_entries(root):
        model = models.get(line[0].get("model", "")) if line else None
        dollars += (line and model and cost(model, line[1])) or 0.0
    return dollars
