"""Numberlink: join the two ends of every pair by paths that share no cell; each holder knows one end of each.

View A draws its ends as letters on a grid; view B lists the other ends, by ID (with the list of IDs), and
the blocked cells as coordinates in another frame. How many cells are blocked is known to both.
"""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from tasks import gridpaths, grids, labels
from tasks.celllists import hear_cells, say_cells
from tasks.contract import Answer, Draft, Facts, Frame, Reject, Task
from tasks.grids import Cell
from tasks.linking import Router, apart, cells_with

COLOURS = ("Red", "Green", "Blue", "Yellow", "Orange")
SIGNS = {colour: colour[0] for colour in COLOURS} | {"blocked": "#"}
LABELS = {"blocked": "Blocked cells"}
KNOWN = {colour.lower(): colour for colour in COLOURS}
LONGEST = 200  # entries of an answer, and cells of a path, that are looked at
_COUNT = re.compile(r"There are ([0-9]{1,4}) blocked cells in all\.")
_PAIRS = re.compile(r"The pairs are ([^.]*)\.")
_END = re.compile(r"One end of pair (\w+) is at (\([^)]{1,20}\))\.")


class Numberlink(Task):
    """Facts: ("cell", r, c) -> the colour of the pair that ends there, or "blocked"; public: ("rows",),
    ("pairs",) -> their colours, ("blocked",) -> how many cells are blocked."""

    name = "numberlink"
    family = "spatial"
    title = "Number link"
    rules = (
        "Every pair has two ends on the map. Join the two ends of each pair by a path. A step goes to the "
        "cell directly above, below, left or right; blocked cells and the ends of other pairs cannot be "
        "entered, and no two paths may share a cell. Paths need not be shortest nor fill the map."
    )
    noun = "ends and blocked cells"
    answer_key = "paths"
    answer_format = (
        'one line of JSON, {"paths": [[[a, b], ...], ...]}: for every pair, in any order, the list of all '
        "cells of its path, both ends included, each cell as two numbers in the notation of your view."
    )
    score_rule = (
        "Fraction of the pairs joined by a valid path that shares no cell with another path; 0 for more "
        "paths than pairs; best of 16 conventions (index origin, corner, row/column order)."
    )
    sizes = {
        "tiny": {"rows": 4, "pairs": 2, "blocked": 1, "apart": 2},
        "small": {"rows": 5, "pairs": 2, "blocked": 3, "apart": 3},
        "paper": {"rows": 5, "pairs": 3, "blocked": 3, "apart": 3},
        "large": {"rows": 8, "pairs": 4, "blocked": 8, "apart": 4},
    }
    public = frozenset({"rows", "pairs", "blocked"})
    misreadable = grids.CONVENTIONS

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        n, colours = size["rows"], COLOURS[: size["pairs"]]
        full = grids.draw_frame(rng, n, n, "grid")
        cells = list(grids.cells_of(full))
        rng.shuffle(cells)
        ends = [cells.pop() for _ in colours]
        others = []
        for end in ends:
            far = next((cell for cell in cells if apart(cell, end) >= size["apart"]), None)
            if far is None:
                raise Reject("the ends of a pair are too close")
            others.append(far)
            cells.remove(far)
        shared: Facts = {("rows",): n, ("pairs",): colours, ("blocked",): size["blocked"]}
        known_a = {("cell", *cell): colour for cell, colour in zip(ends, colours, strict=True)}
        known_b = {("cell", *cell): colour for cell, colour in zip(others, colours, strict=True)}
        known_b |= {("cell", *cell): "blocked" for cell in cells[: size["blocked"]]}
        whole = shared | known_a | known_b
        alone = [next(Router(whole).paths(colour), None) for colour in colours]
        entered = [cell for path in alone if path for cell in path]
        if None in alone or len(set(entered)) == len(entered):
            raise Reject("no path has to give way to another")
        frame_a = grids.draw_frame(rng, n, n, "grid")
        frame_b = grids.draw_frame(rng, n, n, "list", unlike=frame_a)
        frame_b["alias"] = labels.draw_alias(rng, colours, "P")
        frames = {"full": full, "a": frame_a, "b": frame_b}
        return Draft({"a": shared | known_a, "b": shared | known_b}, frames)

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        text = f"{grids.state_frame(frame)}. {labels.state_labels('Pairs', frame)}"
        if frame["form"] == "grid":
            text += (
                " In the drawing, a letter (R, G, B, Y, O) is an end of the pair whose name begins with "
                'it, # is a blocked cell, "." a cell in which nothing is known to be.'
            )
        return text

    def read_notation(self, text: str) -> Frame:
        frame = grids.read_frame(text, "grid" if "In the drawing" in text else "list")
        return frame | labels.read_labels(text)

    def say(self, facts: Facts, frame: Frame) -> str:
        lines = []
        if ("pairs",) in facts:
            lines.append(f"The pairs are {', '.join(labels.label(c, frame) for c in facts[('pairs',)])}.")
        if ("blocked",) in facts:
            lines.append(f"There are {facts[('blocked',)]} blocked cells in all.")
        if frame["form"] == "grid":
            drawn = grids.draw_rows(frame, lambda cell: SIGNS.get(facts.get(("cell", *cell), ""), "."))
            return "\n".join([*lines, drawn])
        ends = [
            (labels.label(value, frame), grids.to_frame(key[1:], frame))
            for key, value in facts.items()
            if key[0] == "cell" and value != "blocked"
        ]
        lines += [f"One end of pair {name} is at ({a}, {b})." for name, (a, b) in sorted(ends)]
        return "\n".join(lines + say_cells(facts, frame, LABELS))

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {("rows",): frame["rows"]}
        if match := _PAIRS.search(text):
            told = labels.mentioned(match[1], frame, KNOWN)
            facts[("pairs",)] = tuple(colour for colour in COLOURS if colour in told)
        if match := _COUNT.search(text):
            facts[("blocked",)] = int(match[1])
        if frame["form"] == "grid":
            values = {sign: value for value, sign in SIGNS.items()}
            drawn = grids.read_rows(text, frame, "." + "".join(values))
            return facts | {("cell", *cell): values[sign] for cell, sign in drawn if sign != "."}
        facts |= hear_cells(text, frame, LABELS)
        for told, place in _END.findall(text):
            colour = labels.resolve(told, frame, KNOWN)
            if colour:
                facts |= {("cell", *cell): colour for cell in grids.read_cells(place, frame)}
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        return len(missing(facts))

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        """The missing ends and blocked cells on free cells: at random, or row by row."""
        side = range(facts[("rows",)])
        free = [c for c in itertools.product(side, side) if ("cell", *c) not in facts]
        lacking = missing(facts)
        if len(lacking) > len(free):
            raise Reject("no room for what is missing")
        if rng:
            rng.shuffle(free)
        return facts | {("cell", *cell): what for cell, what in zip(free, lacking, strict=False)}

    def solve(self, facts: Facts) -> Answer | None:
        colours = facts[("pairs",)]
        if not colours or any(len(cells_with(facts, colour)) != 2 for colour in colours):
            return None
        paths = Router(facts).join(list(colours))
        return None if paths is None else [[list(cell) for cell in paths[colour]] for colour in colours]

    # -- answers -----------------------------------------------------------------------------
    def conventions(self, frames: Mapping[str, Frame]) -> dict[str, Frame]:
        return grids.all_conventions(frames["full"])

    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return [[list(grids.to_frame(tuple(cell), frame)) for cell in path] for path in answer]

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        """The paths of a list, or of an object by pair; a pair is known by the ends that its path joins."""
        if isinstance(value, dict):
            value = list(value.values())
        if not isinstance(value, list) or not 0 < len(value) <= LONGEST:
            return None
        if all(isinstance(entry, list) and entry and not isinstance(entry[0], list) for entry in value):
            value = [value]  # a single path
        paths = [gridpaths.read_cells(entry, frame, LONGEST) for entry in value[: len(COLOURS) + 1]]
        # an entry that is no path stays, empty, so that it counts as a wrong one
        return [[list(cell) for cell in path or ()] for path in paths] if any(paths) else None

    def read_loosely(self, text: str) -> Any | None:
        lines = (
            grids.read_pairs(line) for line in text.splitlines() if not line.startswith("Blocked cells:")
        )
        return [pairs for pairs in lines if len(pairs) > 1] or None

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        paths = [[tuple(cell) for cell in path] for path in answer]
        if len(paths) > len(facts[("pairs",)]):
            return 0.0
        times = Counter(cell for path in paths for cell in path)
        joined = {
            facts.get(("cell", *path[0]))
            for path in paths
            if path and max(times[cell] for cell in path) == 1 and joins(path, facts)
        }
        return len(joined) / len(facts[("pairs",)])


def missing(facts: Facts) -> list[str]:
    """What is still to be placed: a colour for each unknown end, "blocked" for each unknown blocked cell."""
    wanted = dict.fromkeys(facts[("pairs",)], 2) | {"blocked": facts[("blocked",)]}
    return [what for what, count in wanted.items() for _ in range(count - len(cells_with(facts, what)))]


def joins(path: list[Cell], facts: Facts) -> bool:
    """Whether a path leads in steps from one end of a pair to the other, through nothing else."""
    colour = facts.get(("cell", *path[0]))
    return (
        colour in facts[("pairs",)]
        and len(path) > 1
        and path[0] != path[-1]
        and facts.get(("cell", *path[-1])) == colour
        and all(there in grids.neighbours(here) for here, there in itertools.pairwise(path))
        and not any(("cell", *cell) in facts for cell in path[1:-1])
    )


TASK = Numberlink()
