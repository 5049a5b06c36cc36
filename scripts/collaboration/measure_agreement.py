"""How far raters agree, and the judge with them -> ``statistics/{agreement,disagreements}.parquet``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from scripts.collaboration.agreement_schemas import AGREEMENT, DISAGREEMENTS
from scripts.collaboration.annotations import SIMULATED, Rating, planned_rollouts, read_ratings
from scripts.collaboration.schemas import JUDGEMENTS, ROLLOUT_ID
from scripts.lib.analysis import agreement
from scripts.lib.analysis.bootstrap import Array, draw_weights, estimate, estimate_columns
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.stage import run
from scripts.lib.tables import read_each, write_rows

Row = dict[str, Any]


def _cohen_kappas(ratings: Array, weights: Array) -> Array:
    return agreement.cohen_kappas(ratings[:, 0], ratings[:, 1], weights)


MEASURES = {
    "fleiss_kappa": agreement.fleiss_kappa,
    "krippendorff_alpha": agreement.krippendorff_alpha,
    "cohen_judge": _cohen_kappas,
    "cohen_pair": _cohen_kappas,
}


@dataclass(frozen=True)
class Labels:
    """One stage's labels of the annotated rollouts: of the raters (rollouts, raters), of the judge.

    1 satisfied, 0 not, NaN without a label. ``judged`` are the judgements by rollout, where there are any.
    """

    stage: str
    raters: list[str]
    rollouts: list[str]
    ratings: Array
    judged: dict[str, Row]

    @property
    def majority(self) -> Array:
        """What most raters say of each rollout, NaN for a tie or without a rating."""
        return agreement.majority(self.ratings)

    @property
    def verdicts(self) -> Array:
        """What the judge says of each rollout, NaN without a verdict."""
        return np.array([_number(self.judged.get(name, {}).get("satisfied")) for name in self.rollouts])


def measure_agreement(
    annotations: list[Path],
    simulated_annotations: list[Path],
    judgements: list[Path],
    output: Path,
    disagreements: Path,
    job: Row,
) -> None:
    """Write kappas and alpha by stage, and the rollouts on which raters, or judge and raters, differ.

    Simulated raters count only where no person has rated. Intervals are percentile bootstrap intervals: the
    annotated rollouts are drawn anew, the same draw for every stage, coefficient and rater, so all of them
    are paired; raters are not resampled. ``job``: the plan of the homogeneous conversations (see
    ``layout``), rollouts, statistics, simulated ({team: bool}), judge. Raises UserError that names file and
    line of what cannot be an annotation.
    """
    planned = planned_rollouts(job)
    ratings = read_ratings(annotations, planned) or read_ratings(simulated_annotations, planned, True)
    rated = {rating.rollout for rating in ratings}
    annotated = {name: row for name, row in planned.items() if name in rated}
    labels = [
        _labels(stage, ratings, list(annotated), _judged(judgements, annotated, stage)) for stage in STAGES
    ]
    rows = [row for stage in labels for row in _coefficients(stage, job)] if annotated else []
    played = any(job["simulated"][row["team"]] for row in annotated.values())
    write_rows(output, [row | {"simulated": played or row["simulated"]} for row in rows], AGREEMENT)
    found = [row for stage in labels for row in _disagreements(stage, annotated, job)]
    write_rows(disagreements, found, DISAGREEMENTS)


def _judged(paths: Sequence[Path], annotated: dict[str, Row], stage: str) -> dict[str, Row]:
    """The judge's row of one stage for each annotated rollout that it judged."""
    wanted = {_identity(row): name for name, row in annotated.items()}
    columns = [*ROLLOUT_ID, "simulated", "stage", "satisfied", "turn", "quotation"]
    return {
        wanted[_identity(row)]: row
        for path in paths
        for row in read_each(path, JUDGEMENTS, columns)
        if row["stage"] == stage and _identity(row) in wanted
    }


def _identity(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in ROLLOUT_ID)


