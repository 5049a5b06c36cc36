"""Boxes of cells in three dimensions: frames and coordinates, as ``tasks.grids`` has them for flat maps.

Inside the tasks a cell is (layer, row, column) from 0 at the top, back, left corner. A box frame holds
``shape`` (layers, rows, columns), ``origin`` (0 or 1), ``corner`` (where counting starts, such as
"bottom-back-right"), ``order`` (the letters x for columns, y for rows and z for layers as they are written)
and ``form`` (``triple``, (x, y, z), or ``address``, layer/row/column).
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterable
from functools import lru_cache

from tasks.contract import Frame

Cell3 = tuple[int, ...]  # of three
SIDES = (("top", "bottom"), ("back", "front"), ("left", "right"))  # of layers, rows and columns
CORNERS = tuple("-".join(sides) for sides in itertools.product(*SIDES))
ADDRESS = "zyx"  # the order of layer/row/column
ORDERS = ("xyz", ADDRESS)  # other orders nobody writes, and each more lets more wrong paths pass
CONVENTIONS = ("origin", "corner", "order")  # what a careless reader of a box frame gets wrong
_AXES = "zyx"  # the letters of a canonical cell
_TRIPLE = re.compile(
    r"\b([0-9]{1,3})/([0-9]{1,3})/([0-9]{1,3})\b"
    r"|[(\[]\s{0,3}([0-9]{1,3})\s{0,3},\s{0,3}([0-9]{1,3})\s{0,3},\s{0,3}([0-9]{1,3})\s{0,3}[)\]]"
)
_NOTATION = re.compile(
    r"The box has ([1-9]) layers of ([1-9]) rows and ([1-9]) columns\. "
    r"Cells are written (?:\(([xyz], [xyz], [xyz])\)|layer/row/column), counted from ([01])"
)


def draw_frame(rng: random.Random, shape: list[int], form: str, unlike: Frame | None = None) -> Frame:
    """A random box frame; addresses count layers from the top. ``unlike`` another in one convention."""
    address = form == "address"
    while True:
        frame = {
            "form": form,
            "shape": shape,
            "origin": rng.randrange(2),
            "corner": rng.choice(CORNERS[:4] if address else CORNERS),
            "order": ADDRESS if address else rng.choice(ORDERS),
        }
        if unlike is None or any(frame[key] != unlike[key] for key in CONVENTIONS):
            return frame


def all_conventions(frame: Frame) -> dict[str, Frame]:
    """The 32 conventions of a path in a box: origin (2) x corner (8) x order, x first or z first (2)."""
    return {
        f"origin {origin}, {corner}, {order}": frame | {"origin": origin, "corner": corner, "order": order}
        for origin, corner, order in itertools.product((0, 1), CORNERS, ORDERS)
    }


def to_frame(cell: Cell3, frame: Frame) -> Cell3:
    """A canonical cell as the frame writes it."""
    return _written(cell, tuple(frame["shape"]), frame["origin"], frame["corner"], frame["order"])


def _written(cell: Cell3, shape: Cell3, origin: int, corner: str, order: str) -> Cell3:
    sides = zip(cell, shape, corner.split("-"), SIDES, strict=True)
    counted = [origin + (size - 1 - at if side == far else at) for at, size, side, (_, far) in sides]
    return tuple(counted[_AXES.index(letter)] for letter in order)


def from_frame(triple: Cell3, frame: Frame) -> Cell3 | None:
    """The canonical cell of three numbers written in the frame; None outside the box."""
    where = _cells_by_triple(tuple(frame["shape"]), frame["origin"], frame["corner"], frame["order"])
    return where.get(triple)


@lru_cache(maxsize=400)  # one answer is read in 32 conventions
def _cells_by_triple(shape: Cell3, origin: int, corner: str, order: str) -> dict[Cell3, Cell3]:
    return {_written(cell, shape, origin, corner, order): cell for cell in cells_of(shape)}


def write_triple(triple: Cell3, frame: Frame) -> str:
    """Three numbers as text: ``(0, 2, 1)`` or ``1/2/0``."""
    numbers = [str(number) for number in triple]
    return "/".join(numbers) if frame["form"] == "address" else f"({', '.join(numbers)})"


def write_cell(cell: Cell3, frame: Frame) -> str:
    """A canonical cell as text in the frame."""
    return write_triple(to_frame(cell, frame), frame)


def list_cells(label: str, cells: Iterable[Cell3], frame: Frame) -> list[str]:
    """The line that lists canonical cells in the frame; no line for no cells."""
    triples = sorted(to_frame(cell, frame) for cell in cells)
    return [f"{label}: {' '.join(write_triple(t, frame) for t in triples)}."] if triples else []


def read_triples(text: str) -> list[list[int]]:
    """All threes of numbers that a text writes in either form, as they stand there."""
    return [[int(number) for number in match.groups() if number] for match in _TRIPLE.finditer(text)]


def read_cells(text: str, frame: Frame) -> list[Cell3]:
    """All cells inside the box that a text writes."""
    cells = (from_frame(tuple(triple), frame) for triple in read_triples(text))
    return [cell for cell in cells if cell is not None]


def state_frame(frame: Frame) -> str:
    """Two sentences that state the frame; ``read_frame`` reads it back."""
    layers, rows, columns = frame["shape"]
    sides = zip(frame["corner"].split("-"), SIDES, strict=True)
    runs = [f"{near} to {far if side == near else near}" if side == near else f"{far} to {near}"
            for side, (near, far) in sides]  # fmt: skip
    form, names = "layer/row/column", dict(zip(_AXES, ("layers", "rows", "columns"), strict=True))
    told = dict(zip(_AXES, runs, strict=True))
    if frame["form"] == "triple":
        form, names = f"({', '.join(frame['order'])})", {letter: letter for letter in _AXES}
    counted = ", ".join(f"{names[letter]} from {told[letter]}" for letter in frame["order"])
    return (
        f"The box has {layers} layers of {rows} rows and {columns} columns. "
        f"Cells are written {form}, counted from {frame['origin']}: {counted}."
    )


def read_frame(text: str) -> Frame:
    """Read a stated frame. Raises ValueError where there is none."""
    text = " ".join(text.split())
    match = _NOTATION.search(text)
    sides = [next((s for s in pair if re.search(rf"from {s} to", text)), "") for pair in SIDES]
    letters = match[4].replace(", ", "") if match and match[4] else ADDRESS
    if not match or not all(sides) or letters not in ORDERS:
        raise ValueError("no box notation")
    return {
        "form": "triple" if match[4] else "address",
        "shape": [int(match[axis]) for axis in (1, 2, 3)],
        "origin": int(match[5]),
        "corner": "-".join(sides),
        "order": letters,
    }


def cells_of(shape: Iterable[int]) -> Iterable[Cell3]:
    """Every cell of a box, layer by layer."""
    return itertools.product(*(range(size) for size in shape))


def neighbours(cell: Cell3) -> list[Cell3]:
    """The six cells that share a face with a cell, in the box or not."""
    layer, row, column = cell
    around = [(layer - 1, row, column), (layer + 1, row, column), (layer, row - 1, column)]
    return [*around, (layer, row + 1, column), (layer, row, column - 1), (layer, row, column + 1)]
