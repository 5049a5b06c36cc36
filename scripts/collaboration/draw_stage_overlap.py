"""Which stages fire together in failures, and how many of them do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from scripts.collaboration.draw_cascade import whose
from scripts.collaboration.schemas import STAGE_COUNTS, STAGE_OVERLAP
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.drawing.numbers import decimal, interval, known, percent
from scripts.lib.drawing.save import save
from scripts.lib.drawing.style import GREY, INK, ORANGE, SKY, WIDTH, styled, tag_simulated
from scripts.lib.stage import run
from scripts.lib.tables import read_rows

STEM = "fig_stage_overlap"

Row = dict[str, Any]


def draw_stage_overlap(overlap: Path, counts: Path, output: Path, job: Row) -> None:
    """Draw the Jaccard overlap of each pair of stages, and the number of stages that fire, over all failures.

    ``job``: published (the published cascade or null), shown beside the run's own and labelled so; simulated
    and judge as for ``draw_cascade``.
    """
    pairs = [row for row in read_rows(overlap, STAGE_OVERLAP) if row["scope"] == "all"]
    rows = [row for row in read_rows(counts, STAGE_COUNTS) if not row["success"]]
    numbers = [row for row in rows if row["scope"] == "all"]
    with styled():
        figure = Figure(figsize=(WIDTH, 3.1), layout="constrained")
        left, right = figure.subplots(1, 2, width_ratios=(1.15, 1))
        _draw_pairs(left, pairs, job["published"])
        _draw_numbers(right, numbers, job["published"])
        tag_simulated(figure, whose(rows, job))
        save(figure, output, STEM, "Overlap of the stages that fire in failures, and how many fire")


def _draw_pairs(axes: Axes, pairs: list[Row], published: Row | None) -> None:
    """A triangle: columns the first stage, rows the second; the darker, the larger the overlap."""
    names = list(STAGES)
    axes.set_title("Jaccard overlap of firing stages")
    axes.set_xlim(-0.5, 2.5)
    axes.set_ylim(3.5, 0.5)
    axes.set_aspect("auto")
    axes.set_xticks(range(3), [f"{name.upper()} {STAGES[name]}" for name in names[:3]], fontsize=7.5)
    axes.set_yticks(range(1, 4), [f"{name.upper()}\n{STAGES[name]}" for name in names[1:]], fontsize=7.5)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    for row in pairs:
        x, y = names.index(row["first"]), names.index(row["second"])
        shade = 0.65 * row["jaccard"] if known(row["jaccard"]) else 0.0
        axes.add_patch(_square(x, y, shade))
        text = interval(row["jaccard"], row["jaccard_low"], row["jaccard_high"]).replace(" [", "\n[")
        axes.text(x, y - 0.08, text, ha="center", va="center", fontsize=7.5)
        if published:
            known_as = published["overlap"].get(f"{row['first']}_{row['second']}")
            axes.text(
                x,
                y + 0.32,
                f"published {decimal(known_as)}",
                ha="center",
                va="center",
                fontsize=6.5,
                color=GREY,
            )


def _square(x: int, y: int, shade: float) -> Rectangle:
    return Rectangle((x - 0.47, y - 0.47), 0.94, 0.94, facecolor=SKY, alpha=shade, edgecolor=GREY)


def _draw_numbers(axes: Axes, numbers: list[Row], published: Row | None) -> None:
    axes.set_title("Stages that fire in a failure")
    axes.set_xlabel(f"number of stages ({max((row['judged'] for row in numbers), default=0):,} failures)")
    axes.set_ylabel("share of the failures")
    axes.yaxis.set_major_formatter(lambda share, _: percent(share))
    axes.set_xticks(range(len(STAGES) + 1))
    for row in numbers:
        x = row["firing"]
        if known(row["share"]):
            axes.bar(x, row["share"], 0.7, color=ORANGE, edgecolor=INK, linewidth=0.5)
        if known(row["share_low"]) and known(row["share_high"]):
            axes.plot([x, x], [row["share_low"], row["share_high"]], color=INK, linewidth=1.1)
    if published:
        look: dict[str, Any] = {"color": INK, "markerfacecolor": "white", "linestyle": "none"}
        axes.plot(range(len(STAGES) + 1), published["firing"], "D", markersize=5, label="published", **look)
        axes.legend(loc="upper left")
    axes.set_ylim(bottom=0)


if __name__ == "__main__":
    run(draw_stage_overlap)
