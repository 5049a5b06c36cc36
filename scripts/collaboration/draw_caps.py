"""Draw the tax by turn cap, and the share of conversations that each cap cuts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from scripts.collaboration.beyond_schemas import CAPS
from scripts.lib.drawing.save import save
from scripts.lib.drawing.style import MARKERS, PALETTE, WIDTH, simulated_label, styled, tag_simulated
from scripts.lib.stage import run
from scripts.lib.tables import read_rows

STEM = "fig_caps"

Row = dict[str, Any]


def draw_caps(caps: Path, output: Path) -> None:
    """Draw tax and share cut over all tasks by cap, a line a model, into the folder ``output``."""
    rows = [row for row in read_rows(caps, CAPS) if row["scope"] == "all"]
    teams = list(dict.fromkeys(row["team"] for row in rows))
    simulated = [team for team in teams if any(r["simulated"] for r in rows if r["team"] == team)]
    with styled():
        figure = Figure(figsize=(WIDTH, 3.1 + 0.1 * len(teams)), layout="constrained")
        axes = figure.subplots(1, 2)
        _draw(axes[0], rows, teams, "tax", "Tax by turn cap", "difference of mean scores")
        _draw(axes[1], rows, teams, "cut", "Conversations cut", "share of conversations")
        handles, labels = axes[0].get_legend_handles_labels()
        if handles:
            figure.legend(handles, labels, loc="outside lower center", ncols=2)
        tag_simulated(figure, simulated_label(simulated, teams))
        save(figure, output, STEM, "Collaboration tax by turn cap")


def _draw(axes: Axes, rows: list[Row], teams: list[str], name: str, title: str, label: str) -> None:
    caps = sorted({row["cap"] for row in rows})
    for number, team in enumerate(teams):
        known = [row for row in rows if row["team"] == team and row[f"{name}_low"] is not None]
        # Side by side, so that bars of models with like values do not hide each other.
        places = [caps.index(row["cap"]) + 0.5 * ((number + 0.5) / len(teams) - 0.5) for row in known]
        below = [row[name] - row[f"{name}_low"] for row in known]
        above = [row[f"{name}_high"] - row[name] for row in known]
        look: Row = {"color": PALETTE[number % len(PALETTE)], "marker": MARKERS[number % len(MARKERS)]}
        axes.errorbar(
            places, [row[name] for row in known], (below, above), label=team, ms=4, lw=1, elinewidth=1, **look
        )
    axes.set_xticks(range(len(caps)), [str(cap) for cap in caps])
    axes.set_title(title)
    axes.set_xlabel("exchanges before the cap")
    axes.set_ylabel(label)


if __name__ == "__main__":
    run(draw_caps)
