"""Made-up agreement of raters and judge, for tests of the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.collaboration.agreement_schemas import AGREEMENT, DISAGREEMENTS
from scripts.collaboration.annotations import opaque_id
from scripts.collaboration.schemas import SAMPLES
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.tables import write_rows

PUBLISHED = {"mark": "published", "fleiss": dict.fromkeys(STAGES, 0.4), "cohen": dict.fromkeys(STAGES, 0.5)}


def agreement_row(stage: str, measure: str, **values: Any) -> dict[str, Any]:
    """One coefficient of two raters."""
    numbers = {"coefficient": 0.71, "coefficient_low": 0.6, "coefficient_high": 0.8, "agreement": 0.9}
    about = {"raters": "ann; bob", "simulated": False, "rollouts": 6, "ratings": 12, "ties": 1, "unjudged": 0}
    return {"stage": stage, "measure": measure} | about | numbers | values


def write_agreement(data: Path, drawn: list[dict[str, Any]], simulated: bool, hostile: str) -> None:
    """The annotated sample, the agreement of two raters, and one disagreement with a hostile quotation."""
    write_rows(data / "samples" / "annotations.parquet", drawn, SAMPLES)
    rows = [
        agreement_row(
            stage, measure, simulated=simulated, judge="judge" if measure == "cohen_judge" else None
        )
        for stage in STAGES
        for measure in ("fleiss_kappa", "krippendorff_alpha", "cohen_judge", "cohen_pair")
    ]
    write_rows(data / "statistics" / "agreement.parquet", rows, AGREEMENT)
    votes = {"satisfied": 2, "not_satisfied": 0, "majority": True, "judge": "judge", "verdict": False}
    about = {"rollout": opaque_id(drawn[0]), "stage": "l2", "simulated": simulated}
    evidence = {
        "turn": 1,
        "quotation": f"Here is mine.{hostile}",
        "raters_differ": False,
        "judge_differs": True,
    }
    row = drawn[0] | about | votes | evidence
    write_rows(data / "statistics" / "disagreements.parquet", [row], DISAGREEMENTS)
