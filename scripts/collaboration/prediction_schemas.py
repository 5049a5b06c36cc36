"""The columns of the tables about the shape of conversations; the other tables are in ``schemas``."""

from __future__ import annotations

from scripts.collaboration.schemas import COUNT, FLAG, NUMBER, ROLLOUT_ID, TEXT, estimates, schema

# One row a rollout of mode collab. Its features are defined in scripts/lib/dialogue/shape.py (docs/shape.md);
# all but ``turns`` are null where nobody spoke.
_HOW = ("turns", "words_per_turn", "words_balance", "pacing", "agreement", "disagreement", "questions")
_WHAT = ("numbers", "coordinates", "view_a_share", "view_b_share", "transfer_entropy", "transfer_lag")
_FEATURES = dict.fromkeys((*_HOW, *_WHAT, "repeated", "first_proposal"), NUMBER)
SHAPE = schema(**ROLLOUT_ID, simulated=FLAG, outcome=TEXT, **_FEATURES)

# One row a target x scheme x choice of the penalty x variant; what is null is so for ``reason``. *_null is
# the mean of the permutations, *_null_high their upper quantile, *_effect the value less that mean.
PREDICTION = schema(
    target=TEXT,
    variant=TEXT,
    choice=TEXT,
    scheme=TEXT,
    simulated=FLAG,
    planned=COUNT,
    cells=COUNT,
    models=COUNT,
    tasks=COUNT,
    folds=COUNT,
    penalty=NUMBER,
    **estimates("r2"),
    **dict.fromkeys(("r2_null", "r2_null_high", "r2_effect", "r2_p"), NUMBER),
    **estimates("spearman"),
    **dict.fromkeys(("spearman_null", "spearman_null_high", "spearman_effect", "spearman_p"), NUMBER),
    **estimates("gain"),
    reason=TEXT,
)

# One row a target x variant x column; the coefficient is in units of the target for one deviation of it.
PREDICTION_COEFFICIENTS = schema(
    **dict.fromkeys(("target", "variant", "kind", "column"), TEXT),
    simulated=FLAG,
    **dict.fromkeys(("mean", "deviation", "coefficient", "coefficient_low", "coefficient_high"), NUMBER),
)

# One row a target x variant x scheme x cell (fixed penalty): the value and its out-of-fold prediction.
PREDICTION_CELLS = schema(
    **dict.fromkeys(("target", "variant", "scheme", "team", "family", "task"), TEXT),
    simulated=FLAG,
    **dict.fromkeys(("samples", "fold"), COUNT),
    **dict.fromkeys(("observed", "predicted"), NUMBER),
)
