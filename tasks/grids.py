"""Grids shared by the spatial tasks: frames, coordinates, shortest paths.

Inside the tasks a cell is (row, column) from 0 at the top-left corner. A grid frame holds ``rows``,
``cols``, ``origin`` (0 or 1), ``corner`` (where counting starts), ``order`` (``rc`` or ``cr``) and ``form``.
"""

from __future__ import annotations

import itertools
import random
import re
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

from tasks.contract import Frame

Cell = tuple[int, int]
Place = TypeVar("Place", bound=Hashable)  # where a walk may be: a cell, a name, a pair of cells
CORNERS = ("top-left", "top-right", "bottom-left", "bottom-right")
ORDERS = {"rc": "(row, column)", "cr": "(column, row)"}
CONVENTIONS = ("origin", "corner", "order")  # what a careless reader of a grid frame gets wrong
_PAIR = re.compile(r"\(\s*(-?[0-9]{1,4})\s*,\s*(-?[0-9]{1,4})\s*\)")
_NOTATION = re.compile(
    r"The map has ([0-9]+) rows and ([0-9]+) columns\. "
    r"Cells are written \((row, column|column, row)\), counted from ([01]) at the ([a-z]+-[a-z]+) corner"
)


def draw_frame(rng: random.Random, rows: int, cols: int, form: str, unlike: Frame | None = None) -> Frame:
    """A random grid frame; ``unlike`` another one in at least one convention."""
    while True:
        frame = {
            "form": form,
            "rows": rows,
            "cols": cols,
            "origin": rng.randrange(2),
            "corner": rng.choice(CORNERS),
            "order": rng.choice(list(ORDERS)),
        }
        if unlike is None or any(frame[key] != unlike[key] for key in CONVENTIONS):
            return frame


def all_conventions(frame: Frame) -> dict[str, Frame]:
    """The 16 conventions of a path answer: origin x corner x order, for a map of this frame's size."""
    return {
        f"origin {origin}, {corner}, {order}": frame | {"origin": origin, "corner": corner, "order": order}
        for origin, corner, order in itertools.product((0, 1), CORNERS, ORDERS)
    }


def to_frame(cell: Cell, frame: Frame) -> Cell:
    """A canonical cell as the frame writes it."""
    row, col = cell
    if frame["corner"].startswith("bottom"):
        row = frame["rows"] - 1 - row
    if frame["corner"].endswith("right"):
        col = frame["cols"] - 1 - col
    row, col = row + frame["origin"], col + frame["origin"]
    return (row, col) if frame["order"] == "rc" else (col, row)


def from_frame(pair: Cell, frame: Frame) -> Cell | None:
    """The canonical cell of a pair written in the frame; None off the map."""
    row, col = pair if frame["order"] == "rc" else pair[::-1]
    row, col = row - frame["origin"], col - frame["origin"]
    if frame["corner"].startswith("bottom"):
        row = frame["rows"] - 1 - row
    if frame["corner"].endswith("right"):
        col = frame["cols"] - 1 - col
    return (row, col) if 0 <= row < frame["rows"] and 0 <= col < frame["cols"] else None


def write_cell(cell: Cell, frame: Frame) -> str:
    """A cell as text, such as ``(2, 3)``."""
    first, second = to_frame(cell, frame)
    return f"({first}, {second})"


def read_pairs(text: str) -> list[list[int]]:
    """All pairs of numbers that a text writes, such as ``(1, 2) -> (1, 3)``, as they stand there."""
    return [[int(m[1]), int(m[2])] for m in _PAIR.finditer(text)]


def read_cells(text: str, frame: Frame) -> list[Cell]:
    """All cells on the map that a text writes as pairs."""
    cells = (from_frame((first, second), frame) for first, second in read_pairs(text))
    return [cell for cell in cells if cell is not None]


def list_cells(label: str, cells: Iterable[Cell], frame: Frame) -> list[str]:
    """The line ``label: (1, 2) (3, 4).`` that lists canonical cells in the frame; no line for no cells."""
    pairs = sorted(to_frame(cell, frame) for cell in cells)
    return [f"{label}: " + " ".join(f"({a}, {b})" for a, b in pairs) + "."] if pairs else []


def draw_rows(frame: Frame, sign: Callable[[Cell], str]) -> str:
    """A drawing of the map, one sign a cell, always with the top row first and the left column first."""
    cols = range(frame["cols"])
    return "\n".join("".join(sign((row, col)) for col in cols) for row in range(frame["rows"]))


def read_rows(text: str, frame: Frame, signs: str) -> Iterator[tuple[Cell, str]]:
    """The cells of a drawing with their signs; lines of another width or with other signs are skipped."""
    lines = (line.strip() for line in text.splitlines())
    rows = [line for line in lines if len(line) == frame["cols"] and set(line) <= set(signs)]
    for row, line in enumerate(rows[: frame["rows"]]):
        for col, sign in enumerate(line):
            yield (row, col), sign


def state_frame(frame: Frame) -> str:
    """One sentence that states the frame; ``read_frame`` reads it back."""
    return (
        f"The map has {frame['rows']} rows and {frame['cols']} columns. Cells are written "
        f"{ORDERS[frame['order']]}, counted from {frame['origin']} at the {frame['corner']} corner"
    )


def read_frame(text: str, form: str) -> Frame:
    """Read a stated frame. Raises ValueError where there is none or it is unusable."""
    match = _NOTATION.search(" ".join(text.split()))
    if not match or match[5] not in CORNERS or max(len(match[1]), len(match[2])) > 2:
        raise ValueError("no grid notation")
    order = "rc" if match[3].startswith("row") else "cr"
    rows, cols, origin = int(match[1]), int(match[2]), int(match[4])
    return {"form": form, "rows": rows, "cols": cols, "origin": origin, "corner": match[5], "order": order}


def cells_of(frame: Frame) -> Iterable[Cell]:
    """Every cell of the map, row by row."""
    return itertools.product(range(frame["rows"]), range(frame["cols"]))


def neighbours(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """The four cells around a cell, on the map or not."""
    row, col = cell
    return (row - 1, col), (row, col + 1), (row + 1, col), (row, col - 1)


def on_map(cell: Cell, n: int) -> bool:
    """Whether a cell lies on a map of n rows and columns."""
    return 0 <= cell[0] < n and 0 <= cell[1] < n


def distances_to(goal: Place, steps_into: Callable[[Place], Iterable[Place]]) -> dict[Place, int]:
    """Steps from every place that can reach the goal; ``steps_into(p)`` yields those one step before p."""
    distance = {goal: 0}
    queue = deque([goal])
    while queue:
        place = queue.popleft()
        for before in steps_into(place):
            if before not in distance:
                distance[before] = distance[place] + 1
                queue.append(before)
    return distance


def descend(
    start: Place, distance: dict[Place, int], steps: Callable[[Place], Iterable[Place]]
) -> list[Place]:
    """One shortest path from start, always taking the first step that comes nearer."""
    path = [start]
    while distance[path[-1]]:
        here = distance[path[-1]]
        path.append(next(p for p in steps(path[-1]) if distance.get(p, here) == here - 1))
    return path
