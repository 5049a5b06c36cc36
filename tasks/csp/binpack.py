"""Bin packing: put items into bins so that no bin is too heavy and no classes meet that must not.

View A tells weights and classes of items in sentences, in one unit; view B lists capacities and incompatible
classes in signs, in the other unit, with bins and classes by ID. Names and counts are known to both. There is
one packing, up to exchanging bins of the same capacity; it fills every bin.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

from tasks import labels, measures, packing
from tasks.contract import Answer, Draft, Facts, Frame, Reject, Task

LISTS = {
    "items": (
        *("anvil", "barrel", "crate", "drum", "engine", "fridge"),
        *("globe", "heater", "iron", "jack", "kiln", "lathe"),
    ),
    "bins": ("Black", "Blue", "Green", "Red", "White"),
    "classes": ("Acid", "Food", "Fuel", "Glass", "Metal"),
}
KNOWN = {kind: {name.lower(): name for name in names} for kind, names in LISTS.items()}
ALL_KNOWN = {low: name for names in KNOWN.values() for low, name in names.items()}
SIGNS = (
    'In signs, "x: 5, y" means that item x weighs 5 and is of class y, "x <= 5" that bin x holds at most 5, '
    '"x | y" that classes x and y are incompatible.'
)
_UNIT = re.compile(r"Weights and capacities are in (kg|lb)\.")
_LIST = re.compile(r"The (items|bins|classes) are ([\w, ]+)\.")
_PAIRS = re.compile(r"Number of incompatible pairs of classes: ([0-9]{1,2})\.")
_PATTERNS = {
    "sentences": {
        "item": re.compile(rf"The (\w+)(?: weighs ({measures.NUMBER}))?(?: and)?(?: is of class (\w+))?\."),
        "capacity": re.compile(rf"Bin (\w+) holds at most ({measures.NUMBER})\."),
        "apart": re.compile(r"Classes (\w+) and (\w+) are incompatible\."),
    },
    "signs": {
        "item": re.compile(rf"(\w+):(?: ({measures.NUMBER})\b)?,?(?: ([A-Z]\w*))?"),
        "capacity": re.compile(rf"(\w+) <= ({measures.NUMBER})"),
        "apart": re.compile(r"(\w+) \| (\w+)"),
    },
}
_LOOSE = re.compile(
    rf"(?i)\b({'|'.join(LISTS['items'])})\b[^a-z0-9\n]*(?:(?:is|goes|go|in|into|to|bin|the)\b[^a-z0-9\n]+)*"
    rf"({'|'.join(LISTS['bins'])}|B[1-9])\b"
)


class BinPack(Task):
    """Facts: ("weight", item) -> kg, ("class", item) -> class, ("capacity", bin) -> kg.

    ("apart", x, y) -> "apart" for classes x < y that must not meet. Public: ("list", "items" | "bins" |
    "classes") -> names and ("pairs",) -> number of such pairs.
    """

    name = "binpack"
    family = "csp"
    title = "Bin packing"
    rules = (
        "Put every item into one bin. The weights in a bin must not exceed its capacity, and items of "
        f"incompatible classes must not be in the same bin. {measures.SAME['kg']}"
    )
    noun = "weights, classes and capacities"
    answer_key = "bins"
    answer_format = (
        'one line of JSON, {"bins": {"item": "bin", ...}}: for every item the one bin it goes into, as your '
        "view calls bins."
    )
    score_rule = (
        "Share of the weight in bins that respect their capacity and the classes, rescaled so that one bin's "
        "share (1 / bins) is 0; 0 unless every item is in one bin."
    )
    sizes = {
        "tiny": {"items": 4, "bins": 2, "classes": 0, "pairs": 0},
        "small": {"items": 5, "bins": 3, "classes": 3, "pairs": 1},
        "paper": {"items": 7, "bins": 3, "classes": 4, "pairs": 2},
        "large": {"items": 10, "bins": 4, "classes": 4, "pairs": 2},
    }
    public = frozenset({"list", "pairs"})
    misreadable = ("unit",)
    least_answers = 4

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        public: Facts = {("pairs",): size["pairs"]}
        for kind, names in LISTS.items():
            if size[kind]:
                public[("list", kind)] = tuple(sorted(rng.sample(names, size[kind])))
        classes = packing.listed(public, "classes")
        known_a: Facts = {}
        for item in packing.listed(public, "items"):
            known_a[("weight", item)] = measures.WEIGHT_STEP * rng.randint(1, packing.HEAVIEST)
            if classes:
                known_a[("class", item)] = rng.choice(classes)
        facts = self.complete(public | known_a, rng)
        known_b = {key: facts[key] for key in sorted(facts) if key[0] in ("capacity", "apart")}
        if packing.several(facts):
            raise Reject("several packings")
        if classes and not packing.several({key: v for key, v in facts.items() if key[0] != "apart"}):
            raise Reject("the classes do not matter")
        if len(set((packing.first(facts) or {}).values())) < size["bins"]:
            raise Reject("a bin stays empty, or classes that must not meet")
        units = rng.sample(measures.WEIGHTS, 2)
        alias = labels.draw_alias(rng, packing.listed(public, "bins"), "B")
        alias |= labels.draw_alias(rng, classes, "C")
        frame_a = {"form": "sentences", "unit": units[0]}
        return Draft(
            {"a": public | known_a, "b": public | known_b},
            {"full": dict(frame_a), "a": frame_a, "b": {"form": "signs", "unit": units[1], "alias": alias}},
        )

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        signs = f" {SIGNS}" if frame["form"] == "signs" else ""
        things = labels.state_labels("Bins and classes", frame)
        return f"Weights and capacities are in {frame['unit']}.{signs} {things}"

    def read_notation(self, text: str) -> Frame:
        text = " ".join(text.split())
        unit = _UNIT.search(text)
        if not unit:
            raise ValueError("no unit stated")
        form = "signs" if SIGNS in text else "sentences"
        return {"form": form, "unit": unit[1]} | labels.read_labels(text)

    def say(self, facts: Facts, frame: Frame) -> str:
        lines = []
        for kind in LISTS:
            if ("list", kind) in facts:
                lines.append(f"The {kind} are {', '.join(labels.labels(facts[('list', kind)], frame))}.")
        if ("pairs",) in facts:
            lines.append(f"Number of incompatible pairs of classes: {facts[('pairs',)]}.")
        for item in sorted({key[1] for key in facts if key[0] in ("weight", "class")}):
            lines.append(_write_item(item, facts, frame))
        signs, told = frame["form"] == "signs", []
        for key, value in facts.items():
            names = labels.labels(key[1:], frame)
            if key[0] == "capacity":
                amount = measures.write(value, frame["unit"])
                told.append(f"{names[0]} <= {amount}" if signs else f"Bin {names[0]} holds at most {amount}.")
            elif key[0] == "apart":
                told.append(
                    " | ".join(names) if signs else f"Classes {' and '.join(names)} are incompatible."
                )
        return "\n".join(lines + sorted(told))

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {}
        for line in map(str.strip, text.splitlines()):
            if match := _LIST.fullmatch(line):
                kind = match[1]
                facts[("list", kind)] = tuple(sorted(labels.mentioned(match[2], frame, KNOWN[kind])))
            elif match := _PAIRS.fullmatch(line):
                facts[("pairs",)] = int(match[1])
            else:
                facts |= _read_line(line, frame)
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        return len(packing.unknown(facts)) + packing.pairs_unknown(facts)

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        full = packing.explain(facts, rng or random.Random(0))
        if full is None:
            raise Reject("no packing is left")
        return full

    def solve(self, facts: Facts) -> Answer | None:
        return packing.first(facts)

    # -- answers -----------------------------------------------------------------------------
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return {item: labels.label(place, frame) for item, place in answer.items()}

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        if not isinstance(value, dict) or not 0 < len(value) <= 40:
            return None
        answer: dict[str, str] = {}
        pairs = [(key, inside) for key, inside in value.items() if not isinstance(inside, list)]
        pairs += [(one, key) for key, inside in value.items() if isinstance(inside, list) for one in inside]
        for left, right in pairs:  # {"item": "bin"} or {"bin": ["item", ...]}
            item = labels.only_mentioned(left, {}, KNOWN["items"])
            place = labels.only_mentioned(right, frame, KNOWN["bins"])
            if item is None or place is None or item in answer:
                return None
            answer[item] = place
        return answer or None

    def read_loosely(self, text: str) -> Any | None:
        answer: dict[str, str] = {}
        for match in _LOOSE.finditer(text):
            item, place = match[1].lower(), match[2].capitalize()
            if answer.setdefault(item, place) != place:
                return None  # two bins for one item are a listing, not an answer
        return answer or None

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        bins = packing.listed(facts, "bins")
        if set(answer) != set(truth) or not set(answer.values()) <= set(bins):
            return 0.0
        share = packing.weight_respected(facts, answer)
        return 1.0 if share == 1 else max(0.0, (share - 1 / len(bins)) / (1 - 1 / len(bins)))


# -- writing and reading ---------------------------------------------------------------------------
def _write_item(item: str, facts: Facts, frame: Frame) -> str:
    weight, kind = facts.get(("weight", item)), facts.get(("class", item))
    amount = [] if weight is None else [measures.write(weight, frame["unit"])]
    group = [] if kind is None else [labels.label(kind, frame)]
    if frame["form"] == "signs":
        return f"{item}: {', '.join(amount + group)}"
    told = [f"weighs {amount[0]}"] if amount else []
    told += [f"is of class {group[0]}"] if group else []
    return f"The {item} {' and '.join(told)}."


def _read_line(line: str, frame: Frame) -> Facts:
    """What a line tells of an item, a bin or a pair of classes."""
    for kind, pattern in _PATTERNS[frame["form"]].items():
        match = pattern.fullmatch(line)
        if not match:
            continue
        if kind == "apart":
            both = [labels.only_mentioned(name, frame, ALL_KNOWN) for name in match.groups()]
            pair = sorted(name for name in both if name in LISTS["classes"])
            return {("apart", *pair): "apart"} if len(set(pair)) == 2 else {}
        amount = measures.read(match[2], frame["unit"]) if match[2] else None
        if kind == "capacity":
            place = labels.only_mentioned(match[1], frame, ALL_KNOWN)
            return {("capacity", place): amount} if place in LISTS["bins"] and amount else {}
        item = KNOWN["items"].get(match[1].lower())
        group = labels.only_mentioned(match[3], frame, ALL_KNOWN) if match[3] else None
        told: Facts = {("weight", item): amount} if item and amount else {}
        return told | ({("class", item): group} if item and group in LISTS["classes"] else {})
    return {}


TASK = BinPack()
