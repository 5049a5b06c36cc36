"""The report's section on why conversations failed: themes of the descriptions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.collaboration.theme_schemas import STABILITY, THEME_STAGES, THEME_SUMMARY
from scripts.lib.drawing.numbers import decimal, interval, known, percent
from scripts.lib.tables import read_rows

SOURCES = {"tfidf": "TF-IDF of the words", "embedding": "embeddings"}
TERMS = 5  # shown of a theme's top terms
LONGEST = 240  # characters of an example

Row = dict[str, Any]
Rows = list[Row]


def section(data: Path, job: Row) -> Row | None:
    """The themes as text, and the figures that belong to them; no themes where nothing was described."""
    themes = read_rows(data / "statistics" / "themes.parquet", THEME_SUMMARY)
    rates = read_rows(data / "statistics" / "theme_stages.parquet", THEME_STAGES)
    stability = read_rows(data / "themes" / "stability.parquet", STABILITY)
    stable = {source: [row for row in stability if row["source"] == source] for source in SOURCES}
    return {
        "figures": ["fig_themes", "fig_theme_stability"],
        "described": stability[0]["described"] if stability else 0,
        "simulated": any(row["simulated"] for row in stability),
        "sources": [_source(its, stable[source]) for source in SOURCES if (its := _of(themes, source))],
        "themes": [_theme(row, _of(rates, row["source"])) for row in themes],
        "published": (job.get("published") or {}).get("themes"),
    }


def _of(rows: Rows, source: str) -> Rows:
    return [row for row in rows if row["source"] == source]


def _source(themes: Rows, stability: Rows) -> Row:
    """How many themes were made and found, and which numbers of themes hold best."""
    (chosen,) = [row for row in stability if row["chosen"]]
    row = {"label": SOURCES[themes[0]["source"]], "found": len(themes), "wanted": themes[0]["wanted"]}
    row |= {"clustered": themes[0]["clustered"], "between": decimal(chosen["between"])}
    for name in ("silhouette", "rand"):
        row[name] = interval(chosen[name], chosen[f"{name}_low"], chosen[f"{name}_high"])
        best = max((r for r in stability if known(r[name])), key=lambda r: (r[name], -r["k"]), default=None)
        row[f"best_{name}"] = f"{best['k']} ({decimal(best[name])})" if best else None
    return row


def _theme(theme: Row, rates: Rows) -> Row:
    of_stage = {row["stage"]: row for row in rates if row["theme"] == theme["theme"]}
    stages = [{"rate": percent(row["rate"]), "judged": row["judged"]} for _, row in sorted(of_stage.items())]
    chance = interval(theme["expected"], theme["chance_low"], theme["chance_high"])
    example = theme["examples"][0] if theme["examples"] else ""
    return {
        "source": SOURCES[theme["source"]],
        "name": theme["name"],
        "named_by": theme["named_by"],
        "size": theme["size"],
        "terms": ", ".join(theme["top_terms"][:TERMS]),
        "example": example if len(example) <= LONGEST else f"{example[:LONGEST]} ...",
        "stages": stages,
        "tasks": theme["tasks"],
        "top": f"{theme['top_task']} ({percent(theme['top_task_share'])})",
        "concentration": decimal(theme["concentration"]),
        "chance": chance,
        "apart": theme["concentration"] > theme["chance_high"],
    }
