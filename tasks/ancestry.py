"""Links from children to parents: paths up to ancestors, and plausible guesses at what is unknown."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Mapping
from typing import Any

from tasks.contract import Reject

Link = tuple[str, str]  # child, parent


class Links:
    """Links from children to parents between some nodes; garbled links (circles) are coped with."""

    def __init__(self, nodes: Iterable[str], links: Iterable[Link]) -> None:
        self.nodes = list(nodes)
        self.up: dict[str, list[str]] = {}
        self.down: dict[str, list[str]] = {}
        for link in links:
            self.add(*link)

    def add(self, child: str, parent: str) -> None:
        """Add a link."""
        if parent not in self.up.setdefault(child, []):
            self.up[child].append(parent)
            self.down.setdefault(parent, []).append(child)

    def path(self, low: str, high: str) -> list[str] | None:
        """A shortest path from a node up to an ancestor (always the same one), if there is any."""
        came: dict[str, str] = {low: low}
        for node in (line := [low]):  # grows while it is walked
            for parent in sorted(self.up.get(node, ())):
                if parent not in came:
                    came[parent] = node
                    line.append(parent)
        if high not in came or low == high:
            return None
        path = [high]
        while path[-1] != low:
            path.append(came[path[-1]])
        return path[::-1]

    def count(self, low: str, high: str) -> int:
        """How many paths lead from a node up to another one; for links without circles."""
        return 1 if low == high else sum(self.count(parent, high) for parent in self.up.get(low, ()))

    def guesses(self, low: str, high: str) -> list[list[Link]]:
        """The ways up to an ancestor with as few new links as possible, at least two links in all."""
        ends = itertools.product(reach(self.up, low), reach(self.down, high))
        ways = [[(child, parent)] for child, parent in ends if (child, parent) != (low, high)]
        ways = [way for way in ways if self.sensible(*way[0])]
        between = [name for name in self.nodes if name not in (low, high)]
        return ways or [[(low, name), (name, high)] for name in between]

    def sensible(self, child: str, parent: str) -> bool:
        """Whether a new link would close no circle."""
        return child not in reach(self.up, parent)

    def others(self, number: int, asked: list[Link], rng: random.Random) -> list[Link]:
        """So many random new links; such as close a circle or answer a question only if need be."""
        pairs = [p for p in itertools.permutations(self.nodes, 2) if p[1] not in self.up.get(p[0], ())]
        rng.shuffle(pairs)
        added: list[Link] = []
        for strict in (True, False):
            for child, parent in pairs:
                if len(added) >= number:
                    return added
                good = self.sensible(child, parent) and (child, parent) not in asked
                if (good or not strict) and (child, parent) not in added:
                    self.add(child, parent)
                    added.append((child, parent))
        if len(added) < number:
            raise Reject("more links than pairs of nodes")
        return added


def reach(near: Mapping[str, list[str]], start: str) -> list[str]:
    """The node and all that can be reached from it."""
    found = [start]
    for node in found:  # grows while it is walked
        found += [there for there in near.get(node, ()) if there not in found]
    return found


def single_paths(whole: Links, steps: tuple[int, int]) -> list[Link]:
    """The pairs of a node and an ancestor between which there is one path, with so many steps."""
    found = []
    for low in whole.nodes:
        for high in reach(whole.up, low)[1:]:
            if whole.count(low, high) == 1 and steps[0] < len(whole.path(low, high) or ()) <= steps[1] + 1:
                found.append((low, high))
    return found


def pick_questions(pairs: list[Link], parts: list[Links], size: Mapping[str, Any]) -> list[Link]:
    """The first pairs whose path neither part makes easy to guess; no two share a start or an end."""
    asked: list[Link] = []
    for low, high in pairs:
        fresh = not any(low == other[0] or high == other[1] for other in asked)
        if fresh and all(not p.path(low, high) and len(p.guesses(low, high)) >= size["open"] for p in parts):
            asked.append((low, high))
        if len(asked) == size["queries"]:
            break
    return asked
