"""Maze: find a shortest path; each holder knows half of the cells.

View A is an ASCII grid in which the other holder's cells are "?"; view B lists its cells as coordinates
in another frame. Start and goal are known to both.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from tasks import grids
from tasks.contract import Draft, Facts, Frame, Reject
from tasks.gridpaths import GridPathTask

SIGNS = {"wall": "#", "free": "."}


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
        "tiny": {"rows": 4, "walls": 0.40, "shortest": (3, 5)},
        "small": {"rows": 5, "walls": 0.30, "shortest": (4, 8)},
        "paper": {"rows": 7, "walls": 0.30, "shortest": (7, 10)},
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
        return self._draw_grid(facts, frame) if frame["form"] == "grid" else self._list_cells(facts, frame)

    def _draw_grid(self, facts: Facts, frame: Frame) -> str:
        ends = {facts.get(("start",)): "S", facts.get(("goal",)): "G"}
        return "\n".join(
            "".join(
                ends.get((r, c)) or SIGNS.get(facts.get(("cell", r, c), ""), "?")
                for c in range(frame["cols"])
            )
            for r in range(frame["rows"])
        )

    def _list_cells(self, facts: Facts, frame: Frame) -> str:
        lines = []
        for kind in SIGNS:
            cells = sorted(
                grids.to_frame(k[1:], frame) for k, v in facts.items() if k[0] == "cell" and v == kind
            )
            if cells:
                lines.append(f"{kind.capitalize()} cells: " + " ".join(f"({a}, {b})" for a, b in cells) + ".")
        for end in ("start", "goal"):
            if (end,) in facts:
                lines.append(f"The {end} is {grids.write_cell(facts[(end,)], frame)}.")
        return "\n".join(lines)

    def hear(self, text: str, frame: Frame) -> Facts:
        heard = self._hear_grid(text, frame) if frame["form"] == "grid" else self._hear_list(text, frame)
        return heard | {("rows",): frame["rows"]}

    def _hear_grid(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {}
        kinds = {sign: kind for kind, sign in SIGNS.items()}
        rows = [line.strip() for line in text.splitlines()]
        rows = [row for row in rows if len(row) == frame["cols"] and set(row) <= set("#.SG?")]
        for r, row in enumerate(rows[: frame["rows"]]):
            for c, sign in enumerate(row):
                if sign in kinds:
                    facts[("cell", r, c)] = kinds[sign]
                elif sign in "SG":
                    facts[("start",) if sign == "S" else ("goal",)] = (r, c)
        return facts

    def _hear_list(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {}
        for line in text.splitlines():
            cells = grids.read_cells(line, frame)
            if line.startswith(("Wall cells:", "Free cells:")):
                facts |= {("cell", *cell): line[:4].lower() for cell in cells}
            elif line.startswith(("The start is", "The goal is")) and cells:
                facts[(line.split()[1],)] = cells[0]
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        return facts[("rows",)] ** 2 - len(self._known(facts))

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        n, known = facts[("rows",)], self._known(facts)
        blank = [(r, c) for r in range(n) for c in range(n) if (r, c) not in known]
        fill = {("cell", *cell): "wall" if rng and rng.random() < 0.3 else "free" for cell in blank}
        return facts | fill

    def _known(self, facts: Facts) -> set[grids.Cell]:
        return {key[1:] for key in facts if key[0] == "cell"} | {facts[("start",)], facts[("goal",)]}

    def steps(self, facts: Facts, cell: grids.Cell) -> list[grids.Cell]:
        ends = (facts[("start",)], facts[("goal",)])
        return [c for c in grids.neighbours(cell) if c in ends or facts.get(("cell", *c)) == "free"]

    def steps_back(self, facts: Facts, cell: grids.Cell) -> list[grids.Cell]:
        return self.steps(facts, cell)


TASK = Maze()
