"""Write the ledger experiment's tables: ``statistics/*.parquet`` -> ``tables/*.csv`` and ``*.tex``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.handoff import ledger_schemas
from scripts.handoff.layout import LEDGER_TABLES
from scripts.handoff.published import ledger_rows
from scripts.handoff.tabulate_pilot import slope_cell, whole, with_source, write_printed
from scripts.lib.stage import run
from scripts.lib.tables import read_rows
from scripts.lib.typesetting import Column, estimated, number, text

Row = dict[str, Any]


def tabulate_ledger(data: Path, output: Path, job: Row) -> None:
    """Write each table of ``layout.LEDGER_TABLES`` as CSV and LaTeX into the folder ``output``.

    ``job``: published (topics as from ``load_published``); those rows stand below, by their own mark.
    """
    beside = ledger_rows(job["published"])
    for stem, own in read_tables(data).items():
        columns, caption = PRINTED[stem]
        write_printed(output, stem, with_source(own, beside[stem]), columns, caption)


def read_tables(data: Path) -> dict[str, list[Row]]:
    """The statistics of the experiment below the study's folder ``data``, by name."""
    return {
        name: read_rows(data / "statistics" / f"{name}.parquet", getattr(ledger_schemas, name.upper()))
        for name in LEDGER_TABLES
    }


_ABOUT = [text("Source", "source"), text("Model", "model"), text("Grading", "grading")]
PRINTED: dict[str, tuple[list[Column], str]] = {
    "curve": (
        [
            *_ABOUT,
            whole("Load (tokens)", "load"),
            text("Steps", "steps"),
            estimated("failure", "Failures"),
            estimated("rising", "Rising loss (nats)"),
            estimated("hinge", "Hinge (nats)"),
        ],
        "Failure of a single agent's step by measured load. Ledgers are resampled.",
    ),
    "hinges": (
        [
            *_ABOUT,
            estimated("base", "Base (nats)"),
            ("Slope (nats a million tokens)", slope_cell),
            whole("Knee (tokens)", "knee"),
        ],
        "The weighted hinge of the in-task curve. Ledgers are resampled.",
    ),
    "handoffs": (
        [
            *_ABOUT,
            text("Note (most tokens)", "limit"),
            text("Pairs", "pairs"),
            estimated("tax", "h"),
            estimated("writing", "Writing"),
            estimated("effective", "Effective"),
            number("Balance in note", "notes_right"),
        ],
        "Handoff tax, nats a boundary: a chunk after a note against the same steps with the whole history, "
        "the difference in load added back.",
    ),
    "comparison": (
        [
            *_ABOUT,
            text("Depth", "depth"),
            text("Chunk", "chunk"),
            text("Ledgers", "graded"),
            estimated("single", "One agent"),
            estimated("chain", "Chain"),
            estimated("predicted", "Predicted"),
            estimated("difference", "Chain less one agent"),
            number("McNemar p", "p"),
            estimated("best", "Best chunk"),
        ],
        "Success of whole ledgers. The prediction was written before any chain was run.",
    ),
    "independence": (
        [
            *_ABOUT,
            text("Agents", "part"),
            text("Chunk", "chunk"),
            text("Depth", "depth"),
            estimated("product", "Product of steps"),
            estimated("share", "Share of ledgers"),
            number("Difference", "difference"),
            number("p", "p"),
        ],
        "Do the losses of steps add up? Product of the steps' success against the share of whole ledgers; "
        "p by permutation.",
    ),
}


if __name__ == "__main__":
    run(tabulate_ledger)
