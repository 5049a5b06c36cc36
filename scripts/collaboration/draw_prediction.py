"""How well the shape of conversations predicts a cell: out of fold against observed, and by scheme."""

from __future__ import annotations

import math
import textwrap
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from scripts.collaboration.draw_tax import FAMILY_COLOURS, FAMILY_MARKERS
from scripts.collaboration.prediction_schemas import PREDICTION, PREDICTION_CELLS
from scripts.collaboration.prediction_words import CHOICES, SCHEMES, VARIANTS
from scripts.lib.drawing.numbers import decimal, known
from scripts.lib.drawing.save import save
from scripts.lib.drawing.style import (
    BLUE,
    GREY,
    INK,
    PALE,
    VERMILION,
    WIDTH,
    simulated_label,
    styled,
    tag_simulated,
)
from scripts.lib.stage import run
from scripts.lib.tables import read_rows
from tasks.contract import FAMILIES

STEM = "fig_prediction"
TARGET = "collab"
LEAST_SHOWN = -1.0  # R squared has no lower bound; what lies below is marked at the edge
MEASURES = {"r2": "R squared", "spearman": "Spearman's rho"}

Row = dict[str, Any]


def draw_prediction(prediction: Path, cells: Path, output: Path, job: Row) -> None:
    """Draw the target ``collab`` into the folder ``output``.

    Left: every cell, by the full variant with the fixed penalty in the scheme group_kfold. Right: R squared
    and Spearman's rho of each scheme and variant with interval and null. ``job``: published (r2, spearman;
    or null), statistics (level), teams, simulated ({model: bool}).
    """
    rows = [row for row in read_rows(prediction, PREDICTION) if row["target"] == TARGET]
    wanted = (TARGET, "full", "group_kfold")
    points = [
        row
        for row in read_rows(cells, PREDICTION_CELLS)
        if (row["target"], row["variant"], row["scheme"]) == wanted
    ]
    teams = [team[0] for team in job["teams"] if len(team) == 1]
    with styled():
        figure = _draw(rows, points, teams, job)
        tag_simulated(figure, simulated_label([team for team in teams if job["simulated"][team]], teams))
        save(figure, output, STEM, "Prediction of cells from the shape of their conversations")


def _draw(rows: list[Row], points: list[Row], teams: list[str], job: Row) -> Figure:
    legend = _legend(points, job)
    columns = 2
    models = textwrap.fill("Rings, means of models: " + "; ".join(_numbered(points, teams)), 118)
    heights = [3.4, math.ceil(len(legend) / columns) * 0.17 + 0.15 * (models.count("\n") + 2)]
    figure = Figure(figsize=(WIDTH, sum(heights) + 0.5), layout="constrained")
    # Apart, because a row that spans all columns would give them all the margins of the widest.
    parts: Any = figure.subfigures(2, 1, height_ratios=heights)
    upper, lower = parts
    left, *right = upper.subplots(1, 3, width_ratios=(1.25, 1, 0.8))
    _scatter(left, points, teams, rows)
    for axes, name in zip(right, MEASURES, strict=True):
        _measure(axes, rows, name, job)
    right[1].set_yticklabels([])
    foot = lower.subplots()
    foot.set_axis_off()
    foot.legend(handles=legend, loc="upper left", ncols=columns, borderaxespad=0)
    if points:
        foot.text(0, 0, models, va="bottom", fontsize=7, color=GREY)
    return figure


def _scatter(axes: Axes, points: list[Row], teams: list[str], rows: list[Row]) -> None:
    axes.set_title("Cells, folds by task")
    axes.set_xlabel("observed score in collab")
    axes.set_ylabel("predicted, out of fold")
    if not points:
        reason = next((row["reason"] for row in rows if row["reason"]), "nothing was predicted")
        axes.text(0.5, 0.5, textwrap.fill(reason, 26), transform=axes.transAxes, ha="center", color=GREY)
        return
    values = [row[side] for row in points for side in ("observed", "predicted")]
    ends = [min(*values, 0.0), max(*values, 1.0)]
    axes.plot(ends, ends, color=GREY, linewidth=0.8, zorder=1)
    for family in FAMILIES:
        own = [row for row in points if row["family"] == family]
        look: dict[str, Any] = {"color": FAMILY_COLOURS[family], "markersize": 3, "alpha": 0.75}
        x, y = [row["observed"] for row in own], [row["predicted"] for row in own]
        axes.plot(x, y, FAMILY_MARKERS[family], markeredgewidth=0, **look)
    for number, team in enumerate(teams, 1):
        own = [row for row in points if row["team"] == team]
        if own:
            middle = [math.fsum(row[side] for row in own) / len(own) for side in ("observed", "predicted")]
            axes.plot(*middle, "o", color=INK, markerfacecolor="white", markersize=9, zorder=3)
            axes.text(
                middle[0], middle[1], str(number), fontsize=6, ha="center", va="center_baseline", zorder=4
            )


