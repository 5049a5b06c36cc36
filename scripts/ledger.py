"""``python -m scripts.ledger list|verify|compact|export``: look after the recorded replies."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from scripts.lib.agents.ledger_tools import (
    Holding,
    compact_ledger,
    export_ledger,
    list_ledger,
    verify_ledger,
)
from scripts.lib.agents.models import load_models
from scripts.lib.errors import UserError
from scripts.lib.text import aligned

HEAD = (
    *("model", "task", "segments", "replies", "repeated", "damaged", "tokens in", "tokens out", "USD", "KB"),
    *("first", "last"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; returns the exit code: 1 for faults in the ledger and for errors."""
    options = _parser().parse_args(arguments)
    try:
        return {"list": _list, "verify": _verify, "compact": _compact, "export": _export}[options.what](
            options
        )
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m scripts.ledger", description=__doc__)
    commands = parser.add_subparsers(dest="what", required=True)
    for name, help_text in (
        ("list", "what is recorded, by model and task"),
        ("verify", "look at every line; exit code 1 where one is damaged"),
        ("compact", "one segment a model and task, without damaged lines"),
        ("export", "all replies as one Parquet table"),
    ):
        command = commands.add_parser(name, help=help_text, description=help_text)
        command.add_argument("--ledger", type=Path, default=Path("data/ledger"), help="default: data/ledger")
        command.add_argument("--model", help="this model alone")
        if name == "list":
            command.add_argument(
                "--models-file", type=Path, default=Path("config/models.yaml"), help="prices"
            )
        if name == "export":
            command.add_argument("--output", type=Path, required=True, help="the table to write")
    return parser


def _list(options: argparse.Namespace) -> int:
    holdings = list_ledger(options.ledger, load_models(options.models_file), options.model)
    total = Holding("total", "")
    for holding in holdings:
        total.add(holding)
    print("\n".join(aligned([HEAD, *map(_cells, [*holdings, total])], left={0, 1})))
    return 0


def _cells(holding: Holding) -> tuple[str, ...]:
    counts = (
        *(holding.segments, holding.replies, holding.repetitions, holding.damaged),
        *(holding.prompt, holding.completion),
    )
    return (
        *(holding.model, holding.task, *(f"{count:,}" for count in counts)),
        "unknown" if holding.cost is None else f"{holding.cost:.4f}",
        f"{holding.size / 1000:,.0f}",
        *(at[:16].replace("T", " ") for at in (holding.first, holding.last)),
    )


def _verify(options: argparse.Namespace) -> int:
    findings = verify_ledger(options.ledger, options.model)
    for line in (*findings.notes, *findings.faults):
        print(line)
    print(f"{findings.lines:,} lines, {len(findings.notes)} cut off, {len(findings.faults)} faults")
    return 1 if findings.faults else 0


def _compact(options: argparse.Namespace) -> int:
    before, after, dropped = compact_ledger(options.ledger, options.model)
    print(f"{before:,} segments became {after:,}; {dropped:,} damaged lines and copies were dropped")
    return 0


def _export(options: argparse.Namespace) -> int:
    rows = export_ledger(options.ledger, options.output, options.model)
    print(f"{rows:,} replies in {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
