"""Figure 4: the share of the solo score that is lost in collaboration, task by task."""

from __future__ import annotations

import math
import textwrap
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from scripts.collaboration.draw_tax import FAMILY_COLOURS
from scripts.collaboration.ordering import by_capability, mean_gap, ordered_tasks
from scripts.collaboration.schemas import TAX
from scripts.lib.drawing.numbers import known, percent
from scripts.lib.drawing.save import save
from scripts.lib.drawing.style import (
    GREY,
    INK,
    MARKERS,
    PALE,
    PURPLE,
    WIDTH,
    simulated_label,
    styled,
    tag_simulated,
)
from scripts.lib.stage import run
from scripts.lib.tables import read_rows
from tasks.contract import FAMILIES

STEM = "fig4_ratio_gap"
LEAST_SHOWN = -1.0  # a gap has no lower bound; what lies below the axis is named in the note
PUBLISHED_LINE: dict[str, Any] = {"color": PURPLE, "linestyle": (0, (1, 1)), "linewidth": 1.6}

Row = dict[str, Any]


def draw_ratio_gap(tax: Path, output: Path, job: dict[str, Any]) -> None:
    """Draw the ratio gap of every task and model, and its mean over models, into the folder ``output``.

    Rows: scope task, kind homogeneous, arm ``job["arm"]`` (default baseline). ``job``: published, the topic
    ``ratio_gaps`` of the published numbers, or null.
    """
    rows = [
        row
        for row in read_rows(tax, TAX)
        if row["arm"] == job.get("arm", "baseline") and row["kind"] == "homogeneous"
    ]
    teams = by_capability(rows)
    simulated = [team for team in teams if any(r["simulated"] for r in rows if r["team"] == team)]
    with styled():
        figure = _draw(teams, [row for row in rows if row["scope"] == "task"], job.get("published") or {})
        tag_simulated(figure, simulated_label(simulated, teams))
        save(figure, output, STEM, "Ratio gap by task, one mark per model and the mean over models")


def _draw(teams: list[str], rows: list[Row], published: Row) -> Figure:
    tasks = ordered_tasks(rows)
    low = min((_least(row) for row in rows), default=0.0)
    low = max(LEAST_SHOWN, math.floor(low * 10 - 0.5) / 10)
    legend, note = _legend_handles(teams, rows, published), _note(rows, low)
    columns = 3 if max(len(handle.get_label()) for handle in legend) <= 28 else 2
    row_height = min(0.2 + 0.06 * len(teams), 0.5, max(0.27, 11 / max(len(tasks), 1)))
    legend_height = math.ceil(len(legend) / columns) * 0.17
    heights = [max(len(tasks), 1) * row_height, legend_height + 0.13 * (note.count("\n") + 2)]
    figure = Figure(figsize=(WIDTH, sum(heights) + 0.9), layout="constrained")
    axes, foot = figure.subplots(2, 1, height_ratios=heights)
    foot.set_axis_off()
    foot.legend(handles=legend, loc="upper left", ncols=columns, borderaxespad=0)
    foot.text(0, 1 - legend_height / heights[1], f"\n{note}", va="top", fontsize=7, color=GREY)
    _prepare(axes, tasks, low)
    for y, task in enumerate(tasks):
        _draw_task(axes, y, [row for row in rows if row["task"] == task], teams, low)
        if task in published.get("tasks", {}):
            _draw_published(axes, y, published["tasks"][task])
    _name_families(axes, [next(row["family"] for row in rows if row["task"] == task) for task in tasks])
    return figure


def _prepare(axes: Axes, tasks: list[str], low: float) -> None:
    axes.set_xlim(low * 100, 104)
    axes.set_ylim(len(tasks) - 0.5, -0.5)
    axes.axvline(0, color=INK, linewidth=0.9, zorder=1)
    axes.set_title("Ratio gap: tax in percent of the solo_full score")
    axes.set_xlabel("ratio gap (%)")
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.set_yticks(range(len(tasks)), tasks)


