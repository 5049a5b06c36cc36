"""Conflictpath: lead two walkers to their goals at the same time without a collision.

View A draws the walls on a grid and tells the ends of walker 1; view B lists the one-way cells and the ends
of walker 2 as coordinates in another frame. How many walls and one-way cells there are is known to both.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator, Mapping
from typing import Any

from tasks import arrows, gridpaths, grids
from tasks.arrows import ARROWS, DIRECTIONS, ahead
from tasks.celllists import hear_cells, say_cells
from tasks.contract import Answer, Draft, Facts, Frame, Reject
from tasks.gridpaths import WalkTask
from tasks.grids import Cell
from tasks.twowalkers import ENDS, FAR, Both, Ground, clash, exits

SIGNS = {"wall": "#"} | ARROWS
LABELS = {"wall": "Walls"}
TOLD = {"start": "starts at", "goal": "must reach"}
LONGEST = 60  # cells of one walk that are looked at
_COUNTS = re.compile(r"There are ([0-9]{1,4}) walls and ([0-9]{1,4}) one-way cells in all\.")
_END = re.compile(r"Walker ([12]) (starts at|must reach) (\([^)]{1,20}\))\.")
_ONE_WAY = re.compile(r"The one-way cell (\([^)]{1,20}\)) leads only to (\([^)]{1,20}\))\.")


class ConflictPath(WalkTask):
    """Facts: ("cell", r, c) -> "wall" or a direction; ("start", walker) and ("goal", walker) -> (r, c);
    public: ("rows",), ("walls",) and ("oneways",) -> how many there are."""

    name = "conflictpath"
    family = "spatial"
    title = "Two walkers"
    rules = (
        "Two walkers move at the same time, turn by turn. In each turn each walker goes to the cell directly "
        "above, below, left or right, or waits. Walls cannot be entered; a one-way cell is left only in its "
        "own direction. The walkers may never be on one cell nor swap cells. Bring both to their goals in "
        "as few turns as possible; who has arrived waits there or moves on and comes back. All other cells "
        "are free, also the starts and goals."
    )
    noun = "walls, one-way cells and ends"
    answer_key = "walks"
    answer_format = (
        'one line of JSON, {"walks": [[[a, b], ...], [[a, b], ...]]}: the cells of walker 1, then those of '
        "walker 2, from start to goal, one cell a turn (the same cell again to wait), in the notation of "
        "your view."
    )
    score_rule = (
        "Turns of the valid joint prefix (each one nearer to the end) over the optimal number of turns; best "
        "of 16 conventions (index origin, corner, row/column order)."
    )
    sizes = {
        "tiny": {"rows": 3, "walls": 1, "oneways": 1, "shortest": (2, 3)},
        "small": {"rows": 4, "walls": 3, "oneways": 3, "shortest": (3, 6)},
        "paper": {"rows": 5, "walls": 6, "oneways": 6, "shortest": (4, 8)},
        "large": {"rows": 7, "walls": 14, "oneways": 12, "shortest": (6, 12)},
    }
    public = frozenset({"rows", "walls", "oneways"})
    misreadable = grids.CONVENTIONS

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        n = size["rows"]
        full = grids.draw_frame(rng, n, n, "grid")
        shared: Facts = {("rows",): n, ("walls",): size["walls"], ("oneways",): size["oneways"]}
        facts = self.complete(shared, rng)
        walk = self.shortest(facts)
        low, high = size["shortest"]
        if walk is None or not low <= len(walk) - 1 <= high:
            raise Reject("shortest joint walk too short, too long or missing")
        if not Ground(facts).collide(*self.ends(facts)):
            raise Reject("the walkers do not get in each other's way")
        known_a = {k: v for k, v in facts.items() if v == "wall" or k in (("start", 1), ("goal", 1))}
        known_b = {k: v for k, v in facts.items() if k not in known_a and k not in shared}
        frame_a = grids.draw_frame(rng, n, n, "grid")
        frame_b = grids.draw_frame(rng, n, n, "list", unlike=frame_a)
        frames = {"full": full, "a": frame_a, "b": frame_b}
        return Draft({"a": shared | known_a, "b": shared | known_b}, frames)

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        text = grids.state_frame(frame) + "."
        if frame["form"] == "grid":
            text += (
                " In the drawing, # is a wall, ^ > v < a one-way cell that is left only up, right, down or "
                'left, "." a cell in which nothing is known to be.'
            )
        return text

    def read_notation(self, text: str) -> Frame:
        return grids.read_frame(text, "grid" if "In the drawing" in text else "list")

    def say(self, facts: Facts, frame: Frame) -> str:
        lines = []
        if ("walls",) in facts and ("oneways",) in facts:
            walls, oneways = facts[("walls",)], facts[("oneways",)]
            lines.append(f"There are {walls} walls and {oneways} one-way cells in all.")
        for walker, end in itertools.product((1, 2), TOLD):
            if (end, walker) in facts:
                place = grids.write_cell(facts[(end, walker)], frame)
                lines.append(f"Walker {walker} {TOLD[end]} {place}.")
        if frame["form"] == "grid":
            drawn = grids.draw_rows(frame, lambda cell: SIGNS.get(facts.get(("cell", *cell), ""), "."))
            return "\n".join([*lines, drawn])
        lines += say_cells(facts, frame, LABELS)
        moves = arrows.list_moves(facts, frame)
        lines += [f"The one-way cell ({a}, {b}) leads only to {to}." for (a, b), to in moves]
        return "\n".join(lines)

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {("rows",): frame["rows"]}
        if match := _COUNTS.search(text):
            facts |= {("walls",): int(match[1]), ("oneways",): int(match[2])}
        ends = {told: end for end, told in TOLD.items()}
        for walker, told, place in _END.findall(text):
            facts |= {(ends[told], int(walker)): cell for cell in grids.read_cells(place, frame)}
        if frame["form"] == "grid":
            values = {sign: value for value, sign in SIGNS.items()}
            for cell, sign in grids.read_rows(text, frame, "." + "".join(values)):
                if sign in values and (sign == "#" or grids.on_map(ahead(cell, values[sign]), frame["rows"])):
                    facts[("cell", *cell)] = values[sign]
            return facts
        facts |= hear_cells(text, frame, LABELS)
        for places in _ONE_WAY.findall(text):
            facts |= arrows.hear_move(grids.read_cells(" ".join(places), frame))
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        ends = sum(end not in facts for end in ENDS)
        return ends + sum(missing(facts))

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        """The missing ends, walls and one-way cells on free cells: at random, or row by row from the top."""
        n = facts[("rows",)]
        taken = {facts[end] for end in ENDS if end in facts}
        cells = itertools.product(range(n), range(n))
        free = [cell for cell in cells if ("cell", *cell) not in facts and cell not in taken]
        ends = [end for end in ENDS if end not in facts]
        walls, oneways = missing(facts)
        if len(ends) + walls + oneways > len(free):
            raise Reject("no room for what is missing")
        if rng:
            rng.shuffle(free)
        filled = facts | {end: free.pop(0) for end in ends}
        for number, cell in enumerate(free[: walls + oneways]):
            ways = arrows.inward(cell, n)
            if number >= walls and not ways:
                raise Reject("no room for what is missing")
            way = rng.choice(ways) if rng and ways else (ways or [""])[0]
            filled[("cell", *cell)] = "wall" if number < walls else way
        return filled

    def ends(self, facts: Facts) -> tuple[Both, Both]:
        return (facts[("start", 1)], facts[("start", 2)]), (facts[("goal", 1)], facts[("goal", 2)])

    def steps(self, facts: Facts, place: Both) -> Iterator[Both]:
        """The joint moves from a place of both walkers; waiting is one."""
        first, second = ([cell, *exits(facts, cell)] for cell in place)
        yield from (both for both in itertools.product(first, second) if not clash(place, both))

    def steps_back(self, facts: Facts, place: Both) -> Iterator[Both]:
        return Ground(facts).before(place)

    def distances(self, facts: Facts) -> dict[Both, int]:
        """Turns to the goals from the places of both walkers that lie on a shortest joint walk, and more.

        Places that no joint walk of the wanted length can pass are left out, which keeps the search small.
        """
        ground, (start, goal) = Ground(facts), self.ends(facts)
        least = ground.keep_between(start, goal)
        if start[0] == start[1] or goal[0] == goal[1] or least >= FAR:
            return {}
        for longest in (least, least + 2, FAR):
            ground.longest = longest
            found = grids.distances_to(goal, ground.before)
            if found.get(start, FAR) <= longest:
                break
        return found

    def solve(self, facts: Facts) -> Answer | None:
        walk = self.shortest(facts)
        return None if walk is None else [[list(cell) for cell in cells] for cells in zip(*walk, strict=True)]

    # -- answers -----------------------------------------------------------------------------
    def conventions(self, frames: Mapping[str, Frame]) -> dict[str, Frame]:
        return grids.all_conventions(frames["full"])

    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return [[list(grids.to_frame(tuple(cell), frame)) for cell in walk] for walk in answer]

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        """Two walks, in a list or an object; the shorter one waits at its end."""
        if isinstance(value, dict):
            value = list(value.values())
        if not isinstance(value, list) or len(value) != 2:
            return None
        walks = [gridpaths.read_cells(walk, frame, LONGEST) for walk in value]
        if walks[0] is None or walks[1] is None:
            return None
        longest = max(len(walks[0]), len(walks[1]))
        return [[list(c) for c in w + w[-1:] * (longest - len(w))] for w in (walks[0], walks[1])]

    def read_loosely(self, text: str) -> Any | None:
        said = [line for line in text.splitlines() if not line.startswith(("Walls:", "The one-way cell"))]
        lines = [pairs for pairs in map(grids.read_pairs, said) if len(pairs) > 1]
        return lines[-2:] if len(lines) > 1 else None

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        walks = [[tuple(cell) for cell in walk] for walk in answer]
        return self.valid_share(facts, list(zip(*walks, strict=True)))


def cells_with(facts: Facts, what: Any) -> list[Cell]:
    """The cells of these kinds."""
    return [key[1:] for key, value in facts.items() if key[0] == "cell" and value in what]


def missing(facts: Facts) -> tuple[int, int]:
    """How many walls and how many one-way cells are still unknown."""
    known = len(cells_with(facts, ["wall"])), len(cells_with(facts, DIRECTIONS))
    return max(0, facts[("walls",)] - known[0]), max(0, facts[("oneways",)] - known[1])


TASK = ConflictPath()
