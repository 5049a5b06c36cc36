"""One-way cells of a map, whose value is the direction in which alone they are left."""

from __future__ import annotations

from tasks import grids
from tasks.contract import Facts, Frame
from tasks.grids import Cell

ARROWS = {"up": "^", "right": ">", "down": "v", "left": "<"}
DIRECTIONS = tuple(ARROWS)  # in the order of grids.neighbours


def ahead(cell: Cell, direction: str) -> Cell:
    """The cell that an arrow points at."""
    return grids.neighbours(cell)[DIRECTIONS.index(direction)]


def leaving(cell: Cell, kind: str) -> tuple[Cell, ...]:
    """The cells next to a cell of that kind towards which it is left: one for an arrow, else four."""
    return (ahead(cell, kind),) if kind in ARROWS else grids.neighbours(cell)


def inward(cell: Cell, n: int) -> list[str]:
    """The directions that do not lead off a map of n rows; none on a garbled map of one cell."""
    return [direction for direction in DIRECTIONS if grids.on_map(ahead(cell, direction), n)]


def list_moves(facts: Facts, frame: Frame) -> list[tuple[Cell, str]]:
    """Each one-way cell as a pair of the frame, with the cell that it leads to as text; sorted."""
    return sorted(
        (grids.to_frame(key[1:], frame), grids.write_cell(ahead(key[1:], value), frame))
        for key, value in facts.items()
        if key[0] == "cell" and value in ARROWS
    )


def hear_move(cells: list[Cell]) -> Facts:
    """The one-way cell that leads from the first cell to the second; nothing for other cells."""
    if len(cells) != 2 or cells[1] not in grids.neighbours(cells[0]):
        return {}
    return {("cell", *cells[0]): DIRECTIONS[grids.neighbours(cells[0]).index(cells[1])]}
