"""Cube: find a shortest path through a box of cells; each holder knows every other layer.

View A writes the cells of the even layers (from the top) as (x, y, z); view B those of the odd layers as
layer/row/column from the top. Start and goal are known to both.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

from tasks import boxes
from tasks.answers import whole
from tasks.boxes import Cell3
from tasks.contract import Answer, Draft, Facts, Frame, Reject
from tasks.gridpaths import WalkTask

LONGEST = 32  # cells of an answer that are looked at; far more than any shortest path here
BLOCKED_SHARE = 0.3  # of the unknown cells, in a random guess
_LAYER = re.compile(r"Every other cell (?:with z =|of layer) ([0-9]{1,3}) is free\.")


class Cube(WalkTask):
    """Facts: ("cell", layer, row, column) -> "blocked" | "free"; public: ("shape",) ->
    (layers, rows, columns), ("start",) and ("goal",) -> (layer, row, column)."""

    name = "cube"
    family = "spatial"
    title = "Cube"
    rules = (
        "Find a shortest path through a box of cells from the start to the goal. A step goes to a free cell "
        "that shares a face: left, right, back, front, up or down; blocked cells cannot be entered. Start "
        "and goal are free."
    )
    noun = "cells"
    answer_key = "path"
    answer_format = (
        'one line of JSON, {"path": [[a, b, c], ...]}: every cell from the start to the goal, both '
        "included, each as three numbers in the notation of your view."
    )
    score_rule = (
        "Steps of the valid prefix (each one nearer to the goal) over the optimal number of steps; best of "
        "32 conventions (index origin, corner, x or z first)."
    )
    sizes = {  # twice the shortest path is less than a listing of all free cells, which so scores 0
        "tiny": {"shape": (2, 2, 3), "blocked": 3, "shortest": (3, 4)},
        "small": {"shape": (3, 2, 3), "blocked": 5, "shortest": (4, 6)},
        "paper": {"shape": (3, 3, 3), "blocked": 8, "shortest": (5, 8)},
        "large": {"shape": (5, 5, 5), "blocked": 50, "shortest": (10, 14)},
    }
    public = frozenset({"shape", "start", "goal"})
    misreadable = boxes.CONVENTIONS

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        shape = list(size["shape"])
        cells = list(boxes.cells_of(shape))
        start, goal, *others = rng.sample(cells, len(cells))
        blocked = set(others[: size["blocked"]])
        ends: Facts = {("shape",): tuple(shape), ("start",): start, ("goal",): goal}
        facts: Facts = {
            ("cell", *cell): "blocked" if cell in blocked else "free" for cell in cells if cell in others
        }
        low, high = size["shortest"]
        shortest = self.distances(facts | ends).get(start, 0)
        if not low <= shortest <= high:
            raise Reject("shortest path too short, too long or missing")
        known_a, known_b = ({k: v for k, v in facts.items() if k[1] % 2 == odd} | ends for odd in (0, 1))
        self.refuse_one_sided(known_a, known_b, shortest)
        frame_b = boxes.draw_frame(rng, shape, "address")
        frame_a = boxes.draw_frame(rng, shape, "triple", unlike=frame_b)
        full = boxes.draw_frame(rng, shape, "triple")
        return Draft({"a": known_a, "b": known_b}, {"full": full, "a": frame_a, "b": frame_b})

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        return boxes.state_frame(frame)

    def read_notation(self, text: str) -> Frame:
        return boxes.read_frame(text)

    def say(self, facts: Facts, frame: Frame) -> str:
        known: dict[str, list[Cell3]] = {"blocked": [], "free": []}
        for key, value in facts.items():
            if key[0] == "cell":
                known[value].append(key[1:])
        open_layers = {cell[0] for cell in blank_cells(facts)} if facts.keys() >= ENDS else set(range(99))
        whole_layers = {cell[0] for cell in known["free"]} - open_layers
        lines = boxes.list_cells("Blocked", known["blocked"], frame)
        lines += boxes.list_cells("Free", [c for c in known["free"] if c[0] not in whole_layers], frame)
        place = "of layer" if frame["form"] == "address" else "with z ="
        z = frame["order"].index("z")
        layers = sorted(boxes.to_frame((layer, 0, 0), frame)[z] for layer in whole_layers)
        lines += [f"Every other cell {place} {layer} is free." for layer in layers]
        ends = [(end, facts[(end,)]) for end in ("start", "goal") if (end,) in facts]
        return "\n".join(lines + [f"The {end} is {boxes.write_cell(cell, frame)}." for end, cell in ends])

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {("shape",): tuple(frame["shape"])}
        free: list[Cell3] = []
        for line in text.splitlines():
            kind, cells = line.partition(":")[0].lower(), boxes.read_cells(line, frame)
            if kind in ("blocked", "free"):
                facts |= {("cell", *cell): kind for cell in cells}
            elif line.startswith(("The start is", "The goal is")):
                facts |= {(line.split()[1],): cell for cell in cells[:1]}
            elif match := _LAYER.match(line):
                free += layer_cells(int(match[1]), frame)
        ends = (facts.get(("start",)), facts.get(("goal",)))
        return {("cell", *cell): "free" for cell in free if cell not in ends} | facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        return len(blank_cells(facts))

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        return facts | {
            ("cell", *cell): "blocked" if rng and rng.random() < BLOCKED_SHARE else "free"
            for cell in blank_cells(facts)
        }

    def steps(self, facts: Facts, place: Cell3) -> list[Cell3]:
        ends = self.ends(facts)
        return [c for c in boxes.neighbours(place) if c in ends or facts.get(("cell", *c)) == "free"]

    def steps_back(self, facts: Facts, place: Cell3) -> list[Cell3]:
        return self.steps(facts, place)

    def solve(self, facts: Facts) -> Answer | None:
        path = self.shortest(facts)
        return None if path is None else [list(cell) for cell in path]

    # -- answers -----------------------------------------------------------------------------
    def conventions(self, frames: Mapping[str, Frame]) -> dict[str, Frame]:
        return boxes.all_conventions(frames["full"])

    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return [list(boxes.to_frame(tuple(cell), frame)) for cell in answer]

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        if not isinstance(value, list) or not 0 < len(value) <= LONGEST:
            return None
        path = []
        for entry in value:
            triple = read_entry(entry)
            cell = None if triple is None else boxes.from_frame(triple, frame)
            if cell is None:
                return None
            path.append(list(cell))
        return path

    def read_loosely(self, text: str) -> Any | None:
        told = ("Blocked:", "Free:", "The start is", "The goal is")  # a view echoed back is no answer
        return boxes.read_triples("\n".join(x for x in text.splitlines() if not x.startswith(told))) or None

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        return self.valid_share(facts, [tuple(cell) for cell in answer])


ENDS = {("shape",), ("start",), ("goal",)}


def blank_cells(facts: Facts) -> list[Cell3]:
    """The cells of which nothing is known, layer by layer; start and goal are none of them."""
    ends = (facts[("start",)], facts[("goal",)])
    cells = boxes.cells_of(facts[("shape",)])
    return [cell for cell in cells if ("cell", *cell) not in facts and cell not in ends]


def layer_cells(number: int, frame: Frame) -> list[Cell3]:
    """The cells whose number of the layer, as the frame writes it, is this one."""
    z = frame["order"].index("z")
    return [cell for cell in boxes.cells_of(frame["shape"]) if boxes.to_frame(cell, frame)[z] == number]


def read_entry(entry: Any) -> Cell3 | None:
    """The three numbers of one entry of an answer: a list, or a text such as 1/2/0; None for others."""
    if isinstance(entry, str) and len(entry) <= 30:
        found = boxes.read_triples(entry)
        return tuple(found[0]) if len(found) == 1 else None
    if not isinstance(entry, list) or len(entry) != 3:
        return None
    numbers = [whole(part) for part in entry]
    return None if None in numbers else tuple(number for number in numbers if number is not None)


TASK = Cube()
