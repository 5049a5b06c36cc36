"""One look for all figures: legible in colour, in grey print and to colour-blind readers."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

# The palette of Okabe and Ito (2008), without its yellow, which is too pale for marks on white.
BLUE, ORANGE, GREEN, VERMILION, PURPLE, SKY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9"
PALETTE = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)
INK, GREY, PALE = "#222222", "#6E6E6E", "#F2F2F2"
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "*")
HATCHES = ("", "////", "....", "xxxx")
WIDTH = 7.2  # inches: a full text width in print

STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so that every machine draws the same
    "font.monospace": "DejaVu Sans Mono",
    "font.size": 8.5,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 8.5,
    "axes.edgecolor": GREY,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": True,
    "xtick.color": INK,
    "ytick.color": INK,
    "text.color": INK,
    "text.parse_math": False,  # a dollar sign in a model's name is a dollar sign
    "legend.frameon": False,
    "legend.fontsize": 8,
    "text.hinting": "none",  # hinted letters are wider than their font says
    "hatch.linewidth": 0.6,
    "figure.dpi": 100,
    "savefig.dpi": 200,
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
}


@contextmanager
def styled() -> Iterator[None]:
    """A context in which figures get the look, whatever the user's own settings; draw and save inside it."""
    with mpl.rc_context():
        mpl.rcParams.update({k: v for k, v in mpl.rcParamsDefault.items() if not k.startswith("backend")})
        mpl.rcParams.update(STYLE)
        yield


def simulated_label(simulated: Sequence[str], everyone: Sequence[str]) -> str:
    """What a figure says about its source: empty where no name in it is simulated."""
    if not simulated:
        return ""
    if set(simulated) == set(everyone):
        return "simulated agents"
    return f"partly simulated agents: {', '.join(simulated)}"


def tag_simulated(figure: Figure, label: str) -> None:
    """Say above the figure, for all to see, that (or which) results are simulated; nothing for no label."""
    if label:
        box = {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": VERMILION, "linewidth": 1}
        lines = textwrap.fill(label, 70)  # a title, because the layout makes room for it
        figure.suptitle(lines, x=0.99, ha="right", fontsize=8, color=INK, weight="bold", bbox=box)
