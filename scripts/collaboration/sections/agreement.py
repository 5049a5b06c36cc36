"""The report's section on how far people, and the judge, agree about the stages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.collaboration.agreement_schemas import AGREEMENT, DISAGREEMENTS
from scripts.collaboration.annotations import SIMULATED, opaque_id
from scripts.collaboration.schemas import SAMPLES
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.drawing.numbers import decimal, interval
from scripts.lib.tables import Rows, read_rows

FIGURE = "fig_agreement"
MOST_LISTED = 30  # disagreements on the page; the table has all
MEASURES = ("fleiss_kappa", "krippendorff_alpha", "cohen_judge")
KEYS = ("fleiss", "cohen")  # of the published numbers
WORDS = {True: "satisfied", False: "not satisfied", None: None}

Row = dict[str, Any]


def section(data: Path, job: Row) -> Row | None:
    """Coefficients by stage as text, and the disagreements; None for a study without conversations.

    ``job``: simulated ({model: bool}), published ({agreement: fleiss and cohen by stage, mark, or None}).
    """
    drawn = {opaque_id(row) for row in read_rows(data / "samples" / "annotations.parquet", SAMPLES)}
    if not drawn:
        return None
    rows = read_rows(data / "statistics" / "agreement.parquet", AGREEMENT)
    differing = read_rows(data / "statistics" / "disagreements.parquet", DISAGREEMENTS)
    differing.sort(key=lambda row: (not row["judge_differs"], abs(row["satisfied"] - row["not_satisfied"])))
    published = job["published"].get("agreement")
    raters = rows[0]["raters"].split("; ") if rows else []
    return {
        "figures": [FIGURE],
        "raters": raters,
        "simulated_raters": [rater for rater in raters if rater.startswith(SIMULATED)],
        "judge": next((row["judge"] for row in rows if row["measure"] == "cohen_judge"), None),
        "rows": [_stage_row(rows, stage, published) for stage in STAGES] if rows else [],
        "mark": published and published["mark"],
        "pairs": [_pair_row(rows, names) for names in _pairs(rows)],
        "disagreements": [_disagreement(row, drawn, job) for row in differing[:MOST_LISTED]],
        "differing": len(differing),
    }


def _stage_row(rows: Rows, stage: str, published: Row | None) -> Row:
    """One stage's coefficients with their intervals, the published ones, and what they rest on."""
    found = {row["measure"]: row for row in rows if row["stage"] == stage}
    texts = {measure: _estimate(found[measure], "coefficient") for measure in MEASURES}
    counts = {f"{measure}_rollouts": found[measure]["rollouts"] for measure in MEASURES}
    agreed = {f"{measure}_agreement": _estimate(found[measure], "agreement") for measure in MEASURES}
    known = {f"{key}_published": decimal(published[key].get(stage), 3) for key in KEYS} if published else {}
    more = {name: found["cohen_judge"][name] for name in ("ties", "unjudged")}
    return {"stage": f"{stage.upper()} {STAGES[stage]}", **texts, **counts, **agreed, **known, **more}


def _pairs(rows: Rows) -> list[str]:
    return list(dict.fromkeys(row["raters"] for row in rows if row["measure"] == "cohen_pair"))


def _pair_row(rows: Rows, names: str) -> Row:
    """Cohen's kappa of two raters by stage."""
    found = {row["stage"]: row for row in rows if (row["measure"], row["raters"]) == ("cohen_pair", names)}
    return {"raters": names, "kappas": [_estimate(found[stage], "coefficient") for stage in STAGES]}


def _estimate(row: Row, name: str) -> str:
    return interval(row[name], row[f"{name}_low"], row[f"{name}_high"])


def _disagreement(row: Row, drawn: set[str], job: Row) -> Row:
    """One rollout and stage: who said what. It is linked where the kit has the conversation."""
    about = {name: row[name] for name in ("task", "index", "rollout", "satisfied", "not_satisfied")}
    about["team"] = row["team"] + (" (simulated)" if job["simulated"][row["team"]] else "")
    said = {name: WORDS[row[name]] for name in ("majority", "verdict")}
    evidence = {"turn": None if row["turn"] is None else row["turn"] + 1, "quotation": row["quotation"]}
    return about | said | evidence | {"stage": row["stage"].upper(), "in_kit": row["rollout"] in drawn}
