"""One file for many: a tar whose first member lists the others with their hashes.

It is written whole or not at all, and unpacked only after every member was read and compared with the list.
Members are plain files below the folder in which they are packed and unpacked; their order is kept in the
times of the unpacked files, so that what is made from others is never older.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tarfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.lib.errors import UserError
from scripts.lib.files import temporary_name

LIST = "archive.json"
LIST_HASH = "archive.json.sha256"
FORMAT = 1
LONGEST_LIST = 100_000_000  # bytes
STEP = 0.01  # seconds between the times of two unpacked files
PIECE = 1 << 20  # bytes read at a time
AGAIN = "Nothing was changed. Fetch or pack the archive again"

Source = Path | bytes


@dataclass
class Contents:
    """What an archive says of itself: ``about`` (anything) and size and hash of its members, in order."""

    about: dict[str, Any]
    members: dict[str, dict[str, Any]]


def pack(file: Path, sources: Mapping[str, Source], about: dict[str, Any]) -> int:
    """Write an archive of members (name: file, or bytes) in the order given; returns its bytes.

    Raises UserError where a source cannot be read, changes meanwhile, or the archive cannot be written.
    """
    members = {name: _measure(source) for name, source in sources.items()}
    listed = json.dumps({"format": FORMAT, **about, "members": members}, indent=1).encode()
    head = {LIST_HASH: f"{hashlib.sha256(listed).hexdigest()}  {LIST}\n".encode(), LIST: listed}
    temporary = temporary_name(file)
    try:
        with tarfile.open(temporary, "w", format=tarfile.PAX_FORMAT) as tar:
            for name, source in (head | dict(sources)).items():
                _add(tar, name, source, members.get(name))
        temporary.replace(file)
        return file.stat().st_size
    except OSError as error:
        raise UserError(f"cannot write {file}: {error.strerror or error}") from error
    finally:
        temporary.unlink(missing_ok=True)


def _measure(source: Source) -> dict[str, Any]:
    """Size and hash of a source."""
    if isinstance(source, bytes):
        return {"size": len(source), "sha256": hashlib.sha256(source).hexdigest()}
    try:
        with source.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
            return {"size": stream.tell(), "sha256": digest}
    except OSError as error:
        raise UserError(f"{source} cannot be read ({error.strerror or error})") from None


def _add(tar: tarfile.TarFile, name: str, source: Source, listed: dict[str, Any] | None) -> None:
    """Add a member without owner, time or rights; one of a source that grew has its listed length."""
    info = tarfile.TarInfo(name)
    with io.BytesIO(source) if isinstance(source, bytes) else source.open("rb") as stream:
        info.size = listed["size"] if listed else len(stream.getbuffer())  # type: ignore[union-attr]
        tar.addfile(info, stream)


def read_contents(file: Path) -> Contents:
    """The list of an archive. Raises UserError where there is none or it is damaged."""
    with _opened(file) as tar:
        return _contents(file, tar)


def _contents(file: Path, tar: tarfile.TarFile) -> Contents:
    head = {}
    for name in (LIST_HASH, LIST):
        info = tar.next()
        if info is None or info.name != name or not info.isreg() or info.size > LONGEST_LIST:
            raise UserError(f"{file} is no archive of a study: it does not begin with {LIST_HASH} and {LIST}")
        head[name] = b"".join(_pieces(tar, info))
    if head[LIST_HASH].split()[:1] != [hashlib.sha256(head[LIST]).hexdigest().encode()]:
        raise _damaged(file, LIST)
    listed = json.loads(head[LIST])
    if listed.pop("format") != FORMAT:
        raise UserError(f"{file} was packed by another version; it needs format {FORMAT}")
    return Contents(about=listed, members=listed.pop("members"))


def check(file: Path, into: Path, accept: Callable[[str], bool]) -> Contents:
    """Read a whole archive and compare every member with the list; nothing is written.

    Raises UserError that names the first member that is damaged, missing, not listed, no plain file, leaves
    the folder ``into``, or is not accepted.
    """
    seen: set[str] = set()
    with _opened(file) as tar:
        contents = _contents(file, tar)
        while (info := tar.next()) is not None:
            _check_place(file, info, into, accept)
            listed = contents.members.get(info.name)
            if listed is None or info.name in seen:
                raise UserError(f"{file} holds {info.name}, which its list does not: it was changed")
            seen.add(info.name)
            digest = hashlib.sha256()
            for piece in _pieces(tar, info):
                digest.update(piece)
            if (info.size, digest.hexdigest()) != (listed["size"], listed["sha256"]):
                raise _damaged(file, info.name)
    if lost := [name for name in contents.members if name not in seen]:
        raise UserError(f"{file} is cut off or damaged at {lost[0]}; {len(lost)} files are lost. {AGAIN}")
    return contents


def _check_place(file: Path, info: tarfile.TarInfo, into: Path, accept: Callable[[str], bool]) -> None:
    """Refuse links, devices and folders, and names that lead elsewhere or that nobody would pack."""
    try:
        # Judged in a folder that holds nothing: a link of the user's own (data/ on another disk) is fine.
        tarfile.data_filter(info, str(into / f".{uuid.uuid4().hex}"))
    except tarfile.FilterError as error:
        raise UserError(f"{file} is refused: {info.name}: {error}. Nothing was changed") from None
    plain = info.isreg() and Path(info.name).as_posix() == info.name and not Path(info.name).is_absolute()
    if not plain or ".." in Path(info.name).parts or not accept(info.name):
        raise UserError(f"{file} is refused: {info.name} has no place in a study. Nothing was changed")


def unpack(file: Path, into: Path, accept: Callable[[str], bool], replace: bool = False) -> Contents:
    """Put every member in its place below ``into``, after ``check``.

    Raises UserError, with nothing changed, where the check fails, a different file is in the way (unless
    ``replace``) or the disk is full.
    """
    contents = check(file, into, accept)
    different = [name for name, listed in contents.members.items() if _differs(into / name, listed)]
    if different and not replace:
        raise UserError(
            f"{len(different)} files are here with other contents, the first is {into / different[0]}. "
            "Nothing was changed. Restore into another folder, or overwrite them: "
            f"make restore REPLACE=1 FILE={file}"
        )
    written: list[tuple[Path, Path]] = []  # temporary and final place
    try:
        with _opened(file) as tar:
            _contents(file, tar)
            while (info := tar.next()) is not None:
                target = into / info.name
                target.parent.mkdir(parents=True, exist_ok=True)
                written.append((temporary_name(target), target))
                with written[-1][0].open("wb") as stream:
                    stream.writelines(_pieces(tar, info))
        start = time.time() - STEP * len(written)
        for number, (temporary, target) in enumerate(written):
            os.utime(temporary, (start + STEP * number,) * 2)
            temporary.replace(target)
    except OSError as error:
        raise UserError(f"cannot restore {file}: {error.strerror or error}") from error
    finally:
        for temporary, _ in written:
            temporary.unlink(missing_ok=True)
    return contents


def _differs(path: Path, listed: dict[str, Any]) -> bool:
    """Whether something else is where a member belongs."""
    if not path.exists() and not path.is_symlink():
        return False
    return not path.is_file() or path.stat().st_size != listed["size"] or _measure(path) != listed


def _pieces(tar: tarfile.TarFile, info: tarfile.TarInfo) -> Iterator[bytes]:
    """A member's bytes, a piece at a time."""
    stream = tar.extractfile(info)
    if stream is not None:
        with closing(stream):
            while piece := stream.read(PIECE):
                yield piece


@contextmanager
def _opened(file: Path) -> Iterator[tarfile.TarFile]:
    """The archive for reading; errors of tar as errors for the user, with the member where it stopped."""
    try:
        tar = tarfile.open(file, "r:", errorlevel=2)  # noqa: SIM115
    except (tarfile.TarError, EOFError) as error:
        raise UserError(f"{file} is damaged or no archive ({error}). {AGAIN}") from None
    except OSError as error:
        raise UserError(f"{file} cannot be read ({error.strerror or error})") from None
    try:
        with tar:
            yield tar
    except (tarfile.TarError, EOFError, ValueError, KeyError, TypeError, AttributeError) as error:
        at = tar.members[-1].name if tar.members else LIST_HASH  # type: ignore[attr-defined]
        raise UserError(f"{file} is damaged at {at} ({error}). {AGAIN}") from None


def _damaged(file: Path, name: str) -> UserError:
    return UserError(f"{file}: {name} is damaged. {AGAIN}")


def names_below(folder: Path, suffixes: Sequence[str]) -> list[str]:
    """Paths of the files below a folder that end so, sorted; hidden ones are passed over."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.suffix in suffixes)
    return sorted(path.as_posix() for path in found if not any(part.startswith(".") for part in path.parts))