def _numbered(points: list[Row], teams: list[str]) -> list[str]:
    seen = {row["team"] for row in points}
    return [f"{number} {team}" for number, team in enumerate(teams, 1) if team in seen]


def _measure(axes: Axes, rows: list[Row], name: str, job: Row) -> None:
    axes.set_title(MEASURES[name])
    axes.set_xlabel("out of fold")
    axes.axvline(0, color=INK, linewidth=0.9, zorder=1)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.set_yticks(range(len(rows)), [_label(row) for row in rows], fontsize=7)
    axes.set_ylim(max(len(rows), 1) - 0.5, -0.5)
    lows = [row[key] for row in rows for key in (name, f"{name}_low") if known(row[key])]
    low = max(LEAST_SHOWN, min([0.0, *lows]))
    axes.set_xlim(low - 0.08, 1.03)
    schemes = list(dict.fromkeys((row["scheme"], row["choice"]) for row in rows))
    for y, row in enumerate(rows):
        if schemes.index((row["scheme"], row["choice"])) % 2 == 0:
            axes.axhspan(y - 0.5, y + 0.5, color=PALE, zorder=0, linewidth=0)
        if known(row[name]):
            _mark(axes, y, row, name, low)
    if job["published"] and rows:
        axes.plot(job["published"][name], 0, "D", color=VERMILION, markerfacecolor="none", zorder=5)


def _mark(axes: Axes, y: int, row: Row, name: str, low: float) -> None:
    """An estimate with its interval, above the null; an arrow at the edge where it lies outside."""
    if known(row[f"{name}_null"]):
        null = [max(row[f"{name}_{end}"], low) for end in ("null", "null_high")]
        axes.plot(null, [y, y], color="#BBBBBB", linewidth=6, solid_capstyle="butt", zorder=1)
    if known(row[f"{name}_low"]):
        ends = [max(row[f"{name}_{end}"], low) for end in ("low", "high")]
        axes.plot(ends, [y, y], color=BLUE, linewidth=1.1, solid_capstyle="butt", zorder=3)
        if row[f"{name}_low"] < low:
            axes.plot(low, y, "<", color=BLUE, markersize=3.5, zorder=3)
    if row[name] >= low:
        axes.plot(row[name], y, "o", color=BLUE, markersize=4.5, zorder=4)
    else:
        axes.text(low, y, f" {decimal(row[name], 1)}", fontsize=6.5, va="bottom", color=BLUE, zorder=4)


def _label(row: Row) -> str:
    scheme = CHOICES["nested"] if row["choice"] == "nested" else SCHEMES[row["scheme"]]
    return f"{scheme}: {VARIANTS[row['variant']]}"


def _legend(points: list[Row], job: Row) -> list[Any]:
    families = [family for family in FAMILIES if any(row["family"] == family for row in points)]
    dot: dict[str, Any] = {"linestyle": "none", "markersize": 4.5}
    handles: list[Any] = [
        Line2D([], [], color=FAMILY_COLOURS[f], marker=FAMILY_MARKERS[f], label=f"cell, {FAMILIES[f]}", **dot)
        for f in families
    ]
    level = f"{job['statistics']['level'] * 100:g} %"
    handles.append(
        Line2D([], [], color=BLUE, marker="o", markersize=4.5, label=f"estimate, {level} interval")
    )
    handles.append(Patch(color="#BBBBBB", label=f"scores exchanged: mean to {level} quantile"))
    if job["published"]:
        look = dot | {"color": VERMILION, "marker": "D", "markerfacecolor": "none"}
        handles.append(Line2D([], [], label="published (arXiv 2608.22152)", **look))
    return handles


if __name__ == "__main__":
    run(draw_prediction)
