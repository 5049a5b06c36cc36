"""Terrain: find a cheapest path; each holder knows what half of the cells cost.

View A draws its cells as digits, the price of each, and "?" for the others; view B lists its cells by the
kind of ground in another frame, with a price list of its own. Start and goal are known to both.
"""

from __future__ import annotations

import heapq
import itertools
import random
import re
from collections.abc import Mapping
from typing import Any

from tasks import gridpaths, grids
from tasks.celllists import hear_cells, say_cells
from tasks.contract import Answer, Draft, Facts, Frame, Reject
from tasks.gridpaths import GridPathTask
from tasks.grids import Cell

PRICES = (1, 2, 9)
SIGNS: dict[Any, str] = {price: str(price) for price in PRICES}
GROUNDS = ("clay", "grass", "gravel", "heath", "moss", "sand")  # nothing tells which of them is dear
FLOOR = 0.6  # optimal over achieved price at which the score is 0: one dear cell too many earns little
_PRICE = re.compile(r"\b([a-z]{1,10}) costs ([0-9])\b")


class Terrain(GridPathTask):
    """Facts: ("cell", r, c) -> price of entering it; ("start",) and ("goal",) -> (r, c)."""

    name = "terrain"
    family = "spatial"
    title = "Terrain"
    rules = (
        "Find a cheapest path from the start to the goal. A step goes to the cell directly above, below, "
        "left or right. Entering a cell costs its price, again each time; entering the start or the goal is "
        "free."
    )
    noun = "prices of cells"
    score_rule = (
        f"Optimal over achieved price, rescaled to 0 at {FLOOR}; 0 unless the path goes step by step from "
        "the start to the goal; best of 16 conventions (index origin, corner, row/column order)."
    )
    sizes = {
        "tiny": {"rows": 4, "dear": 0.45, "apart": 2},
        "small": {"rows": 4, "dear": 0.45, "apart": 3},
        "paper": {"rows": 5, "dear": 0.45, "apart": 3},
        "large": {"rows": 9, "dear": 0.45, "apart": 9},
    }
    public = frozenset({"rows", "start", "goal"})

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        n = size["rows"]
        full = grids.draw_frame(rng, n, n, "grid")
        cells = list(grids.cells_of(full))
        start = rng.choice(cells)
        far = [c for c in cells if abs(start[0] - c[0]) + abs(start[1] - c[1]) >= size["apart"]]
        if not far:
            raise Reject("start and goal too close")
        goal = rng.choice(far)
        ends: Facts = {("rows",): n, ("start",): start, ("goal",): goal}
        keys = [("cell", *cell) for cell in cells if cell not in (start, goal)]
        facts: Facts = {key: draw_price(rng, size["dear"]) for key in keys}
        rng.shuffle(keys)
        known_a: Facts = {key: facts[key] for key in keys[: len(keys) // 2]}
        known_b: Facts = {key: facts[key] for key in keys[len(keys) // 2 :]}
        self._refuse_cheap_guesses(facts | ends, known_a | ends, known_b | ends)
        frame_a = grids.draw_frame(rng, n, n, "grid")
        alias = dict(zip(rng.sample(GROUNDS, len(PRICES)), PRICES, strict=True))
        frame_b = grids.draw_frame(rng, n, n, "list", unlike=frame_a) | {"alias": alias}
        return Draft({"a": known_a | ends, "b": known_b | ends}, {"full": full, "a": frame_a, "b": frame_b})

    def _refuse_cheap_guesses(self, facts: Facts, *views: Facts) -> None:
        """Reject unless whoever takes unseen cells for cheap pays so much that it earns nothing."""
        best = self.solve(facts)
        for known in views:
            if self.grade(facts, best, self.solve(self.complete(known, None))) > 0:
                raise Reject("one view hides no dear cell that matters")

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        text = grids.state_frame(frame) + "."
        if frame["form"] == "grid":
            return (
                text + " In the drawing, a digit is the price of a cell, S the start, G the goal, ? unknown."
            )
        listed = ", ".join(f"{ground} costs {price}" for ground, price in sorted(frame["alias"].items()))
        return f"{text} Price list: {listed}."

    def read_notation(self, text: str) -> Frame:
        if "In the drawing" in text:
            return grids.read_frame(text, "grid")
        alias = {ground: int(price) for ground, price in _PRICE.findall(text)}
        if sorted(alias.values()) != sorted(PRICES):
            raise ValueError("no price list")
        return grids.read_frame(text, "list") | {"alias": alias}

    def say(self, facts: Facts, frame: Frame) -> str:
        if frame["form"] == "grid":
            return gridpaths.draw_map(facts, frame, SIGNS)
        return "\n".join(say_cells(facts, frame, labels_of(frame)) + gridpaths.say_ends(facts, frame))

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {("rows",): frame["rows"]}
        if frame["form"] == "grid":
            return facts | gridpaths.hear_map(text, frame, SIGNS)
        for line in text.splitlines():
            facts |= gridpaths.hear_end(line, frame)
        return facts | hear_cells(text, frame, labels_of(frame))

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        return len(gridpaths.blank_cells(facts))

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        blank = gridpaths.blank_cells(facts)
        return facts | {("cell", *c): draw_price(rng, 0.45) if rng else min(PRICES) for c in blank}

    def steps(self, facts: Facts, cell: Cell) -> list[Cell]:
        return [c for c in grids.neighbours(cell) if grids.on_map(c, facts[("rows",)])]

    def steps_back(self, facts: Facts, cell: Cell) -> list[Cell]:
        return self.steps(facts, cell)

    def _price(self, facts: Facts, cell: Cell) -> int:
        return 0 if cell in (facts[("start",)], facts[("goal",)]) else facts[("cell", *cell)]

    def distances(self, facts: Facts) -> dict[Cell, int]:
        """The price of the cheapest way to the goal from every cell."""
        settled: dict[Cell, int] = {}
        queue = [(0, facts[("goal",)])]
        while queue:
            price, cell = heapq.heappop(queue)
            if cell in settled:
                continue
            settled[cell] = price
            for before in self.steps_back(facts, cell):
                if before not in settled:
                    heapq.heappush(queue, (price + self._price(facts, cell), before))
        return settled

    def solve(self, facts: Facts) -> Answer | None:
        cell, goal = facts[("start",)], facts[("goal",)]
        if cell == goal:
            return None
        rest = self.distances(facts)
        path = [list(cell)]
        while cell != goal:  # each step but the last enters a cell with a price, so that the rest shrinks
            here = rest[cell]
            cell = next(c for c in self.steps(facts, cell) if rest[c] + self._price(facts, c) == here)
            path.append(list(cell))
        return path

    # -- answers -----------------------------------------------------------------------------
    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        path = [tuple(cell) for cell in answer]
        if path[0] != facts[("start",)] or path[-1] != facts[("goal",)]:
            return 0.0
        if any(there not in grids.neighbours(here) for here, there in itertools.pairwise(path)):
            return 0.0
        paid = sum(self._price(facts, cell) for cell in path)
        best = sum(self._price(facts, tuple(cell)) for cell in truth)
        return max(0.0, (best / paid - FLOOR) / (1 - FLOOR)) if paid else 1.0


def draw_price(rng: random.Random, dear: float) -> int:
    """A random price; ``dear`` is the chance of the highest."""
    return PRICES[-1] if rng.random() < dear else rng.choice(PRICES[:-1])


def labels_of(frame: Frame) -> dict[int, str]:
    """What the frame calls the cells of each price."""
    return {price: ground.capitalize() for ground, price in sorted(frame["alias"].items())}


TASK = Terrain()
