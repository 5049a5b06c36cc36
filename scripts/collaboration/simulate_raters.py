"""Label simulated conversations as people would who err at planted rates -> ``annotations/simulated/*.csv``.

It rehearses the way from labels to kappas without people; what it writes is named simulated throughout.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from scripts.collaboration.annotations import COLUMNS, SIMULATED, opaque_id
from scripts.collaboration.conversations import read_conversations
from scripts.collaboration.schemas import SAMPLES
from scripts.lib.agents.simulated.judge import judge_conversation
from scripts.lib.dialogue.judging import Void, judge_messages, read_verdict
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.files import write_text
from scripts.lib.stage import run
from scripts.lib.tables import read_rows

# Share of a rater's labels that are the opposite of what the rules say; further raters begin anew.
ERROR_RATES = (0.03, 0.06, 0.09, 0.12)
UNSURE = 0.02  # share of labels that are left open

Row = dict[str, Any]


def simulate_raters(sample: Path, views: list[Path], rollouts: list[Path], output: Path, job: Row) -> None:
    """Write the labels of ``job["raters"]`` raters, drawn with ``job["seed"]``, as CSV.

    Each rater reads views and turns by the rules of the simulated judge, and then errs on its own. Only
    conversations of simulated agents are labelled: the rules read no other text.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for talk in read_conversations(read_rows(sample, SAMPLES), views, rollouts):
        if talk["simulated"]:
            writer.writerows(_label(talk, job["raters"], job["seed"]))
    write_text(output, text.getvalue())


def _label(talk: Row, raters: int, seed: int) -> Iterator[tuple[str, ...]]:
    """The rows of one conversation; a stage that the rules cannot judge has none."""
    name = opaque_id(talk)
    for stage in STAGES:
        satisfied = read_stage(stage, talk["views"], talk["messages"])
        for number in range(raters if satisfied is not None else 0):
            rater = f"{SIMULATED}{number + 1}"
            errs, unsure = _luck(seed, rater, name, stage).random(2)
            is_right = errs >= ERROR_RATES[number % len(ERROR_RATES)]
            label = "" if unsure < UNSURE else "1" if satisfied == is_right else "0"
            yield rater, name, stage, label, ""


def read_stage(stage: str, views: list[str], messages: list[Row]) -> bool | None:
    """Whether a stage is satisfied by the rules of the simulated judge; None where they find no verdict."""
    try:
        system, user = judge_messages(stage, views, messages)
        return read_verdict(judge_conversation(system["content"], user["content"]), messages).satisfied
    except Void:
        return None


def _luck(*place: Any) -> np.random.Generator:
    """A source of chance for one label, the same in any order."""
    digest = hashlib.sha256("\x1f".join(map(str, place)).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


if __name__ == "__main__":
    run(simulate_raters)
