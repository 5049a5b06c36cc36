"""Let a model name the themes: ``themes/themes.parquet`` -> ``themes/names.parquet``."""

from __future__ import annotations

import asyncio
import functools
import json
import textwrap
from pathlib import Path
from typing import Any

from scripts.collaboration.theme_schemas import NAMES, THEMES
from scripts.lib.agents.caller import Caller, Calls, open_callers
from scripts.lib.agents.calls import CallFailed, Messages
from scripts.lib.agents.ordered import in_order
from scripts.lib.dialogue.prompts import prompt
from scripts.lib.progress import Meter
from scripts.lib.stage import run
from scripts.lib.tables import read_rows, write_rows

LEDGER_TASK = "themes"  # where the ledger keeps these calls: they belong to no task
LONGEST_NAME = 60  # characters

Row = dict[str, Any]


def name_themes(themes: Path, output: Path, calls: Row, job: Row) -> None:
    """Name each theme by a model that sees its top terms and a few of its descriptions.

    ``calls``: see ``Calls``; ``job``: namer (a model's name). A theme whose call fails, or whose reply is
    empty, has no name; its top terms then stand for it.
    """
    asyncio.run(_name_all(read_rows(themes, THEMES), output, Calls.read(calls), job["namer"]))


async def _name_all(themes: list[Row], output: Path, calls: Calls, namer: str) -> None:
    meter = Meter(len(themes), "themes")
    async with open_callers([namer], calls, meter) as session:
        work = functools.partial(_name_one, caller=session.callers[namer], meter=meter)
        write_rows(output, [row async for row in in_order(themes, work, session.stop)], NAMES)


async def _name_one(theme: Row, caller: Caller, meter: Meter) -> Row:
    row = {name: theme[name] for name in ("source", "theme", "top_terms", "simulated")}
    row |= {"namer": caller.name, "name": None, "error": None}
    try:
        reply = await caller.call(LEDGER_TASK, naming_messages(theme))
        row["name"] = short_name(reply.text)
        row["error"] = None if row["name"] else "the reply is empty"
    except CallFailed as failure:
        row["error"] = str(failure)
    meter.done += 1
    return row


def naming_messages(theme: Row) -> Messages:
    """What the namer is asked: terms and descriptions as quoted material."""
    group = {"words": theme["top_terms"], "texts": theme["examples"]}
    content = f"Group, as JSON:\n{json.dumps(group, ensure_ascii=False, indent=1)}"
    return [{"role": "system", "content": prompt("theme_system")}, {"role": "user", "content": content}]


def short_name(reply: str) -> str | None:
    """The first line of a reply that holds something, without marks around it, cut; None where none does."""
    lines = ("".join(filter(str.isprintable, line)).strip(" \"'`*#.-") for line in reply.splitlines())
    name = next(filter(None, lines), None)
    return name and textwrap.shorten(name, LONGEST_NAME, placeholder=" ...") if name else None


if __name__ == "__main__":
    run(name_themes)
