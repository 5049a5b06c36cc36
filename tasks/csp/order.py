"""Order: bring items into the one order that the clues leave.

View A tells in sentences by name what is earlier than what; view B tells in signs by ID what is later and
what is adjacent, with the list of IDs.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Sequence
from typing import Any

from tasks import labels
from tasks.contract import Facts, Frame, Key
from tasks.sequences import Clue, SequenceTask, hear_public, say_public

KNOWN = {name.lower(): name for name in labels.WORDS}
CLUES = ("at", "next", "pair")  # kinds of facts
WAYS = {"earliest": "earlier", "latest": "later"}  # the end where places begin: how clues compare
SIGNS = (
    'In the clues, "x > y" means that x is {than} than y, "x ~ y" that x and y are adjacent (in either '
    'order), "x @ 2" that x is in place 2.'
)
_SENTENCE = re.compile(r"(\w+) is (?:(earlier|later) than (\w+)|(adjacent) to (\w+)|in place ([0-9]+))\.")
_SIGN = re.compile(r"(\w+) (?:(>) (\w+)|(~) (\w+)|@ ([0-9]+))")
_NOTATION = re.compile(r"Places are numbered from 1 to ([2-9]), beginning at the (earliest|latest) item\.")


class Order(SequenceTask):
    """Facts: ("pair", x, y) -> "before" | "after", ("next", x, y) -> "next", ("at", item) -> place from 0."""

    name = "order"
    family = "csp"
    title = "Order"
    rules = (
        "Some items come one after the other. Find the order from the clues; there is exactly one. Earlier "
        "and later mean anywhere before and after; adjacent means directly before or after."
    )
    noun = "clues"
    answer_key = "order"
    answer_format = (
        'one line of JSON, {"order": ["X", "Y", ...]}: all items from the earliest to the latest, as your '
        "view calls them."
    )
    score_rule = (
        "Share of the pairs in the right order (1 - Kendall distance), rescaled so that .75 is 0; 0 unless "
        "every item is named once."
    )
    sizes = {
        "tiny": {"names": 4, "a": ("before",) * 2, "b": ("before", "next"), "open": 4},
        "small": {"names": 5, "a": ("before",) * 3, "b": ("before", "next", "next"), "open": 6},
        "paper": {"names": 6, "a": ("before",) * 4, "b": ("before",) * 2 + ("next",) * 2, "open": 16},
        "large": {"names": 8, "a": ("before",) * 5, "b": ("before",) * 2 + ("next",) * 3, "open": 100},
    }
    misreadable = ("first",)
    ring = False
    prefix = "K"
    pool = labels.WORDS
    chance = 0.75

    def draw_frames(self, rng: random.Random, alias: dict[str, str]) -> dict[str, Frame]:
        plain = {"form": "sentences", "first": "earliest", "places": len(alias)}
        return {
            "full": plain,
            "a": dict(plain),
            "b": {"form": "signs", "first": "latest", "places": len(alias), "alias": alias},
        }

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        text = f"Places are numbered from 1 to {frame['places']}, beginning at the {frame['first']} item."
        signs = f" {SIGNS.format(than=WAYS[frame['first']])}" if frame["form"] == "signs" else ""
        return f"{text}{signs} {labels.state_labels('Items', frame)}"

    def read_notation(self, text: str) -> Frame:
        text = " ".join(text.split())
        match = _NOTATION.search(text)
        if not match:
            raise ValueError("no numbering stated")
        form = "signs" if "In the clues" in text else "sentences"
        return {"form": form, "first": match[2], "places": int(match[1])} | labels.read_labels(text)

    def say(self, facts: Facts, frame: Frame) -> str:
        clues = sorted((key, value) for key, value in facts.items() if key[0] in CLUES)
        return "\n".join(
            [*say_public(facts, frame, "items"), *(_write_clue(key, value, frame) for key, value in clues)]
        )

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {}
        for line in text.splitlines():
            facts |= hear_public(line, frame, "items", self.pool) or _read_clue(line, frame)
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps_of(self, key: Key, value: Any, n: int) -> tuple[int, ...]:
        return {"before": tuple(range(1 - n, 0)), "after": tuple(range(1, n)), "next": (-1, 1)}[value]

    def true_clues(self, kind: str, sequence: Sequence[str]) -> list[Clue]:
        if kind == "next":
            return [(("next", *sorted(pair)), "next") for pair in itertools.pairwise(sequence)]
        return [
            (("pair", *sorted(pair)), "before" if pair[0] < pair[1] else "after")
            for pair in itertools.combinations(sequence, 2)
        ]

    def direct_clues(self, sequence: Sequence[str]) -> list[Clue]:
        return [(("at", name), place) for place, name in enumerate(sequence)]

    def similarity(self, sequence: Sequence[str], truth: Sequence[str]) -> float:
        pairs = list(itertools.combinations(truth, 2))
        place = {name: number for number, name in enumerate(sequence)}
        return sum(place[first] < place[second] for first, second in pairs) / len(pairs)


# -- clues ---------------------------------------------------------------------------------------
def _number(place: int, frame: Frame) -> int:
    """The frame's number of a place, and the place of a number less one."""
    return place + 1 if frame["first"] == "earliest" else frame["places"] - place


def _write_clue(key: Key, value: Any, frame: Frame) -> str:
    words = [labels.label(name, frame) for name in key[1:]]
    signs, than = frame["form"] == "signs", WAYS[frame["first"]]
    if key[0] == "at":
        number = _number(value, frame)
        return f"{words[0]} @ {number}" if signs else f"{words[0]} is in place {number}."
    first, second = words if value == ("after" if than == "later" else "before") else words[::-1]
    if key[0] == "next":
        return f"{first} ~ {second}" if signs else f"{first} is adjacent to {second}."
    return f"{first} > {second}" if signs else f"{first} is {than} than {second}."


def _read_clue(line: str, frame: Frame) -> Facts:
    """The clue that a line states, if any."""
    match = (_SIGN if frame["form"] == "signs" else _SENTENCE).fullmatch(line.strip())
    first = labels.resolve(match[1], frame, KNOWN) if match else None
    if not match or first is None:
        return {}
    if match[6]:
        place = _number(int(match[6][:3]) - 1, frame) - 1
        return {("at", first): place} if 0 <= place < frame["places"] else {}
    second = labels.resolve(match[3] or match[5], frame, KNOWN)
    if second is None or second == first:
        return {}
    if match[4]:
        return {("next", *sorted((first, second))): "next"}
    than = WAYS[frame["first"]] if match[2] == ">" else match[2]
    before = (first < second) == (than == "earlier")
    return {("pair", *sorted((first, second))): "before" if before else "after"}


TASK = Order()
