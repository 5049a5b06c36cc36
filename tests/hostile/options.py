"""What can be set on a hostile server; each is also an argument of its command line."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, get_args, get_type_hints


@dataclass
class Options:
    """Without any, the endpoint is faultless. All but ``log`` may be changed while it runs."""

    seed: Annotated[int, "decides, with a body's hash, which fault meets it"] = 0
    faults: Annotated[float, "share of chats' bodies that meet transient faults"] = 0.0
    terminal: Annotated[float, "share of bodies that meet a terminal fault, always"] = 0.0
    harmless: Annotated[float, "share of bodies whose good reply comes in odd dress"] = 0.0
    api_faults: Annotated[float, "the same of all else that is asked of files and batches"] = 0.0
    batch_faults: Annotated[float, "share of batches that end badly"] = 0.0
    only: Annotated[tuple[str, ...], "draw from these: names of faults, or beginnings (server_error)"] = ()
    in_a_row: Annotated[int, "transient faults that meet one body before its good reply, at most"] = 3
    retry_after: Annotated[float, "seconds that a 429 asks a client to wait"] = 0.1
    pause: Annotated[float, "seconds between the bytes of a slow reply"] = 0.05
    delay: Annotated[float, "seconds before any chat is answered"] = 0.0
    greeting: Annotated[str, "opens every good reply of an agent (for replies that are not ASCII)"] = ""
    per_window: Annotated[int, "chats admitted in any window, 429 beyond; 0: no limit"] = 0
    window: Annotated[float, "seconds of that window"] = 60.0
    at_once: Annotated[int, "chats admitted at the same time, 429 beyond; 0: no limit"] = 0
    refused_count: Annotated[bool, "refused chats count in the window too"] = False
    batch_seconds: Annotated[float, "seconds that a batch takes"] = 0.2
    batch_lines: Annotated[int, "lines that a batch may have"] = 50_000
    log: Annotated[Path | None, "file for the record, one JSON line a request"] = None


def add_arguments(parser: ArgumentParser) -> None:
    """Every option as an argument: ``per_window`` as ``--per-window``."""
    types = get_type_hints(Options, include_extras=True)
    for one in fields(Options):
        name, (kind, text) = f"--{one.name.replace('_', '-')}", get_args(types[one.name])
        if kind is bool:
            parser.add_argument(name, action="store_true", help=text)
        elif one.name == "only":
            parser.add_argument(name, nargs="+", default=(), help=text)
        else:
            kind = Path if one.name == "log" else kind
            parser.add_argument(name, type=kind, default=one.default, help=f"{text} (default: %(default)s)")


def from_arguments(arguments: Namespace) -> Options:
    """The options of a parsed command line."""
    values = {one.name: getattr(arguments, one.name) for one in fields(Options)}
    return Options(**values | {"only": tuple(arguments.only)})
