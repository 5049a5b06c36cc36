"""Write the tables of the report: ``statistics/*.parquet`` -> ``tables/*.csv`` and ``*.tex``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.collaboration.tables import FILES, TABLES
from scripts.lib.errors import UserError, did_you_mean
from scripts.lib.files import write_text
from scripts.lib.stage import run
from scripts.lib.tables import read_rows
from scripts.lib.typesetting import as_csv, as_latex


def write_tables(data: Path, output: Path, job: dict[str, Any]) -> None:
    """Write the files that ``job["files"]`` names (of FILES) into the folder ``output``.

    ``job`` also holds ``published``, the published numbers as a ``Table`` takes them.

    CSV: every column of the rows, numbers to six significant digits, nothing where null. LaTeX: a plain
    ``tabular`` whose first lines are a comment to make the caption of; numbers to three decimals with
    their interval. Whatever comes from simulated agents says so. Raises UserError for an unknown name.
    """
    for file in job["files"]:
        if file not in FILES:
            raise UserError(f'there is no table "{file}"{did_you_mean(file, list(FILES))}')
    for file in job["files"]:
        name, kind = file.split(".")
        table = TABLES[name]
        rows = table.rows(read_rows(data / table.source, table.schema))
        if table.beside:
            rows = table.beside(rows, job["published"])
        shown = as_csv(rows) if kind == "csv" else as_latex(rows, table.columns, table.caption)
        write_text(output / file, shown)


if __name__ == "__main__":
    run(write_tables)
