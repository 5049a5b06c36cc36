"""Arrangements, and clues that leave some of them: what the puzzles with one solution share.

Sets of arrangements are the bits of one integer, so that clues are intersected in microseconds.

An arrangement puts the n items of each of k lists into n places, one item of each list into each place.
Item ``(row, j)`` is the j-th item of list ``row``; bit i of a set stands for the i-th arrangement.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from tasks.contract import Facts, Key, Reject

Item = tuple[int, int]
CLUES = ("at", "not", "pair")  # kinds of facts
MOST_PLACES, MOST_LISTS = 5, 3  # what is small enough to enumerate


@cache
def permutations(n: int) -> list[tuple[int, ...]]:
    """All ways to put n items into n places: place of item j."""
    return list(itertools.permutations(range(n)))


@cache
def placed(n: int, k: int, item: Item, place: int) -> int:
    """The arrangements with the item in the place (of which there are n)."""
    row, j = item
    size = len(permutations(n))
    run = size ** (k - 1 - row)  # that many neighbouring arrangements agree on this list
    block = sum(((1 << run) - 1) << d * run for d, places in enumerate(permutations(n)) if places[j] == place)
    bits, filled = 0, 0
    for digit in f"{size**row:b}":  # repeat the block that often, by doubling
        bits, filled = bits | bits << filled, 2 * filled
        if digit == "1":
            bits, filled = bits << run * size | block, filled + run * size
    return bits


@lru_cache(256)  # a set of the largest puzzles takes 200 kB
def related(n: int, k: int, first: Item, second: Item, relation: str) -> int:
    """The arrangements in which the items stand in the relation."""
    holds = 0
    for p, q in itertools.product(range(n), repeat=2):
        if relation in relations(p, q):
            holds |= placed(n, k, first, p) & placed(n, k, second, q)
    return holds


def relations(p: int, q: int) -> list[str]:
    """Every relation in which an item in place p stands to one in place q."""
    holds = ["same" if p == q else "before" if p < q else "after"]
    return [*holds, "next"] if abs(p - q) == 1 else holds


def pick(bits: int, rng: random.Random | None) -> int:
    """A random member of a set that is not empty; its first one where ``rng`` is None."""
    if rng is None:
        return (bits & -bits).bit_length() - 1
    rank, index = rng.choice(range(bits.bit_count())), 0
    while (width := bits.bit_length()) > 1:  # halve the set, keeping the half with the member of that rank
        half = width // 2
        low = bits & ((1 << half) - 1)
        below = low.bit_count()
        if rank < below:
            bits = low
        else:
            bits, rank, index = bits >> half, rank - below, index + half
    return index


class Board:
    """The arrangements of some lists of names, and which of them clues leave.

    A clue is a fact: ("at", name) -> place, ("not", name) -> place or ("pair", x, y) -> relation of x to y.
    """

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        self.rows = rows
        self.n, self.k = len(rows[0]) if rows else 0, len(rows)
        self.item = {name: (r, j) for r, row in enumerate(rows) for j, name in enumerate(row)}
        small = 0 < self.n <= MOST_PLACES and self.k <= MOST_LISTS and len(self.item) == self.n * self.k
        usable = small and all(len(row) == self.n for row in rows)
        self.everything = (1 << len(permutations(self.n)) ** self.k) - 1 if usable else 0

    def holds(self, key: Key, value: Any) -> int:
        """The arrangements in which one clue holds: none for a clue about what is not there."""
        items = [self.item.get(name) for name in key[1:]]
        if None in items or not self.everything:
            return 0
        if key[0] == "pair":
            return related(self.n, self.k, *items, value)
        there = placed(self.n, self.k, *items, value)
        return there if key[0] == "at" else self.everything ^ there

    def left(self, facts: Facts) -> int:
        """The arrangements that the clues among the facts leave."""
        left = self.everything
        for key, value in facts.items():
            if key[0] in CLUES:
                left &= self.holds(key, value)
        return left

    def member(self, left: int, rng: random.Random | None) -> dict[str, int]:
        """Place of every item in a random arrangement of a set that is not empty (or in the first one)."""
        index = pick(left, rng)
        size = len(permutations(self.n))
        where: dict[str, int] = {}
        for r, row in enumerate(self.rows):
            row_places = permutations(self.n)[index // size ** (self.k - 1 - r) % size]
            where |= dict(zip(row, row_places, strict=True))
        return where

    def told(self, left: int, where: dict[str, int]) -> float:
        """Expected share of items that a random arrangement of the set puts where they are."""
        right = sum((left & self.holds(("at", name), place)).bit_count() for name, place in where.items())
        return right / (left.bit_count() * len(where))

    def draw_clues(self, rng: random.Random, where: dict[str, int], count: int, direct: int) -> Facts:
        """True clues, each of which says something new, that together leave one arrangement."""
        clues: Facts = {}
        left = self.everything
        for _ in range(count):
            new = []
            for _ in range(12):
                key, value = true_clue(rng, where, pairs_only=sum(k[0] == "at" for k in clues) >= direct)
                after = left & self.holds(key, value)
                if key not in clues and (after != left or left.bit_count() == 1):
                    new.append((after.bit_count(), key, value))
            if not new:
                raise Reject("no clue says something new")
            _, key, value = min(new[:2], key=lambda clue: clue[0])  # the stronger of two
            clues[key] = value
            left &= self.holds(key, value)
        if left.bit_count() != 1:
            raise Reject("more than one solution")
        return clues

    def split_clues(
        self, rng: random.Random, clues: Facts, where: dict[str, int], most: float
    ) -> list[Facts]:
        """Deal the clues into two halves neither of which tells more than ``most``."""
        keys = sorted(clues)
        for _ in range(20):
            rng.shuffle(keys)
            half = len(keys) // 2
            halves = [{key: clues[key] for key in part} for part in (keys[:half], keys[half:])]
            if all(self.told(self.left(part), where) <= most for part in halves):
                return halves
        raise Reject("one view tells too much")


def true_clue(rng: random.Random, where: dict[str, int], pairs_only: bool) -> tuple[Key, Any]:
    """A random clue that is true of the places; mostly about a pair of items."""
    first, second = sorted(rng.sample(sorted(where), 2))
    kind = "pair" if pairs_only else rng.choice(("at", "not", "pair", "pair", "pair", "pair"))
    if kind == "at":
        return ("at", first), where[first]
    if kind == "not":
        return ("not", first), rng.choice([p for p in sorted(set(where.values())) if p != where[first]])
    return ("pair", first, second), rng.choice(relations(where[first], where[second]))