def _name_families(axes: Axes, families: list[str]) -> None:
    """Names at the right and lines between them, for readers who do not see the colours."""
    for family in dict.fromkeys(families):
        first = families.index(family)
        middle = first + (families.count(family) - 1) / 2
        upright = families.count(family) < 3  # too few rows for the name along the side
        place: dict[str, Any] = {"transform": axes.get_yaxis_transform(), "va": "center", "ha": "left"}
        place |= {"rotation": 0 if upright else 270, "color": FAMILY_COLOURS[family], "weight": "bold"}
        axes.text(1.01, middle, FAMILIES[family], **place)
        if first:
            axes.axhline(first - 0.5, color=GREY, linewidth=0.8)


def _least(row: Row) -> float:
    return min((row[name] for name in ("ratio_gap", "ratio_gap_low") if known(row[name])), default=0.0)


def _draw_task(axes: Axes, y: int, rows: list[Row], teams: list[str], low: float) -> None:
    colour = FAMILY_COLOURS[rows[0]["family"]]
    if y % 2 == 0:
        axes.axhspan(y - 0.5, y + 0.5, color=PALE, zorder=0, linewidth=0)
    axes.get_yticklabels()[y].set_color(colour)
    mean, exploratory = mean_gap(rows)
    if mean is not None and mean >= low:
        fill = "white" if exploratory else colour
        axes.plot([mean * 100] * 2, [y - 0.42, y + 0.42], color=colour, linewidth=5, zorder=2)
        axes.plot([mean * 100] * 2, [y - 0.38, y + 0.38], color=fill, linewidth=2.6, zorder=2)
    for row in rows:
        gap, number = row["ratio_gap"], teams.index(row["team"])
        if not known(gap) or gap < low:
            continue
        height = y + (number + 0.5) / len(teams) * 0.76 - 0.38
        if known(row["ratio_gap_low"]) and known(row["ratio_gap_high"]):
            ends = [max(row["ratio_gap_low"], low) * 100, row["ratio_gap_high"] * 100]
            axes.plot(ends, [height] * 2, color=GREY, linewidth=0.8, zorder=3)
        fill = "white" if row["dagger"] else INK
        look: dict[str, Any] = {
            "color": INK,
            "markerfacecolor": fill,
            "markersize": 4,
            "markeredgewidth": 0.8,
        }
        axes.plot(gap * 100, height, _marker(number), zorder=4, **look)


def _draw_published(axes: Axes, y: int, gap: float) -> None:
    axes.plot([gap * 100] * 2, [y - 0.46, y + 0.46], zorder=5, **PUBLISHED_LINE)


def _marker(number: int) -> str:
    return MARKERS[number % len(MARKERS)]


def _legend_handles(teams: list[str], rows: list[Row], published: Row) -> list[Any]:
    point: dict[str, Any] = {"linestyle": "none", "markersize": 4.5}
    handles: list[Any] = [
        Line2D([], [], color=INK, marker=_marker(number), label=textwrap.shorten(team, 60), **point)
        for number, team in enumerate(teams)
    ]
    if any(row["dagger"] for row in rows):
        label = "hollow: not solo-tractable, exploratory"
        handles.append(Line2D([], [], color=INK, marker="o", markerfacecolor="white", label=label, **point))
    families = {row["family"] for row in rows}
    handles += [
        Patch(color=FAMILY_COLOURS[family], label=f"{FAMILIES[family]}: mean over models")
        for family in FAMILIES
        if family in families
    ]
    if published.get("tasks"):
        mark = "" if published["mark"] == "published" else f" ({published['mark']})"
        handles.append(Line2D([], [], label=f"published mean{mark}, not this run's", **PUBLISHED_LINE))
    return handles


def _note(rows: list[Row], low: float) -> str:
    """What is not drawn: gaps that are undefined and gaps left of the axis, by task; empty without any."""
    undefined: dict[str, list[str]] = {}
    beyond: dict[str, list[str]] = {}
    for row in rows:
        if not known(row["ratio_gap"]):
            undefined.setdefault(row["task"], []).append(row["team"])
        elif row["ratio_gap"] < low:
            beyond.setdefault(row["task"], []).append(f"{row['team']} {percent(row['ratio_gap'])}")
    lines = []
    for words, found in (("Undefined (solo_full about 0)", undefined), ("Left of the axis", beyond)):
        parts = [f"{task} ({', '.join(names)})" for task, names in found.items()]
        lines += [textwrap.fill(f"{words}: {'; '.join(parts)}.", 125)] if parts else []
    return "\n".join(lines)


if __name__ == "__main__":
    run(draw_ratio_gap)