def _labels(stage: str, ratings: Sequence[Rating], rollouts: list[str], judged: dict[str, Row]) -> Labels:
    raters = sorted({rating.rater for rating in ratings})
    rows, columns = ({name: n for n, name in enumerate(names)} for names in (rollouts, raters))
    table = np.full((len(rollouts), len(raters)), np.nan)
    for rating in ratings:
        if rating.stage == stage:
            table[rows[rating.rollout], columns[rating.rater]] = _number(rating.satisfied)
    return Labels(stage, raters, rollouts, table, judged)


def _number(satisfied: bool | None) -> float:
    return np.nan if satisfied is None else float(satisfied)


def _coefficients(labels: Labels, job: Row) -> list[Row]:
    """A stage's rows: all raters (kappa, alpha), the judge against the majority, every pair of raters."""
    ratings, verdicts = labels.ratings, labels.verdicts
    seed, resamples, level = (job["statistics"][name] for name in ("seed", "resamples", "level"))
    weights = draw_weights(seed, "annotations", resamples, len(ratings))
    complete = np.where(np.isnan(ratings).any(axis=1, keepdims=True), np.nan, ratings)
    against = np.stack([labels.majority, verdicts], axis=1)
    voted = ~np.isnan(ratings).all(axis=1)
    everyone = {"stage": labels.stage} | _who(labels.raters)
    judge = {
        "judge": job["judge"],
        "ties": int((voted & np.isnan(labels.majority)).sum()),
        "unjudged": int((voted & np.isnan(verdicts)).sum()),
        "simulated": everyone["simulated"] or any(row["simulated"] for row in labels.judged.values()),
    }
    rows = [
        everyone | _row("fleiss_kappa", complete, weights, level),
        everyone | _row("krippendorff_alpha", ratings, weights, level),
        everyone | _row("cohen_judge", against, weights, level) | judge,
    ]
    for one, two in combinations(range(len(labels.raters)), 2):
        pair = [labels.raters[one], labels.raters[two]]
        rows.append(everyone | _who(pair) | _row("cohen_pair", ratings[:, [one, two]], weights, level))
    return rows


def _row(measure: str, ratings: Array, weights: Array, level: float) -> Row:
    """A coefficient and the raw agreement over the rollouts with two ratings or more, with intervals."""
    rated = (~np.isnan(ratings)).sum(axis=1)
    coefficient = estimate(MEASURES[measure](ratings, weights), level)
    raw = estimate(agreement.raw_agreement(ratings, weights), level)
    return {
        "measure": measure,
        "rollouts": int((rated >= 2).sum()),
        "ratings": int(rated[rated >= 2].sum()),
        **estimate_columns("coefficient", coefficient),
        **estimate_columns("agreement", raw),
    }


def _who(raters: Sequence[str]) -> Row:
    """The columns that name raters and tell whether one of them is simulated."""
    simulated = any(rater.startswith(SIMULATED) for rater in raters)
    return {"raters": "; ".join(raters), "simulated": simulated}


def _disagreements(labels: Labels, annotated: dict[str, Row], job: Row) -> list[Row]:
    """The rollouts whose raters do not all say the same, or whose judge differs from the majority."""
    rows = []
    for name, votes, most, verdict in zip(
        labels.rollouts, labels.ratings, labels.majority, labels.verdicts, strict=True
    ):
        given = votes[~np.isnan(votes)]
        about = {
            "raters_differ": len(np.unique(given)) > 1,
            "judge_differs": not np.isnan(most) and not np.isnan(verdict) and bool(most != verdict),
        }
        if any(about.values()):
            judged = labels.judged.get(name, {})
            rows.append(
                annotated[name]
                | {"rollout": name, "stage": labels.stage, **about}
                | {"satisfied": int(given.sum()), "not_satisfied": int((given == 0).sum())}
                | {"majority": None if np.isnan(most) else bool(most)}
                | {"judge": job["judge"], "verdict": judged.get("satisfied")}
                | {"turn": judged.get("turn"), "quotation": judged.get("quotation")}
                | {"simulated": job["simulated"][annotated[name]["team"]] or _who(labels.raters)["simulated"]}
            )
    return rows


if __name__ == "__main__":
    run(measure_agreement)
