"""Timed path: reach the goal as early as possible past cells that are closed for a while.

View A draws the map and tells half of the closures in minutes; view B tells the other half in steps of
some minutes and in another frame of cells, when the walk starts and how long a move takes. Start and goal
cell and the number of closures are known to both.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

from tasks import gridpaths, grids
from tasks.answers import whole
from tasks.celllists import hear_cells, say_cells
from tasks.contract import Answer, Draft, Facts, Frame, Reject, Task
from tasks.grids import Cell
from tasks.timedmaps import TimedMap

SIGNS = {"wall": "#", "free": "."}
LABELS = {"wall": "Wall cells", "free": "Free cells"}
PACES = (5, 10, 15)  # minutes
DEPARTURES = range(1, 9)  # steps after minute 0
_CELL = r"(\([-0-9, ]{1,12}\))"
_TIME = r"(?:minute|step) ([0-9]{1,6}(?:\.[0-9]{1,6})?)"
_UNIT = re.compile(r"Times are in (?:minutes|steps of ([1-9][0-9]{0,2}) minutes)")
_COUNT = re.compile(r"There are ([0-9]{1,4}) closures in all\.")
_CLOSED = re.compile(rf"{_CELL} is closed from {_TIME} to {_TIME}\.")
_DEPARTURE = re.compile(rf"The walk starts at {_TIME}\.")
_PACE = re.compile(r"Each move or wait takes ([1-9][0-9]{0,3}) minutes\.")
_LOOSE = re.compile(
    r"\(\s*([0-9]{1,4})\s*,\s*([0-9]{1,4})\s*(?:,|\)\s?(?:at|@)\s?(?:minute|step|t=)?)\s?([0-9]{1,6})"
)


class TimedPath(Task):
    """Facts: ("cell", r, c) -> "wall" | "free", held by a; ("closed", r, c) -> (first, last) in minutes.

    Also ("departure",) and ("pace",) -> minutes, held by b; ("start",) and ("goal",) -> (r, c) and
    ("closures",) -> how many in all, public.
    """

    name = "timedpath"
    family = "spatial"
    title = "Timed path"
    rules = (
        "Walk from the start to the goal and arrive as early as possible. In each turn move to the cell "
        "directly above, below, left or right, or wait where you are; both take equally long. Walls cannot "
        "be entered. A closed cell cannot be stood on at any time from its first to its last closed moment, "
        "both included. Start and goal are free and never closed."
    )
    noun = "cells, closures and times"
    answer_key = "path"
    answer_format = (
        'one line of JSON, {"path": [[a, b, t], ...]}: the cell at the departure and after every move or '
        "wait, up to the goal, each as a pair and the time, in the notation of your view."
    )
    score_rule = (
        "Moves and waits of the feasible prefix (each one nearer to the earliest arrival) over the optimal "
        "number; best of 16 conventions (index origin, corner, row/column order) in minutes or in steps."
    )
    sizes = {
        "tiny": {"rows": 3, "walls": 0.10, "closures": 4, "optimal": (3, 7)},
        "small": {"rows": 4, "walls": 0.15, "closures": 6, "optimal": (4, 9)},
        "paper": {"rows": 5, "walls": 0.15, "closures": 10, "optimal": (6, 11)},
        "large": {"rows": 9, "walls": 0.20, "closures": 34, "optimal": (11, 22)},
    }
    public = frozenset({"rows", "start", "goal", "closures"})
    misreadable = (*grids.CONVENTIONS, "unit")

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        n, count = size["rows"], size["closures"]
        full = grids.draw_frame(rng, n, n, "grid") | {"unit": 1}
        cells = list(grids.cells_of(full))
        start, goal = rng.sample(cells, 2)
        low, high = size["optimal"]
        if not low - 4 <= abs(start[0] - goal[0]) + abs(start[1] - goal[1]) < high:
            raise Reject("start and goal too close or too far apart")
        public: Facts = {("rows",): n, ("start",): start, ("goal",): goal, ("closures",): count}
        inner = [cell for cell in cells if cell not in (start, goal)]
        map_a: Facts = {("cell", *c): "wall" if rng.random() < size["walls"] else "free" for c in inner}
        pace = rng.choice(PACES)
        times: Facts = {("pace",): pace, ("departure",): pace * rng.choice(DEPARTURES)}
        free = [cell for cell in inner if map_a[("cell", *cell)] == "free"]
        if len(free) < count:
            raise Reject("too few free cells")
        closures = self._draw_closures(rng, rng.sample(free, count), times)
        known = public | map_a | times
        best = TimedMap(known | closures).arrival()
        if best is None or not low <= best <= high:
            raise Reject("earliest arrival too early, too late or missing")
        half_a, half_b = ({k: closures[k] for k in list(closures)[i::2]} for i in (0, 1))
        if any(TimedMap(known | half).arrival() == best for half in (half_a, half_b)):
            raise Reject("one half of the closures does not matter")
        frame_a = grids.draw_frame(rng, n, n, "grid") | {"unit": 1}
        frame_b = grids.draw_frame(rng, n, n, "list", unlike=frame_a) | {"unit": pace}
        return Draft(
            {"a": public | map_a | half_a, "b": public | times | half_b},
            {"full": full, "a": frame_a, "b": frame_b},
        )

    def _draw_closures(self, rng: random.Random, cells: list[Cell], times: Facts) -> Facts:
        """A closure for each cell, of a few steps and not long after the departure."""
        pace, departure = times[("pace",)], times[("departure",)]
        closures: Facts = {}
        for cell in cells:
            first = max(0, departure + pace * rng.randint(-1, len(cells) // 2 + 2))
            closures[("closed", *cell)] = (first, first + pace * rng.randint(1, 4))
        return closures

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        unit = frame["unit"]
        text = grids.state_frame(frame) + ". Times are in "
        text += (
            "minutes." if unit == 1 else f"steps of {unit} minutes: step 0 is minute 0, step 1 minute {unit}."
        )
        if frame["form"] == "grid":
            text += ' In the drawing, # is a wall, "." a free cell, S the start, G the goal, ? unknown here.'
        return text

    def read_notation(self, text: str) -> Frame:
        match = _UNIT.search(" ".join(text.split()))
        if not match:
            raise ValueError("no unit of time")
        frame = grids.read_frame(text, "grid" if "In the drawing" in text else "list")
        return frame | {"unit": int(match[1] or 1)}

    def say(self, facts: Facts, frame: Frame) -> str:
        lines = [f"There are {facts[('closures',)]} closures in all."] if ("closures",) in facts else []
        if frame["form"] == "grid":
            lines.append(gridpaths.draw_map(facts, frame, SIGNS))
        else:
            lines += say_cells(facts, frame, LABELS) + gridpaths.say_ends(facts, frame)
        closed = sorted((grids.to_frame(key[1:], frame), key) for key in facts if key[0] == "closed")
        for _, key in closed:
            first, last = (say_time(time, frame) for time in facts[key])
            lines.append(f"{grids.write_cell(key[1:], frame)} is closed from {first} to {last}.")
        if ("departure",) in facts:
            lines.append(f"The walk starts at {say_time(facts[('departure',)], frame)}.")
        if ("pace",) in facts:
            lines.append(f"Each move or wait takes {facts[('pace',)]} minutes.")
        return "\n".join(lines)

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {("rows",): frame["rows"]}
        if frame["form"] == "grid":
            facts |= gridpaths.hear_map(text, frame, SIGNS)
        else:
            facts |= hear_cells(text, frame, LABELS)
            for line in text.splitlines():
                facts |= gridpaths.hear_end(line, frame)
        if match := _COUNT.search(text):
            facts[("closures",)] = int(match[1])
        for match in _CLOSED.finditer(text):
            for cell in grids.read_cells(match[1], frame):
                facts[("closed", *cell)] = (hear_time(match[2], frame), hear_time(match[3], frame))
        if match := _DEPARTURE.search(text):
            facts[("departure",)] = hear_time(match[1], frame)
        if match := _PACE.search(text):
            facts[("pace",)] = int(match[1])
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        lost = sum(key not in facts for key in (("pace",), ("departure",)))
        return lost + len(gridpaths.blank_cells(facts)) + self._unknown_closures(facts)

    def _unknown_closures(self, facts: Facts) -> int:
        return max(0, facts[("closures",)] - sum(key[0] == "closed" for key in facts))

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        pace = facts.get(("pace",)) or (rng.choice(PACES) if rng else PACES[0])
        departure = pace * (rng.choice(DEPARTURES) if rng else DEPARTURES[0])
        times: Facts = {("pace",): pace, ("departure",): departure}
        facts = times | facts
        for cell in gridpaths.blank_cells(facts):
            facts[("cell", *cell)] = "wall" if rng and rng.random() < 0.15 else "free"
        cells: list[Cell] = [key[1:] for key in facts if key[0] == "cell"]
        unclosed = [cell for cell in cells if ("closed", *cell) not in facts]
        missing = self._unknown_closures(facts)
        if missing > len(unclosed):
            raise Reject("no room for the closures")
        if not rng:  # optimistic: closed before anybody walks
            return facts | {("closed", *cell): (0, 0) for cell in unclosed[:missing]}
        likely = sorted(unclosed, key=lambda cell: (facts[("cell", *cell)] == "wall", rng.random()))
        return facts | self._draw_closures(rng, likely[:missing], facts)

    def solve(self, facts: Facts) -> Answer | None:
        timed = TimedMap(facts)
        rest = timed.rest()
        if timed.start == timed.goal or not rest:
            return None
        walk = grids.descend((timed.start, 0), rest, timed.after)
        return [[*divmod(place, timed.rows), timed.time(turn)] for place, turn in walk]

    # -- answers -----------------------------------------------------------------------------
    def conventions(self, frames: Mapping[str, Frame]) -> dict[str, Frame]:
        units = sorted({frame["unit"] for frame in frames.values()})
        return {
            f"{name}, {'minutes' if unit == 1 else 'steps'}": frame | {"unit": unit}
            for name, frame in grids.all_conventions(frames["full"]).items()
            for unit in units
        }

    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return [[*grids.to_frame((r, c), frame), in_units(time, frame["unit"])] for r, c, time in answer]

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        if not isinstance(value, list) or not all(isinstance(e, list) and len(e) == 3 for e in value):
            return None
        cells = gridpaths.read_cells([entry[:2] for entry in value], frame)
        times = [whole(entry[2]) for entry in value]
        if cells is None or None in times:
            return None
        return [
            [*cell, time * frame["unit"]] for cell, time in zip(cells, times, strict=True) if time is not None
        ]

    def read_loosely(self, text: str) -> Any | None:
        return [[int(number) for number in match.groups()] for match in _LOOSE.finditer(text)] or None

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        if answer[0] != [*facts[("start",)], facts[("departure",)]]:  # most conventions end here
            return 0.0
        timed = TimedMap(facts)
        walk = [(timed.place((r, c)), timed.turn(time)) for r, c, time in answer]
        return gridpaths.prefix_score(walk, walk[0], timed.rest(), timed.after)


def in_units(minutes: int, unit: int) -> int | float:
    """Minutes in units, a whole number where it comes out even."""
    return minutes // unit if minutes % unit == 0 else minutes / unit


def say_time(minutes: int, frame: Frame) -> str:
    """A moment in the frame's unit, such as ``minute 15`` or ``step 3``."""
    return f"{'minute' if frame['unit'] == 1 else 'step'} {round(in_units(minutes, frame['unit']), 4)}"


def hear_time(number: str, frame: Frame) -> int:
    """Minutes of a number in the frame's unit."""
    return round(float(number) * frame["unit"])


TASK = TimedPath()
