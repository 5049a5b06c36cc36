"""Parquet tables: explicit schemas, whole files or none, and errors that say how to rebuild."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.json
import pyarrow.parquet as pq

from scripts.lib.errors import UserError
from scripts.lib.files import temporary_name, told, whole_file

if TYPE_CHECKING:
    import pandas as pd

Rows = list[dict[str, Any]]

PART = 200  # rows read at a time


def write_rows(path: Path, rows: Sequence[dict[str, Any]], schema: pa.Schema) -> None:
    """Write rows under a schema, to a temporary name first; a row with a foreign column is an error."""
    write_table(path, _as_table(rows, schema))


def _as_table(rows: Sequence[dict[str, Any]], schema: pa.Schema) -> pa.Table:
    # Through Arrow's JSON reader, because pa.array and empty_table import pandas: a second for every job.
    text = "\n".join(json.dumps(row, allow_nan=False, ensure_ascii=False) for row in rows)
    data = text.encode("utf-8", "replace")  # a lone surrogate, which no file can hold, becomes "?"
    if not rows:
        return pa.Table.from_batches([], schema)
    table = pa.json.read_json(
        io.BytesIO(data),
        read_options=pa.json.ReadOptions(use_threads=False, block_size=len(data) + 1),
        parse_options=pa.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error"),
    )
    assert table.num_rows == len(rows), f"{table.num_rows} of {len(rows)} rows arrived"
    return table


class RowWriter:
    """Writes rows as they come, a group at a time; the file appears whole at the end or not at all."""

    GROUP = 1000  # rows in memory; the same whatever the run, so that equal rows give equal files

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self.path, self.schema = path, schema
        self.temporary = temporary_name(path)
        self.rows: Rows = []
        self.file: pq.ParquetWriter | None = None

    def __enter__(self) -> RowWriter:
        return self

    def add(self, row: dict[str, Any]) -> None:
        """Take up a row; raises UserError where the disk is full."""
        self.rows.append(row)
        if len(self.rows) == self.GROUP:
            with told(self.path):
                self._flush()

    def _flush(self) -> None:
        if self.file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.file = pq.ParquetWriter(self.temporary, self.schema, compression="zstd")
        self.file.write_table(_as_table(self.rows, self.schema))
        self.rows = []

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            with told(self.path):
                if kind is None and (self.rows or self.file is None):
                    self._flush()
                if self.file is not None:
                    self.file.close()
                if kind is None:
                    self.temporary.replace(self.path)
        finally:
            self.temporary.unlink(missing_ok=True)


def write_frame(path: Path, frame: pd.DataFrame, schema: pa.Schema) -> None:
    """Write a pandas frame under a schema; its columns must be exactly the schema's."""
    table = pa.Table.from_pandas(frame, schema=schema, preserve_index=False)
    write_table(path, table.replace_schema_metadata(None))


def write_table(path: Path, table: pa.Table) -> None:
    """Write a table, whole or not at all."""
    with whole_file(path) as temporary:
        pq.write_table(table, temporary, compression="zstd")


def read_table(path: Path, schema: pa.Schema, columns: Sequence[str] | None = None) -> pa.Table:
    """Read a table written under the schema (or some of its columns).

    Raises UserError that names the file, what is wrong with it and the command that rebuilds it.
    """
    names = list(columns or schema.names)
    with _readable(path):
        return _open(path, schema, names).read(columns=names).select(names)


def read_each(
    path: Path, schema: pa.Schema, columns: Sequence[str] | None = None
) -> Iterator[dict[str, Any]]:
    """The rows of one table as dicts, with a small part of it in memory; errors as in ``read_table``."""
    names = list(columns or schema.names)
    with _readable(path):
        for batch in _open(path, schema, names).iter_batches(PART, columns=names):
            yield from batch.select(names).to_pylist()


def count_rows(path: Path, schema: pa.Schema) -> int:
    """How many rows a table has; errors as in ``read_table``."""
    with _readable(path):
        return int(_open(path, schema, schema.names).metadata.num_rows)


def _open(path: Path, schema: pa.Schema, names: Sequence[str]) -> pq.ParquetFile:
    """The file, when it holds these columns of the schema."""
    file = pq.ParquetFile(path)
    found = file.schema_arrow
    for field in (schema.field(name) for name in names):
        if field.name not in found.names:
            raise UserError(
                f'{path} lacks the column "{field.name}": it comes from elsewhere. {_rebuild(path)}'
            )
        if found.field(field.name).type != field.type:
            types = f"{found.field(field.name).type} instead of {field.type}"
            raise UserError(f'{path}: column "{field.name}" holds {types}. {_rebuild(path)}')
    return file


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise UserError(f"{path} does not exist. Make it with: snakemake {path}") from None
    except (pa.ArrowInvalid, OSError) as error:
        raise UserError(f"{path} is damaged or no Parquet file ({error}). {_rebuild(path)}") from None


def _rebuild(path: Path) -> str:
    return f"Rebuild it with: rm {path} && snakemake {path}"


def read_rows(path: Path, schema: pa.Schema, columns: Sequence[str] | None = None) -> Rows:
    """The rows of one table as dicts."""
    return read_table(path, schema, columns).to_pylist()


def read_frame(
    paths: Iterable[Path], schema: pa.Schema, columns: Sequence[str] | None = None
) -> pd.DataFrame:
    """Many tables of one schema as one pandas frame, in the order of the paths."""
    tables = [read_table(path, schema, columns) for path in paths]
    wanted = pa.schema([schema.field(name) for name in columns or schema.names])
    return pa.concat_tables(tables or [wanted.empty_table()]).to_pandas()
