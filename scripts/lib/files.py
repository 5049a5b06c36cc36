"""Whole files or none: a temporary name first, then a rename; errors say what to do."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts.lib.errors import UserError


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A name of this process's own to write to; renamed at the end, so that a reader never sees half a file.

    Raises UserError where the file cannot be written.
    """
    temporary = temporary_name(path)
    with told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield temporary
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text as UTF-8, whole or not at all."""
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def temporary_name(path: Path) -> Path:
    """A hidden name beside a file that no other process uses."""
    return path.with_name(f".{path.name[:80]}.{uuid.uuid4().hex[:8]}.tmp")


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Errors of the file system as errors for the user."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or (os.strerror(error.errno) if error.errno else str(error))
        raise UserError(
            f"cannot write {path}: {reason}. Make room (or mend the path) and start the same command again."
        ) from error
