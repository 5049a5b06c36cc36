"""Figure 5: how often successes and failures satisfy each stage, by family."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

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

    One panel a family and one for all. ``job``: tasks ({task: family}), simulated ({model: bool} of the teams
    and the judge), judge.
    """
    rows = read_rows(stages, SCHEMA)
    with styled():
        figure = _draw([row for row in rows if row["scope"] != "team"], set(job["tasks"].values()))
        tag_simulated(figure, whose(rows, job))
        save(figure, output, STEM, "Share of successes and failures that satisfy each stage, by family")


def whose(rows: list[Row], job: Row) -> str:
    """What the figure says of its source: simulated agents, and a judge that is made for no others."""
    teams = list(dict.fromkeys(row["team"] for row in rows if row["scope"] == "team"))
    simulated = [team for team in teams if job["simulated"][team]]
    real_agents = len(simulated) < len(teams) and job["simulated"][job["judge"]]
    warning = ["judged by rules that are made for simulated agents"] if real_agents else []
    return "; ".join(filter(None, [simulated_label(simulated, teams), *warning]))


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
    handles = [Line2D([], [], label=kind, **_look(kind)) for kind in KINDS]
    names = "     ".join(f"{stage.upper()} {name}" for stage, name in STAGES.items())
    figure.legend(handles=handles, loc="outside lower center", ncols=2, title=names)
    return figure


def _draw_panel(axes: Axes, title: str, rows: list[Row]) -> None:
    by_stage = {row["stage"]: row for row in rows}
    axes.set_title(title)
    axes.set_xlim(-0.5, len(STAGES) - 0.5)
    axes.set_ylim(0, 1)
    axes.yaxis.set_major_formatter(lambda share, _: percent(share))
    axes.set_xticks(range(len(STAGES)), [stage.upper() for stage in STAGES])
    axes.grid(axis="y", linewidth=0.4, alpha=0.5)
    for kind, (colour, _, shift) in KINDS.items():
        spots = [
            (place + shift, by_stage[stage])
            for place, stage in enumerate(STAGES)
            if stage in by_stage and known(by_stage[stage][kind])
        ]
        for x, row in spots:
            if known(row[f"{kind}_low"]) and known(row[f"{kind}_high"]):
                axes.plot([x, x], [row[f"{kind}_low"], row[f"{kind}_high"]], color=colour, linewidth=1.2)
        if spots:  # an empty line that is not clipped would spoil the layout
            heights = [row[kind] for _, row in spots]
            axes.plot([x for x, _ in spots], heights, clip_on=False, **_look(kind))
    counts = [max((row[f"judged_{kind}"] for row in rows), default=0) for kind in KINDS]
    axes.set_xlabel(f"{counts[0]:,} successes,\n{counts[1]:,} failures", color=GREY, fontsize=7.5)


def _look(kind: str) -> dict[str, Any]:
    colour, marker, _ = KINDS[kind]
    return {"color": colour, "marker": marker, "markersize": 5, "linewidth": 0.6}


if __name__ == "__main__":
    run(draw_cascade)
