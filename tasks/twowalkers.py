"""Two walkers on one map: where each may go, and the joint walks on which they never collide."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tasks import arrows, grids
from tasks.contract import Facts
from tasks.grids import Cell

Both = tuple[Cell, Cell]  # where the two walkers are
ENDS = tuple(itertools.product(("start", "goal"), (1, 2)))  # the keys of the walkers' ends
FAR = 10**6  # steps from a cell that does not lead there


def kind(facts: Facts, cell: Cell) -> str:
    """What a cell is: "wall" (also off the map), "open" or a direction; starts and goals are never walls."""
    if not grids.on_map(cell, facts[("rows",)]):
        return "wall"
    what: str = facts.get(("cell", *cell), "open")
    if what == "open" or any(cell == facts[end] for end in ENDS):
        return "open"
    return what


def exits(facts: Facts, cell: Cell) -> list[Cell]:
    """The cells that one may enter from a cell."""
    return [c for c in arrows.leaving(cell, kind(facts, cell)) if kind(facts, c) != "wall"]


class Ground:
    """The moves on a map, worked out once. ``longest`` bounds the joint walks that ``before`` considers."""

    def __init__(self, facts: Facts) -> None:
        side = range(facts[("rows",)])
        self.exits = {cell: exits(facts, cell) for cell in itertools.product(side, side)}
        self.back: dict[Cell, list[Cell]] = {cell: [cell] for cell in self.exits}  # waiting comes first
        for cell, leaving in self.exits.items():
            for other in leaving:
                self.back[other].append(cell)
        self.longest = FAR
        far = dict.fromkeys(self.exits, 0)
        self.done, self.left = [far, far], [far, far]

    def keep_between(self, start: Both, goal: Both) -> int:
        """Measure each walker's steps from its start and to its goal; the fewest turns that both need."""
        far = dict.fromkeys(self.exits, FAR)
        self.done = [far | grids.distances_to(cell, self.exits.__getitem__) for cell in start]
        self.left = [far | grids.distances_to(cell, self.back.__getitem__) for cell in goal]
        return max(left[cell] for left, cell in zip(self.left, start, strict=True))

    def before(self, place: Both) -> Iterator[Both]:
        """The places of both walkers one joint move earlier, of those that a walk of that length passes."""
        (done, other_done), (left, other_left) = self.done, self.left
        for cell, other in itertools.product(self.back[place[0]], self.back[place[1]]):
            turns = max(done[cell], other_done[other]) + max(left[cell], other_left[other])
            if turns <= self.longest and not clash((cell, other), place) and cell != other:
                yield cell, other

    def collide(self, start: Both, goal: Both) -> bool:
        """Whether the walkers collide where each takes its own shortest way."""
        self.keep_between(start, goal)
        pairs = zip(start, self.left, strict=True)
        ways = [grids.descend(cell, left, self.exits.__getitem__) for cell, left in pairs]
        longest = max(len(way) for way in ways)
        joint = zip(*(way + way[-1:] * (longest - len(way)) for way in ways), strict=True)
        return any(clash(here, there) for here, there in itertools.pairwise(joint))


def clash(here: Both, there: Both) -> bool:
    """Whether a joint move puts the walkers on one cell or swaps them."""
    return there[0] == there[1] or there == here[::-1]
