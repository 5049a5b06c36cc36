"""The command line of a stage: one function of paths and a job, called as ``python -m scripts...``."""

from __future__ import annotations

import argparse
import inspect
import json
import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_type_hints

from scripts.lib.errors import UserError


def run(stage: Callable[..., None]) -> None:
    """Call a stage with what stands on the command line.

    Parameters annotated ``Path`` or ``list[Path]`` become options that take paths, all others options that
    take JSON. ``--log`` names a file that gets the same lines as the terminal. A UserError ends with
    its exit code (mostly 1) and its message alone.
    """
    hints = get_type_hints(stage)
    parser = argparse.ArgumentParser(description=inspect.getdoc(stage))
    parser.add_argument("--log", type=Path)
    for name in inspect.signature(stage).parameters:
        option = f"--{name.replace('_', '-')}"
        many = hints[name] == list[Path]
        kind: Any = Path if many or hints[name] is Path else json.loads
        parser.add_argument(option, type=kind, nargs="*" if many else None, required=True)
    arguments = vars(parser.parse_args())
    name = Path(sys.argv[0]).stem
    _set_up_log(arguments.pop("log"), name)
    try:
        stage(**arguments)
    except UserError as error:
        logging.error("%s", error)
        sys.exit(error.code)
    except Exception:
        logging.exception("%s failed; this is a defect, please report it", name)
        sys.exit(2)


def _set_up_log(path: Path | None, name: str) -> None:
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)]
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        handlers.append(logging.FileHandler(path, mode="w", encoding="utf-8"))
    logging.raiseExceptions = False  # a log file on a full disk must not hide the error itself
    form = f"%(asctime)s {name} %(levelname)s: %(message)s"
    logging.basicConfig(level=logging.INFO, format=form, datefmt="%H:%M:%S", handlers=handlers, force=True)
    for chatty in ("httpx", "httpx2", "httpcore2", "openai"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
