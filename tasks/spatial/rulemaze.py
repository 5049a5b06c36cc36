"""Rule maze: find a shortest path over coloured cells; who sees the colours does not know the rules.

View A draws the colours of all cells as paint numbers; view B tells which colour may follow which, and
where the start and the goal are, by name and in another frame.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

from tasks import gridpaths, grids
from tasks.celllists import hear_cells, say_cells
from tasks.contract import Draft, Facts, Frame, Reject
from tasks.gridpaths import GridPathTask
from tasks.grids import Cell

COLOURS = ("red", "blue", "green", "yellow", "white", "orange")
LABELS = {colour: f"{colour.capitalize()} cells" for colour in COLOURS}
_PAINT = re.compile(r"\b([a-z1-9]) is ([a-z]{1,10})\b")
_COLOURS = re.compile(r"The colours are ([a-z, ]{1,80})\.")
_RULE = re.compile(r"From ([a-z]{1,10}) one may step only to ([a-z, ]{1,80})\.")
_WORD = re.compile(r"[a-z]+")
SHARE = 0.5  # how many of the colours may follow a colour, on average


class RuleMaze(GridPathTask):
    """Facts: ("cell", r, c) -> colour, held by a; ("next", colour) -> colours that may follow, held by b.

    Also ("start",) and ("goal",) -> (r, c), held by b; ("colours",) -> all colours, public.
    """

    name = "rulemaze"
    family = "spatial"
    title = "Rule maze"
    rules = (
        "Every cell of the map has a colour. Find a shortest path from the start to the goal. A step goes to "
        "the cell directly above, below, left or right, but only if the rules allow to step from the colour "
        "that one stands on to the colour of that cell."
    )
    noun = "colours and rules"
    sizes = {
        "tiny": {"rows": 3, "colours": 3, "shortest": (3, 4)},
        "small": {"rows": 4, "colours": 3, "shortest": (4, 7)},
        "paper": {"rows": 5, "colours": 4, "shortest": (5, 10)},
        "large": {"rows": 9, "colours": 6, "shortest": (10, 20)},
    }
    public = frozenset({"rows", "colours"})

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        n = size["rows"]
        colours = tuple(sorted(rng.sample(COLOURS, size["colours"])))
        full = grids.draw_frame(rng, n, n, "grid") | {"alias": {colour[0]: colour for colour in colours}}
        cells = list(grids.cells_of(full))
        start, goal = rng.sample(cells, 2)
        if goal in grids.neighbours(start):  # else the two cells, as the view lists them, look like a step
            raise Reject("start and goal side by side")
        public: Facts = {("rows",): n, ("colours",): colours}
        known_a: Facts = public | {("cell", *cell): rng.choice(colours) for cell in cells}
        known_b: Facts = public | {("start",): start, ("goal",): goal}
        known_b |= {("next", colour): draw_rule(rng, colours) for colour in colours}
        shortest = self.distances(known_a | known_b).get(start, 0)
        low, high = size["shortest"]
        if not low <= shortest <= high:
            raise Reject("shortest path too short, too long or missing")
        ends = {key: known_b[key] for key in (("start",), ("goal",))}
        self.refuse_one_sided(known_a | ends, known_b, shortest)
        paints = rng.sample(colours, len(colours))
        alias = {str(number): colour for number, colour in enumerate(paints, 1)}
        frame_a = grids.draw_frame(rng, n, n, "grid") | {"alias": alias}
        frame_b = grids.draw_frame(rng, n, n, "list", unlike=frame_a)
        return Draft({"a": known_a, "b": known_b}, {"full": full, "a": frame_a, "b": frame_b})

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        text = grids.state_frame(frame) + "."
        if frame["form"] == "grid":
            paints = ", ".join(f"{sign} is {colour}" for sign, colour in sorted(frame["alias"].items()))
            text += f" In the drawing, {paints}, and ? is unknown here."
        return text

    def read_notation(self, text: str) -> Frame:
        _, drawn, paints = text.partition("In the drawing")
        frame = grids.read_frame(text, "grid" if drawn else "list")
        alias = {sign: colour for sign, colour in _PAINT.findall(paints) if colour in COLOURS}
        if drawn and not alias:
            raise ValueError("no paints stated")
        return frame | {"alias": alias} if drawn else frame

    def say(self, facts: Facts, frame: Frame) -> str:
        lines = [f"The colours are {', '.join(facts[('colours',)])}."] if ("colours",) in facts else []
        if frame["form"] == "grid":
            signs = {colour: sign for sign, colour in frame["alias"].items()}
            coloured = {key: value for key, value in facts.items() if key[0] == "cell"}
            lines.append(gridpaths.draw_map(coloured, frame, signs))
        else:
            lines += say_cells(facts, frame, LABELS)
        lines += [
            f"From {key[1]} one may step only to {' or '.join(facts[key])}."
            for key in sorted(key for key in facts if key[0] == "next")
        ]
        return "\n".join(lines + gridpaths.say_ends(facts, frame))

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {("rows",): frame["rows"]}
        if match := _COLOURS.search(text):
            facts[("colours",)] = colours_in(match[1])
        for match in _RULE.finditer(text):
            if match[1] in COLOURS and colours_in(match[2]):
                facts[("next", match[1])] = colours_in(match[2])
        for line in text.splitlines():
            facts |= gridpaths.hear_end(line, frame)
        if frame["form"] != "grid":
            return facts | hear_cells(text, frame, LABELS)
        heard = gridpaths.hear_map(text, frame, {colour: sign for sign, colour in frame["alias"].items()})
        return facts | {key: value for key, value in heard.items() if key[0] == "cell"}

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        wanted = [("start",), ("goal",), *(("next", colour) for colour in facts[("colours",)])]
        return sum(key not in facts for key in wanted) + len(self._blank(facts))

    def _blank(self, facts: Facts) -> list[Cell]:
        """The cells of unknown colour; here the ends have colours too."""
        return gridpaths.blank_cells(facts | {("start",): None, ("goal",): None})

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        colours, side = facts[("colours",)], range(facts[("rows",)])
        rules: Facts = {("next", c): draw_rule(rng, colours) if rng else colours for c in colours}
        facts = rules | facts
        for end, other, corner in (("start", "goal", 0), ("goal", "start", len(side) - 1)):
            if (end,) not in facts:
                free = [(r, c) for r in side for c in side if (r, c) != facts.get((other,))]
                facts[(end,)] = rng.choice(free) if rng else (corner, corner)
        blank, start = self._blank(facts), facts[("start",)]
        if rng:
            return facts | {("cell", *cell): rng.choice(colours) for cell in blank}
        # optimistic: a chain of colours that may follow each other, outwards from the start
        chain = [facts.get(("cell", *start), colours[0])]
        for _ in range(2 * len(side)):
            chain.append((facts.get(("next", chain[-1])) or colours)[0])
        return facts | {("cell", *c): chain[abs(c[0] - start[0]) + abs(c[1] - start[1])] for c in blank}

    def _allowed(self, facts: Facts, here: Cell, there: Cell) -> bool:
        colour = facts.get(("cell", *here))
        return facts.get(("cell", *there), "") in facts.get(("next", colour), ())

    def steps(self, facts: Facts, cell: Cell) -> list[Cell]:
        return [c for c in grids.neighbours(cell) if self._allowed(facts, cell, c)]

    def steps_back(self, facts: Facts, cell: Cell) -> list[Cell]:
        return [c for c in grids.neighbours(cell) if self._allowed(facts, c, cell)]


def draw_rule(rng: random.Random, colours: tuple[str, ...]) -> tuple[str, ...]:
    """The colours that may follow some colour: a random share, at least one."""
    allowed = tuple(colour for colour in colours if rng.random() < SHARE)
    return allowed or (rng.choice(colours),)


def colours_in(text: str) -> tuple[str, ...]:
    """The colours that a text names, in order."""
    return tuple(word for word in _WORD.findall(text) if word in COLOURS)


TASK = RuleMaze()
