"""Figure 2: a team as a game of two players, and where all measured teams stand in it."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from scripts.collaboration.schemas import GAME_VALUES
from scripts.lib.drawing.numbers import decimal, known
from scripts.lib.drawing.save import save
from scripts.lib.drawing.style import (
    BLUE,
    GREY,
    INK,
    WIDTH,
    simulated_label,
    styled,
    tag_simulated,
)
from scripts.lib.names import team_name
from scripts.lib.stage import run
from scripts.lib.tables import read_rows

STEM = "fig2_game"
READINGS = {"solo_full": "alone", "own_collab": "with a copy of itself"}
ZONES = {  # what v12 lies below: colour, words
    "tax": ("#F6D5C3", "tax: together less than the better member"),
    "short": ("#EFEFEF", "no tax, but less than the sum: each is credited less than alone"),
    "core": ("#CFE6DC", "at least the sum: a core"),
}

Row = dict[str, Any]


def draw_game(game_values: Path, output: Path, job: dict[str, Any]) -> None:
    """Draw the game of one team, and v1, v2 and v12 of all of them, into the folder ``output``.

    Rows: scope all. On the left the first mixed team against its members alone, or the first team where
    none is mixed. ``job``: published, the topic ``pairs`` of the published numbers, or null.
    """
    rows = [row for row in read_rows(game_values, GAME_VALUES) if row["scope"] == "all" and known(row["v12"])]
    teams = list(dict.fromkeys(row["team"] for row in rows))
    simulated = [team for team in teams if any(row["simulated"] for row in rows if row["team"] == team)]
    with styled():
        figure = _draw(rows, published_games(job.get("published")))
        tag_simulated(figure, simulated_label(simulated, teams))
        save(figure, output, STEM, "A team as a game of two players, and all measured teams")


def published_games(published: Row | None) -> list[Row]:
    """The published pairs in the columns of a game; nothing without them."""
    return [
        {"team": team_name(tuple(pair["team"])), "v12": pair["pair"]}
        | dict(zip(("v1", "v2"), pair["members"], strict=True))
        for pair in (published or {}).get("teams", [])
    ]


def _draw(rows: list[Row], published: list[Row]) -> Figure:
    lines = len(rows) + len(published)
    figure = Figure(figsize=(WIDTH, max(3.6, 0.3 * lines + 1.6)), layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=(1, 1.15), height_ratios=(1, 0.24))
    left, right, foot = (figure.add_subplot(part) for part in (grid[0, 0], grid[0, 1], grid[1, :]))
    foot.set_axis_off()
    foot.legend(handles=_legend(bool(published)), loc="upper left", ncols=2, borderaxespad=0, fontsize=7)
    shown = next((row for row in rows if row["kind"] == "mixed"), rows[0] if rows else None)
    if shown:
        _draw_plane(left, shown)
        _draw_teams(right, rows, published)
    else:
        for axes in (left, right):
            axes.set_axis_off()
        left.text(0.5, 0.5, "no team was graded alone and together", ha="center", color=GREY)
    return figure


def _draw_plane(axes: Axes, row: Row) -> None:
    """What each player is credited: lines of equal sums, the scores alone, and the Shapley values."""
    one, two, both = row["v1"], row["v2"], row["v12"]
    top = 1.1 * max(one, two, both, 0.1)
    low = min(0.0, row["phi_1"], row["phi_2"]) - 0.03
    axes.set(xlim=(low, top), ylim=(low, top), aspect="equal")
    for zone, (start, end) in _zones(row).items():
        _band(axes, start, end, ZONES[zone][0])
    axes.plot([low, both - low], [both - low, low], color=INK, linewidth=1.2)
    axes.axvline(one, color=GREY, linewidth=0.7, linestyle=":")
    axes.axhline(two, color=GREY, linewidth=0.7, linestyle=":")
    arrow = {"arrowstyle": "->", "color": INK, "linewidth": 1, "shrinkA": 4, "shrinkB": 4}
    axes.annotate("", (row["phi_1"], row["phi_2"]), (one, two), arrowprops=arrow)
    axes.plot(one, two, "o", color=INK, markerfacecolor="white", markersize=6, zorder=4)
    axes.plot(row["phi_1"], row["phi_2"], "D", color=BLUE, markersize=6, zorder=4)
    axes.set_title(f"The game of\n{textwrap.shorten(row['team'], 45)}", fontsize=8.5)
    axes.set_xlabel(f"first member: v1 {decimal(one)}, credited {decimal(row['phi_1'])}")
    axes.set_ylabel(f"second: v2 {decimal(two)}, credited {decimal(row['phi_2'])}")


def _zones(row: Row) -> dict[str, tuple[float, float]]:
    """From where to where v12 means what; the figure shows a part of it."""
    best, total = max(row["v1"], row["v2"]), row["v1"] + row["v2"]
    return {"tax": (-9, best), "short": (best, total), "core": (total, 9)}


def _band(axes: Axes, start: float, end: float, colour: str) -> None:
    """The points whose coordinates add up to something from start to end."""
    corners = [(start + 9, -9), (end + 9, -9), (end - 9, 9), (start - 9, 9)]
    axes.fill(*zip(*corners, strict=True), color=colour, linewidth=0, zorder=0)


def _draw_teams(axes: Axes, rows: list[Row], published: list[Row]) -> None:
    names = []
    for y, row in enumerate([*rows, *published]):
        measured = "alone" in row
        reading = READINGS[row["alone"]] if measured else "published"
        names.append(f"{textwrap.shorten(row['team'], 40)}\n{reading}")
        _draw_team(axes, y, row, INK if measured else GREY, measured)
    axes.set_yticks(range(len(names)), names, fontsize=6.5)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(0, max(1, *(row["v12"] + 0.05 for row in rows)))
    axes.tick_params(axis="y", length=0)
    axes.set_title("v1, v2 and v12, all tasks", fontsize=8.5)
    axes.set_xlabel("mean score")
    if published:
        axes.axhline(len(rows) - 0.5, color=GREY, linewidth=0.8)


def _draw_team(axes: Axes, y: int, row: Row, colour: str, measured: bool) -> None:
    for zone, (start, end) in _zones(row).items():
        axes.barh(y, end - start, 0.7, start, color=ZONES[zone][0], linewidth=0, zorder=0)
    for name, marker in (("v1", "<"), ("v2", ">")):
        axes.plot(row[name], y, marker, color=colour, markerfacecolor="white", markersize=5, zorder=3)
    if measured and known(row["v12_low"]) and known(row["v12_high"]):
        axes.plot([row["v12_low"], row["v12_high"]], [y, y], color=BLUE, linewidth=1.4, zorder=3)
    look: dict[str, Any] = {"color": BLUE} if measured else {"color": GREY, "markerfacecolor": "white"}
    axes.plot(row["v12"], y, "s", markersize=5, zorder=4, **look)


def _legend(published: bool) -> list[Any]:
    point: dict[str, Any] = {"linestyle": "none", "markersize": 5}
    hollow = point | {"color": INK, "markerfacecolor": "white"}
    handles: list[Any] = [
        Line2D([], [], marker="o", label="left: both alone (v1, v2)", **hollow),
        Line2D([], [], marker="D", color=BLUE, label="left: Shapley values, on the line of sum v12", **point),
        Line2D([], [], marker="<", label="right: first member v1", **hollow),
        Line2D([], [], marker=">", label="right: second member v2", **hollow),
        Line2D([], [], marker="s", color=BLUE, label="right: together v12, with its interval", **point),
    ]
    if published:
        label = "right: published, not from this run"
        handles.append(Line2D([], [], marker="s", label=label, **hollow | {"color": GREY}))
    return handles + [Patch(color=colour, label=words) for colour, words in ZONES.values()]


if __name__ == "__main__":
    run(draw_game)
