"""Floodfill: name every cell that water from a source reaches; each holder knows half of the walls.

View A draws its half of the walls as a grid; view B lists the other half and the source as coordinates in
another frame. How many walls there are is known to both, so that each holder knows what it misses.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Mapping
from typing import Any

from tasks import gridpaths, grids
from tasks.contract import Answer, Draft, Facts, Frame, Reject, Task
from tasks.grids import Cell

FLOOR = 0.4  # IoU at which the score is 0; instances are drawn so that listing cells blindly stays below
_COUNT = re.compile(r"There are ([0-9]{1,4}) walls in all\.")


class Floodfill(Task):
    """Facts: ("wall", r, c) -> "wall"; ("source",) -> (r, c), held by b; ("walls",) -> how many in all."""

    name = "floodfill"
    family = "spatial"
    title = "Flood fill"
    rules = (
        "Water flows from a source cell and spreads from a cell to the cells directly above, below, left and "
        "right, but never into a wall or off the map. Find every cell that the water reaches; the source "
        "itself counts. Every cell that is not a wall is free."
    )
    noun = "walls"
    answer_key = "cells"
    answer_format = (
        'one line of JSON, {"cells": [[a, b], ...]}: every cell that the water reaches, in any order, each '
        "as a pair in the notation of your view."
    )
    score_rule = (
        f"Cells in both over cells in either (IoU), rescaled to 0 at {FLOOR}: listing every cell or every "
        "free cell scores 0; best of the three views' notations."
    )
    sizes = {
        "tiny": {"rows": 4, "walls": 6, "reached": (3, 4)},
        "small": {"rows": 5, "walls": 10, "reached": (4, 6)},
        "paper": {"rows": 6, "walls": 16, "reached": (5, 8)},
        "large": {"rows": 10, "walls": 48, "reached": (10, 18)},
    }
    public = frozenset({"rows", "walls"})
    misreadable = grids.CONVENTIONS

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        n, count = size["rows"], size["walls"]
        full = grids.draw_frame(rng, n, n, "grid")
        source, *walls = rng.sample(list(grids.cells_of(full)), count + 1)
        public: Facts = {("rows",): n, ("walls",): count}
        known_a: Facts = public | {("wall", *cell): "wall" for cell in walls[: count // 2]}
        known_b: Facts = public | {("wall", *cell): "wall" for cell in walls[count // 2 :]}
        known_b[("source",)] = source
        reached = self._flood(known_a | known_b)
        low, high = size["reached"]
        if not low <= len(reached) <= min(high, FLOOR * (n * n - count)):
            raise Reject("the water reaches too few or too many cells")
        if overlap(self._flood(known_b), reached) > FLOOR:
            raise Reject("one half of the walls nearly holds the water")
        frame_a = grids.draw_frame(rng, n, n, "grid")
        frame_b = grids.draw_frame(rng, n, n, "list", unlike=frame_a)
        return Draft({"a": known_a, "b": known_b}, {"full": full, "a": frame_a, "b": frame_b})

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        text = grids.state_frame(frame) + "."
        if frame["form"] == "grid":
            text += ' In the drawing, # is a wall, "." a cell without a known wall, S the source if known.'
        return text

    def read_notation(self, text: str) -> Frame:
        return grids.read_frame(text, "grid" if "In the drawing" in text else "list")

    def say(self, facts: Facts, frame: Frame) -> str:
        lines = [f"There are {facts[('walls',)]} walls in all."] if ("walls",) in facts else []
        if frame["form"] == "grid":
            return "\n".join([*lines, grids.draw_rows(frame, lambda cell: self._sign(facts, cell))])
        lines += grids.list_cells("Walls", (key[1:] for key in facts if key[0] == "wall"), frame)
        if ("source",) in facts:
            lines.append(f"The source is {grids.write_cell(facts[('source',)], frame)}.")
        return "\n".join(lines)

    def _sign(self, facts: Facts, cell: Cell) -> str:
        if facts.get(("source",)) == cell:
            return "S"
        return "#" if ("wall", *cell) in facts else "."

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {("rows",): frame["rows"]}
        if count := _COUNT.search(text):
            facts[("walls",)] = int(count[1])
        if frame["form"] == "grid":
            return facts | self._hear_grid(text, frame)
        for line in text.splitlines():
            cells = grids.read_cells(line, frame)
            if line.startswith("Walls:"):
                facts |= {("wall", *cell): "wall" for cell in cells}
            elif line.startswith("The source is") and cells:
                facts[("source",)] = cells[0]
        return facts

    def _hear_grid(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {}
        for cell, sign in grids.read_rows(text, frame, "#.S"):
            if sign == "#":
                facts[("wall", *cell)] = "wall"
            elif sign == "S":
                facts[("source",)] = cell
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        known = sum(key[0] == "wall" for key in facts)
        return max(0, facts[("walls",)] - known) + (("source",) not in facts)

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        """The source on a free cell and the missing walls elsewhere: at random, or far from the source."""
        side = range(facts[("rows",)])
        free = [c for c in itertools.product(side, side) if ("wall", *c) not in facts]
        if rng:
            rng.shuffle(free)
        source = facts.get(("source",)) or next(iter(free), None)
        free = [cell for cell in free if cell != source]
        missing = max(0, facts[("walls",)] - sum(key[0] == "wall" for key in facts))
        if source is None or missing > len(free):
            raise Reject("no room for the source and the walls")
        if not rng:
            free.sort(key=lambda cell: -abs(cell[0] - source[0]) - abs(cell[1] - source[1]))
        return facts | {("source",): source} | {("wall", *cell): "wall" for cell in free[:missing]}

    def solve(self, facts: Facts) -> Answer | None:
        return [list(cell) for cell in sorted(self._flood(facts))]

    def _flood(self, facts: Facts) -> set[Cell]:
        """The cells that the water reaches; a wall on the source itself is not believed."""
        n = facts[("rows",)]

        def spread(cell: Cell) -> list[Cell]:
            around = grids.neighbours(cell)
            return [c for c in around if grids.on_map(c, n) and ("wall", *c) not in facts]

        return set(grids.distances_to(facts[("source",)], spread))

    # -- answers -----------------------------------------------------------------------------
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return [list(grids.to_frame(tuple(cell), frame)) for cell in answer]

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        cells = gridpaths.read_cells(value, frame)
        return None if cells is None else [list(cell) for cell in sorted(set(cells))]

    def read_loosely(self, text: str) -> Any | None:
        return grids.read_pairs(text) or None

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        iou = overlap({tuple(cell) for cell in answer}, {tuple(cell) for cell in truth})
        return max(0.0, (iou - FLOOR) / (1 - FLOOR))


def overlap(cells: set[Cell], others: set[Cell]) -> float:
    """Cells in both sets over cells in either."""
    return len(cells & others) / len(cells | others)


TASK = Floodfill()
