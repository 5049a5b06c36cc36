"""Write the annotation kit: the sampled rollouts and a guideline on one page -> ``annotation_kit.html``.

The page needs no other file and no network. It shows neither model nor score nor judge.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from scripts.collaboration.annotations import opaque_id
from scripts.collaboration.conversations import read_conversations
from scripts.collaboration.schemas import SAMPLES
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.files import write_text
from scripts.lib.page import render_page, source_hash
from scripts.lib.stage import run
from scripts.lib.tables import read_rows

TEMPLATES = Path(__file__).parent / "templates"
QUESTIONS = {
    "l1": "Does each claim that matters say where it comes from?",
    "l2": "Does an agent ask for what it lacks before it proposes, checks or submits?",
    "l3": "Is what the partner tells taken up?",
    "l4": "Does the other agent check the answer before it is final?",
}

Row = dict[str, Any]


def write_annotation_kit(
    sample: Path, views: list[Path], rollouts: list[Path], output: Path, job: Row
) -> None:
    """Write the page for the rollouts of a sample, in an order that the seed shuffles.

    ``job``: seed. Errors as in ``read_conversations``.
    """
    talks = list(read_conversations(read_rows(sample, SAMPLES), views, rollouts))
    items = [
        {"id": opaque_id(talk), "views": talk["views"], "turns": [_turn(m) for m in talk["messages"]]}
        for talk in talks
    ]
    items.sort(key=lambda item: _digest(str(job["seed"]), item["id"]))
    page = render(items, any(talk["simulated"] for talk in talks))
    write_text(output, page)


def _turn(message: Row) -> Row:
    """What a rater sees of a message; turns count from 1."""
    return {"turn": message["turn"] + 1, "slot": message["slot"], "text": message["text"]}


def render(items: Sequence[Row], simulated: bool) -> str:
    """The page for items of id, views (two texts) and turns (turn, slot, text).

    What models wrote is JSON without ``<``, ``>`` and ``&``, so that nothing of it can be markup.
    """
    kit = {"id": _digest(*(item["id"] for item in items)), "stages": list(STAGES), "rollouts": items}
    data = json.dumps(kit)
    for character in "<>&":
        data = data.replace(character, f"\\u{ord(character):04x}")
    script, style = ((TEMPLATES / f"kit.{kind}").read_text(encoding="utf-8") for kind in ("js", "css"))
    shown = {
        "data": Markup(data),
        "script": Markup(script),
        "style": Markup(style),
        "hash": source_hash,
        "simulated": simulated,
        "stages": STAGES,
        "questions": QUESTIONS,
    }
    return render_page(TEMPLATES, "kit.html", shown)


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:12]


if __name__ == "__main__":
    run(write_annotation_kit)
