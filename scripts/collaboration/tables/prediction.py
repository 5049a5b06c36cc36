"""Tables of the prediction from the shape of conversations."""

from __future__ import annotations

from scripts.collaboration.prediction_schemas import PREDICTION, PREDICTION_CELLS, PREDICTION_COEFFICIENTS
from scripts.collaboration.prediction_words import CHOICES, SCHEMES, TARGETS, VARIANTS
from scripts.collaboration.tables.table import FAMILY, TASK, Table
from scripts.lib.tables import Rows
from scripts.lib.typesetting import Column, estimated, number, text


def _named(title: str, name: str, words: dict[str, str]) -> Column:
    return title, lambda row: words[row[name]]


TARGET, VARIANT, SCHEME, CHOICE = (
    _named(name.capitalize(), name, words)
    for name, words in {"target": TARGETS, "variant": VARIANTS, "scheme": SCHEMES, "choice": CHOICES}.items()
)
RESAMPLED = (
    "In brackets: percentile bootstrap intervals over tasks, all fits made anew, moved to the estimate."
)


def _shown_cells(rows: Rows) -> Rows:
    return [row for row in rows if (row["variant"], row["scheme"]) == ("full", "group_kfold")]


TABLES = [
    Table(
        "prediction",
        "statistics/prediction.parquet",
        PREDICTION,
        (
            TARGET,
            SCHEME,
            CHOICE,
            VARIANT,
            text("Cells", "cells"),
            number("Penalty", "penalty"),
            estimated("r2", "R squared"),
            number("Exchanged", "r2_null"),
            number("p", "r2_p"),
            estimated("spearman", "Spearman"),
            number("Exchanged", "spearman_null"),
            number("p", "spearman_p"),
            estimated("gain", "Gain over dummies"),
        ),
        "Ridge regression of cells on the shape of their conversations, out of fold. "
        f"{RESAMPLED} Exchanged: the mean when the tasks of a family exchange their targets.",
    ),
    Table(
        "prediction_coefficients",
        "statistics/prediction_coefficients.parquet",
        PREDICTION_COEFFICIENTS,
        (
            TARGET,
            VARIANT,
            text("Kind", "kind"),
            text("Column", "column"),
            number("Mean", "mean"),
            number("Deviation", "deviation"),
            estimated("coefficient"),
        ),
        f"Coefficients for one standard deviation, fixed penalty, all cells. {RESAMPLED}",
    ),
    Table(
        "prediction_cells",
        "statistics/prediction_cells.parquet",
        PREDICTION_CELLS,
        (
            TARGET,
            text("Team", "team"),
            FAMILY,
            TASK,
            text("Samples", "samples"),
            text("Fold", "fold"),
            number("Observed", "observed"),
            number("Predicted", "predicted"),
        ),
        "Cells and their out-of-fold predictions from all columns, folds by task, fixed penalty.",
        _shown_cells,
    ),
]
