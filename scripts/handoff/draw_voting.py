"""The stylised model: a vote of parallel calls against one call with their whole budget."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from scripts.handoff.draw_single_against_chunks import COMPUTED
from scripts.handoff.voting import failure_at_budget, shared_failure_threshold, vote_failure, vote_limit
from scripts.lib.drawing.numbers import decimal
from scripts.lib.drawing.save import save
from scripts.lib.drawing.style import (
    GREEN,
    GREY,
    INK,
    MARKERS,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    WIDTH,
    styled,
    tag_simulated,
)
from scripts.lib.stage import run

STEM = "voting"
RHO = "\N{GREEK SMALL LETTER RHO}"
COLOURS = (GREEN, SKY, ORANGE, VERMILION, PURPLE)


def draw_voting(output: Path, job: dict[str, Any]) -> None:
    """Draw failure by number of calls, and the threshold of shared failure, into the folder ``output``.

    ``job``: least and spread of the failure of a call, eps = least + spread * exp(-budget), budget (of one
    call of the vote), shared (shares of failures in common, in [0, 1]), votes (the largest number, odd).
    """
    with styled():
        figure = Figure(figsize=(WIDTH, 3.3), layout="constrained")
        left, right = figure.subplots(1, 2, sharey=True)
        _draw_calls(left, job)
        _draw_threshold(right, job)
        left.set_ylim(0, None)
        figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=3)
        tag_simulated(figure, COMPUTED)
        save(figure, output, STEM, "Failure of a vote and of one call at the same budget")


def _failure(job: dict[str, Any]) -> float:
    return float(failure_at_budget(job["budget"], job["least"], job["spread"]))


def _draw_calls(axes: Axes, job: dict[str, Any]) -> None:
    votes = np.arange(1, job["votes"] + 1, 2)
    alone = failure_at_budget(votes * job["budget"], job["least"], job["spread"])
    axes.plot(votes, alone, color=INK, linewidth=2, label="one call with the budget of all")
    for number, shared in enumerate(job["shared"]):
        look: dict[str, Any] = {"color": COLOURS[number % len(COLOURS)], "marker": MARKERS[number]}
        failures = vote_failure(_failure(job), votes, shared)
        axes.plot(votes, failures, linestyle="--", markersize=4, label=f"vote, shared {shared:g}", **look)
    axes.set(xlabel="calls (a vote) or their budget (one call)", ylabel="failure")
    axes.set_title("Parallel against sequential")
    axes.set_xticks(votes)


def _draw_threshold(axes: Axes, job: dict[str, Any]) -> None:
    shared = np.linspace(0, 1, 101)
    threshold = float(shared_failure_threshold(job["least"], _failure(job)))
    axes.axhline(job["least"], color=INK, linewidth=2)
    axes.plot(shared, vote_limit(_failure(job), shared), color=PURPLE, linestyle="--")
    axes.annotate("endless vote", (0.7, 0.7 * _failure(job)), (8, -8), **_OFFSET)
    axes.annotate("endless budget of one call", (0.02, job["least"]), (0, 4), **_OFFSET)
    axes.axvline(threshold, color=GREY, linestyle=":")
    axes.annotate(f" {RHO}* = {decimal(threshold, 3)}", (threshold, 0), (2, 4), **_OFFSET)
    axes.set(xlabel=f"share of failures in common ({RHO})", xlim=(0, 1))
    axes.set_title("At large budget")


_OFFSET: dict[str, Any] = {"textcoords": "offset points", "fontsize": 8}

if __name__ == "__main__":
    run(draw_voting)
