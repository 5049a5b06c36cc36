"""Figure 5: how often successes and failures satisfy each stage, by family."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from scripts.collaboration.schemas import STAGES as SCHEMA
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.drawing.numbers import known, percent
from scripts.lib.drawing.save import save
from scripts.lib.drawing.style import BLUE, GREY, VERMILION, WIDTH, simulated_label, styled, tag_simulated
from scripts.lib.stage import run
from scripts.lib.tables import read_rows
from tasks.contract import FAMILIES

STEM = "fig5_cascade"
KINDS = {"successes": (BLUE, "o", -0.1), "failures": (VERMILION, "s", 0.1)}  # colour, marker, shift

Row = dict[str, Any]


def draw_cascade(stages: Path, output: Path, job: Row) -> None:
    """Draw the share of successes and of failures that satisfy each stage into the folder ``output``.

    One panel a family of ``job["tasks"]`` ({task: family}), and one for all.
    """
    rows = read_rows(stages, SCHEMA)
    teams = {row["team"]: row["simulated"] for row in rows if row["scope"] == "team"}
    with styled():
        figure = _draw([row for row in rows if row["scope"] != "team"], set(job["tasks"].values()))
        tag_simulated(figure, simulated_label([team for team in teams if teams[team]], list(teams)))
        save(figure, output, STEM, "Share of successes and failures that satisfy each stage, by family")


def _draw(rows: list[Row], families: set[str]) -> Figure:
    panels = [family for family in FAMILIES if family in families] + [None]
    figure = Figure(figsize=(WIDTH, 3.1), layout="constrained")
    axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for place, family in zip(axes, panels, strict=True):
        _draw_panel(
            place,
            FAMILIES[family] if family else "All tasks",
            [row for row in rows if row["family"] == family],
        )
    axes[0].set_ylabel("share that satisfies the stage")
    handles, labels = axes[-1].get_legend_handles_labels()
    names = "     ".join(f"{stage.upper()} {name}" for stage, name in STAGES.items())
    figure.legend(handles, labels, loc="outside lower center", ncols=2, title=names)
    return figure


def _draw_panel(axes: Axes, title: str, rows: list[Row]) -> None:
    by_stage = {row["stage"]: row for row in rows}
    axes.set_title(title)
    axes.set_xlim(-0.5, len(STAGES) - 0.5)
    axes.set_ylim(0, 1)
    axes.yaxis.set_major_formatter(lambda share, _: percent(share))
    axes.set_xticks(range(len(STAGES)), [stage.upper() for stage in STAGES])
    axes.grid(axis="y", linewidth=0.4, alpha=0.5)
    for kind, (colour, marker, shift) in KINDS.items():
        spots = [
            (place + shift, by_stage[stage])
            for place, stage in enumerate(STAGES)
            if stage in by_stage and known(by_stage[stage][kind])
        ]
        for x, row in spots:
            if known(row[f"{kind}_low"]) and known(row[f"{kind}_high"]):
                axes.plot([x, x], [row[f"{kind}_low"], row[f"{kind}_high"]], color=colour, linewidth=1.2)
        look: dict[str, Any] = {
            "color": colour,
            "marker": marker,
            "markersize": 5,
            "linewidth": 0.6,
            "clip_on": False,
        }
        axes.plot([x for x, _ in spots], [row[kind] for _, row in spots], label=kind, **look)
    counts = [max((row[f"judged_{kind}"] for row in rows), default=0) for kind in KINDS]
    axes.set_xlabel(f"{counts[0]:,} successes,\n{counts[1]:,} failures", color=GREY, fontsize=7.5)


if __name__ == "__main__":
    run(draw_cascade)
