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

from scripts.collaboration.draw_tax import FAMILY_COLOURS, by_capability
from scripts.collaboration.schemas import TAX
from scripts.lib.drawing.numbers import known, percent
from scripts.lib.drawing.save import save
from scripts.lib.drawing.style import (
    GREY,
    INK,
    MARKERS,
    PALE,
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

Row = dict[str, Any]


def draw_ratio_gap(tax: Path, output: Path, job: dict[str, Any]) -> None:
    """Draw the ratio gap of every task and model, and its mean over models, into the folder ``output``.

    Rows: scope task, kind homogeneous, arm ``job["arm"]`` (default baseline).
    """
    rows = [
        row
        for row in read_rows(tax, TAX)
        if row["arm"] == job.get("arm", "baseline") and row["kind"] == "homogeneous"
    ]
    teams = by_capability(rows)
    simulated = [team for team in teams if any(r["simulated"] for r in rows if r["team"] == team)]
    with styled():
        figure = _draw(teams, [row for row in rows if row["scope"] == "task"])
        tag_simulated(figure, simulated_label(simulated, teams))
        save(figure, output, STEM, "Ratio gap by task, one mark per model and the mean over models")


def mean_gap(rows: list[Row]) -> tuple[float | None, bool]:
    """Mean ratio gap over the models of one task, and whether it is exploratory.

    Over solo-tractable models where there are any, otherwise over all with a defined gap (exploratory).
    """
    gaps = [(row["ratio_gap"], bool(row["dagger"])) for row in rows if known(row["ratio_gap"])]
    sure = [gap for gap, dagger in gaps if not dagger]
    chosen = sure or [gap for gap, _ in gaps]
    return (math.fsum(chosen) / len(chosen) if chosen else None), not sure


def ordered_tasks(rows: list[Row]) -> list[str]:
    """The tasks by family and, within it, from the largest mean gap to the smallest, undefined ones last."""
    order = list(FAMILIES)
    keys = {}
    for row in rows:
        mean, _ = mean_gap([other for other in rows if other["task"] == row["task"]])
        keys[row["task"]] = (order.index(row["family"]), mean is None, -(mean or 0), row["task"])
    return sorted(keys, key=keys.__getitem__)


def _draw(teams: list[str], rows: list[Row]) -> Figure:
    tasks = ordered_tasks(rows)
    low = min((_least(row) for row in rows), default=0.0)
    low = max(LEAST_SHOWN, math.floor(low * 10 - 0.5) / 10)
    height = min(0.2 + 0.06 * len(teams), 0.5, max(0.27, 11 / max(len(tasks), 1)))
    figure = Figure(figsize=(WIDTH, len(tasks) * height + 1.6), layout="constrained")
    axes = figure.subplots()
    axes.set_xlim(low * 100, 104)
    axes.set_ylim(len(tasks) - 0.5, -0.5)
    axes.axvline(0, color=INK, linewidth=0.9, zorder=1)
    axes.set_title("Ratio gap: tax in percent of the solo_full score")
    axes.set_xlabel("ratio gap (%)")
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.set_yticks(range(len(tasks)), tasks)
    for y, task in enumerate(tasks):
        _draw_task(axes, y, [row for row in rows if row["task"] == task], teams, low)
    _legend(figure, teams, rows)
    _note(figure, rows, low)
    return figure


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
        axes.plot(
            gap * 100, height, _marker(number), color=INK, markerfacecolor=fill, markersize=4, markeredgewidth=0.8,
            zorder=4,
        )  # fmt: skip


def _marker(number: int) -> str:
    return MARKERS[number % len(MARKERS)]


def _legend(figure: Figure, teams: list[str], rows: list[Row]) -> None:
    point = {"linestyle": "none", "markersize": 4.5}
    handles: list[Any] = [
        Line2D([], [], color=INK, marker=_marker(number), label=team, **point) for number, team in enumerate(teams)
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
    longest = max(len(handle.get_label()) for handle in handles)
    figure.legend(handles=handles, loc="outside lower left", ncols=3 if longest < 32 else 2)


def _note(figure: Figure, rows: list[Row], low: float) -> None:
    """Name what is not drawn, below the figure: gaps that are undefined and gaps left of the axis."""
    undefined = [f"{row['task']} × {row['team']}" for row in rows if not known(row["ratio_gap"])]
    beyond = [
        f"{row['task']} × {row['team']} ({percent(row['ratio_gap'])})"
        for row in rows
        if known(row["ratio_gap"]) and row["ratio_gap"] < low
    ]
    notes = [("Undefined (solo_full about 0)", undefined), ("Left of the axis", beyond)]
    lines = [f"{words}: {', '.join(names)}." for words, names in notes if names]
    text = "\n".join(textwrap.fill(line, 110) for line in lines)
    figure.text(0, -0.01, text, ha="left", va="top", fontsize=7, color=GREY)


if __name__ == "__main__":
    run(draw_ratio_gap)
