"""What tasks share whose answer is a shortest walk over places of any kind: cells in space, names, pairs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import Any

from tasks import grids
from tasks.contract import Facts, Reject, Task
from tasks.gridpaths import prefix_score

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
        return distances_to(self.ends(facts)[1], lambda place: self.steps_back(facts, place))

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


def distances_to(goal: Place, steps_into: Callable[[Place], Iterable[Place]]) -> dict[Place, int]:
    """``grids.distances_to`` for places of any kind."""
    return grids.distances_to(goal, steps_into)
