"""Maps told as lists, one line a kind of cell: ``Wall cells: (1, 2) (3, 1).``, in the frame's notation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tasks import grids
from tasks.contract import Facts, Frame


def say_cells(facts: Facts, frame: Frame, labels: Mapping[Any, str]) -> list[str]:
    """List the ("cell", r, c) facts, one line a value; ``labels`` maps a value to what its line says."""
    lines = []
    for value, label in labels.items():
        cells = (key[1:] for key, known in facts.items() if key[0] == "cell" and known == value)
        lines += grids.list_cells(label, cells, frame)
    return lines


def hear_cells(text: str, frame: Frame, labels: Mapping[Any, str]) -> Facts:
    """Read back what ``say_cells`` listed; other lines are skipped."""
    values = {label: value for value, label in labels.items()}
    facts: Facts = {}
    for line in text.splitlines():
        label = line.partition(":")[0]
        if label in values:
            facts.update({("cell", *cell): values[label] for cell in grids.read_cells(line, frame)})
    return facts
