"""What the figures of measurements share: intervals, published marks, one legend below all panels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure

HOLLOW: dict[str, Any] = {"markerfacecolor": "white", "linestyle": "none", "ms": 6}  # a published number


def reach(
    rows: Sequence[dict[str, Any]], name: str, ends: tuple[str, str] | None = None
) -> list[list[float]]:
    """How far the intervals of a column reach, below and above (2, rows); 0 where there is none.

    ``ends``: other columns than name_low and name_high.
    """
    return [
        [abs(row[end] - row[name]) if row[end] is not None else 0 for row in rows]
        for end in ends or (f"{name}_low", f"{name}_high")
    ]


def legend_below(figure: Figure, columns: int) -> None:
    """One legend of what the panels show, each label once."""
    handles = {
        label: handle
        for axes in figure.axes
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=columns)
