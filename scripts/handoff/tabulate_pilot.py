"""Write the pilot's tables: ``statistics/pilot*.parquet`` -> ``tables/pilot*.csv`` and ``*.tex``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from scripts.handoff.pilot_schemas import PILOT_HINGES, PILOT_LOADS
from scripts.handoff.published import pilot_rows
from scripts.lib.files import write_text
from scripts.lib.stage import run
from scripts.lib.tables import read_rows
from scripts.lib.typesetting import Column, as_csv, as_latex, escape, estimated, text

Row = dict[str, Any]
THIS_RUN = "this run"


def tabulate_pilot(loads: Path, hinges: Path, output: Path, job: Row) -> None:
    """Write ``pilot`` and ``pilot_hinges`` as CSV and LaTeX into the folder ``output``.

    ``job``: published (topics as from ``load_published``); those rows stand below, by their own mark.
    """
    beside = pilot_rows(job["published"])
    tables = {
        "pilot": (read_rows(loads, PILOT_LOADS), beside["loads"], LOADS, CAPTION),
        "pilot_hinges": (read_rows(hinges, PILOT_HINGES), beside["hinges"], HINGES, HINGE_CAPTION),
    }
    for stem, (own, published, columns, caption) in tables.items():
        rows = with_source(own, published)
        write_printed(output, stem, rows, columns, caption)


def write_printed(output: Path, stem: str, rows: list[Row], columns: list[Column], caption: str) -> None:
    """Write a table as CSV, with all its columns, and as LaTeX."""
    write_text(output / f"{stem}.csv", as_csv(rows))
    write_text(output / f"{stem}.tex", as_latex(rows, columns, caption))


def with_source(own: list[Row], published: list[Row]) -> list[Row]:
    """Rows of this run, and below them published ones, with all columns; ``source`` tells them apart."""
    names = list(own[0]) if own else []
    rows = [{"source": THIS_RUN} | row for row in own]
    return rows + [{"source": row["source"]} | {name: row.get(name) for name in names} for row in published]


def whole(title: str, name: str) -> Column:
    """A column of numbers without decimals, with their interval."""
    return title, lambda row: _spanned(row, name, lambda number: f"{number:,.0f}")


def slope_cell(row: Row) -> str:
    """In nats a million tokens."""
    return _spanned(row, "slope", lambda number: f"{1e6 * number:.1f}")


def _spanned(row: Row, name: str, shown: Callable[[float], str]) -> str:
    numbers = [row[name], row.get(f"{name}_low"), row.get(f"{name}_high")]
    mean, *ends = ("--" if number is None else shown(number) for number in numbers)
    return mean if "--" in ends else f"{mean} [{', '.join(ends)}]"


def _test(row: Row) -> str:
    return "--" if row["t"] is None else f"$t({row['df']}) = {row['t']:.1f}$"


def _determined(row: Row) -> str:
    return "yes" if row["determined"] else f"no: {escape(row['remark'] or '')}"


_ABOUT = [text("Source", "source"), text("Model", "model"), text("Failure", "failure")]
LOADS: list[Column] = [
    *_ABOUT,
    whole("Load (tokens)", "load"),
    text("Graded", "graded"),
    text("Refused", "refused"),
    estimated("share", "Failures"),
    estimated("difference", "Against the least load"),
    ("Paired test", _test),
]
HINGES: list[Column] = [
    *_ABOUT,
    estimated("base", "Base (nats)"),
    ("Slope (nats a million tokens)", slope_cell),
    whole("Knee (tokens)", "knee"),
    ("Knee determined", _determined),
]
CAPTION = """Failure behind irrelevant context by load. Either: no answer line or a wrong number; format: no
answer line; arithmetic: a wrong number, among the replies with an answer line. Differences by problem, with
Student's t."""
HINGE_CAPTION = """The weighted hinge: flat up to a knee, then a straight rise, in nats; percentile intervals
with the problems resampled."""

if __name__ == "__main__":
    run(tabulate_pilot)
