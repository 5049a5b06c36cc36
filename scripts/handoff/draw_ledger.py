"""Draw the ledger experiment: the in-task curve, the handoff tax, predicted against observed success."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from scripts.handoff.curves import step_loss
from scripts.handoff.drawing import HOLLOW, legend_below, reach
from scripts.handoff.ledger_schemas import COMPARISON, CURVE, HANDOFFS
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

STEM = "ledger"
GRADING = "stationary"  # the grading of the published comparison
SUCCESS = {
    "single": ("one agent", INK, "o"),
    "chain": ("chain of agents", GREEN, "s"),
    "predicted": ("chain, predicted", VERMILION, "D"),
}
Row = dict[str, Any]


def draw_ledger(data: Path, output: Path, job: Row) -> None:
    """Draw three panels a model into the folder ``output``, from the statistics below ``data``.

    ``job``: published, its topic ledger or null. Rows with stationary grading
    and the smallest chunk are drawn.
    """
    tables = {
        name: [
            r for r in read_rows(data / "statistics" / f"{name}.parquet", schema) if r["grading"] == GRADING
        ]
        for name, schema in (("curve", CURVE), ("handoffs", HANDOFFS), ("comparison", COMPARISON))
    }
    models = list(dict.fromkeys(row["model"] for row in tables["curve"]))
    simulated = list(dict.fromkeys(row["model"] for row in tables["curve"] if row["simulated"]))
    with styled():
        figure = Figure(figsize=(WIDTH, 0.9 + 2.6 * len(models)), layout="constrained")
        for model, panels in zip(models, figure.subplots(len(models), 3, squeeze=False), strict=True):
            own = {name: [row for row in rows if row["model"] == model] for name, rows in tables.items()}
            _draw_curve(panels[0], model, own["curve"])
            _draw_tax(panels[1], own["handoffs"], job["published"])
            least = min((row["chunk"] for row in own["comparison"]), default=0)
            of_chunk = [row for row in own["comparison"] if row["chunk"] == least]
            _draw_success(panels[2], of_chunk, job["published"])
        legend_below(figure, 4)
        tag_simulated(figure, simulated_label(simulated, models))
        save(figure, output, STEM, "The ledger experiment: curve, handoff tax, success")


def _draw_curve(axes: Axes, model: str, rows: list[Row]) -> None:
    loads = [row["load"] for row in rows]
    shares = [row["failure"] for row in rows]
    losses = [float(step_loss(min(share, 0.999))) for share in shares]
    axes.plot(loads, losses, "o", color=INK, ms=4, label="steps of one agent")
    for name, colour, line in (("rising", BLUE, "-"), ("hinge", ORANGE, "--")):
        axes.plot(loads, [row[name] for row in rows], line, color=colour, label=f"{name} curve")
    low, high = ([row[f"rising_{end}"] for row in rows] for end in ("low", "high"))
    axes.fill_between(loads, low, high, color=BLUE, alpha=0.15, lw=0)
    axes.set(title=model, xlabel="load, prompt tokens", ylabel="loss of a step, nats")
    axes.set_ylim(0, None)
    axes.xaxis.set_major_formatter(lambda value, _: count(value))
    axes.locator_params(axis="x", nbins=4)


def _draw_tax(axes: Axes, rows: list[Row], published: Row | None) -> None:
    known = [row for row in rows if row["tax"] is not None]
    _marks(axes, [row["limit"] for row in known], known, "tax", INK, "o", "h, this run")
    if published:
        for name, marker, label in (("tax", "s", ""), ("other_tax", "^", ", elsewhere")):
            told = f"h, {published['mark']}{label}"
            axes.plot(published["notes"], published[name], marker=marker, color=GREY, label=told, **HOLLOW)
    axes.axhline(0, color=GREY, lw=0.8)
    axes.set(title="Handoff tax", xlabel="most tokens of a note", ylabel="h, nats a boundary")


def _draw_success(axes: Axes, rows: list[Row], published: Row | None) -> None:
    width = max((row["depth"] for row in rows), default=1) * 0.02
    for number, (name, (label, colour, marker)) in enumerate(SUCCESS.items()):
        known = [row for row in rows if row[name] is not None]
        places = [row["depth"] + (number - 1) * width for row in known]
        _marks(axes, places, known, name, colour, marker, label)
        if published:
            axes.plot(
                np.array(published["depths"]) + (number - 1) * width,
                published[name],
                marker=marker,
                color=colour,
                label=f"{label}, {published['mark']}",
                **HOLLOW,
            )
    axes.set(title="Success of the task", xlabel="depth, steps", ylabel="share of ledgers")
    axes.set_ylim(0, 1)


def _marks(
    axes: Axes, places: list[float], rows: list[Row], name: str, colour: str, marker: str, label: str
) -> None:
    """Estimates with their intervals; those of a prediction are with the chance of counting."""
    ends = ("spread_low", "spread_high") if name == "predicted" else None
    look: Row = {"color": colour, "marker": marker, "ms": 4, "lw": 1, "elinewidth": 1, "linestyle": ":"}
    axes.errorbar(places, [row[name] for row in rows], reach(rows, name, ends), label=label, **look)


if __name__ == "__main__":
    run(draw_ledger)
