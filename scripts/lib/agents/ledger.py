"""The append-only ledger of replies: no reply is paid for twice, and a kill loses only calls in flight.

``<root>/<model>/<task>/<writer>.jsonl``: one segment per writing process, so that many jobs on many
nodes never write to one file. A line is one JSON object in UTF-8. Failures are not recorded, so they are
never replayed as answers.
"""

from __future__ import annotations

import json
import logging
import os
import socket
import uuid
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scripts.lib.agents.calls import Reply
from scripts.lib.errors import UserError
from scripts.lib.names import slug

log = logging.getLogger(__name__)


class Ledger:
    """Replies of one model on one task. All roots are read; segments are written below the first."""

    def __init__(self, roots: Sequence[Path], model: str, task: str) -> None:
        self.replies: dict[str, Reply] = {}
        self._path = (
            roots[0] / slug(model) / slug(task) / f"{socket.gethostname()}-{uuid.uuid4().hex[:12]}.jsonl"
        )
        self._file: int | None = None
        for root in roots:
            for segment in sorted((root / slug(model) / slug(task)).glob("*.jsonl")):
                self.replies.update(read_segment(segment))

    def get(self, key: str) -> Reply | None:
        """The recorded reply for a key, or None."""
        return self.replies.get(key)

    def append(self, key: str, reply: Reply, **about: Any) -> Reply:
        """Record a reply before it is used; ``about`` is what was sent and how it went."""
        fields = {name: value for name, value in asdict(reply).items() if name != "key"}
        line = {"key": key, "reply": fields, **about, "at": datetime.now(UTC).isoformat(timespec="seconds")}
        try:
            self._write((json.dumps(line, ensure_ascii=False) + "\n").encode("utf-8", "replace"))
        except OSError as error:
            raise UserError(
                f"cannot write to the ledger {self._path}: {error.strerror}. Replies recorded so far are "
                "kept; make room (or mend the path) and start the same command again."
            ) from error
        self.replies[key] = kept = Reply(**fields, key=key)
        return kept

    def _write(self, line: bytes) -> None:
        if self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        while line:
            line = line[os.write(self._file, line) :]

    def close(self) -> None:
        """Close this writer's segment."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def read_segment(path: Path) -> dict[str, Reply]:
    """The replies of one segment by key. Damaged lines (a kill in mid-write) are reported and left out."""
    replies = {}
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            replies[entry["key"]] = Reply(**entry["reply"], key=entry["key"])
        except (ValueError, KeyError, TypeError):
            log.warning(
                "ledger: %s line %d is damaged and left out; its call will be made again", path, number
            )
    return replies
