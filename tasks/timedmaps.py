"""A map unrolled in time: where a walker may be after each turn, when cells are closed for a while.

The facts are those of the timed path. A state is (place, turn): a cell numbered row by row, and how many
moves and waits were made since the departure.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from functools import cache

from tasks import grids
from tasks.contract import Facts
from tasks.grids import Cell

State = tuple[int, int]


@cache
def reach(n: int) -> tuple[tuple[int, ...], ...]:
    """For each place of a map of n rows and columns, where one may be a turn later; waiting comes first."""
    side = range(n)
    return tuple(
        tuple(r * n + c for r, c in ((row, col), *grids.neighbours((row, col))) if r in side and c in side)
        for row in side
        for col in side
    )


class TimedMap:
    """What the facts (without gaps) say about when one may stand where."""

    def __init__(self, facts: Facts) -> None:
        self.rows: int = facts[("rows",)]
        self.departure: int = facts[("departure",)]
        self.pace: int = facts[("pace",)]
        self.start, self.goal = self.place(facts[("start",)]), self.place(facts[("goal",)])
        free = {self.place(key[1:]) for key, value in facts.items() if key[0] == "cell" and value == "free"}
        self.free = free | {self.start, self.goal}
        self.closed = {self.place(key[1:]): value for key, value in facts.items() if key[0] == "closed"}
        for end in (self.start, self.goal):  # a closure heard of an end is not believed
            self.closed.pop(end, None)
        self.quiet = max((last for _, last in self.closed.values()), default=0)
        self._open: dict[int, set[int]] = {}

    def place(self, cell: Cell) -> int:
        """The number of a cell."""
        return cell[0] * self.rows + cell[1]

    def time(self, turn: int) -> int:
        """Minutes after so many turns."""
        return self.departure + turn * self.pace

    def turn(self, time: int) -> int:
        """Turns made by a time in minutes; -1 where it is not the end of a turn."""
        turn, off = divmod(time - self.departure, self.pace)
        return -1 if off else turn

    def open(self, turn: int) -> set[int]:
        """The places where one may stand after so many turns."""
        if turn not in self._open:
            time = self.time(turn)
            shut = {place for place, (first, last) in self.closed.items() if first <= time <= last}
            self._open[turn] = self.free - shut
        return self._open[turn]

    def _spread(self, places: Iterable[int], turn: int) -> set[int]:
        """The places one turn away from some, open after ``turn`` turns."""
        around = reach(self.rows)
        return self.open(turn) & set(itertools.chain.from_iterable(around[place] for place in places))

    def after(self, state: State) -> list[State]:
        """The states one turn later, in a fixed order."""
        place, turn = state[0], state[1] + 1
        return [(there, turn) for there in reach(self.rows)[place] if there in self.open(turn)]

    def arrival(self) -> int | None:
        """The least number of turns to the goal; None where it is never reached."""
        places, turn = {self.start}, 0
        while self.goal not in places:
            turn += 1
            later = self._spread(places, turn)
            if turn > 3 * len(self.free) or (later == places and self.time(turn) > self.quiet):
                return None  # nothing changes any more, or far too late
            places = later
        return turn

    def rest(self) -> dict[State, int]:
        """Turns left from every state on the way to the earliest arrival; empty where there is none."""
        best, places = self.arrival(), {self.goal}
        rest: dict[State, int] = {}
        if best is None:
            return rest
        for left in range(best + 1):
            rest.update({(place, best - left): left for place in places})
            places = self._spread(places, best - left - 1)
        return rest
