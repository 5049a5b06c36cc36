"""Streetmap: find a shortest drive through one-way streets; each holder knows half of the cells.

View A draws its arrows and open cells as a grid in which the other holder's cells are "?"; view B
tells all walls, the other arrows and the other open cells as sentences in another frame. An arrow leads
nowhere but to one neighbour, so that a route planned on one view runs into unseen walls and one-way
streets. Start and goal are known to both.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

from tasks import arrows, gridpaths, grids
from tasks.arrows import ARROWS, ahead
from tasks.celllists import hear_cells, say_cells
from tasks.contract import Draft, Facts, Frame, Reject
from tasks.gridpaths import GridPathTask
from tasks.grids import Cell

SIGNS = {"wall": "#", "open": "."} | ARROWS
LABELS = {"wall": "Walls", "open": "Open cells"}
_ONE_WAY = re.compile(r"From (\(.*?\)) one may drive only to (\(.*?\))\.")


class Streetmap(GridPathTask):
    """Facts: ("cell", r, c) -> "wall", "open" or a direction; ("start",) and ("goal",) -> (r, c)."""

    name = "streetmap"
    family = "spatial"
    title = "Street map"
    rules = (
        "Find a shortest drive from the start to the goal. Each step goes to the cell directly above, below, "
        "left or right. Walls cannot be entered. A one-way cell may be entered from any side but left only "
        "in its own direction; an open cell may be left in any direction. Start and goal are open."
    )
    noun = "cells"
    sizes = {
        "tiny": {"rows": 4, "walls": 0.10, "arrows": 0.40, "shortest": (3, 6)},
        "small": {"rows": 5, "walls": 0.10, "arrows": 0.50, "shortest": (4, 8)},
        "paper": {"rows": 7, "walls": 0.10, "arrows": 0.50, "shortest": (7, 10)},
        "large": {"rows": 12, "walls": 0.10, "arrows": 0.50, "shortest": (13, 20)},
    }
    public = frozenset({"rows", "start", "goal"})

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        n = size["rows"]
        full = grids.draw_frame(rng, n, n, "grid")
        cells = list(grids.cells_of(full))
        start, goal = rng.sample(cells, 2)
        ends: Facts = {("rows",): n, ("start",): start, ("goal",): goal}
        facts: Facts = {
            ("cell", *cell): draw_kind(rng, cell, n, size["walls"], size["arrows"])
            for cell in cells
            if cell not in (start, goal)
        }
        low, high = size["shortest"]
        shortest = self.distances(facts | ends).get(start, 0)
        if not low <= shortest <= high:
            raise Reject("shortest drive too short, too long or missing")
        # all walls belong to b; the rest is dealt so that each holder knows half of the cells
        keys = sorted(facts, key=lambda key: (facts[key] != "wall", rng.random()))
        known_b = {key: facts[key] for key in keys[: len(keys) // 2]}
        known_a = {key: facts[key] for key in keys if key not in known_b}
        if "wall" in known_a.values():
            raise Reject("more walls than half of the cells")
        self.refuse_one_sided(known_a | ends, known_b | ends, shortest)
        frame_a = grids.draw_frame(rng, n, n, "grid")
        frame_b = grids.draw_frame(rng, n, n, "list", unlike=frame_a)
        return Draft({"a": known_a | ends, "b": known_b | ends}, {"full": full, "a": frame_a, "b": frame_b})

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        text = grids.state_frame(frame) + "."
        if frame["form"] == "grid":
            text += (
                ' In the drawing, # is a wall, "." an open cell, ^ > v < a one-way cell that is left '
                "only up, right, down or left, S the start, G the goal, ? unknown here."
            )
        return text

    def read_notation(self, text: str) -> Frame:
        return grids.read_frame(text, "grid" if "In the drawing" in text else "list")

    def say(self, facts: Facts, frame: Frame) -> str:
        if frame["form"] == "grid":
            return gridpaths.draw_map(facts, frame, SIGNS)
        lines, moves = say_cells(facts, frame, LABELS), arrows.list_moves(facts, frame)
        lines += [f"From ({a}, {b}) one may drive only to {to}." for (a, b), to in moves]
        return "\n".join(lines + gridpaths.say_ends(facts, frame))

    def hear(self, text: str, frame: Frame) -> Facts:
        if frame["form"] == "grid":
            heard = gridpaths.hear_map(text, frame, SIGNS)
        else:
            heard = self._hear_list(text, frame)
        n = frame["rows"]
        off = [k for k, v in heard.items() if v in ARROWS and not grids.on_map(ahead(k[1:], v), n)]
        return {key: heard[key] for key in heard if key not in off} | {("rows",): n}

    def _hear_list(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {}
        for line in text.splitlines():
            facts |= gridpaths.hear_end(line, frame) | hear_cells(line, frame, LABELS)
            for match in _ONE_WAY.finditer(line):
                facts |= arrows.hear_move(grids.read_cells(match[0], frame))
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        return len(gridpaths.blank_cells(facts))

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        n = facts[("rows",)]
        blank = gridpaths.blank_cells(facts)
        return facts | {("cell", *c): draw_kind(rng, c, n, 0.10, 0.50) if rng else "open" for c in blank}

    def _kind(self, facts: Facts, cell: Cell) -> str:
        """The value of a cell, with the ends open and unknown cells walls."""
        if cell == facts[("start",)] or cell == facts[("goal",)]:
            return "open"
        return facts.get(("cell", *cell), "wall")

    def steps(self, facts: Facts, cell: Cell) -> list[Cell]:
        kind = self._kind(facts, cell)
        if kind == "wall":
            return []
        return [c for c in arrows.leaving(cell, kind) if self._kind(facts, c) != "wall"]

    def steps_back(self, facts: Facts, cell: Cell) -> list[Cell]:
        return [
            c
            for c, towards in zip(grids.neighbours(cell), ("down", "left", "up", "right"), strict=True)
            if self._kind(facts, c) in ("open", towards)
        ]


def draw_kind(rng: random.Random, cell: Cell, n: int, walls: float, one_way: float) -> str:
    """A random wall, arrow (never off the map) or open cell, with these shares of walls and arrows."""
    chance = rng.random()
    if chance >= walls + one_way:
        return "open"
    return "wall" if chance < walls else rng.choice(arrows.inward(cell, n) or ["open"])


TASK = Streetmap()
