"""Write the tables of the report: ``statistics/{cells,tax}.parquet`` -> ``tables/*.csv`` and ``*.tex``."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from scripts.collaboration.schemas import CELLS, TAX
from scripts.lib.errors import UserError, did_you_mean
from scripts.lib.files import whole_file
from scripts.lib.outcomes import Outcome
from scripts.lib.stage import run
from scripts.lib.tables import Rows, read_rows
from tasks.contract import FAMILIES

TABLES = tuple(
    f"{name}.{kind}" for name in ("cells", "tax_families", "tax_tasks", "outcomes") for kind in ("csv", "tex")
)

OUTCOMES = tuple(outcome.value for outcome in Outcome)
COUNTS = ("planned", "run", "graded", *OUTCOMES, "by_grader", "replies", "truncated_replies")
TAX_MEASURES = ("solo_full", "solo_split", "collab", "tax", "ratio_gap", "alignment", "talking")

Column = tuple[str, Callable[[dict[str, Any]], str]]  # heading, and a row's LaTeX cell


def write_tables(cells: Path, tax: Path, output: Path, job: dict[str, Any]) -> None:
    """Write the tables that ``job["files"]`` names (of TABLES) into the folder ``output``.

    CSV: every column of the rows, numbers to six significant digits, nothing where null. LaTeX: a plain
    ``tabular`` whose first lines are a comment to make the caption of; numbers to three decimals with
    their interval. Whatever comes from simulated agents says so. Raises UserError for an unknown name.
    """
    for name in job["files"]:
        if name not in TABLES:
            raise UserError(f'there is no table "{name}"{did_you_mean(name, list(TABLES))}')
    per_cell, per_scope = read_rows(cells, CELLS), read_rows(tax, TAX)
    rows = {
        "cells": per_cell,
        "tax_families": [row for row in per_scope if row["scope"] != "task"],
        "tax_tasks": [row for row in per_scope if row["scope"] == "task"],
        "outcomes": sum_outcomes(per_cell),
    }
    for name in job["files"]:
        table, kind = name.split(".")
        text = as_csv(rows[table]) if kind == "csv" else as_latex(rows[table], LATEX[table], CAPTIONS[table])
        _write_text(output / name, text)


def sum_outcomes(cells: Rows) -> Rows:
    """The counts of the cells summed over the tasks of a family, and the share of truncated replies."""
    sums: dict[tuple[str, ...], dict[str, Any]] = {}
    for cell in cells:
        about = {name: cell[name] for name in ("arm", "team", "mode", "family")}
        row = sums.setdefault(tuple(about.values()), about | {"simulated": False} | dict.fromkeys(COUNTS, 0))
        row["simulated"] |= cell["simulated"]
        for name in COUNTS:
            row[name] += cell[name]
    for row in sums.values():
        row["truncation_rate"] = row["truncated_replies"] / row["replies"] if row["replies"] else None
    return list(sums.values())


def as_csv(rows: Rows) -> str:
    """Rows as CSV with a heading; the columns are those of the first row."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows[0] if rows else [])
    writer.writerows([_plain(value) for value in row.values()] for row in rows)
    return text.getvalue()


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.6g}"
    return "" if value is None else str(value)


def as_latex(rows: Rows, columns: Sequence[Column], caption: str) -> str:
    """Rows as a plain LaTeX ``tabular`` below a comment for its caption."""
    simulated = list(dict.fromkeys(row["team"] for row in rows if row["simulated"]))
    whose = f" Simulated agents, not language models: {', '.join(simulated)}." if simulated else ""
    body = [" & ".join(cell(row) for _, cell in columns) + r" \\" for row in rows]
    heading = " & ".join(escape(title) for title, _ in columns) + r" \\"
    lines = [
        f"% {' '.join((caption + whose).split())}",
        rf"\begin{{tabular}}{{{'l' * len(columns)}}}",
        r"\hline",
    ]
    return "\n".join([*lines, heading, r"\hline", *body, r"\hline", r"\end{tabular}", ""])


def escape(text: str) -> str:
    """Text that LaTeX prints as it stands."""
    names = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return "".join(names.get(char, f"\\{char}" if char in "&%$#_{}" else char) for char in text)


def decimals(value: float | None) -> str:
    """Three decimals without a leading zero, a true minus sign; ``--`` where null."""
    if value is None:
        return "--"
    text = f"{abs(value):.3f}"
    minus = "$-$" if value < 0 and float(text) else ""
    return minus + (text[1:] if text.startswith("0") else text)


def with_interval(row: dict[str, Any], name: str) -> str:
    """``.310 [.250, .370]``; the estimate alone where it has no interval."""
    text = decimals(row[name])
    if row[f"{name}_low"] is None:
        return text
    return f"{text} [{decimals(row[f'{name}_low'])}, {decimals(row[f'{name}_high'])}]"


def _text(title: str, name: str) -> Column:
    return title, lambda row: escape(str(row[name]))


def _number(title: str, name: str) -> Column:
    return title, lambda row: decimals(row[name])


def _interval(name: str) -> Column:
    return name.replace("_", " ").capitalize(), lambda row: with_interval(row, name)


def _team(row: dict[str, Any]) -> str:
    return escape(row["team"]) + (" (simulated)" if row["simulated"] else "")


def _scope(row: dict[str, Any]) -> str:
    """The task, the family or all tasks, with a dagger where solo is too weak to speak of a tax."""
    name = row["task"] or (FAMILIES[row["family"]] if row["family"] else "All tasks")
    return escape(name) + (r"$\dagger$" if row["dagger"] else "")


WHO: tuple[Column, ...] = (_text("Arm", "arm"), ("Team", _team))
MODE: tuple[Column, ...] = (*WHO, _text("Mode", "mode"))
FAMILY: Column = ("Family", lambda row: escape(FAMILIES[row["family"]]))
TAXES = tuple(_interval(name) for name in TAX_MEASURES)

LATEX: dict[str, tuple[Column, ...]] = {
    "cells": (
        *MODE,
        _text("Task", "task"),
        _text("Planned", "planned"),
        _text("Run", "run"),
        _text("Graded", "graded"),
        _interval("score"),
        _number("Floor", "floor"),
        _number("Turns", "turns"),
    ),
    "tax_families": (*WHO, ("Scope", _scope), _text("Tasks", "tasks"), *TAXES),
    "tax_tasks": (*WHO, FAMILY, ("Task", _scope), *TAXES),
    "outcomes": (
        *MODE,
        FAMILY,
        *(_text(name.replace("_", " ").capitalize(), name) for name in COUNTS),
        _number("Truncation rate", "truncation_rate"),
    ),
}

BRACKETS = "In brackets: percentile bootstrap intervals over instances, paired by seed, stratified by task."
DAGGER = r"$\dagger$: solo below the threshold of solo-tractability, exploratory."
CAPTIONS = {
    "cells": f"Score of every cell, with the mean score of a one-view guess as its floor. {BRACKETS}",
    "tax_families": f"Collaboration tax by family and over all, means of task means. {BRACKETS} {DAGGER}",
    "tax_tasks": f"Collaboration tax by task. {BRACKETS} {DAGGER}",
    "outcomes": "Planned, run and graded rollouts, how they ended, and the share of truncated replies.",
}


def _write_text(path: Path, text: str) -> None:
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    run(write_tables)
