"""Blueprint maze: find a shortest path through a maze cut down the middle; each holder knows one side.

View A is an ASCII blueprint of the left columns with the start; view B tells the right columns row by row
in prose, from the bottom row upwards, and the goal. Neither knows where the other end of the path lies.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping
from typing import Any

from tasks import gridpaths, grids
from tasks.contract import Draft, Facts, Frame, Reject
from tasks.grids import Cell
from tasks.spatial.maze import Maze

UPWARDS = "The rows are told one by one, starting with the row at the bottom of the map"
PHRASES = {"wall": "wall", "free": "free cell"}
_ROW = re.compile(r"Row ([0-9]{1,4}): (.*)\.")
_NUMBER = re.compile(r"[0-9]{1,4}")
NO_ENDS: Facts = {("start",): None, ("goal",): None}


class BlueprintMaze(Maze):
    """Facts: ("cell", r, c) -> "wall" | "free"; ("start",) -> (r, c), a's; ("goal",) -> (r, c), b's."""

    name = "blueprintmaze"
    title = "Blueprint maze"
    rules = (
        "Find a shortest path through a grid maze from the start to the goal. A step goes to a free cell "
        "directly above, below, left or right; walls cannot be entered. Start and goal are free. The start "
        "lies on the left side of the map, the goal on the right side."
    )
    sizes = {
        "tiny": {"rows": 4, "walls": 0.30, "shortest": (3, 7)},
        "small": {"rows": 5, "walls": 0.30, "shortest": (4, 9)},
        "paper": {"rows": 7, "walls": 0.30, "shortest": (7, 12)},
        "large": {"rows": 11, "walls": 0.30, "shortest": (14, 22)},
    }
    public = frozenset({"rows"})

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        n = size["rows"]
        full = grids.draw_frame(rng, n, n, "grid")
        split = rng.choice((n // 2, n - n // 2))  # the first column of the right side
        start = (rng.randrange(n), rng.randrange(split))
        goal = (rng.randrange(n), rng.randrange(split, n))
        facts: Facts = {
            ("cell", *cell): "wall" if rng.random() < size["walls"] else "free"
            for cell in grids.cells_of(full)
            if cell not in (start, goal)
        }
        ends: Facts = {("rows",): n, ("start",): start, ("goal",): goal}
        shortest = self.distances(facts | ends).get(start, 0)
        low, high = size["shortest"]
        if not low <= shortest <= high:
            raise Reject("shortest path too short, too long or missing")
        known_a: Facts = {key: value for key, value in facts.items() if key[2] < split}
        known_b: Facts = {key: value for key, value in facts.items() if key[2] >= split}
        self.refuse_one_sided(known_a | ends, known_b | ends, shortest)
        frame_a = grids.draw_frame(rng, n, n, "grid")
        frame_b = draw_upward_frame(rng, n, unlike=frame_a)
        return Draft(
            {
                "a": known_a | {("rows",): n, ("start",): start},
                "b": known_b | {("rows",): n, ("goal",): goal},
            },
            {"full": full, "a": frame_a, "b": frame_b},
        )

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        if frame["form"] == "grid":
            return super().notation(frame)
        return f"{grids.state_frame(frame)}. {UPWARDS}."

    def read_notation(self, text: str) -> Frame:
        return grids.read_frame(text, "prose" if UPWARDS in " ".join(text.split()) else "grid")

    def say(self, facts: Facts, frame: Frame) -> str:
        if frame["form"] == "grid":
            return super().say(facts, frame)
        rows = (self._say_row(facts, frame, row) for row in reversed(range(frame["rows"])))
        return "\n".join([*filter(None, rows), *gridpaths.say_ends(facts, frame)])

    def _say_row(self, facts: Facts, frame: Frame, row: int) -> str:
        """What is known of one row; empty where nothing is."""
        parts = []
        for kind, phrase in PHRASES.items():
            columns = (c for c in range(frame["cols"]) if facts.get(("cell", row, c)) == kind)
            told = sorted(grids.to_frame((row, c), frame | {"order": "rc"})[1] for c in columns)
            if told:
                s = "s" if told[1:] else ""
                parts.append(f"{phrase}{s} in column{s} {enumerated(told)}")
        number, _ = grids.to_frame((row, 0), frame | {"order": "rc"})
        return f"Row {number}: {'; '.join(parts)}." if parts else ""

    def hear(self, text: str, frame: Frame) -> Facts:
        if frame["form"] == "grid":
            return super().hear(text, frame)
        facts: Facts = {("rows",): frame["rows"]}
        for line in text.splitlines():
            facts |= gridpaths.hear_end(line, frame)
            if match := _ROW.fullmatch(line.strip()):
                facts |= self._hear_row(int(match[1]), match[2], frame)
        return facts

    def _hear_row(self, number: int, told: str, frame: Frame) -> Facts:
        facts: Facts = {}
        for part in told.split("; "):
            kind = next((kind for kind, phrase in PHRASES.items() if part.startswith(phrase)), None)
            for column in _NUMBER.findall(part) if kind else ():
                cell = grids.from_frame((number, int(column)), frame | {"order": "rc"})
                if cell:
                    facts[("cell", *cell)] = kind
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        lost = sum(key not in facts for key in NO_ENDS)  # a lost end hides in one of the blank cells
        return max(lost, len(gridpaths.blank_cells(NO_ENDS | facts)))

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        facts = dict(facts)
        for end in NO_ENDS:
            if end not in facts:
                facts[end] = self._guess_end(gridpaths.blank_cells(NO_ENDS | facts), rng)
        return super().complete(facts, rng)

    def _guess_end(self, blank: list[Cell], rng: random.Random | None) -> Cell:
        if not blank:
            raise Reject("no room for the start or the goal")
        return rng.choice(blank) if rng else blank[len(blank) // 2]


def draw_upward_frame(rng: random.Random, n: int, unlike: Frame) -> Frame:
    """A random frame that counts rows from the bottom, other than ``unlike``."""
    while True:
        frame = grids.draw_frame(rng, n, n, "prose", unlike)
        if frame["corner"].startswith("bottom"):
            return frame


def enumerated(numbers: Iterable[int]) -> str:
    """Numbers as prose: ``2``, ``2 and 3`` or ``2, 3 and 5``."""
    *most, last = (str(number) for number in numbers)
    return f"{', '.join(most)} and {last}" if most else last


TASK = BlueprintMaze()
