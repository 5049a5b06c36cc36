"""What the report says about the padded-context pilot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.handoff.pilot_schemas import PILOT_HINGES, PILOT_LOADS
from scripts.handoff.published import pilot_rows
from scripts.handoff.tabulate_pilot import with_source
from scripts.lib.drawing.numbers import count, decimal, interval
from scripts.lib.tables import read_rows

Row = dict[str, Any]


def pilot_section(files: list[Path], published: Row) -> Row | None:
    """Rows for the templates from the tables ``loads`` and ``hinges``; None without files.

    ``published``: topics as from ``load_published``.
    """
    if not files:
        return None
    loads, hinges = read_rows(files[0], PILOT_LOADS), read_rows(files[1], PILOT_HINGES)
    beside = pilot_rows(published)
    either = [row for row in loads if row["failure"] == "either"]
    return {
        "loads": [load_cells(row) for row in with_source(loads, beside["loads"])],
        "hinges": [hinge_cells(row) for row in with_source(hinges, beside["hinges"])],
        "simulated": list(dict.fromkeys(row["model"] for row in either if row["simulated"])),
        "stopped": [row for row in either if row["refused"] or row["run"] < row["planned"]],
        "uncounted": list(dict.fromkeys(row["model"] for row in either if not row["counted"])),
        "poor": [row for row in hinges if row["failure"] == "either" and not row["determined"]],
        "study": published.get("study"),
    }


def load_cells(row: Row) -> Row:
    """A row with its numbers as texts."""
    aim = row["aim"] if row["load"] is None else None
    test = "" if row["t"] is None else f"{decimal(row['t'], 1)} ({count(row['df'])})"
    return row | {
        "load_text": f"{count(row['load'])} (aim {count(aim)})" if aim else count(row["load"]),
        "share_text": span(row, "share"),
        "difference_text": span(row, "difference"),
        "test_text": test,
    }


def hinge_cells(row: Row) -> Row:
    """A row with its numbers as texts; the slope in nats a million tokens."""
    knee = count(row["knee"])
    if row["knee_low"] is not None:
        knee += f" [{count(row['knee_low'])}, {count(row['knee_high'])}]"
    return row | {
        "base_text": span(row, "base"),
        "slope_text": span(row, "slope", 1e6, 1),
        "knee_text": knee,
        "determined_text": "yes" if row["determined"] else row["remark"],
    }


def span(row: Row, name: str, times: float = 1.0, places: int = 3) -> str:
    """An estimate with its interval as text."""
    numbers = [row[f"{name}{end}"] for end in ("", "_low", "_high")]
    mean, low, high = (None if number is None else times * number for number in numbers)
    return interval(mean, low, high, places)
