"""Names, IDs and numbered questions: what the tasks share that call their things by name.

Inside the tasks things go by name. A frame with ``alias`` (ID -> name) writes IDs instead and lists them
in its notation; a frame without one writes the names.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from tasks.answers import word
from tasks.contract import Answer, Facts, Frame

Item = TypeVar("Item")
WORDS = (
    *("Amber", "Birch", "Coral", "Delta", "Ember", "Flint", "Grove", "Heron"),
    *("Iris", "Jade", "Koala", "Lotus", "Maple", "Nova", "Onyx", "Pearl"),
)
KNOWN_WORDS = {name.lower(): name for name in WORDS}
BY_NAME = "go by name"
BY_ID = "go by ID"
_ALIAS = re.compile(r"\b([A-Z][0-9]{1,3}) is ([A-Z][a-z]{1,20})\b")
_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_NUMBERED = re.compile(r"(?im)^[^\w\n]*(?:(?:question|answer|q)[ \t]*)?([1-9])[ \t]*[:.)][ \t*]+(\S.*)$")


def draw_alias(rng: random.Random, names: Iterable[str], prefix: str) -> dict[str, str]:
    """IDs such as P1, P2, ... dealt to the names at random."""
    dealt = sorted(names)
    rng.shuffle(dealt)
    return {f"{prefix}{number}": name for number, name in enumerate(dealt, 1)}


def label(name: str, frame: Frame) -> str:
    """A name as the frame writes it (the name itself where it has no ID)."""
    return next((short for short, full in frame.get("alias", {}).items() if full == name), name)


def order(text: str) -> tuple[int, str]:
    """Sort key of a label: P2 before P10. Sorted labels tell nothing by their order."""
    digits = text[1:]
    return (int(digits), text) if digits.isascii() and digits.isdecimal() else (0, text)


def labels(names: Iterable[str], frame: Frame) -> list[str]:
    """Names as the frame writes them, sorted."""
    return sorted((label(name, frame) for name in names), key=order)


def resolve(text: str, frame: Frame, known: Mapping[str, str]) -> str | None:
    """The name that a label stands for, in any case; None where it stands for none."""
    name: str | None = frame.get("alias", {}).get(text.upper())
    return name or known.get(text.lower())


def mentioned(text: str, frame: Frame, known: Mapping[str, str]) -> list[str]:
    """The distinct names that a text mentions, in order."""
    found = (resolve(token, frame, known) for token in _TOKEN.findall(text))
    return list(dict.fromkeys(name for name in found if name is not None))


def only_mentioned(value: Any, frame: Frame, known: Mapping[str, str]) -> str | None:
    """The one name that a short text mentions, as in ``P3 (Anna)``; None for several or none."""
    text = word(value)
    names = mentioned(text, frame, known) if text else []
    return names[0] if len(names) == 1 else None


def state_labels(things: str, frame: Frame) -> str:
    """Say how the things are called, with the alias list; ``read_labels`` reads it back."""
    if "alias" not in frame:
        return f"{things} {BY_NAME}."
    listed = ", ".join(f"{short} is {name}" for short, name in sorted(frame["alias"].items()))
    return f"{things} {BY_ID}: {listed}."


def read_labels(text: str) -> Frame:
    """The part of a frame that ``state_labels`` wrote. Raises ValueError where there is none."""
    alias = dict(_ALIAS.findall(text))
    if BY_ID in text and alias:
        return {"alias": alias}
    if BY_NAME in text:
        return {}
    raise ValueError("no labels stated")


def questions(facts: Facts, kind: str = "query") -> list[tuple[int, Any]]:
    """The questions of a kind of fact such as ("query", 1), in order: number and question."""
    return sorted((key[1], value) for key, value in facts.items() if key[0] == kind)


def answer_list(value: Any, longest: int = 20) -> list[Any] | None:
    """The answers to numbered questions: a list, or an object's values; None where too long or empty."""
    if isinstance(value, dict):
        value = list(value.values())
    return value if isinstance(value, list) and 0 < len(value) <= longest else None


def fraction_right(right: Iterable[bool], answered: int, asked: int) -> float:
    """Share of the questions answered right; 0 unless there is one answer a question."""
    return sum(right) / asked if asked and answered == asked else 0.0


def fraction_equal(answer: Answer, truth: Answer) -> float:
    """``fraction_right`` where each answer must be the true one."""
    right = (given == best for given, best in zip(answer, truth, strict=False))
    return fraction_right(right, len(answer), len(truth))


def tokens(text: str) -> list[str]:
    """The words and IDs of a text, in order."""
    return _TOKEN.findall(text)


def numbered_answers(text: str) -> list[str] | None:
    """The answers of lines such as ``2. Anna`` or ``Question 2: Anna``, see ``in_order``."""
    return in_order((int(match[1]), match[2].strip(" \t.*")) for match in _NUMBERED.finditer(text))


def in_order(numbered: Iterable[tuple[int, Item]]) -> list[Item] | None:
    """What stands behind the numbers 1, 2, ...; None where there is nothing or one number is missing.

    Two answers to one question are a listing, not an answer: None.
    """
    items: dict[int, Item] = {}
    for number, item in numbered:
        if items.setdefault(number, item) != item:
            return None
    return [items[n] for n in sorted(items)] if items and max(items) == len(items) else None
