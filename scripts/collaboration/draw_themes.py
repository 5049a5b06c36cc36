"""Draw the themes of failure: their size, which stages fire in them, how far they keep to single tasks."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from scripts.collaboration.theme_schemas import THEME_STAGES, THEME_SUMMARY
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.drawing.numbers import percent
from scripts.lib.drawing.save import save
from scripts.lib.drawing.style import BLUE, GREY, INK, PALE, VERMILION, WIDTH, styled, tag_simulated
from scripts.lib.stage import run
from scripts.lib.tables import read_rows

STEM = "fig_themes"
SOURCE = "tfidf"
NAME_WIDTH = 38  # characters of a line of a name
EMPTY = "No failure was described, so there are no themes."

Row = dict[str, Any]


def draw_themes(themes: Path, stages: Path, output: Path) -> None:
    """Draw the themes of source tfidf, the largest first, into the folder ``output``."""
    rows = [row for row in read_rows(themes, THEME_SUMMARY) if row["source"] == SOURCE]
    rates = {
        (row["theme"], row["stage"]): row
        for row in read_rows(stages, THEME_STAGES)
        if row["source"] == SOURCE
    }
    with styled():
        figure = _draw(rows, rates) if rows else _empty()
        simulated = any(row["simulated"] for row in rows)
        tag_simulated(figure, "simulated descriptions or agents" if simulated else "")
        save(figure, output, STEM, "Themes of failure: size, stages that fire, concentration on single tasks")


def _empty() -> Figure:
    figure = Figure(figsize=(WIDTH, 1.6), layout="constrained")
    axes = figure.subplots()
    axes.text(0.5, 0.5, EMPTY, ha="center", va="center", color=GREY)
    axes.set_xticks([])
    axes.set_yticks([])
    return figure


def _draw(rows: list[Row], rates: dict[tuple[int, str], Row]) -> Figure:
    figure = Figure(figsize=(WIDTH, 0.9 + 0.36 * len(rows)), layout="constrained")
    size, stages, tasks = figure.subplots(1, 3, sharey=True, width_ratios=[1, 1.15, 1.1])
    size.set_ylim(len(rows) - 0.5, -0.5)
    size.set_yticks(range(len(rows)), [_label(row) for row in rows], fontsize=7)
    for axes in (size, stages, tasks):
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
    _draw_sizes(size, rows)
    _draw_rates(stages, rows, rates)
    _draw_concentration(tasks, rows)
    return figure


def _label(row: Row) -> str:
    lines = textwrap.wrap("".join(filter(str.isprintable, row["name"])), NAME_WIDTH)
    return "\n".join(lines[:2]) + (" ..." if len(lines) > 2 else "")


def _draw_sizes(axes: Axes, rows: list[Row]) -> None:
    axes.barh(range(len(rows)), [row["size"] for row in rows], color=BLUE, height=0.6)
    for y, row in enumerate(rows):
        axes.text(row["size"], y, f" {row['size']}", va="center", fontsize=7)
    axes.set_xlim(0, max(row["size"] for row in rows) * 1.2)
    axes.set_title("Descriptions")
    axes.set_xlabel(f"of {rows[0]['clustered']} in a theme")


def _draw_rates(axes: Axes, rows: list[Row], rates: dict[tuple[int, str], Row]) -> None:
    """A square for each theme and stage: the darker, the more often the stage fires."""
    for x, stage in enumerate(STAGES):
        for y, row in enumerate(rows):
            rate = rates.get((row["theme"], stage), {}).get("rate")
            shade = PALE if rate is None else (1 - 0.75 * rate, 1 - 0.45 * rate, 1 - 0.25 * rate)
            axes.barh(y, 0.94, left=x - 0.47, height=0.9, color=shade)
            dark = "white" if rate is not None and rate > 0.8 else INK
            axes.text(
                x, y, percent(rate).removesuffix(" %"), ha="center", va="center", fontsize=7, color=dark
            )
    axes.set_xlim(-0.5, len(STAGES) - 0.5)
    axes.set_xticks(range(len(STAGES)), [stage.upper() for stage in STAGES])
    axes.spines["bottom"].set_visible(False)
    axes.tick_params(axis="x", length=0)
    axes.set_title("Stage fires (%)")
    axes.set_xlabel("of the theme's judged rollouts")


def _draw_concentration(axes: Axes, rows: list[Row]) -> None:
    for y, row in enumerate(rows):
        axes.plot([row["chance_low"], row["chance_high"]], [y, y], color=GREY, linewidth=4, alpha=0.5)
        axes.plot(row["concentration"], y, "o", color=VERMILION, markersize=4.5)
    axes.set_xlim(0, max(0.2, *(max(row["concentration"], row["chance_high"]) * 1.1 for row in rows)))
    axes.set_title("Concentration on tasks")
    axes.set_xlabel("sum of squared task shares;\nbar: by chance")


if __name__ == "__main__":
    run(draw_themes)
