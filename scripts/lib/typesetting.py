"""Rows as CSV and as LaTeX: numbers, intervals and names as they stand in a printed table."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from typing import Any

from scripts.lib.tables import Rows

Column = tuple[str, Callable[[dict[str, Any]], str]]  # heading, and a row's LaTeX cell


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
    """Rows as a plain LaTeX ``tabular`` below a comment for its caption.

    Rows with a true ``simulated`` make the caption say so, with the names in ``team`` where there are any.
    """
    simulated = [row for row in rows if row.get("simulated")]
    teams = ", ".join(dict.fromkeys(row["team"] for row in simulated if row.get("team")))
    whose = f" Simulated agents, not language models{': ' if teams else ''}{teams}." if simulated else ""
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


def text(title: str, name: str) -> Column:
    """A column of text or counts."""
    return title, lambda row: "--" if row[name] is None else escape(str(row[name]))


def number(title: str, name: str) -> Column:
    """A column of numbers."""
    return title, lambda row: decimals(row[name])


def estimated(name: str, title: str | None = None) -> Column:
    """A column of estimates with their intervals."""
    return title or name.replace("_", " ").capitalize(), lambda row: with_interval(row, name)
