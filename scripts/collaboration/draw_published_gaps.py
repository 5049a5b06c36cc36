"""Supplementary figure: published ratio gaps by model and family, with those of the models of this run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from scripts.collaboration.schemas import TAX
from scripts.collaboration.tables.published import models_beside
from scripts.lib.drawing.save import save
from scripts.lib.drawing.style import BLUE, INK, PALE, PURPLE, WIDTH, simulated_label, styled, tag_simulated
from scripts.lib.stage import run
from scripts.lib.tables import read_rows
from tasks.contract import FAMILIES

STEM = "fig_published_gaps"
ROW = 0.26  # inches

Row = dict[str, Any]


def draw_published_gaps(tax: Path, output: Path, job: dict[str, Any]) -> None:
    """Draw a panel a family and a line a published model into the folder ``output``.

    ``job``: published, with the topic ``ratio_gaps`` and ``matched`` (see ``Table``). A model of this run
    stands on the line of the published model whose name it has; the others are not drawn.
    """
    rows = models_beside(read_rows(tax, TAX), job["published"])
    own = list(dict.fromkeys(row["team"] for row in rows if row["team"]))
    simulated = [team for team in own if any(row["simulated"] for row in rows if row["team"] == team)]
    with styled():
        figure = _draw(rows)
        tag_simulated(figure, simulated_label(simulated, own))
        save(figure, output, STEM, "Published ratio gaps by model and family, and those of this run")


def _draw(rows: list[Row]) -> Figure:
    models = list(dict.fromkeys(row["model"] for row in rows))
    figure = Figure(figsize=(WIDTH, len(models) * ROW + 1.5), layout="constrained")
    panels = figure.subplots(1, len(FAMILIES), sharex=True)
    for axes, (family, name) in zip(panels, FAMILIES.items(), strict=True):
        _prepare(axes, name, len(models))
        for row in rows:
            if row["family"] == family:
                _draw_row(axes, models.index(row["model"]), row)
    panels[0].set_yticks(range(len(models)), models)
    figure.legend(handles=_legend(rows), loc="outside lower center", ncols=2)
    return figure


def _prepare(axes: Axes, title: str, lines: int) -> None:
    axes.set_title(title)
    axes.set_xlabel("ratio gap (%)")
    axes.axvline(0, color=INK, linewidth=0.9, zorder=1)
    axes.set_yticks([])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(lines - 0.5, -0.5)
    for y in range(0, lines, 2):
        axes.axhspan(y - 0.5, y + 0.5, color=PALE, zorder=0, linewidth=0)


def _draw_row(axes: Axes, y: int, row: Row) -> None:
    axes.plot(100 * row["published"], y, "D", color=PURPLE, markerfacecolor="white", markersize=5, zorder=2)
    if row["ratio_gap"] is not None:
        axes.plot(100 * row["ratio_gap"], y, "o", color=BLUE, markersize=4.5, zorder=4)
    if row["ratio_gap_low"] is not None and row["ratio_gap_high"] is not None:
        ends = [100 * row["ratio_gap_low"], 100 * row["ratio_gap_high"]]
        axes.plot(ends, [y, y], color=BLUE, linewidth=1.2, zorder=3)


def _legend(rows: list[Row]) -> list[Any]:
    mark = next((f" ({row['mark']})" for row in rows if row["mark"] != "published"), "")
    point: dict[str, Any] = {"linestyle": "none", "markersize": 5}
    hollow = point | {"color": PURPLE, "markerfacecolor": "white"}
    handles: list[Any] = [Line2D([], [], marker="D", label=f"published{mark}, not from this run", **hollow)]
    if any(row["ratio_gap"] is not None for row in rows):
        label = "model of this run that has the name, with its interval"
        handles.append(Line2D([], [], marker="o", color=BLUE, label=label, **point))
    return handles


if __name__ == "__main__":
    run(draw_published_gaps)
