"""Sequences of labels (walks, orders, paths): reading them out of JSON values and out of free text."""

from __future__ import annotations

import re
from typing import Any

from tasks import labels
from tasks.contract import VIEWS, Draft, Frame, Task

LONGEST_TEXT = 400  # characters of a sequence that is written as one text
_LABEL = rf"(?:[A-Z][0-9]{{1,3}}|{'|'.join(labels.WORDS)})\b"
_FIND = re.compile(rf"\b{_LABEL}")
_RUN = re.compile(rf"\b{_LABEL}(?:[ \t\"',<>=→-]{{1,8}}(?:(?:then|to|and|before)[ \t])?{_LABEL})*")


def runs(text: str, shortest: int = 2) -> list[list[str]]:
    """The sequences of labels that a text writes in one line each, such as ``Amber -> N2 -> Coral``."""
    found = (_FIND.findall(match[0]) for match in _RUN.finditer(text))
    return [run for run in found if len(run) >= shortest]


def longest_run(text: str) -> list[str] | None:
    """The longest sequence of a text, or else the labels that stand alone in its lines; None for none."""
    return max(runs(text), key=len, default=None) or [run[0] for run in runs(text, 1)] or None


def read_sequence(value: Any, frame: Frame, longest: int) -> list[str | None] | None:
    """A JSON list of labels, or a text such as ``Amber -> Birch``, as names; other entries stay as None.

    None as a whole where the value holds no name at all or is longer than an answer can be.
    """
    if isinstance(value, str) and len(value) <= LONGEST_TEXT:
        value = longest_run(value)
    entries = labels.answer_list(value, longest) or []
    names = [labels.only_mentioned(entry, frame, labels.KNOWN_WORDS) for entry in entries]
    return names if any(names) else None


def echo_scores(task: Task, draft: Draft) -> bool:
    """Whether the facts of a view, echoed back as the answer, would score by luck."""
    truth = task.solve(draft.union)
    for view in VIEWS:
        facts = draft.union if view == "full" else draft.facts[view]
        value, _ = task.read_answer(task.block(facts, draft.frames[view]))
        if task.score(draft.union, truth, value, draft.frames).score:
            return True
    return False
