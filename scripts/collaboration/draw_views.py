"""Figure 1: what the whole problem says and what each agent is told, one instance per family."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from scripts.collaboration.schemas import INSTANCES, VIEWS
from scripts.lib.drawing.save import save
from scripts.lib.drawing.style import BLUE, GREY, INK, VERMILION, styled
from scripts.lib.errors import UserError
from scripts.lib.stage import run
from scripts.lib.tables import read_rows
from tasks.contract import ANSWER_LINE, FAMILIES, NOTATION_LINE, TASK_LINE

STEM = "fig1_views"
COLUMNS = {  # view -> heading, colour of its band, tint of its box
    "full": ("Full problem", GREY, "#F6F6F6"),
    "a": ("View A: agent 1 sees", BLUE, "#EDF5FA"),
    "b": ("View B: agent 2 sees", VERMILION, "#FDF2EB"),
}
SIZE = 6.5  # points of the monospaced text
LETTERS = 56  # per line; with the two below this fixes the width of a box
LETTER = 0.602 * SIZE / 72  # inches: every letter of DejaVu Sans Mono is .602 em wide
LINE = 1.3 * SIZE / 72  # inches
PAD, GAP, BAND, TITLE = 0.08, 0.12, 0.22, 0.3  # inches: in a box, between boxes, its heading, a row's title


def draw_views(instances: list[Path], views: list[Path], output: Path, job: dict[str, Any]) -> None:
    """Draw one row of three text boxes for each family into the folder ``output``.

    ``job``: tasks ({family: task}) and index (of the instance). Raises UserError where it is missing.
    """
    texts = _read_texts(views, job)
    sizes = {row["task"]: row["size"] for path in instances for row in read_rows(path, INSTANCES)[:1]}
    rows = [
        (f"{FAMILIES[family]}: {task} ({sizes[task]}), instance {job['index']}", texts[task])
        for family, task in job["tasks"].items()
    ]
    with styled():
        save(_draw(rows), output, STEM, "The full problem and the two private views, one task per family")


def _read_texts(views: list[Path], job: dict[str, Any]) -> dict[str, dict[str, list[str]]]:
    """The wrapped lines by task and view."""
    texts: dict[str, dict[str, list[str]]] = {task: {} for task in job["tasks"].values()}
    for path in views:
        for row in read_rows(path, VIEWS):
            if row["task"] in texts and row["index"] == job["index"]:
                texts[row["task"]][row["view"]] = wrapped(abridged(row["text"]))
    for task, found in texts.items():
        if set(found) != set(COLUMNS):
            raise UserError(f"no instance {job['index']} of task {task} in the views: choose another index")
    return texts


def abridged(text: str) -> list[str]:
    """A view's lines with the words that all views share shortened; notation and facts stay whole."""
    head, _, rest = text.partition(f"{NOTATION_LINE} ")
    block, _, answer = rest.partition(f"\n{ANSWER_LINE} ")
    title, _, rules = head.strip().partition("\n")
    first = re.match(r"[^.]*\.", rules)
    own = re.search(r"You hold view .*", rules)
    rules = " ".join(filter(None, [first and first[0], "[…]", own and own[0]]))
    lines = [
        title.removeprefix(TASK_LINE).strip(),
        rules,
        "",
        *f"{NOTATION_LINE} {block}".rstrip().split("\n"),
    ]
    return [*lines, "", f"{ANSWER_LINE} {answer.strip().partition(': ')[0]}: […]"]


def wrapped(lines: list[str]) -> list[str]:
    """Lines no longer than a box is wide; what is carried over is indented."""
    parts = [textwrap.wrap(line, LETTERS, subsequent_indent="  ", drop_whitespace=True) for line in lines]
    return [line for part in parts for line in part or [""]]


def _draw(rows: list[tuple[str, dict[str, list[str]]]]) -> Figure:
    width = LETTERS * LETTER + 2 * PAD
    heights = [max(map(len, texts.values())) * LINE + 2 * PAD + BAND for _, texts in rows]
    size = (3 * width + 2 * GAP, sum(heights) + len(rows) * (TITLE + GAP) - GAP)
    figure = Figure(figsize=size)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, size[0]), ylim=(size[1], 0))
    axes.set_axis_off()
    top = 0.0
    for (title, texts), height in zip(rows, heights, strict=True):
        axes.text(0, top + TITLE / 2, title, va="center", weight="bold", fontsize=9)
        for column, view in enumerate(COLUMNS):
            _box(axes, column * (width + GAP), top + TITLE, width, height, view, texts[view])
        top += TITLE + height + GAP
    return figure


def _box(axes: Axes, x: float, y: float, width: float, height: float, view: str, lines: list[str]) -> None:
    """A box with a heading; ``x`` and ``y`` (from the top) in inches, as are all units of the axes."""
    heading, colour, tint = COLUMNS[view]
    axes.add_patch(Rectangle((x, y), width, height, facecolor=tint, edgecolor=colour, linewidth=1))
    axes.add_patch(Rectangle((x, y), width, BAND, facecolor=colour, edgecolor=colour, linewidth=1))
    axes.text(x + PAD, y + BAND / 2, heading, va="center", color="white", weight="bold", fontsize=7.5)
    for number, line in enumerate(lines):
        baseline = y + BAND + PAD + (number + 0.8) * LINE
        weight = "bold" if number == 0 else "normal"
        line = line.replace("  ", "\N{NO-BREAK SPACE}" * 2)  # browsers merge plain spaces in an SVG
        axes.text(x + PAD, baseline, line, family="monospace", fontsize=SIZE, color=INK, weight=weight)


if __name__ == "__main__":
    run(draw_views)
