"""Crossword: fill the crossing words of a grid from a list; each holder has half of the list.

View A tells letters of the across words in sentences and lists half of the words; view B draws the grid
turned (its columns are shown as rows), with letters of the down words, and lists the other half. The across
words stand in the list of view B and the down words in that of view A, which nobody is told.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Mapping
from typing import Any

from tasks import lattices, lexicon
from tasks.contract import Answer, Draft, Facts, Frame, Reject, Task
from tasks.lattices import Lattice

PLAIN = "It is shown as it is."
TURNED = "It is shown turned: its columns are shown as rows, the left one as the top one."
MOST_GIVEN = 40  # letters that are told, at most; larger counts are garbled
_NOTATION = re.compile(
    r"\bhas ([357]) rows and columns\. Words stand in the rows and columns with number ([1-9](?:, [1-9])*)"
)
_WORDS = re.compile(r"The list has ([0-9]{1,2}) words\.")
_GIVEN = re.compile(r"The letters of ([0-9]{1,2}) cells are given\.")
_LISTED = re.compile(r"Words of the list: ([A-Z, ]+)\.")
_LETTER = re.compile(r"The word in (row|column) ([1-9]) has ([A-Z]) in place ([1-9])\.")
_LINE = re.compile(r"[A-Z.?]{3,7}")
_EMPTY = str.maketrans("#_-*?", ".....")


class Crossword(Task):
    """Facts: ("word", word) -> "listed", ("letter", row, column) -> letter.

    Public: ("grid",) -> (side, lines with words ...), ("words",) and ("given",) -> numbers of such facts.
    """

    name = "crossword"
    family = "csp"
    title = "Crossword"
    rules = (
        "Fill the grid with words of the list, each at most once, so that every row and column that holds a "
        "word spells one from left to right or from top to bottom and the given letters stand in their "
        "cells. There is one solution; the list has more words than are needed."
    )
    noun = "words and letters"
    answer_key = "grid"
    answer_format = (
        'one line of JSON, {"grid": ["ABC", "D.E", ...]}: the rows of the filled grid from the top, as your '
        'view shows it; cells of no word are written as ".".'
    )
    score_rule = (
        "Right cells of those that no letter is given for, rescaled so that a fifth (chance) is 0; 0 if the "
        "grid has another shape."
    )
    sizes = {
        "tiny": {"side": 3, "lines": (0,), "words": 6, "given": 1},
        "small": {"side": 3, "lines": (0, 2), "words": 10, "given": 2},
        "paper": {"side": 5, "lines": (0, 2, 4), "words": 12, "given": 2},
        "large": {"side": 7, "lines": (0, 3, 6), "words": 20, "given": 1},
    }
    public = frozenset({"grid", "words", "given"})
    misreadable = ("turn",)
    least_answers = 4

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        grid = Lattice(size["side"], tuple(size["lines"]))
        across, down = grid.draw_words(rng)
        letters = grid.letters(across + down)
        parts = lattices.deal(rng, grid, across, down, size["words"])
        public: Facts = {
            ("grid",): (grid.side, *grid.lines),
            ("words",): size["words"],
            ("given",): 2 * size["given"],
        }
        facts = {h: public | {("word", word): "listed" for word in sorted(part)} for h, part in parts.items()}
        crossings = set(itertools.product(grid.lines, grid.lines))
        for holder, slots in (("a", grid.slots[: grid.n]), ("b", grid.slots[grid.n :])):
            for slot in rng.sample(slots, size["given"]):
                cell = rng.choice([cell for cell in slot if cell not in crossings])
                facts[holder][("letter", *cell)] = letters[cell]
        if len(_solutions(facts["a"] | facts["b"], 2)) > 1:
            raise Reject("several solutions")
        base = {"side": grid.side, "lines": list(grid.lines)}
        frame_a = {"form": "sentences", "turn": "plain", **base}
        return Draft(
            facts, {"full": dict(frame_a), "a": frame_a, "b": {"form": "drawing", "turn": "turned", **base}}
        )

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        lines = ", ".join(str(line + 1) for line in frame["lines"])
        text = (
            f"The grid has {frame['side']} rows and columns. Words stand in the rows and columns with number "
            f"{lines}, counted from the top and from the left. "
        ) + (PLAIN if frame["turn"] == "plain" else TURNED)
        if frame["form"] == "drawing":
            text += ' In the drawing, "?" is a cell whose letter is not given here and "." a cell of no word.'
        return text

    def read_notation(self, text: str) -> Frame:
        text = " ".join(text.split())
        match = _NOTATION.search(text)
        if not match or (PLAIN in text) == (TURNED in text):
            raise ValueError("no grid stated")
        lines = [int(line) - 1 for line in match[2].split(", ")]
        if lines != sorted(set(lines)) or lines[-1] >= int(match[1]) or len(lines) > lattices.MOST_LINES:
            raise ValueError("unusable lines")
        form = "drawing" if "In the drawing" in text else "sentences"
        turn = "plain" if PLAIN in text else "turned"
        return {"form": form, "turn": turn, "side": int(match[1]), "lines": lines}

    def say(self, facts: Facts, frame: Frame) -> str:
        lines = []
        if ("words",) in facts:
            lines.append(f"The list has {facts[('words',)]} words.")
        if ("given",) in facts:
            lines.append(f"The letters of {facts[('given',)]} cells are given.")
        listed = sorted(key[1] for key in facts if key[0] == "word")
        if listed:
            lines.append(f"Words of the list: {', '.join(listed)}.")
        given = {_turn(key[1:], frame): value for key, value in sorted(facts.items()) if key[0] == "letter"}
        if frame["form"] == "drawing":
            grid = _lattice(frame)
            return "\n".join([*lines, *grid.draw({cell: given.get(cell, "?") for cell in grid.cells})])
        return "\n".join([*lines, *(_write_letter(cell, given[cell], frame) for cell in sorted(given))])

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {("grid",): (frame["side"], *frame["lines"])}
        for kind, pattern in (("words", _WORDS), ("given", _GIVEN)):
            if match := pattern.search(text):
                facts[(kind,)] = min(int(match[1]), MOST_GIVEN)
        for match in _LISTED.finditer(text):
            facts |= {("word", word): "listed" for word in match[1].split(", ") if word.isalpha()}
        given = _read_drawing(text, frame) if frame["form"] == "drawing" else _read_letters(text)
        cells = _lattice(frame).cells
        return facts | {
            ("letter", *_turn(cell, frame)): given[cell] for cell in sorted(given) if cell in cells
        }

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        words, letters = _unknown(facts)
        return words + letters

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        grid, (words, letters) = _grid(facts), _unknown(facts)
        filled = grid.fill(_listed(facts), words, _given(facts), rng)
        if filled is None:
            raise Reject("the letters do not fit the words")
        full = dict(facts)
        new = [word for word in filled if ("word", word) not in full]
        rng = rng or random.Random(0)
        while len(new) < words:
            word = rng.choice(lexicon.words(grid.side))
            if word not in new and ("word", word) not in full:
                new.append(word)
        full |= {("word", word): "listed" for word in sorted(new)}
        right = grid.letters(filled)
        blank = [cell for cell in grid.cells if ("letter", *cell) not in full]
        for cell in rng.sample(blank, min(letters, len(blank))):
            full[("letter", *cell)] = right[cell]
        return full

    def solve(self, facts: Facts) -> Answer | None:
        solutions = _solutions(facts, 1)
        return _grid(facts).draw(_grid(facts).letters(solutions[0])) if solutions else None

    # -- answers -----------------------------------------------------------------------------
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return (
            list(answer)
            if frame["turn"] == "plain"
            else ["".join(column) for column in zip(*answer, strict=True)]
        )

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        side = frame["side"]
        if not isinstance(value, list) or len(value) != side:
            return None
        rows = [lattices.read_row(row, side) for row in value]
        if None in rows or not any(set(row) - {"."} for row in rows if row):
            return None
        return self.write_answer(rows, frame)  # turning twice is turning back

    def read_loosely(self, text: str) -> Any | None:
        run: list[str] = []
        for line in [*text.splitlines(), ""]:
            row = re.sub(r"[\s|`]", "", line).translate(_EMPTY).upper()
            if _LINE.fullmatch(row):
                run.append(row)
                continue
            if len(run) >= 3 and all(len(row) == len(run) for row in run):
                return run
            run = []
        return None

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        grid = _grid(facts)
        told, cells = _given(facts), set(grid.cells)
        right = asked = 0
        for r, row in enumerate(truth):
            for c, letter in enumerate(row):
                if (r, c) not in cells:
                    if answer[r][c] != ".":
                        return 0.0
                elif (r, c) not in told:
                    asked += 1
                    right += answer[r][c] == letter
        chance = 0.2
        return max(0.0, (right / asked - chance) / (1 - chance)) if asked else 0.0


# -- the parts of the facts ------------------------------------------------------------------------
def _lattice(frame: Frame) -> Lattice:
    return Lattice(frame["side"], tuple(frame["lines"]))


def _grid(facts: Facts) -> Lattice:
    side, *lines = facts[("grid",)]
    return Lattice(side, tuple(lines))


def _listed(facts: Facts) -> list[str]:
    return sorted(key[1] for key in facts if key[0] == "word")


def _given(facts: Facts) -> dict[lattices.Cell, str]:
    return {key[1:]: value for key, value in facts.items() if key[0] == "letter"}


def _unknown(facts: Facts) -> tuple[int, int]:
    """How many words of the list and how many given letters are not known."""
    words, letters = (sum(key[0] == kind for key in facts) for kind in ("word", "letter"))
    return max(0, facts[("words",)] - words), max(0, facts[("given",)] - letters)


def _solutions(facts: Facts, most: int) -> list[list[str]]:
    return _grid(facts).solutions(_listed(facts), _given(facts), most)


# -- writing and reading ---------------------------------------------------------------------------
def _turn(cell: lattices.Cell, frame: Frame) -> lattices.Cell:
    """A cell as the frame shows it, and back."""
    return cell if frame["turn"] == "plain" else (cell[1], cell[0])


def _write_letter(cell: lattices.Cell, letter: str, frame: Frame) -> str:
    way, line, place = ("row", *cell) if cell[0] in frame["lines"] else ("column", *cell[::-1])
    return f"The word in {way} {line + 1} has {letter} in place {place + 1}."


def _read_letters(text: str) -> dict[lattices.Cell, str]:
    given = {}
    for way, line, letter, place in _LETTER.findall(text):
        cell = (int(line) - 1, int(place) - 1)
        given[cell if way == "row" else cell[::-1]] = letter
    return given


def _read_drawing(text: str, frame: Frame) -> dict[lattices.Cell, str]:
    rows = [line.strip() for line in text.splitlines() if _LINE.fullmatch(line.strip())]
    rows = [row for row in rows if len(row) == frame["side"]]
    drawn = ((r, c, sign) for r, row in enumerate(rows[: frame["side"]]) for c, sign in enumerate(row))
    return {(r, c): sign for r, c, sign in drawn if sign not in "?."}


TASK = Crossword()
