"""Two trees that may be the same: matching them exactly, and guessing a match where they are partly known.

Facts: ("groups", 1), ("groups", 2) -> names; ("parent", name) -> name; ("size", leaf) -> int;
("pair", name of tree 1) -> name of tree 2. Garbled facts (circles, sizes of
groups that are no leaf) are coped with.
"""

from __future__ import annotations

import random
from typing import Any

from tasks.contract import Facts, Reject

BUDGET = 1500  # pairs tried before a guess is given up
TRIES = 4


class Tree:
    """One of the two trees; ``tag`` names the known partner of a group in the words of tree 1."""

    def __init__(self, facts: Facts, number: int) -> None:
        self.groups: tuple[str, ...] = facts[("groups", number)]
        self.parent = {
            g: facts[("parent", g)] for g in self.groups if facts.get(("parent", g)) in self.groups
        }
        self.size = {g: facts[("size", g)] for g in self.groups if ("size", g) in facts}
        known = {key[1]: value for key, value in facts.items() if key[0] == "pair"}
        self.tag = {left if number == 1 else right: left for left, right in known.items()}
        self.children: dict[str, list[str]] = {}
        for group, above in self.parent.items():
            self.children.setdefault(above, []).append(group)
        self.full = len(self.parent) == len(self.groups) - 1

    def from_top(self) -> list[str]:
        """All groups, parents before their children; groups in a circle last."""
        line = [group for group in self.groups if group not in self.parent]
        for group in line:  # grows while it is walked
            line += self.children.get(group, [])
        return line + [group for group in self.groups if group not in line]

    def codes(self) -> dict[str, str]:
        """A text for each group that says all about the tree below it but its names."""
        codes: dict[str, str] = {}
        for group in reversed(self.from_top()):
            inner = sorted(codes.get(child, "") for child in self.children.get(group, ()))
            codes[group] = f"({self.tag.get(group, '')} {self.size.get(group, '')}{''.join(inner)})"
        return codes


def twins(facts: Facts) -> bool:
    """Whether tree 1 has two groups below the same parent that cannot be told apart."""
    tree = Tree(facts, 1)
    codes = tree.codes()
    return any(len({codes[g] for g in group}) < len(group) for group in tree.children.values())


def match(facts: Facts) -> dict[str, str] | None:
    """Partner in tree 2 of each group of tree 1, the first such match; None where the trees differ."""
    first, second = Tree(facts, 1), Tree(facts, 2)
    codes, others = first.codes(), second.codes()
    tops = [[group for group in tree.groups if group not in tree.parent] for tree in (first, second)]
    if len(tops[0]) != 1 or len(tops[1]) != 1 or codes[tops[0][0]] != others[tops[1][0]]:
        return None
    mapping = {tops[0][0]: tops[1][0]}
    for group in first.from_top():
        lefts = sorted(first.children.get(group, ()), key=lambda g: (codes[g], g))
        rights = sorted(second.children.get(mapping.get(group, ""), ()), key=lambda g: (others[g], g))
        mapping.update(zip(lefts, rights, strict=False))
    return mapping if len(mapping) == len(first.groups) == len(second.groups) else None


def guess_mapping(facts: Facts, rng: random.Random) -> dict[str, str]:
    """A random match of the groups that nothing known forbids. Raises Reject where none is found."""
    first, second = Tree(facts, 1), Tree(facts, 2)
    if len(first.groups) == len(second.groups):
        swapped = len(second.parent) > len(first.parent)
        for _ in range(TRIES):
            found = Guess(second, first, rng) if swapped else Guess(first, second, rng)
            if found.go_on(0):
                return {right: left for left, right in found.to.items()} if swapped else found.to
    raise Reject("the trees cannot be the same")


class Guess:
    """A search for partners of the groups of the better known tree, parents first."""

    def __init__(self, one: Tree, two: Tree, rng: random.Random) -> None:
        self.one, self.two, self.rng = one, two, rng
        self.line, self.budget = one.from_top(), BUDGET
        self.to: dict[str, str] = {}
        self.back: dict[str, str] = {}

    def go_on(self, number: int) -> bool:
        """Whether the groups from that place in the line on can be given partners."""
        if number == len(self.line):
            return self.makes_a_tree()
        group = self.line[number]
        for other in self.rng.sample(self.two.groups, len(self.two.groups)):
            self.budget -= 1
            if self.budget < 0:
                return False
            if other not in self.back and self.fits(group, other):
                self.to[group], self.back[other] = other, group
                if self.go_on(number + 1):
                    return True
                del self.to[group], self.back[other]
        return False

    def fits(self, group: str, other: str) -> bool:
        """Whether two groups may be partners, given the partners so far."""
        one, two = self.one, self.two
        if one.tag.get(group) != two.tag.get(other):
            return False
        if one.size.get(group, two.size.get(other)) != two.size.get(other, one.size.get(group)):
            return False
        below, under = one.children.get(group, []), two.children.get(other, [])
        if (group in one.size or other in two.size) and (below or under):
            return False
        if (one.full and len(under) > len(below)) or (two.full and len(below) > len(under)):
            return False
        above, over = one.parent.get(group), two.parent.get(other)
        if (one.full and over and not above) or (two.full and above and not over):
            return False
        if above and over and (self.to.get(above, over) != over or self.back.get(over, above) != above):
            return False
        return all(self._agree(two.parent.get(self.to.get(child, "")), other) for child in below) and all(
            self._agree(one.parent.get(self.back.get(child, "")), group) for child in under
        )

    @staticmethod
    def _agree(known: Any, wanted: str) -> bool:
        return known is None or known == wanted

    def makes_a_tree(self) -> bool:
        """Whether the links of both trees, put together, run in no circle."""
        for group in self.line:
            steps, here = 0, group
            while steps <= len(self.line) and here:
                over = self.two.parent.get(self.to[here])
                here, steps = self.one.parent.get(here) or self.back.get(over or "", ""), steps + 1
            if here:
                return False
        return True
