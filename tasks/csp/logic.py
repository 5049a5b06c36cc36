"""Logic puzzle: who lives in which house with which drink and pet; the clues have exactly one solution.

View A tells half of the clues in sentences, houses numbered from the left; view B tells the other half in
signs, houses numbered from the right and everything by ID, with the list of IDs.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

from tasks import labels
from tasks.answers import whole
from tasks.arrangements import CLUES, Board
from tasks.contract import Answer, Draft, Facts, Frame, Key, Reject, Task

ITEMS = {
    "owners": ("Ann", "Ben", "Cara", "Dan", "Eve", "Finn", "Gina", "Hugo"),
    "drinks": ("Cocoa", "Coffee", "Juice", "Lemonade", "Milk", "Tea", "Water"),
    "pets": ("Bird", "Cat", "Dog", "Fish", "Hamster", "Pony", "Rabbit", "Snake"),
}
KNOWN = {name.lower(): name for names in ITEMS.values() for name in names}
SIGNS = (
    'In the clues, "x @ 2" means that x is in house 2, "x not @ 2" that it is not, "x = y" that both are in '
    'the same house, "x < y" that the house of x has the lower number, "x ~ y" that their houses are next '
    "to each other."
)
# how each form words a clue; "after" is worded as "before" with the items exchanged
WORDING = {
    "sentences": {
        "at": "{} is in house {}.",
        "not": "{} is not in house {}.",
        "before": "The house of {} has a lower number than the house of {}.",
        "next": "{} is in a house next to {}.",
        "same": "{} is in the same house as {}.",
    },
    "signs": {
        "at": "{} @ {}",
        "not": "{} not @ {}",
        "before": "{} < {}",
        "next": "{} ~ {}",
        "same": "{} = {}",
    },
}
PATTERNS = {
    form: {
        kind: re.compile(re.escape(text).replace(r"\{\}", "([A-Za-z0-9]+)")) for kind, text in wording.items()
    }
    for form, wording in WORDING.items()
}
_NOTATION = re.compile(r"Houses are numbered from 1 at the (left|right) end of a row of ([1-9])\.")
_LIST = re.compile(r"The (owners|drinks|pets) are ([^.]*)\.")
_COUNT = re.compile(r"There are ([0-9]{1,2}) clues in all\.")
_LOOSE = re.compile(r"(?im)^[^\w\n]{0,20}house[ \t]{0,4}([1-9])[^\w\n]{1,20}([^\n]{0,200})$")


class Logic(Task):
    """Facts: ("at", item) -> house, ("not", item) -> house, ("pair", x, y) -> relation: the clues.

    Houses count from 0 at the left. Public: ("items", list) -> names and ("clues",) -> number of clues.
    """

    name = "logic"
    family = "csp"
    title = "Logic puzzle"
    rules = (
        "Some houses stand in a row. Each house has exactly one item of each list below, and each item "
        "belongs to exactly one house. Find out from the clues what is where; there is one solution."
    )
    noun = "clues"
    answer_key = "houses"
    answer_format = (
        'one line of JSON, {"houses": [["item", "item", ...], ...]}: for each house, in the order in which '
        "your view numbers them, its item of each list."
    )
    score_rule = (
        "Right cells (house, list) of the one solution over all cells, rescaled so that chance (1 / houses) "
        "is 0; 0 if an item is named twice."
    )
    sizes = {
        "tiny": {"houses": 3, "lists": 2, "clues": 2, "direct": 1, "told": 0.40},
        "small": {"houses": 4, "lists": 2, "clues": 4, "direct": 1, "told": 0.42},
        "paper": {"houses": 4, "lists": 3, "clues": 6, "direct": 1, "told": 0.40},
        "large": {"houses": 5, "lists": 3, "clues": 8, "direct": 1, "told": 0.40},
    }
    public = frozenset({"items", "clues"})
    misreadable = ("side",)
    least_answers = 4

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        n = size["houses"]
        public: Facts = {("clues",): 2 * size["clues"]}
        alias: dict[str, str] = {}
        where: dict[str, int] = {}
        for kind in list(ITEMS)[: size["lists"]]:
            names = rng.sample(ITEMS[kind], n)
            public[("items", kind)] = tuple(sorted(names))
            alias |= labels.draw_alias(rng, names, kind[0].upper())
            where |= {name: house for house, name in enumerate(names)}
        board = _board(public)
        clues = board.draw_clues(rng, where, public[("clues",)], size["direct"])
        part_a, part_b = board.split_clues(rng, clues, where, size["told"])
        plain = {"form": "sentences", "side": "left", "houses": n}
        frame_b = {"form": "signs", "side": "right", "houses": n, "alias": alias}
        return Draft(
            {"a": public | part_a, "b": public | part_b}, {"full": plain, "a": dict(plain), "b": frame_b}
        )

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        text = f"Houses are numbered from 1 at the {frame['side']} end of a row of {frame['houses']}."
        signs = f" {SIGNS}" if frame["form"] == "signs" else ""
        return f"{text}{signs} {labels.state_labels('Items', frame)}"

    def read_notation(self, text: str) -> Frame:
        text = " ".join(text.split())
        match = _NOTATION.search(text)
        if not match:
            raise ValueError("no numbering stated")
        form = "signs" if SIGNS in text else "sentences"
        return {"form": form, "side": match[1], "houses": int(match[2])} | labels.read_labels(text)

    def say(self, facts: Facts, frame: Frame) -> str:
        lines = [
            f"The {kind} are {', '.join(labels.labels(facts[('items', kind)], frame))}."
            for kind in ITEMS
            if ("items", kind) in facts
        ]
        if ("clues",) in facts:
            lines.append(f"There are {facts[('clues',)]} clues in all.")
        clues = sorted((key, value) for key, value in facts.items() if key[0] in CLUES)
        return "\n".join([*lines, *(_write_clue(key, value, frame) for key, value in clues)])

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {}
        for line in text.splitlines():
            if match := _LIST.search(line):
                facts[("items", match[1])] = tuple(sorted(labels.mentioned(match[2], frame, KNOWN)))
            elif match := _COUNT.search(line):
                facts[("clues",)] = int(match[1])
            else:
                facts |= _read_clue(line, frame)
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        if _board(facts).left(facts).bit_count() <= 1:
            return 0
        return max(1, facts[("clues",)] - sum(key[0] in CLUES for key in facts))

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        board = _board(facts)
        left = board.left(facts)
        if not left:
            raise Reject("the clues contradict each other")
        where = board.member(left, rng)
        items = sorted(where)
        if rng is not None:
            rng.shuffle(items)
        full = dict(facts)
        for item in items:  # say where items are until only this arrangement is left
            if left.bit_count() > 1 and ("at", item) not in full:
                full[("at", item)] = where[item]
                left &= board.holds(("at", item), where[item])
        return full

    def solve(self, facts: Facts) -> Answer | None:
        board = _board(facts)
        left = board.left(facts)
        if not left:
            return None
        where = board.member(left, None)
        return [
            [next(item for item in row if where[item] == house) for row in board.rows]
            for house in range(board.n)
        ]

    # -- answers -----------------------------------------------------------------------------
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        houses = [[labels.label(item, frame) for item in house] for house in answer]
        return houses if frame["side"] == "left" else houses[::-1]

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        houses = labels.answer_list(value)
        if houses is None or len(houses) != frame["houses"]:
            return None
        answer = []
        for house in houses:
            cells = list(house.values()) if isinstance(house, dict) else house
            if not isinstance(cells, list) or len(cells) > len(ITEMS):
                return None
            answer.append([labels.only_mentioned(cell, frame, KNOWN) for cell in cells])
        return answer if frame["side"] == "left" else answer[::-1]

    def read_loosely(self, text: str) -> Any | None:
        return labels.in_order(
            (int(match[1]), [cell.strip(" .*") for cell in match[2].split(",")])
            for match in _LOOSE.finditer(text)
        )

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        named = [item for house in answer for item in house if item]
        if len(set(named)) < len(named) or len(named) > len(truth) * len(truth[0]):
            return 0.0
        right = sum(item in house for house, best in zip(answer, truth, strict=True) for item in best)
        chance = 1 / len(truth)
        return max(0.0, (right / (len(truth) * len(truth[0])) - chance) / (1 - chance))


# -- clues ---------------------------------------------------------------------------------------
def _board(facts: Facts) -> Board:
    return Board([facts[("items", kind)] for kind in ITEMS if ("items", kind) in facts])


def _number(house: int, frame: Frame) -> int:
    """The frame's number of a house, and the house of a number less one."""
    return house + 1 if frame["side"] == "left" else frame["houses"] - house


def _write_clue(key: Key, value: Any, frame: Frame) -> str:
    words = [labels.label(name, frame) for name in key[1:]]
    kind = value if key[0] == "pair" else key[0]
    if kind in ("at", "not"):
        words.append(str(_number(value, frame)))
    elif kind in ("before", "after"):
        if (kind == "before") != (frame["side"] == "left"):
            words.reverse()
        kind = "before"
    return WORDING[frame["form"]][kind].format(*words)


def _read_clue(line: str, frame: Frame) -> Facts:
    """The clue that a line states, if any."""
    for kind, pattern in PATTERNS[frame["form"]].items():
        match = pattern.search(line)
        if not match:
            continue
        first, second = (labels.resolve(word, frame, KNOWN) for word in match.groups())
        number = whole(match[2])
        if first and number and kind in ("at", "not"):
            house = _number(number - 1, frame) - 1
            return {(kind, first): house} if 0 <= house < frame["houses"] else {}
        if first and second and first != second and kind not in ("at", "not"):
            if kind == "before" and (first < second) != (frame["side"] == "left"):
                kind = "after"
            return {("pair", *sorted((first, second))): kind}
    return {}


TASK = Logic()
