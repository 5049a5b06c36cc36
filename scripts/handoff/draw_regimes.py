"""The stylised model: the crossover depth over attention tax a step and handoff tax."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from scripts.handoff.crossover import linear_crossover
from scripts.handoff.curves import Linear
from scripts.handoff.draw_single_against_chunks import COMPUTED
from scripts.handoff.model import Chain
from scripts.lib.drawing.numbers import count
from scripts.lib.drawing.save import save
from scripts.lib.drawing.style import INK, VERMILION, WIDTH, styled, tag_simulated
from scripts.lib.stage import run

STEM = "regimes"
DEPTHS = (2, 5, 10, 20, 50, 100, 200, 500, 1000)
BOX = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}
TAXES, HANDOFFS = (1e-4, 1e-1), (1e-3, 1.0)  # nats


def draw_regimes(output: Path, job: dict[str, Any]) -> None:
    """Draw the crossover of a linear curve over lambda k and h_eff into the folder ``output``.

    ``job``: slope (nats a token), growth, note (tokens), handoff (h_eff, nats): the example that is marked;
    note / growth holds for the whole map.
    """
    with styled():
        figure = Figure(figsize=(WIDTH, 4.0), layout="constrained")
        axes = figure.subplots()
        _draw_map(axes, job["note"] / job["growth"])
        _mark_example(axes, job)
        tag_simulated(figure, COMPUTED)
        save(figure, output, STEM, "Crossover depth by attention tax a step and handoff tax")


def _draw_map(axes: Axes, note: float) -> None:
    """By equation 12 an agent for each step wins at depth L below the line h = lambda k (L / 2 - s / k)."""
    shades = mpl.colormaps["Blues"](np.linspace(0.02, 0.62, len(DEPTHS) + 1))
    taxes = np.array(TAXES)
    lower = taxes * 1e-9  # far below the map
    for depth, shade in zip(DEPTHS, shades, strict=False):
        rise = depth / 2 - note
        if rise > 0:
            axes.fill_between(taxes, lower, taxes * rise, color=shade, linewidth=0)
            axes.plot(taxes, taxes * rise, color=INK, linewidth=0.7)
            _name_line(axes, depth, rise)
            lower = taxes * rise
    axes.fill_between(taxes, lower, HANDOFFS[1], color=shades[-1], linewidth=0)
    axes.set(xscale="log", yscale="log", xlim=TAXES, ylim=HANDOFFS)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter("{x:g}")
    axes.set_xlabel("attention tax a step (nats)")
    axes.set_ylabel("handoff tax (nats a boundary)")
    axes.set_title("Least depth L* at which a new agent for each step wins")


def _name_line(axes: Axes, depth: int, rise: float) -> None:
    """The depth on its line h = rise * tax, where it meets a falling diagonal right of the map's middle."""
    tax = 2.5 * (math.prod(HANDOFFS) * math.prod(TAXES)) ** 0.25 / math.sqrt(rise)
    if not (TAXES[0] < tax < TAXES[1] and HANDOFFS[0] < tax * rise < HANDOFFS[1]):
        return
    axes.text(tax, tax * rise, count(depth), ha="center", va="center", fontsize=7.5, bbox=BOX)


def _mark_example(axes: Axes, job: dict[str, Any]) -> None:
    slope, handoff = job["slope"] * job["growth"], job["handoff"]
    example = linear_crossover(
        Linear(0.0, job["slope"]), Chain(job["growth"], 0.0, job["note"]), job["handoff"]
    )
    axes.plot(slope, handoff, "*", color=VERMILION, markeredgecolor="white", markersize=13)
    words = f"example: L* = {count(float(example))}"
    axes.annotate(words, (slope, handoff), (9, -13), textcoords="offset points", bbox=BOX)


if __name__ == "__main__":
    run(draw_regimes)
