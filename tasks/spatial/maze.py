"""Maze: find a shortest path; each holder knows half of the cells.

View A is an ASCII grid in which the other holder's cells are "?"; view B lists its cells as coordinates
in another frame. Start and goal are known to both.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from tasks import gridpaths, grids
from tasks.celllists import hear_cells, say_cells
from tasks.contract import Draft, Facts, Frame, Reject
from tasks.gridpaths import GridPathTask

SIGNS = {"wall": "#", "free": "."}
LABELS = {"wall": "Wall cells", "free": "Free cells"}


class Maze(GridPathTask):
    """Facts: ("cell", r, c) -> "wall" | "free"; ("start",) and ("goal",) -> (r, c)."""

    name = "maze"
    family = "spatial"
    title = "Maze"
    rules = (
        "Find a shortest path through a grid maze from the start to the goal. A step goes to a free cell "
        "directly above, below, left or right; walls cannot be entered. Start and goal are free."
    )
    noun = "cells"
    sizes = {
        "tiny": {"rows": 4, "walls": 0.30, "shortest": (3, 6)},
        "small": {"rows": 5, "walls": 0.30, "shortest": (4, 8)},
        "paper": {"rows": 7, "walls": 0.30, "shortest": (7, 10)},
        "large": {"rows": 12, "walls": 0.30, "shortest": (13, 20)},
    }
    public = frozenset({"rows", "start", "goal"})

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        n = size["rows"]
        full = grids.draw_frame(rng, n, n, "grid")
        cells = list(grids.cells_of(full))
        start, goal = rng.sample(cells, 2)
        facts: Facts = {
            ("cell", *cell): "wall" if rng.random() < size["walls"] and cell not in (start, goal) else "free"
            for cell in cells
        }
        ends: Facts = {("rows",): n, ("start",): start, ("goal",): goal}
        shortest = self.distances(facts | ends).get(start, 0)
        low, high = size["shortest"]
        if not low <= shortest <= high:
            raise Reject("shortest path too short, too long or missing")
        keys = [key for key in facts if key[1:] not in (start, goal)]
        rng.shuffle(keys)
        half = set(keys[: len(keys) // 2])
        known_b = {key: facts[key] for key in keys if key not in half}
        known_a = {key: facts[key] for key in keys if key in half}
        self.refuse_one_sided(known_a | ends, known_b | ends, shortest)
        frame_a = grids.draw_frame(rng, n, n, "grid")
        frame_b = grids.draw_frame(rng, n, n, "list", unlike=frame_a)
        return Draft({"a": known_a | ends, "b": known_b | ends}, {"full": full, "a": frame_a, "b": frame_b})

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        text = grids.state_frame(frame) + "."
        if frame["form"] == "grid":
            text += ' In the drawing, # is a wall, "." a free cell, S the start, G the goal, ? unknown here.'
        return text

    def read_notation(self, text: str) -> Frame:
        return grids.read_frame(text, "grid" if "In the drawing" in text else "list")

    def say(self, facts: Facts, frame: Frame) -> str:
        if frame["form"] == "grid":
            return gridpaths.draw_map(facts, frame, SIGNS)
        return "\n".join(say_cells(facts, frame, LABELS) + gridpaths.say_ends(facts, frame))

    def hear(self, text: str, frame: Frame) -> Facts:
        if frame["form"] == "grid":
            heard = gridpaths.hear_map(text, frame, SIGNS)
        else:
            heard = self._hear_list(text, frame)
        return heard | {("rows",): frame["rows"]}

    def _hear_list(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {}
        for line in text.splitlines():
            facts |= gridpaths.hear_end(line, frame) | hear_cells(line, frame, LABELS)
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        return len(gridpaths.blank_cells(facts))

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        blank = gridpaths.blank_cells(facts)
        return facts | {("cell", *c): "wall" if rng and rng.random() < 0.3 else "free" for c in blank}

    def steps(self, facts: Facts, cell: grids.Cell) -> list[grids.Cell]:
        ends = (facts[("start",)], facts[("goal",)])
        return [c for c in grids.neighbours(cell) if c in ends or facts.get(("cell", *c)) == "free"]

    def steps_back(self, facts: Facts, cell: grids.Cell) -> list[grids.Cell]:
        return self.steps(facts, cell)


TASK = Maze()
