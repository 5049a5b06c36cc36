"""Supplementary figure: agreement of raters and judge by stage, beside the published kappas."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from scripts.collaboration.agreement_schemas import AGREEMENT
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.drawing.numbers import known
from scripts.lib.drawing.save import save
from scripts.lib.drawing.style import BLUE, GREEN, GREY, INK, PALE, VERMILION, WIDTH, styled, tag_simulated
from scripts.lib.stage import run
from scripts.lib.tables import read_rows

STEM = "fig_agreement"
# measure: words, colour, marker, the published numbers' key
MEASURES = {
    "fleiss_kappa": ("raters: Fleiss' kappa", BLUE, "o", "fleiss"),
    "krippendorff_alpha": ("raters: Krippendorff's alpha", GREEN, "^", None),
    "cohen_judge": ("judge and majority: Cohen's kappa", VERMILION, "s", "cohen"),
}
STEP = len(MEASURES) + 1  # heights a stage takes

Row = dict[str, Any]


def draw_agreement(agreement: Path, output: Path, job: Row) -> None:
    """Draw the coefficients with their intervals into the folder ``output``.

    ``job``: published (fleiss and cohen by stage, mark), or None.
    """
    rows = [row for row in read_rows(agreement, AGREEMENT) if row["measure"] in MEASURES]
    with styled():
        figure = _draw({(row["stage"], row["measure"]): row for row in rows}, job["published"])
        tag_simulated(figure, "simulated raters or agents" if any(row["simulated"] for row in rows) else "")
        save(figure, output, STEM, "Agreement of raters and judge by stage")


def _draw(cells: dict[tuple[str, str], Row], published: Row | None) -> Figure:
    figure = Figure(figsize=(WIDTH, 3.6), layout="constrained")
    axes = figure.add_subplot()
    for number in range(0, len(STAGES), 2):
        axes.axhspan(number * STEP - 1, (number + 1) * STEP - 1, color=PALE, zorder=0, linewidth=0)
    axes.axvline(0, color=INK, linewidth=0.9, zorder=1)
    axes.set_ylim(len(STAGES) * STEP - 1, -1)
    names = [f"{stage.upper()} {name}" for stage, name in STAGES.items()]
    axes.set_yticks([number * STEP + 1 for number in range(len(names))], names)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("agreement beyond chance (1: perfect, 0: as by chance)")
    axes.set_title("Agreement by stage")
    for y, stage, measure in _spots():
        _mark(axes, y, cells.get((stage, measure)), measure)
        _mark_published(axes, y, stage, measure, published)
    axes.set_xlim(right=1.03)
    if not cells:
        axes.text(
            0.5, 0.5, "nobody has labelled anything yet", transform=axes.transAxes, ha="center", color=GREY
        )
    figure.legend(handles=_legend_handles(published), loc="outside lower center", ncols=2)
    return figure


def _spots() -> Iterator[tuple[int, str, str]]:
    """The height of each stage and measure on the axis (downwards)."""
    for number, stage in enumerate(STAGES):
        for place, measure in enumerate(MEASURES):
            yield number * STEP + place, stage, measure


def _mark(axes: Axes, y: int, row: Row | None, measure: str) -> None:
    if row is None or not known(row["coefficient"]):
        return
    _, colour, marker, _ = MEASURES[measure]
    low, high = row["coefficient_low"], row["coefficient_high"]
    if known(low) and known(high):
        axes.plot([low, high], [y, y], color=colour, linewidth=1.1, solid_capstyle="butt", zorder=2)
    axes.plot(row["coefficient"], y, marker, color=colour, markersize=5.5, zorder=3)


def _mark_published(axes: Axes, y: int, stage: str, measure: str, published: Row | None) -> None:
    _, colour, _, key = MEASURES[measure]
    if published and key and known(published[key].get(stage)):
        hollow: Row = {"markerfacecolor": "white", "markersize": 5, "zorder": 4}
        axes.plot(published[key][stage], y + 0.35, "D", color=colour, **hollow)


def _legend_handles(published: Row | None) -> list[Line2D]:
    marks = [
        Line2D([], [], color=colour, marker=marker, markersize=5.5, label=words)
        for words, colour, marker, _ in MEASURES.values()
    ]
    if published:
        hollow: Row = {"marker": "D", "markerfacecolor": "white", "markersize": 5, "linestyle": "none"}
        marks.append(Line2D([], [], color=GREY, label=f"{published['mark']}, of the same colour", **hollow))
    return marks


if __name__ == "__main__":
    run(draw_agreement)
