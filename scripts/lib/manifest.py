"""A manifest: what the tables of a study hold, as one line a table that two machines can compare.

The hash of a Parquet table covers its rows in their order and its columns' names and types. How the file is
compressed, cut into groups or annotated is not in it, nor is any time, folder or host.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from scripts.lib.errors import UserError
from scripts.lib.files import write_text

MANIFEST = "manifest.csv"
REPORTED = "reports/"  # how the names of the report's tables begin
HEAD = ["table", "rows", "sha256"]
Timed = Mapping[str, Collection[str]]  # columns of a table that hold clock time, which nobody compares
Entries = dict[str, tuple[str, str]]  # name of a table: rows and hash, as the manifest holds them


class _Hash(Protocol):
    def update(self, data: Any, /) -> None: ...


def hash_table(path: Path, without: Collection[str] = ()) -> tuple[str, str]:
    """Rows and content hash of a Parquet table, but for the columns ``without``.

    Raises UserError that names a file that cannot be read.
    """
    digest, rows = hashlib.sha256(), 0
    try:
        file = pq.ParquetFile(path)
        names = [name for name in file.schema_arrow.names if name not in without]
        # One column at a time: transcripts are large, and pandas is not needed for it.
        for name in names:
            column = file.read(columns=[name]).column(name)
            digest.update(f"{name}: {column.type}\n".encode())
            _add(digest, pa.concat_arrays(column.chunks) if column.chunks else pa.nulls(0, column.type))
        rows = file.metadata.num_rows
    except (pa.ArrowException, OSError) as error:
        raise UserError(f"{path} is damaged or no Parquet file ({' '.join(str(error).split())})") from None
    return str(rows), digest.hexdigest()


def _add(digest: _Hash, array: Any) -> None:
    """Add an array's length, which of its values are null, and the others."""
    digest.update(f"{len(array)}\n".encode())
    digest.update(_values(pc.is_valid(array).cast(pa.int8())))
    array = array.drop_null()
    kind = array.type
    if pa.types.is_list(kind):
        digest.update(_values(pc.list_value_length(array)))
        _add(digest, array.flatten())
    elif pa.types.is_struct(kind):
        for child in array.flatten():
            _add(digest, child)
    elif pa.types.is_string(kind) or pa.types.is_binary(kind):
        digest.update(_values(pc.binary_length(array)))
        digest.update(_text(array))
    elif pa.types.is_boolean(kind):
        digest.update(_values(array.cast(pa.int8())))
    elif pa.types.is_integer(kind) or pa.types.is_floating(kind):
        digest.update(_values(array))
    else:
        raise TypeError(f"a manifest knows no column of {kind}")


def _values(array: Any) -> memoryview:
    """The bytes of an array of numbers without nulls; buffers may hold more than the array."""
    width = array.type.bit_width // 8
    start = array.offset * width
    return memoryview(array.buffers()[1] or b"").cast("B")[start : start + len(array) * width]


def _text(array: Any) -> memoryview:
    """The bytes of all texts of an array without nulls, one after the other."""
    _, offsets, data = array.buffers()
    if not len(array) or data is None:
        return memoryview(b"")
    ends = memoryview(offsets).cast("B").cast("i")
    return memoryview(data).cast("B")[ends[array.offset] : ends[array.offset + len(array)]]


def hash_file(path: Path) -> tuple[str, str]:
    """No count of rows and the hash of a file's bytes; raises UserError where it cannot be read."""
    try:
        with path.open("rb") as file:
            return "", hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise UserError(f"{path} cannot be read ({error.strerror or error})") from None


def write_manifest(path: Path, entries: Mapping[str, tuple[str, str]]) -> None:
    """Write the entries in the order of their names, all or none."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEAD)
    writer.writerows([name, *entries[name]] for name in sorted(entries))
    write_text(path, text.getvalue())


def read_manifest(path: Path) -> Entries:
    """The entries of a manifest. Raises UserError where it is missing or damaged."""
    try:
        rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    except FileNotFoundError:
        raise UserError(f"{path} does not exist. A whole run writes it: make paper") from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"{path} cannot be read ({error})") from None
    if not rows or rows[0] != HEAD or any(len(row) != len(HEAD) for row in rows):
        raise UserError(f"{path} is damaged. Make it anew with: rm {path} && make analysis")
    return {name: (count, digest) for name, count, digest in rows[1:]}


@dataclass
class Findings:
    """Where tables and manifest disagree; names of tables, and what is wrong with the damaged ones."""

    same: int = 0
    differs: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    damaged: dict[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.differs or self.missing or self.extra or self.damaged)

    def lines(self) -> list[str]:
        """One line for each table that is not as it should be."""
        return [
            *(f"damaged: {problem}" for problem in self.damaged.values()),
            *(f"missing: {name}" for name in self.missing),
            *(f"differs: {name}" for name in self.differs),
            *(f"extra: {name}" for name in self.extra),
        ]


def look_at_all(data: Path, reports: Path, names: Sequence[str], timed: Timed) -> Entries:
    """The entries of the named tables; raises UserError that names every one that cannot be read."""
    entries, damaged = read_tables(data, reports, names, timed)
    if damaged:
        raise UserError("\n".join(damaged.values()))
    return entries


def read_tables(
    data: Path, reports: Path, names: Sequence[str], timed: Timed
) -> tuple[Entries, dict[str, str]]:
    """Rows and hash of each named table, and what is wrong with those that cannot be read."""

    def look(name: str) -> tuple[str, str] | UserError:
        path = locate(data, reports, name)
        try:
            return hash_table(path, timed.get(name, ())) if path.suffix == ".parquet" else hash_file(path)
        except UserError as error:
            return error

    # Reading, unpacking and hashing let go of the interpreter.
    with ThreadPoolExecutor(2) as pool:
        found = dict(zip(names, pool.map(look, names), strict=True))
    damaged = {name: str(entry) for name, entry in found.items() if isinstance(entry, UserError)}
    return {name: entry for name, entry in found.items() if not isinstance(entry, UserError)}, damaged


def locate(data: Path, reports: Path, name: str) -> Path:
    """Where the table of a name lies."""
    return reports / name.removeprefix(REPORTED) if name.startswith(REPORTED) else data / name


def compare(data: Path, reports: Path, folders: Collection[str], timed: Timed) -> Findings:
    """Read every table of a study's manifest anew and compare; also look for tables that it lacks.

    ``folders`` of ``data``: where these would lie. Raises UserError where the manifest is missing or damaged.
    """
    wanted = read_manifest(data / MANIFEST)
    there = [name for name in wanted if locate(data, reports, name).exists()]
    found, damaged = read_tables(data, reports, there, timed)
    present = {p.relative_to(data).as_posix() for name in folders for p in (data / name).rglob("*.parquet")}
    present |= {f"{REPORTED}tables/{path.name}" for path in (reports / "tables").glob("[!.]*")}
    return Findings(
        same=sum(found[name] == wanted[name] for name in found),
        differs=sorted(name for name in found if found[name] != wanted[name]),
        missing=sorted(set(wanted) - set(there)),
        extra=sorted(present - set(wanted)),
        damaged=damaged,
    )
