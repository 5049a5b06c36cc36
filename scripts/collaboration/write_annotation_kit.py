"""Write the annotation kit: the sampled rollouts and a guideline on one page -> ``annotation_kit.html``.

The page needs no other file and no network. It shows neither model nor score nor judge.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from scripts.collaboration.annotations import opaque_id
from scripts.collaboration.schemas import ROLLOUT_ID, ROLLOUTS, SAMPLES, VIEWS
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.errors import UserError
from scripts.lib.files import whole_file
from scripts.lib.stage import run
from scripts.lib.tables import read_each, read_rows, read_table
from tasks.contract import HOLDERS

TEMPLATES = Path(__file__).parent / "templates"
QUESTIONS = {
    "l1": "Does each claim that matters say where it comes from?",
    "l2": "Does an agent ask for what it lacks before it proposes, checks or submits?",
    "l3": "Is what the partner tells taken up?",
    "l4": "Does the other agent check the answer before it is final?",
}

Row = dict[str, Any]
Place = tuple[Any, ...]


def write_annotation_kit(
    sample: Path, views: list[Path], rollouts: list[Path], output: Path, job: Row
) -> None:
    """Write the page for the rollouts of a sample, in an order that the seed shuffles.

    Of ``views`` and ``rollouts`` only the files that hold them are read. ``job``: seed, simulated ({team:
    bool}). Raises UserError where one of them is not there.
    """
    chosen = {_place(row): row for row in read_rows(sample, SAMPLES, list(ROLLOUT_ID))}
    turns = _read_turns(rollouts, chosen)
    texts = _read_views(views, {(row["task"], row["index"]) for row in chosen.values()})
    items = []
    for place, row in chosen.items():
        if place not in turns or len(texts.get((row["task"], row["index"]), {})) < len(HOLDERS):
            raise UserError(f"the annotation kit needs {row}, which is not there: rebuild rollouts and views")
        shown = texts[row["task"], row["index"]]
        items.append(
            {"id": opaque_id(row), "views": [shown[holder] for holder in HOLDERS], "turns": turns[place]}
        )
    items.sort(key=lambda item: _digest(str(job["seed"]), item["id"]))
    simulated = any(job["simulated"][row["team"]] for row in chosen.values())
    with whole_file(output) as temporary:
        temporary.write_text(render(items, simulated), encoding="utf-8", newline="\n")


def render(items: Sequence[Row], simulated: bool) -> str:
    """The page for items of id, views (two texts) and turns (turn, slot, text).

    What models wrote is JSON without ``<``, ``>`` and ``&``, so that nothing of it can be markup.
    """
    kit = {"id": _digest(*(item["id"] for item in items)), "stages": list(STAGES), "rollouts": items}
    data = json.dumps(kit)
    for character in "<>&":
        data = data.replace(character, f"\\u{ord(character):04x}")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    script, style = ((TEMPLATES / f"kit.{kind}").read_text(encoding="utf-8") for kind in ("js", "css"))
    return environment.get_template("kit.html").render(
        data=Markup(data),
        script=Markup(script),
        style=Markup(style),
        hash=_source_hash,
        simulated=simulated,
        stages=STAGES,
        questions=QUESTIONS,
    )


def _read_turns(paths: Sequence[Path], chosen: dict[Place, Row]) -> dict[Place, list[Row]]:
    """What was said in each chosen rollout; turns count from 1, as raters do."""
    turns = {}
    for path in paths:
        table = read_table(path, ROLLOUTS, [*ROLLOUT_ID, "messages"])
        places = zip(*(table[name].to_pylist() for name in ROLLOUT_ID), strict=True)
        for number, place in enumerate(places):
            if place in chosen:  # only these are taken out of Arrow: a large study has many more
                (row,) = table.slice(number, 1).to_pylist()
                turns[place] = [
                    {"turn": message["turn"] + 1, "slot": message["slot"], "text": message["text"]}
                    for message in row["messages"]
                ]
    return turns


def _read_views(paths: Sequence[Path], wanted: set[Place]) -> dict[Place, dict[str, str]]:
    """The texts of the wanted instances (task, index) by view."""
    texts: dict[Place, dict[str, str]] = {}
    for path in paths:
        for row in read_each(path, VIEWS, ["task", "index", "view", "text"]):
            if (row["task"], row["index"]) in wanted:
                texts.setdefault((row["task"], row["index"]), {})[row["view"]] = row["text"]
    return texts


def _place(row: Row) -> Place:
    return tuple(row[name] for name in ROLLOUT_ID)


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:12]


def _source_hash(text: str) -> str:
    """What a content security policy calls a script or style by."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


if __name__ == "__main__":
    run(write_annotation_kit)
