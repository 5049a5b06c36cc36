"""Draw the padded-context pilot: failure by load in its three definitions, and the hinge in nats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from scripts.handoff.curves import Hinge, step_loss
from scripts.handoff.drawing import HOLLOW, legend_below, reach
from scripts.handoff.pilot_schemas import PILOT_HINGES, PILOT_LOADS
from scripts.lib.drawing.numbers import count
from scripts.lib.drawing.save import save
from scripts.lib.drawing.style import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    VERMILION,
    WIDTH,
    simulated_label,
    styled,
    tag_simulated,
)
from scripts.lib.stage import run
from scripts.lib.tables import read_rows

STEM = "pilot"
LOOKS = {
    "either": ("either", INK, "o", "-"),
    "format": ("no answer line", VERMILION, "s", "--"),
    "arithmetic": ("wrong number", BLUE, "^", ":"),
}
Row = dict[str, Any]


def draw_pilot(loads: Path, hinges: Path, output: Path, job: Row) -> None:
    """Draw two panels a model into the folder ``output``. ``job``: published (its topic pilot, or null)."""
    rows, fits = read_rows(loads, PILOT_LOADS), read_rows(hinges, PILOT_HINGES)
    models = list(dict.fromkeys(row["model"] for row in rows))
    simulated = [name for name in models if any(r["simulated"] for r in rows if r["model"] == name)]
    with styled():
        figure = Figure(figsize=(WIDTH, 0.7 + 2.7 * len(models)), layout="constrained")
        grid = figure.subplots(len(models), 2, squeeze=False)
        for model, (left, right) in zip(models, grid, strict=True):
            own = [row for row in rows if row["model"] == model]
            _draw_failures(left, model, own, job["published"])
            (fit,) = (fit for fit in fits if fit["model"] == model and fit["failure"] == "either")
            _draw_hinge(right, [row for row in own if row["failure"] == "either"], fit, job["published"])
        legend_below(figure, 3)
        tag_simulated(figure, simulated_label(simulated, models))
        save(figure, output, STEM, "Failure behind irrelevant context, by load")


def _draw_failures(axes: Axes, model: str, rows: list[Row], published: Row | None) -> None:
    for failure, (label, colour, marker, line) in LOOKS.items():
        seen = [row for row in rows if row["failure"] == failure and row["share"] is not None]
        shares = [row["share"] for row in seen]
        look: Row = {"color": colour, "marker": marker, "linestyle": line, "ms": 4, "lw": 1, "elinewidth": 1}
        axes.errorbar([row["load"] for row in seen], shares, reach(seen, "share"), label=label, **look)
        if published and failure != "arithmetic":
            told = f"{label}, {published['mark']}"
            axes.plot(
                published["loads"], published[failure], color=colour, marker=marker, label=told, **HOLLOW
            )
    if published:
        axes.axhspan(
            *published["arithmetic"], color=BLUE, alpha=0.15, lw=0, label=f"wrong number, {published['mark']}"
        )
    _finish(axes, rows, model, "failures, share of calls")


def _draw_hinge(axes: Axes, rows: list[Row], fit: Row, published: Row | None) -> None:
    seen = [row for row in rows if row["share"] is not None and row["share"] < 1]
    losses = [float(step_loss(row["share"])) for row in seen]
    axes.plot([row["load"] for row in seen], losses, "o", color=INK, ms=4)
    top = max((row["load"] for row in rows if row["load"]), default=1.0)
    line = np.linspace(0, top, 200)
    if fit["slope"] is not None:
        hinge = Hinge(fit["base"], fit["slope"], fit["knee"])
        axes.plot(line, hinge(line), color=GREEN, label="hinge")
        if fit["determined"]:
            axes.axvspan(
                fit["knee_low"], fit["knee_high"], color=GREEN, alpha=0.15, lw=0, label="knee, interval"
            )
    if published:
        hinge = Hinge(float(step_loss(published["either"][0])), published["slope"], published["knee"])
        axes.plot(line, hinge(line), color=ORANGE, linestyle="--", label=f"hinge, {published['mark']}")
    title = "Hinge" if fit["determined"] else "Hinge, knee poorly determined"
    _finish(axes, rows, title, "loss of a call, nats")


def _finish(axes: Axes, rows: list[Row], title: str, label: str) -> None:
    """Title, labels, and the loads that the context refused."""
    axes.set_title(title)
    axes.set(xlabel="load, prompt tokens", ylabel=label)
    axes.set_ylim(0, None)
    axes.xaxis.set_major_formatter(lambda value, _: count(value))
    top = max([row["load"] or 0 for row in rows] + [row["aim"] for row in rows if row["refused"]] + [1])
    axes.set_xlim(-0.03 * top, 1.05 * top)
    axes.locator_params(axis="x", nbins=5)
    for row in rows:
        if row["refused"] and row["failure"] == "either":
            axes.axvline(row["aim"], color=GREY, linestyle=":", lw=1)
            told = f"refused {row['refused']} of {row['planned']}"
            axes.annotate(told, (row["aim"], 0.98), xycoords=("data", "axes fraction"), **_TOLD)


_TOLD: dict[str, Any] = {"rotation": 90, "ha": "right", "va": "top", "fontsize": 7, "color": GREY}

if __name__ == "__main__":
    run(draw_pilot)
