"""The columns of the tables about people's labels; the other tables are in ``schemas``."""

from __future__ import annotations

from scripts.collaboration.schemas import COUNT, FLAG, NUMBER, ROLLOUT_ID, TEXT, schema

# One row a stage and measure: fleiss_kappa (over rollouts that all raters labelled), krippendorff_alpha (over
# those with two ratings or more), cohen_judge (the judge against the raters' majority), cohen_pair (two
# raters). ``raters`` are their names; ``ties`` are rollouts without a majority, ``unjudged`` without a
# verdict; ``agreement`` is the share of equal labels.
AGREEMENT = schema(
    stage=TEXT,
    measure=TEXT,
    raters=TEXT,
    judge=TEXT,
    simulated=FLAG,
    rollouts=COUNT,
    ratings=COUNT,
    ties=COUNT,
    unjudged=COUNT,
    coefficient=NUMBER,
    coefficient_low=NUMBER,
    coefficient_high=NUMBER,
    agreement=NUMBER,
    agreement_low=NUMBER,
    agreement_high=NUMBER,
)

# One row a rollout and stage on which raters, or the judge and their majority, differ. ``rollout`` is its
# opaque id; satisfied and not_satisfied count votes; turn (from 0) and quotation are the judge's evidence.
DISAGREEMENTS = schema(
    **ROLLOUT_ID,
    rollout=TEXT,
    stage=TEXT,
    simulated=FLAG,
    satisfied=COUNT,
    not_satisfied=COUNT,
    majority=FLAG,
    judge=TEXT,
    verdict=FLAG,
    turn=COUNT,
    quotation=TEXT,
    raters_differ=FLAG,
    judge_differs=FLAG,
)
