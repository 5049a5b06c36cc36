"""Draw how many themes there are: silhouette and stability of the clustering by the number of themes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from scripts.collaboration.theme_schemas import STABILITY
from scripts.lib.drawing.save import save
from scripts.lib.drawing.style import BLUE, GREY, INK, VERMILION, WIDTH, styled, tag_simulated
from scripts.lib.stage import run
from scripts.lib.tables import read_rows

STEM = "fig_theme_stability"
LOOKS = {"tfidf": (BLUE, "o", "TF-IDF"), "embedding": (VERMILION, "s", "embeddings")}

Row = dict[str, Any]


def draw_theme_stability(stability: Path, output: Path) -> None:
    """Draw silhouette and mean adjusted Rand index by k, with intervals, into the folder ``output``."""
    rows = [row for row in read_rows(stability, STABILITY) if row["clustered"]]
    with styled():
        figure = Figure(figsize=(WIDTH, 3.1), layout="constrained")
        axes = figure.subplots(1, 2)
        _draw(axes[0], rows, "silhouette", "Silhouette", "mean cosine silhouette")
        _draw(axes[1], rows, "rand", "Stability", "adjusted Rand index")
        _draw_between(axes[1], [row for row in rows if row["source"] == "tfidf"])
        if axes[1].get_legend_handles_labels()[0]:
            axes[1].legend(loc="best")
        tag_simulated(figure, "simulated descriptions or agents" if any(r["simulated"] for r in rows) else "")
        save(figure, output, STEM, "Silhouette and stability of the clustering by the number of themes")


def _draw(axes: Axes, rows: list[Row], name: str, title: str, label: str) -> None:
    for source, (colour, marker, shown) in LOOKS.items():
        known = [row for row in rows if row["source"] == source and row[name] is not None]
        counts = [row["k"] for row in known]
        low, high = ([row[f"{name}_{end}"] for row in known] for end in ("low", "high"))
        if known:
            axes.fill_between(counts, low, high, color=colour, alpha=0.18, linewidth=0)
            axes.plot(
                counts, [r[name] for r in known], marker, linestyle="-", color=colour, ms=3, label=shown
            )
    if not any(row[name] is not None for row in rows):
        note = "Too few descriptions." if rows else "No failure was described."
        axes.text(0.5, 0.5, note, ha="center", transform=axes.transAxes)
    for chosen in {row["k"] for row in rows if row["chosen"]}:
        axes.axvline(chosen, color=GREY, linestyle="--", linewidth=1)
        axes.text(chosen, 1, f" k = {chosen}", va="bottom", color=INK, transform=axes.get_xaxis_transform())
    axes.set_title(title, pad=14)
    axes.set_xlabel("number of themes k")
    axes.set_ylabel(label)


def _draw_between(axes: Axes, rows: list[Row]) -> None:
    known = [row for row in rows if row["between"] is not None]
    if known:
        values = [row["between"] for row in known]
        axes.plot([row["k"] for row in known], values, ":", color=INK, label="TF-IDF against embeddings")


if __name__ == "__main__":
    run(draw_theme_stability)
