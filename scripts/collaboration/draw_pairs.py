"""Figure 7: mixed pairs against their members, in both slot orders."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from scripts.collaboration.schemas import PAIRS
from scripts.lib.drawing.numbers import known
from scripts.lib.drawing.save import save
from scripts.lib.drawing.style import (
    BLUE,
    GREY,
    INK,
    PALE,
    VERMILION,
    WIDTH,
    simulated_label,
    styled,
    tag_simulated,
)
from scripts.lib.names import team_name
from scripts.lib.stage import run
from scripts.lib.tables import read_rows
from tasks.contract import FAMILIES

STEM = "fig7_pairs"
READINGS = {"solo": "Members alone (solo_full)", "own": "Members with copies of themselves"}
ORDERS = (("s", BLUE), ("D", VERMILION))  # of the pair in the order of its name, and in the other one
ROW = 0.3  # inches

Row = dict[str, Any]
Line = tuple[str, str, list[Row], bool]  # pair, scope, its rows in one or both orders, whether published


def draw_pairs(pairs: Path, output: Path, job: dict[str, Any]) -> None:
    """Draw every pair, its members and their midpoint into the folder ``output``.

    Rows: scopes family and all; the two orders of a pair share a line. ``job``: published, the topic
    ``pairs`` of the published numbers, or null.
    """
    rows = [row for row in read_rows(pairs, PAIRS) if row["scope"] != "task"]
    teams = list(dict.fromkeys(row["team"] for row in rows))
    simulated = [team for team in teams if any(row["simulated"] for row in rows if row["team"] == team)]
    with styled():
        figure = _draw(lines_of(rows) + published_lines(job.get("published")))
        tag_simulated(figure, simulated_label(simulated, teams))
        save(figure, output, STEM, "Mixed pairs against their members and the midpoint, in both slot orders")


def lines_of(rows: list[Row]) -> list[Line]:
    """The lines of the figure: all tasks and each family of a pair, whichever order was run first."""
    lines: dict[tuple[frozenset[str], str], list[Row]] = {}
    for row in sorted(rows, key=lambda row: row["scope"]):  # all tasks before the families
        scope = FAMILIES[row["family"]] if row["family"] else "All tasks"
        lines.setdefault((frozenset({row["first"], row["second"]}), scope), []).append(row)
    pairs = list(dict.fromkeys(pair for pair, _ in lines))
    return [
        (found[0]["team"], scope, found, False)
        for pair in pairs
        for (its, scope), found in lines.items()
        if its == pair
    ]


def published_lines(published: Row | None) -> list[Line]:
    """The published pairs in the columns of a row, their members' scores under both readings."""
    found: dict[frozenset[str], list[Row]] = {}
    for pair in (published or {}).get("teams", []):
        row: Row = {"team": team_name(tuple(pair["team"])), "pair": pair["pair"]}
        for name in READINGS:
            row |= {f"{name}_{slot}": score for slot, score in zip((1, 2), pair["members"], strict=True)}
            row[f"midpoint_{name}"] = sum(pair["members"]) / 2
        found.setdefault(frozenset(pair["team"]), []).append(row)
    return [(rows[0]["team"], "published", rows, True) for rows in found.values()]


def _draw(lines: list[Line]) -> Figure:
    figure = Figure(figsize=(WIDTH, max(len(lines), 1) * ROW + 1.9), layout="constrained")
    grid = figure.add_gridspec(2, 2, height_ratios=(max(len(lines), 2) * ROW, 0.55))
    left = figure.add_subplot(grid[0, 0])
    right = figure.add_subplot(grid[0, 1], sharex=left)
    foot = figure.add_subplot(grid[1, :])
    foot.set_axis_off()
    foot.legend(handles=_legend(lines), loc="upper center", ncols=2, borderaxespad=0)
    for axes, (reading, words) in zip((left, right), READINGS.items(), strict=True):
        _prepare(axes, lines, words)
        for y, (_, _, rows, published) in enumerate(lines):
            _draw_members(axes, y, rows[0], reading)
            for number, row in enumerate(rows):
                _draw_pair(axes, y, row, number, published)
    left.set_yticks(range(len(lines)), [_label(lines, y) for y in range(len(lines))], fontsize=7)
    if not lines:
        left.text(0.5, 0.5, "no mixed pair was planned", transform=left.transAxes, ha="center", color=GREY)
    return figure


def _prepare(axes: Axes, lines: list[Line], words: str) -> None:
    axes.set_title(words, fontsize=8.5)
    axes.set_xlabel("mean score")
    axes.set_xlim(0, 1.02)
    axes.set_yticks([])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(max(len(lines), 1) - 0.5, -0.5)
    for y in range(0, len(lines), 2):
        axes.axhspan(y - 0.5, y + 0.5, color=PALE, zorder=0, linewidth=0)
    for y in range(1, len(lines)):
        if lines[y][0] != lines[y - 1][0] or lines[y][3] != lines[y - 1][3]:
            axes.axhline(y - 0.5, color=GREY, linewidth=0.8)


def _label(lines: list[Line], y: int) -> str:
    """The scope, below the pair's name where it stands for the first time."""
    pair, scope, _, published = lines[y]
    new = y == 0 or pair != lines[y - 1][0] or published != lines[y - 1][3]
    return f"{textwrap.shorten(pair, 40)}\n{scope}" if new else scope


def _draw_members(axes: Axes, y: int, row: Row, reading: str) -> None:
    """Both members, the line between them and its middle."""
    one, two, middle = row[f"{reading}_1"], row[f"{reading}_2"], row[f"midpoint_{reading}"]
    if known(one) and known(two):
        axes.plot([one, two], [y, y], color=GREY, linewidth=0.7, zorder=1)
        axes.plot([middle, middle], [y - 0.3, y + 0.3], color=GREY, linewidth=1.6, zorder=2)
    for score, marker in ((one, "<"), (two, ">")):
        if known(score):
            axes.plot(score, y, marker, color=INK, markerfacecolor="white", markersize=5.5, zorder=3)


def _draw_pair(axes: Axes, y: int, row: Row, number: int, published: bool) -> None:
    if not known(row["pair"]):
        return
    marker, colour = ORDERS[number]
    height = y + (-0.18, 0.18)[number]
    low, high = row.get("pair_low"), row.get("pair_high")
    if low is not None and high is not None:
        axes.plot([low, high], [height] * 2, color=colour, linewidth=1.2, zorder=3)
    fill = "white" if published else colour
    axes.plot(row["pair"], height, marker, color=colour, markerfacecolor=fill, markersize=5, zorder=4)


def _legend(lines: list[Line]) -> list[Any]:
    point: dict[str, Any] = {"linestyle": "none", "markersize": 5}
    hollow = point | {"color": INK, "markerfacecolor": "white"}
    handles: list[Any] = [
        Line2D([], [], marker="<", label="member named first", **hollow),
        Line2D([], [], marker=">", label="member named second", **hollow),
        Line2D([], [], color=GREY, linewidth=1.6, label="midpoint of the two members"),
    ]
    words = ("pair, named first speaks first", "pair, named second speaks first")
    handles += [
        Line2D([], [], marker=marker, color=colour, label=label, **point)
        for (marker, colour), label in zip(ORDERS, words, strict=True)
    ]
    if any(published for *_, published in lines):
        label = "hollow: published, not from this run"
        handles.append(Line2D([], [], marker="s", label=label, **hollow))
    return handles


if __name__ == "__main__":
    run(draw_pairs)
