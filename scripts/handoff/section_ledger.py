"""What the report says about the ledger experiment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.handoff.ledger_schemas import COMPARISON, CURVE, HANDOFFS, HINGES, INDEPENDENCE
from scripts.handoff.published import ledger_rows
from scripts.handoff.section_pilot import hinge_cells, span
from scripts.handoff.tabulate_pilot import with_source
from scripts.lib.drawing.numbers import count, decimal, percent
from scripts.lib.tables import read_rows

SCHEMAS = {
    "curve": CURVE,
    "hinges": HINGES,
    "handoffs": HANDOFFS,
    "comparison": COMPARISON,
    "independence": INDEPENDENCE,
}
SMALL_P = 0.001
Row = dict[str, Any]


def ledger_section(files: list[Path], published: Row) -> Row | None:
    """Rows for the templates from the tables, which are found by their names; None without files.

    ``published``: topics as from ``load_published``.
    """
    if not files:
        return None
    tables = {path.stem: read_rows(path, SCHEMAS[path.stem]) for path in files}
    beside = ledger_rows(published)
    shown = {name: with_source(rows, beside[name]) for name, rows in tables.items()}
    curve, comparison = tables["curve"], tables["comparison"]
    return {
        "curve": [curve_cells(row) for row in shown["curve"]],
        "hinges": [hinge_cells(row | {"determined": None, "remark": None}) for row in shown["hinges"]],
        "handoffs": [handoff_cells(row) for row in shown["handoffs"]],
        "comparison": [comparison_cells(row) for row in shown["comparison"]],
        "independence": [independence_cells(row) for row in shown["independence"]],
        "simulated": list(dict.fromkeys(row["model"] for row in curve if row["simulated"])),
        "stopped": [row for row in comparison if row["grading"] == "raw" and row["graded"] < row["planned"]],
        "lossy": [row for row in tables["handoffs"] if row["grading"] == "raw" and loses(row)],
        "thawed": list(dict.fromkeys(row["model"] for row in comparison if not row["frozen"])),
        "study": published.get("study"),
    }


def loses(row: Row) -> bool:
    """Whether notes of a length lack what no agent could do without: the balance, or ids that are needed."""
    return bool(row["held"] < row["needed"] or (row["notes_right"] or 0) < 1)


def curve_cells(row: Row) -> Row:
    """A row with its numbers as texts."""
    texts = {f"{name}_text": span(row, name, places=4) for name in ("failure", "rising", "hinge")}
    return row | texts | {"load_text": count(row["load"])}


def handoff_cells(row: Row) -> Row:
    """A row with its numbers as texts."""
    needed = "" if row["needed"] is None else f"{count(row['held'])} of {count(row['needed'])}"
    texts = {f"{name}_text": span(row, name) for name in ("tax", "writing", "effective", "relief")}
    return row | texts | {"held_text": needed, "right_text": percent(row["notes_right"])}


def comparison_cells(row: Row) -> Row:
    """A row with its numbers as texts."""
    texts = {f"{name}_text": span(row, name) for name in ("single", "chain", "predicted", "difference")}
    best = span(row, "best", places=1)
    spread = ""
    if row["spread_low"] is not None:
        spread = f"[{decimal(row['spread_low'], 2)}, {decimal(row['spread_high'], 2)}]"
    covered = {True: "yes", False: "no", None: ""}[row["covered"]]
    return (
        row
        | texts
        | {"best_text": best, "spread_text": spread, "p_text": p_text(row), "covered_text": covered}
    )


def independence_cells(row: Row) -> Row:
    """A row with its numbers as texts."""
    null = f"[{decimal(row['null_low'], 3)}, {decimal(row['null_high'], 3)}]" if row["p"] is not None else ""
    texts = {f"{name}_text": span(row, name) for name in ("product", "share")}
    texts |= {"difference_text": decimal(row["difference"], 3), "null_text": null, "p_text": p_text(row)}
    return row | texts


def p_text(row: Row) -> str:
    """A p as text."""
    p = row["p"]
    return "" if p is None else "< .001" if p < SMALL_P else decimal(p, 3)
