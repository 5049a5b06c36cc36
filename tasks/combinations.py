"""People with attributes, and questions about who has a combination of them.

Facts: ("has", person, attribute) -> value, ("people",) -> names, ("values", attribute) -> values, and
("question", i) -> (wanted attribute or "who", attribute, value, ...): conditions that one person fulfils.
A frame holds ``ground``, the number of the ground floor; inside the tasks it is 0.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

from tasks.contract import Facts, Frame, Key, Reject

Question = tuple[Any, ...]
PEOPLE = (
    *("Anna", "Boris", "Clara", "David", "Emma", "Felix", "Greta", "Henry", "Irene", "Jonas"),
    *("Karin", "Leon", "Mara", "Nils", "Olga", "Peter", "Rosa", "Simon", "Tina", "Viktor"),
)
VALUES: dict[str, tuple[Any, ...]] = {
    "city": ("Berlin", "Cairo", "Lima", "Madrid", "Oslo", "Paris", "Rome", "Tokyo"),
    "hobby": ("chess", "cooking", "dancing", "fishing", "painting", "running", "sailing", "singing"),
    "pet": ("bird", "cat", "dog", "fish", "hamster", "pony", "rabbit", "snake"),
    "floor": (0, 1, 2, 3, 4, 5),  # above the ground floor
}
WORDS = ("city", "hobby", "pet")
KNOWN = {name.lower(): name for name in (*PEOPLE, *(value for kind in WORDS for value in VALUES[kind]))}
_CONDITION = re.compile(r"\b(city|hobby|pet|floor) (\w+)")


# -- questions -----------------------------------------------------------------------------------
def pairs(conditions: Sequence[Any]) -> list[tuple[str, Any]]:
    """The conditions of a question as (attribute, value)."""
    return list(zip(conditions[::2], conditions[1::2], strict=True))


def fulfils(facts: Facts, person: str, conditions: Sequence[Any]) -> bool:
    """Whether a person is known to fulfil the conditions."""
    return all(facts.get(("has", person, a)) == v for a, v in pairs(conditions))


def may(facts: Facts, person: str, conditions: Sequence[Any]) -> bool:
    """Whether nothing that is known keeps a person from fulfilling the conditions."""
    return all(facts.get(("has", person, a), v) == v for a, v in pairs(conditions))


def unknown(facts: Facts) -> list[Key]:
    """What is not known of the people."""
    attributes = sorted(key[1] for key in facts if key[0] == "values")
    keys = (("has", person, attribute) for person in facts[("people",)] for attribute in attributes)
    return [key for key in keys if key not in facts]


def ask(
    rng: random.Random,
    kind: str,
    has: Facts,
    people: list[str],
    sides: dict[str, list[str]],
    rivals: int,
    asked: list[Question],
) -> Question:
    """A question about one person: ``a`` and ``b`` want a value of that holder and tell the other's.

    ``who`` tells a value of each, and as many rivals fulfil either one alone.
    """
    for _ in range(30):
        person = rng.choice(people)
        if kind == "who":
            wanted, told = "who", [rng.choice(sides["a"]), rng.choice(sides["b"])]
        else:
            words = [attribute for attribute in sides[kind] if attribute in WORDS]
            if not words:
                break  # floors are not asked for: their numbers would be right in either way of counting
            wanted, told = rng.choice(words), sides["b" if kind == "a" else "a"]
        conditions = [part for a in told for part in (a, has[("has", person, a)])]
        few = [sum(fulfils(has, p, pair) for p in people) < rivals for pair in pairs(conditions)]
        if kind == "who" and any(few):
            continue
        if sum(fulfils(has, p, conditions) for p in people) == 1 and (wanted, *conditions) not in asked:
            return (wanted, *conditions)
    raise Reject("no question needs both views")


# -- writing and reading -------------------------------------------------------------------------
def write(value: Any, frame: Frame) -> str:
    """A value as the frame writes it."""
    return str(value + frame["ground"]) if isinstance(value, int) else str(value)


def read(attribute: str, text: str, frame: Frame) -> Any | None:
    """The value that a word stands for; None where the attribute has no such value."""
    if attribute == "floor":
        floor = int(text) - frame["ground"] if re.fullmatch("[0-9]", text) else None
        return floor if floor in range(10) else None
    return KNOWN.get(text.lower()) if KNOWN.get(text.lower()) in VALUES[attribute] else None


def conditions(text: str, frame: Frame) -> list[tuple[str, Any]]:
    """Attributes and values that a text tells, such as ``city Rome and floor 2``."""
    told = [(attribute, read(attribute, word, frame)) for attribute, word in _CONDITION.findall(text)]
    return [(attribute, value) for attribute, value in told if value is not None]
