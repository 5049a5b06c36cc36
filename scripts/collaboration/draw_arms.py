"""Figure 6: the share of the tax that each arm recovers, by family and over all tasks."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MultipleLocator

from scripts.collaboration.arms import ALL_FOUR
from scripts.collaboration.draw_tax import FAMILY_COLOURS
from scripts.collaboration.schemas import ARMS
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.drawing.numbers import known, percent
from scripts.lib.drawing.save import save
from scripts.lib.drawing.style import (
    GREY,
    INK,
    MARKERS,
    PALE,
    PURPLE,
    WIDTH,
    simulated_label,
    styled,
    tag_simulated,
)
from scripts.lib.stage import run
from scripts.lib.tables import read_rows
from tasks.contract import FAMILIES

STEM = "fig6_arms"
PUBLISHED = PURPLE
LEAST, MOST = -1.0, 1.5  # a share has no bounds; what lies beyond the axis is named in the note
ROW = 0.52  # inches
WORDS = {ALL_FOUR: "all clauses"} | {
    f"{kind}_{key}": f"{words} {stage}"
    for key, stage in STAGES.items()
    for kind, words in (("no", "without"), ("only", "only"))
}

Row = dict[str, Any]


def draw_arms(arms: Path, output: Path, job: dict[str, Any]) -> None:
    """Draw the share recovered, of all models together and of each, into the folder ``output``.

    Rows: scopes family and all. ``job``: statistics (least_tax), published (the published shares, or null).
    """
    rows = [row for row in read_rows(arms, ARMS) if row["scope"] != "task"]
    teams = list(dict.fromkeys(row["team"] for row in rows if row["team"]))
    simulated = [team for team in teams if any(r["simulated"] for r in rows if r["team"] == team)]
    with styled():
        figure = _draw(teams, rows, job)
        tag_simulated(figure, simulated_label(simulated, teams))
        save(figure, output, STEM, "Share of the tax that the clauses recover, by arm and family")


def _draw(teams: list[str], rows: list[Row], job: dict[str, Any]) -> Figure:
    arms = list(dict.fromkeys(row["arm"] for row in rows))
    scopes: list[str | None] = [name for name in FAMILIES if any(row["family"] == name for row in rows)]
    scopes.append(None)
    shown = teams if len(teams) > 1 else []
    recovered = (job["published"] or {"recovered": {}})["recovered"]
    published = {arm: recovered[arm] for arm in arms if arm in recovered}
    legend, note = _legend_handles(shown, bool(published)), _note(rows, job["statistics"]["least_tax"])
    heights = [
        max(len(arms), 1) * ROW + 0.5,
        math.ceil(len(legend) / 3) * 0.17 + 0.14 * (note.count("\n") + 2),
    ]
    figure = Figure(figsize=(WIDTH, sum(heights) + 0.6), layout="constrained")
    grid = figure.add_gridspec(2, len(scopes), height_ratios=heights)
    first = None
    for column, family in enumerate(scopes):
        axes = figure.add_subplot(grid[0, column], sharex=first, sharey=first)
        first = first or axes
        _prepare(axes, arms, FAMILIES[family] if family else "All tasks", column == 0)
        _draw_scope(axes, arms, shown, [row for row in rows if row["family"] == family])
        for arm, its in published.items():
            at, share = arms.index(arm), 100 * its[family or "all"]
            axes.plot([share] * 2, [at - 0.42, at + 0.42], color=PUBLISHED, linewidth=1.6, zorder=2)
    foot = figure.add_subplot(grid[1, :])
    foot.set_axis_off()
    foot.legend(handles=legend, loc="upper left", ncols=3, borderaxespad=0)
    foot.text(0, 0, note, va="bottom", fontsize=7, color=GREY)
    return figure


def _prepare(axes: Axes, arms: list[str], title: str, names: bool) -> None:
    axes.set_title(title)
    axes.set_xlabel("tax recovered (%)")
    axes.xaxis.set_major_locator(MultipleLocator(50))
    for number in range(0, len(arms), 2):
        axes.axhspan(number - 0.5, number + 0.5, color=PALE, zorder=0, linewidth=0)
    for share in (0, 100):
        axes.axvline(share, color=INK, linewidth=0.9, linestyle="-" if share == 0 else ":", zorder=1)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0, labelleft=names)
    axes.set_yticks(range(len(arms)), [f"{arm}\n{WORDS[arm]}" if arm in WORDS else arm for arm in arms])
    axes.set_ylim(max(len(arms), 1) - 0.5, -0.5)


def _draw_scope(axes: Axes, arms: list[str], teams: list[str], rows: list[Row]) -> None:
    """One panel: all models together above, each model below in the same row."""
    for row in rows:
        y = arms.index(row["arm"])
        if row["team"] is None:
            colour = FAMILY_COLOURS[row["family"]] if row["family"] else INK
            _mark(axes, y - 0.2 * bool(teams), row, "D", colour, 5.5)
        elif row["team"] in teams:
            number = teams.index(row["team"])
            _mark(
                axes,
                y + (number + 0.5) / len(teams) * 0.5 - 0.05,
                row,
                MARKERS[number % len(MARKERS)],
                GREY,
                3,
            )


def _mark(axes: Axes, y: float, row: Row, marker: str, colour: str, size: float) -> None:
    """A share and its interval, as far as they lie on the axis; hollow without an interval."""
    share, low, high = (row[name] for name in ("recovered", "recovered_low", "recovered_high"))
    if not known(share):
        return
    if known(low):
        ends = [100 * min(max(end, LEAST), MOST) for end in (low, high)]
        axes.plot(ends, [y, y], color=colour, linewidth=size / 5, solid_capstyle="butt", zorder=3)
    if LEAST <= share <= MOST:
        fill = colour if known(low) else "white"
        axes.plot(100 * share, y, marker, color=colour, markerfacecolor=fill, markersize=size, zorder=4)


def _legend_handles(teams: Sequence[str], published: bool) -> list[Any]:
    point: dict[str, Any] = {"linestyle": "none", "markersize": 5}
    handles = [Line2D([], [], color=INK, marker="D", label="all models together", **point)]
    handles += [
        Line2D(
            [],
            [],
            color=GREY,
            marker=MARKERS[number % len(MARKERS)],
            label=textwrap.shorten(team, 40),
            **point,
        )
        for number, team in enumerate(teams)
    ]
    if published:
        handles.append(Line2D([], [], color=PUBLISHED, linewidth=1.6, label="published, not of this run"))
    return [
        *handles,
        Line2D([], [], color=INK, marker="D", markerfacecolor="white", label="hollow: no interval", **point),
    ]


def _note(rows: list[Row], least_tax: float) -> str:
    """What is not drawn: shares that are undefined or beyond the axis, by scope; empty without any."""
    undefined: dict[str, list[str]] = {}
    beyond: dict[str, list[str]] = {}
    for row in rows:
        who, scope = row["team"] or "all models", FAMILIES[row["family"]] if row["family"] else "All tasks"
        if not known(row["recovered"]):
            undefined.setdefault(who, []).append(scope)
        elif not LEAST <= row["recovered"] <= MOST:
            beyond.setdefault(who, []).append(f"{row['arm']} in {scope} {percent(row['recovered'])}")
    lines = []
    for words, found in ((f"Undefined (tax below {least_tax:g})", undefined), ("Beyond the axis", beyond)):
        parts = [f"{who} ({', '.join(dict.fromkeys(what))})" for who, what in found.items()]
        lines += [textwrap.fill(f"{words}: {'; '.join(parts)}.", 125)] if parts else []
    return "\n".join(lines)


if __name__ == "__main__":
    run(draw_arms)
