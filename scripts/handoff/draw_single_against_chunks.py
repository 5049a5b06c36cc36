"""The stylised model: success of one agent and of chains of agents, on a rising and on a flat curve."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from scripts.handoff.chunks import best_chunk
from scripts.handoff.crossover import search_crossover
from scripts.handoff.curves import Array, Curve, Flat, Linear
from scripts.handoff.model import Chain, chunked_losses, single_losses
from scripts.lib.drawing.save import save
from scripts.lib.drawing.style import BLUE, GREEN, GREY, INK, VERMILION, WIDTH, styled, tag_simulated
from scripts.lib.stage import run

STEM = "single_against_chunks"
COMPUTED = "stylised model: computed, not measured"


def draw_single_against_chunks(output: Path, job: dict[str, Any]) -> None:
    """Draw the success of whole tasks over their depth into the folder ``output``.

    ``job``: base (nats a step), slope (nats a token), growth, start, note (tokens), handoff (h_eff, nats),
    depth (the largest one shown, steps).
    """
    chain = Chain(job["growth"], job["start"], job["note"])
    curves: dict[str, Curve] = {
        "Rising curve: long contexts fail": Linear(job["base"], job["slope"]),
        "Flat curve: the load does not matter": Flat(job["base"] + job["slope"] * job["start"]),
    }
    with styled():
        figure = Figure(figsize=(WIDTH, 3.1), layout="constrained")
        left, right = figure.subplots(1, 2, sharey=True)
        rising, flat = curves.values()
        size = int(best_chunk(rising, chain, job["handoff"], job["depth"]))
        _draw_curve(left, rising, chain, job, size)
        _draw_curve(right, flat, chain, job, size)
        for axes, title in zip((left, right), curves, strict=True):
            axes.set_title(title)
        left.set_ylabel("success of the whole task")
        left.legend(loc="upper right")
        tag_simulated(figure, COMPUTED)
        save(figure, output, STEM, "Success of one agent and of chains of agents by depth of the task")


def _draw_curve(axes: Axes, curve: Curve, chain: Chain, job: dict[str, Any], size: int) -> None:
    handoff, depth = job["handoff"], job["depth"]
    depths = np.arange(1, depth + 1)
    axes.plot(depths, np.exp(-single_losses(curve, chain, depth)), color=BLUE, label="one agent")
    for steps, colour, line in ((1, VERMILION, "--"), (size, GREEN, "-.")):
        success = np.exp(-_losses_by_depth(curve, chain, handoff, depth, steps))
        label = f"a new agent each {steps} steps" if steps > 1 else "a new agent each step"
        axes.plot(depths, success, color=colour, linestyle=line, label=label)
    crossover = float(search_crossover(curve, chain, handoff, depth))
    if np.isfinite(crossover):
        axes.axvline(crossover, color=GREY, linestyle=":", linewidth=1)
        at = (crossover, 0.0)
        axes.annotate(f" L* = {crossover:.0f}", at, (2, 4), textcoords="offset points", color=INK)
    axes.set(xlabel="depth of the task (steps)", ylim=(0, 1), xlim=(0, depth))


def _losses_by_depth(curve: Curve, chain: Chain, handoff: float, depth: int, size: int) -> Array:
    """Losses (depth,) at depths 1 .. depth with chunks of ``size`` steps."""
    return np.array(
        [chunked_losses(curve, chain, handoff, now)[min(size, now) - 1] for now in range(1, depth + 1)]
    )


if __name__ == "__main__":
    run(draw_single_against_chunks)
