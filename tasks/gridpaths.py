"""What tasks share whose answer is a shortest walk: finding and grading it; on a map also its text.

A walk leads over places of any kind (cells in space, names, pairs), a path on a grid over cells of a map.
"""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tasks import grids
from tasks.answers import whole
from tasks.contract import Answer, Facts, Frame, Reject, Task
from tasks.grids import Cell

Place = Any  # hashable


class WalkTask(Task):
    """A task answered by a shortest walk from ("start",) to ("goal",) under ``steps``."""

    @abstractmethod
    def steps(self, facts: Facts, place: Place) -> Iterable[Place]:
        """Places that one may enter from the place, in a fixed order."""

    @abstractmethod
    def steps_back(self, facts: Facts, place: Place) -> Iterable[Place]:
        """Places from which one may enter the place."""

    def ends(self, facts: Facts) -> tuple[Place, Place]:
        """Where the walk starts and where it is to end."""
        return facts[("start",)], facts[("goal",)]

    def distances(self, facts: Facts) -> dict[Place, int]:
        """Steps to the goal from every place that can reach it."""
        return grids.distances_to(self.ends(facts)[1], lambda place: self.steps_back(facts, place))

    def refuse_one_sided(self, known_a: Facts, known_b: Facts, shortest: int) -> None:
        """Reject unless each view alone promises a shorter walk than there is, so that it misleads."""
        for known in (known_a, known_b):
            if self.distances(self.complete(known, None)).get(self.ends(known)[0]) == shortest:
                raise Reject("one view hides no obstacle that matters")

    def shortest(self, facts: Facts) -> list[Place] | None:
        """One shortest walk, both ends included; None where there is none or no step is needed."""
        start, distance = self.ends(facts)[0], self.distances(facts)
        if not distance.get(start):
            return None
        return grids.descend(start, distance, lambda place: self.steps(facts, place))

    def valid_share(self, facts: Facts, walk: list[Place]) -> float:
        """Steps of the valid prefix over the optimal number, see ``prefix_score``; places may be None."""
        start = self.ends(facts)[0]
        if walk[:1] != [start]:  # most conventions end here, before the costly part
            return 0.0
        return prefix_score(walk, start, self.distances(facts), lambda place: self.steps(facts, place))


class GridPathTask(WalkTask):
    """A walk over the cells of a map, told as pairs of numbers in one of 16 conventions."""

    answer_key = "path"
    answer_format = (
        'one line of JSON, {"path": [[a, b], ...]}: every cell from the start to the goal, both '
        "included, each as a pair in the notation of your view."
    )
    score_rule = (
        "Steps of the valid prefix (each one nearer to the goal) over the optimal number of steps; best of "
        "16 conventions (index origin, corner, row/column order)."
    )
    misreadable = grids.CONVENTIONS

    def solve(self, facts: Facts) -> Answer | None:
        path = self.shortest(facts)
        return None if path is None else [list(cell) for cell in path]

    def conventions(self, frames: Mapping[str, Frame]) -> dict[str, Frame]:
        return grids.all_conventions(frames["full"])

    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return [list(grids.to_frame(tuple(cell), frame)) for cell in answer]

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        return read_cells(value, frame)

    def read_loosely(self, text: str) -> Any | None:
        return grids.read_pairs(text) or None

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        return self.valid_share(facts, [tuple(cell) for cell in answer])


def draw_map(facts: Facts, frame: Frame, signs: Mapping[str, str]) -> str:
    """Draw ("cell", r, c) facts, one sign a value, with S and G on the ends and ? where nothing is known."""
    ends = {facts.get(("start",)): "S", facts.get(("goal",)): "G"}
    return grids.draw_rows(
        frame, lambda cell: ends.get(cell) or signs.get(facts.get(("cell", *cell), ""), "?")
    )


def hear_map(text: str, frame: Frame, signs: Mapping[str, str]) -> Facts:
    """Read back what ``draw_map`` drew."""
    values = {sign: value for value, sign in signs.items()}
    facts: Facts = {}
    for cell, sign in grids.read_rows(text, frame, "SG?" + "".join(values)):
        if sign in values:
            facts[("cell", *cell)] = values[sign]
        elif sign in "SG":
            facts[("start",) if sign == "S" else ("goal",)] = cell
    return facts


def say_ends(facts: Facts, frame: Frame) -> list[str]:
    """One sentence for each end that is known."""
    ends = ((end, facts.get((end,))) for end in ("start", "goal"))
    return [f"The {end} is {grids.write_cell(cell, frame)}." for end, cell in ends if cell]


def hear_end(line: str, frame: Frame) -> Facts:
    """The end that a line of ``say_ends`` names; nothing for another line."""
    if not line.startswith(("The start is", "The goal is")):
        return {}
    return {(line.split()[1],): cell for cell in grids.read_cells(line, frame)[:1]}


def blank_cells(facts: Facts) -> list[Cell]:
    """The cells of the square map of ("rows",) rows of which nothing is known, row by row; no end is one."""
    ends, side = (facts[("start",)], facts[("goal",)]), range(facts[("rows",)])
    return [c for c in itertools.product(side, side) if ("cell", *c) not in facts and c not in ends]


def read_cells(value: Any, frame: Frame, longest: int = 400) -> list[Cell] | None:
    """A list of JSON pairs as canonical cells; None unless every entry is a cell on the map."""
    if not isinstance(value, list) or not 0 < len(value) <= longest:
        return None
    path = []
    for pair in value:
        if not isinstance(pair, list) or len(pair) != 2:
            return None
        first, second = whole(pair[0]), whole(pair[1])
        cell = None if first is None or second is None else grids.from_frame((first, second), frame)
        if cell is None:
            return None
        path.append(cell)
    return path


def prefix_score(
    path: list[Place], start: Place, distance: dict[Place, int], steps: Callable[[Place], Iterable[Place]]
) -> float:
    """Valid prefix over optimal length, in [0, 1].

    A step counts while it is allowed and comes nearer to the goal, so that a detour earns nothing; a
    path of twice the optimal steps or more is a listing, not an answer, and scores 0, as does a path
    that goes on after the goal. ``steps(p)`` yields the places that one may enter from p.
    """
    best = distance.get(start, 0)
    if not best or not path or path[0] != start or len(path) - 1 >= 2 * best:
        return 0.0
    good = 0
    for here, there in itertools.pairwise(path):
        if there not in steps(here) or distance.get(there, best) != distance[here] - 1:
            break
        good += 1
    return 0.0 if good == best and len(path) - 1 > best else good / best
