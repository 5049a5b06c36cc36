"""Paths on a grid that join pairs of cells and share none: what the number link task is solved with."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tasks import grids
from tasks.contract import Facts
from tasks.grids import Cell

DETOUR = 4  # steps beyond the shortest that the solver allows a path
BUDGET = 250  # cells that the solver enters before it gives up


class Router:
    """Looks for paths that share no cell, within a budget of cells entered."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.budget = BUDGET
        side = range(facts[("rows",)])
        self.free = {c for c in itertools.product(side, side) if ("cell", *c) not in facts}

    def join(self, colours: list[str]) -> dict[str, list[Cell]] | None:
        """Paths for all these pairs, the nearest ends first; None where none are found within the budget."""
        if not colours:
            return {}
        colour, *rest = sorted(colours, key=lambda c: (apart(*cells_with(self.facts, c)), c))
        for path in self.paths(colour):
            self.free.difference_update(path)
            others = self.join(rest) if all(self.left(other) for other in rest) else None
            if others is not None:
                return {colour: path} | others
            self.free.update(path[1:-1])
        return None

    def paths(self, colour: str) -> Iterator[list[Cell]]:
        """The paths that join a pair through free cells, shorter ones first."""
        start, goal = cells_with(self.facts, colour)
        left = self.left(colour)
        for length in range(left[start], left[start] + DETOUR + 1, 2) if left else ():
            yield from self._extend([start], length, goal, left)

    def left(self, colour: str) -> dict[Cell, int]:
        """Steps to a pair's second end through free cells; empty where the first end is cut off."""
        start, goal = cells_with(self.facts, colour)
        inside = self.free | {start}
        left = grids.distances_to(goal, lambda cell: (c for c in grids.neighbours(cell) if c in inside))
        return left if start in left else {}

    def _extend(
        self, path: list[Cell], steps: int, goal: Cell, left: dict[Cell, int]
    ) -> Iterator[list[Cell]]:
        """The simple paths of exactly that many more steps that go on from this one."""
        if path[-1] == goal:
            if not steps:
                yield list(path)
            return
        for cell in grids.neighbours(path[-1]):
            if self.budget > 0 and left.get(cell, steps) < steps and cell not in path:
                self.budget -= 1
                path.append(cell)
                yield from self._extend(path, steps - 1, goal, left)
                path.pop()


def apart(cell: Cell, other: Cell) -> int:
    """Steps between two cells on an empty map."""
    return abs(cell[0] - other[0]) + abs(cell[1] - other[1])


def cells_with(facts: Facts, what: str) -> list[Cell]:
    """The cells in which a thing is, row by row."""
    return sorted(key[1:] for key, value in facts.items() if key[0] == "cell" and value == what)
