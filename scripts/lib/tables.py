"""Parquet tables: explicit schemas, whole files or none, and errors that say how to rebuild."""

from __future__ import annotations

import io
import json
import uuid
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.json
import pyarrow.parquet as pq

from scripts.lib.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

Rows = list[dict[str, Any]]


def write_rows(path: Path, rows: Sequence[dict[str, Any]], schema: pa.Schema) -> None:
    """Write rows under a schema, to a temporary name first; a row with a foreign column is an error."""
    # Through Arrow's JSON reader: pa.array and empty_table import pandas, half of a small job's time.
    text = "\n".join(json.dumps(row, allow_nan=False, ensure_ascii=False) for row in rows)
    data = text.encode("utf-8", "replace")  # a lone surrogate, which no file can hold, becomes "?"
    table = pa.Table.from_batches([], schema)
    if rows:
        table = pa.json.read_json(
            io.BytesIO(data),
            read_options=pa.json.ReadOptions(use_threads=False, block_size=len(data) + 1),
            parse_options=pa.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error"),
        )
    assert table.num_rows == len(rows), f"{table.num_rows} of {len(rows)} rows arrived in {path}"
    write_table(path, table)


def write_frame(path: Path, frame: pd.DataFrame, schema: pa.Schema) -> None:
    """Write a pandas frame under a schema; its columns must be exactly the schema's."""
    table = pa.Table.from_pandas(frame, schema=schema, preserve_index=False)
    write_table(path, table.replace_schema_metadata(None))


def write_table(path: Path, table: pa.Table) -> None:
    """Write to a name of this process's own, then rename: a reader never sees half a file."""
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            pq.write_table(table, temporary, compression="zstd")
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror or error}") from error


def read_table(path: Path, schema: pa.Schema, columns: Sequence[str] | None = None) -> pa.Table:
    """Read a table written under the schema (or some of its columns).

    Raises UserError that names the file, what is wrong with it and the command that rebuilds it.
    """
    rebuild = f"Rebuild it with: rm {path} && snakemake {path}"
    try:
        file = pq.ParquetFile(path)
        found = file.schema_arrow
    except FileNotFoundError:
        raise UserError(f"{path} does not exist. Make it with: snakemake {path}") from None
    except (pa.ArrowInvalid, OSError) as error:
        raise UserError(f"{path} is damaged or no Parquet file ({error}). {rebuild}") from None
    wanted = [schema.field(name) for name in columns or schema.names]
    for field in wanted:
        if field.name not in found.names:
            raise UserError(f'{path} lacks the column "{field.name}": it comes from elsewhere. {rebuild}')
        if found.field(field.name).type != field.type:
            types = f"{found.field(field.name).type} instead of {field.type}"
            raise UserError(f'{path}: column "{field.name}" holds {types}. {rebuild}')
    try:
        return file.read(columns=[field.name for field in wanted]).select([field.name for field in wanted])
    except (pa.ArrowInvalid, OSError) as error:
        raise UserError(f"{path} is damaged ({error}). {rebuild}") from None


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
