"""Figure 3: the collaboration tax by model and family, and what it is made of."""

from __future__ import annotations

import math
import textwrap
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from scripts.collaboration.ordering import by_capability
from scripts.collaboration.schemas import TAX
from scripts.lib.drawing.numbers import MINUS, known
from scripts.lib.drawing.save import save
from scripts.lib.drawing.style import (
    GREY,
    HATCHES,
    INK,
    MARKERS,
    ORANGE,
    PALE,
    PALETTE,
    SKY,
    WIDTH,
    simulated_label,
    styled,
    tag_simulated,
)
from scripts.lib.stage import run
from scripts.lib.tables import read_rows
from tasks.contract import FAMILIES

STEM = "fig3_tax"
FAMILY_COLOURS = dict(zip(FAMILIES, PALETTE, strict=False))
FAMILY_MARKERS = dict(zip(FAMILIES, MARKERS, strict=False))
PARTS = {  # column -> words, colour, hatch
    "alignment": ("alignment: both views in one prompt", SKY, HATCHES[1]),
    "talking": ("talking: two agents, one view each", ORANGE, HATCHES[0]),
}
ROW = 0.17  # inches

Row = dict[str, Any]
Spot = tuple[float, Row]  # height on the axis (downwards) and the row that is drawn there


def draw_tax(tax: Path, output: Path, job: dict[str, Any]) -> None:
    """Draw tax, alignment and talking with their intervals into the folder ``output``.

    Rows: scope family, kind homogeneous, arm ``job["arm"]`` (default baseline); models from the highest
    solo_full score to the lowest.
    """
    rows = [
        row
        for row in read_rows(tax, TAX)
        if row["arm"] == job.get("arm", "baseline") and row["kind"] == "homogeneous"
    ]
    teams = by_capability(rows)
    cells = {(row["team"], row["family"]): row for row in rows if row["scope"] == "family"}
    simulated = [team for team in teams if any(r["simulated"] for r in rows if r["team"] == team)]
    with styled():
        figure = _draw(teams, cells)
        tag_simulated(figure, simulated_label(simulated, teams))
        save(figure, output, STEM, "Collaboration tax by model and family, with its two parts")


def _draw(teams: list[str], cells: dict[tuple[str, str], Row]) -> Figure:
    families = [family for family in FAMILIES if any((team, family) in cells for team in teams)]
    step = len(families) + 1
    spots: list[Spot] = [
        (number * step + place, cells[team, family])
        for number, team in enumerate(teams)
        for place, family in enumerate(families)
        if (team, family) in cells
    ]
    legend = _legend_handles(families, any(row["dagger"] for _, row in spots))
    heights = [max(len(teams), 1) * step * ROW, math.ceil(len(legend) / 2) * 0.17]
    figure = Figure(figsize=(WIDTH, sum(heights) + 1), layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=(1.15, 1), height_ratios=heights)
    left = figure.add_subplot(grid[0, 0])
    right = figure.add_subplot(grid[0, 1], sharex=left)
    foot = figure.add_subplot(grid[1, :])
    foot.set_axis_off()
    foot.legend(handles=legend, loc="upper center", ncols=2, borderaxespad=0)
    for axes in (left, right):
        _prepare(axes, len(teams), step)
    labels = [textwrap.fill(team, 24) for team in teams]
    left.set_yticks([number * step + (step - 2) / 2 for number in range(len(teams))], labels)
    _draw_tax(left, spots)
    _draw_parts(right, spots)
    return figure


def _prepare(axes: Axes, teams: int, step: int) -> None:
    for number in range(0, teams, 2):
        axes.axhspan(number * step - 1, (number + 1) * step - 1, color=PALE, zorder=0, linewidth=0)
    axes.axvline(0, color=INK, linewidth=0.9, zorder=1)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.set_yticks([])
    axes.set_ylim(max(teams, 1) * step - 1, -1)


def _draw_tax(axes: Axes, spots: list[Spot]) -> None:
    axes.set_title(f"Tax: solo_full {MINUS} collab")
    axes.set_xlabel("difference of mean scores")
    for y, row in spots:
        if known(row["tax"]):
            colour = FAMILY_COLOURS[row["family"]]
            _whisker(axes, y, row, "tax", colour)
            fill = "white" if row["dagger"] else colour
            axes.plot(
                row["tax"],
                y,
                FAMILY_MARKERS[row["family"]],
                color=colour,
                markerfacecolor=fill,
                markersize=5.5,
            )
        if row["dagger"]:
            end = max((row[name] for name in ("tax", "tax_high") if known(row[name])), default=0.0)
            axes.annotate("†", (end, y), (3, 0), textcoords="offset points", va="center", fontsize=7.5)


def _draw_parts(axes: Axes, spots: list[Spot]) -> None:
    axes.set_title("Its parts: alignment + talking")
    axes.set_xlabel("difference of mean scores")
    for y, row in spots:
        for shift, (part, (_, colour, hatch)) in zip((-0.2, 0.2), PARTS.items(), strict=True):
            if known(row[part]):
                axes.barh(
                    y + shift,
                    row[part],
                    0.38,
                    color=colour,
                    hatch=hatch,
                    edgecolor=INK,
                    linewidth=0.5,
                    zorder=2,
                )
                _whisker(axes, y + shift, row, part, INK)
    if not any(known(row[part]) for _, row in spots for part in PARTS):
        axes.text(0.5, 0.5, "mode solo_split was not run", transform=axes.transAxes, ha="center", color=GREY)


def _whisker(axes: Axes, y: float, row: Row, name: str, colour: str) -> None:
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    if known(low) and known(high):
        axes.plot([low, high], [y, y], color=colour, linewidth=1.1, solid_capstyle="butt", zorder=3)


def _legend_handles(families: list[str], exploratory: bool) -> list[Any]:
    """Families, then parts, then the dagger: with two columns, three and three."""
    marks: list[Any] = [
        Line2D([], [], color=FAMILY_COLOURS[f], marker=FAMILY_MARKERS[f], markersize=5.5, label=FAMILIES[f])
        for f in families
    ]
    marks += [Patch(facecolor=c, hatch=h, edgecolor=INK, label=words) for words, c, h in PARTS.values()]
    if exploratory:
        hollow: dict[str, Any] = {
            "marker": "o",
            "markerfacecolor": "white",
            "linestyle": "none",
            "markersize": 5.5,
        }
        marks.append(Line2D([], [], color=GREY, label="† hollow: not solo-tractable, exploratory", **hollow))
    return marks


if __name__ == "__main__":
    run(draw_tax)
