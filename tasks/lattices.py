"""Square grids of crossing words: filling them at random and finding the fillings that a list allows.

Words of length ``side`` stand in the rows and in the columns ``lines`` of the grid, across words first.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from tasks import lexicon
from tasks.contract import Reject

Cell = tuple[int, int]
MOST_LINES = 4
_TRIES = 400  # draws of all across words but the last one, until the others fit them


class Lattice:
    """The grid. A filling is a list of words, one for each of ``slots``."""

    def __init__(self, side: int, lines: tuple[int, ...]) -> None:
        self.side, self.lines, self.n = side, lines, len(lines)

    @cached_property
    def slots(self) -> list[list[Cell]]:
        """The cells of every word: the rows with words from the top, then the columns from the left."""
        places = range(self.side)
        across = [[(line, place) for place in places] for line in self.lines]
        return across + [[(place, line) for place in places] for line in self.lines]

    @cached_property
    def cells(self) -> list[Cell]:
        """The cells of words, row by row."""
        return sorted({cell for slot in self.slots for cell in slot})

    def letters(self, filling: list[str]) -> dict[Cell, str]:
        """The letter of every cell."""
        return {
            cell: letter
            for slot, word in zip(self.slots, filling, strict=True)
            for cell, letter in zip(slot, word, strict=True)
        }

    def draw(self, letters: dict[Cell, str]) -> list[str]:
        """The rows of the grid, with "." for cells that have no letter."""
        side = range(self.side)
        return ["".join(letters.get((row, col), ".") for col in side) for row in side]

    def draw_words(self, rng: random.Random) -> tuple[list[str], list[str]]:
        """Across and down words of the language that fit, all different."""
        words, before = lexicon.words(self.side), self.lines[:-1]
        for _ in range(_TRIES):
            across = rng.sample(words, self.n - 1)
            crossings = ["".join(word[line] for word in across) for line in self.lines]
            fits = [lexicon.with_letters(self.side, before, letters) for letters in crossings]
            if not all(fits):
                continue
            allowed = [{word[self.lines[-1]] for word in some} for some in fits]
            last = [w for w in words if all(w[c] in ok for c, ok in zip(self.lines, allowed, strict=True))]
            if last:
                across.append(rng.choice(last))
                crossings = ["".join(word[line] for word in across) for line in self.lines]
                down = [rng.choice(lexicon.with_letters(self.side, self.lines, x)) for x in crossings]
                if len(set(across + down)) == 2 * self.n:
                    return across, down
        raise Reject("no words fit")

    def solutions(self, words: list[str], given: dict[Cell, str], most: int) -> list[list[str]]:
        """Fillings with different words of the list, up to so many."""
        everything = list(range(len(self.slots)))
        found = self._fillings(words, given, everything)
        return [[filling[slot] for slot in everything] for filling in itertools.islice(found, most)]

    def fill(
        self, words: list[str], new: int, given: dict[Cell, str], rng: random.Random | None
    ) -> list[str] | None:
        """A filling with words of the list and up to so many new ones; None where there is none.

        New words are of the language where one fits, or else made up. Without ``rng`` as few new words as
        can be are used, and the outcome is always the same.
        """
        slots = range(len(self.slots))
        sets = [left for size in slots for left in itertools.combinations(slots, size) if size <= new]
        sets += [tuple(slots)] if new >= len(slots) else []
        if rng is not None:
            rng.shuffle(sets)
            words = rng.sample(words, len(words))
        for left in sets:
            rest = [slot for slot in slots if slot not in left]
            for filling in itertools.islice(self._fillings(words, given, rest), 1):
                filled = self._invent(filling, words, given, rng or random.Random(0))
                if filled is not None:
                    return filled
        return None

    def _invent(
        self, filling: dict[int, str], words: list[str], given: dict[Cell, str], rng: random.Random
    ) -> list[str] | None:
        """The filling with new words in the other slots; None where only a word of the list fits."""
        letters = dict(given)
        for slot, word in filling.items():
            letters |= zip(self.slots[slot], word, strict=True)
        full = dict(filling)
        for slot, cells in enumerate(self.slots):
            if slot not in full:
                word = self._new_word([letters.get(cell, "") for cell in cells], rng)
                if word in words or word in full.values():
                    return None
                full[slot] = word
                letters |= zip(cells, word, strict=True)
        return [full[slot] for slot in sorted(full)]

    def _new_word(self, letters: list[str], rng: random.Random) -> str:
        """A word with these letters in the places where they are not empty."""
        places = tuple(place for place, letter in enumerate(letters) if letter)
        some = lexicon.with_letters(self.side, places, "".join(letters))
        return rng.choice(some) if some else "".join(x or rng.choice("AEIORSTLN") for x in letters)

    def _fillings(
        self, words: list[str], given: dict[Cell, str], slots: list[int]
    ) -> Iterator[dict[int, str]]:
        """Every way to put different words of the list into these slots."""
        slots = sorted(slots, key=lambda slot: slot % self.n)  # crossing words follow each other: early ends
        words = [word for word in words if len(word) == self.side]

        def extend(depth: int, letters: dict[Cell, str], used: dict[int, str]) -> Iterator[dict[int, str]]:
            if depth == len(slots):
                yield used
                return
            cells = self.slots[slots[depth]]
            for word in words:
                if word in used.values():
                    continue
                pairs = list(zip(cells, word, strict=True))
                if all(letters.get(cell, letter) == letter for cell, letter in pairs):
                    yield from extend(depth + 1, letters | dict(pairs), used | {slots[depth]: word})

        return extend(0, given, {})


def deal(
    rng: random.Random, grid: Lattice, across: list[str], down: list[str], total: int
) -> dict[str, list[str]]:
    """Deal the words and as many others as are wanted: across words to b, down words to a.

    So each holder has letters of words that are in the other list, and placing its own is a guess.
    """
    parts = {"a": list(down), "b": list(across)}
    used = {*across, *down}
    for part in parts.values():
        while len(part) < total // 2:
            word = rng.choice(lexicon.words(grid.side))
            if word not in used:
                used.add(word)
                part.append(word)
    return parts


def read_row(row: Any, side: int) -> str | None:
    """One row of an answer, with "." for what is no letter; None where it has another length."""
    if isinstance(row, list) and all(isinstance(cell, str) for cell in row):
        row = "".join(cell.strip() or "." for cell in row)
    if not isinstance(row, str) or len(row) > 60:
        return None
    for text in (row, row.replace(" ", "")):  # a blank is an empty cell, or else stands between cells
        if len(text) == side and text.isascii():
            return "".join(sign if sign.isalpha() else "." for sign in text.upper())
    return None
