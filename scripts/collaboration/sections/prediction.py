"""The report's section on the prediction from the shape of conversations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.collaboration.prediction_schemas import PREDICTION, PREDICTION_COEFFICIENTS
from scripts.collaboration.prediction_words import CHOICES, SCHEMES, TARGETS, VARIANTS
from scripts.lib.dialogue.shape import FEATURES
from scripts.lib.drawing.numbers import decimal, interval
from scripts.lib.tables import read_rows

SAMPLES = "conversations in the cell"

Row = dict[str, Any]


def section(data: Path, job: Row) -> Row | None:
    """The numbers of the prediction as text; None where there are none.

    ``job``: modes, prediction (penalty, penalties), published (prediction: r2, spearman; or null).
    """
    rows = read_rows(data / "statistics" / "prediction.parquet", PREDICTION)
    if not rows or "collab" not in job["modes"]:
        return None
    coefficients = read_rows(data / "statistics" / "prediction_coefficients.parquet", PREDICTION_COEFFICIENTS)
    main = next(row for row in rows if is_main(row))
    return {
        "figures": ["fig_prediction"],
        "main": shown(main),
        "published": published(job["published"]["prediction"]),
        "reasons": list(dict.fromkeys(about(row) for row in rows if row["reason"])),
        "rows": [shown(row) for row in rows],
        "features": features(coefficients),
        "fixed": decimal(job["prediction"]["penalty"]),
        "penalties": ", ".join(f"{penalty:g}" for penalty in job["prediction"]["penalties"]),
    }


def is_main(row: Row) -> bool:
    """Whether a row is the one that the publication tells of."""
    wanted = ("collab", "full", "fixed", "group_kfold")
    return (row["target"], row["variant"], row["choice"], row["scheme"]) == wanted


def about(row: Row) -> str:
    """What could not be predicted, and why."""
    return f"{TARGETS[row['target']]}, {SCHEMES[row['scheme']]}: {row['reason']}"


def shown(row: Row) -> Row:
    """A row of the prediction as text; numbers that are not known become dashes."""
    measures = {
        name: interval(row[name], row[f"{name}_low"], row[f"{name}_high"])
        for name in ("r2", "spearman", "gain")
    }
    nulls = {
        f"{name}_{kind}": decimal(row[f"{name}_{kind}"], 3 if kind == "p" else 2)
        for name in ("r2", "spearman")
        for kind in ("null", "effect", "p")
    }
    words = {
        "target": TARGETS[row["target"]],
        "scheme": SCHEMES[row["scheme"]],
        "choice": CHOICES[row["choice"]],
        "variant": VARIANTS[row["variant"]],
        "penalty": decimal(row["penalty"]),
    }
    counts = {name: row[name] for name in ("cells", "planned", "models", "tasks", "folds")}
    return words | measures | nulls | counts


def published(numbers: Row | None) -> Row | None:
    """The published R squared and rho as text."""
    return numbers and {name: decimal(numbers[name], 3) for name in ("r2", "spearman")}


def features(coefficients: list[Row]) -> list[Row]:
    """Each feature with its definition, its mean over cells and its coefficients for the score in collab."""
    found = {
        (row["variant"], row["column"]): row
        for row in coefficients
        if row["target"] == "collab" and row["kind"] == "shape"
    }
    table = []
    for name in dict.fromkeys(column for _, column in found):
        row = found["full", name]
        unit = FEATURES[name].unit if name in FEATURES else "conversations"
        line = {
            "name": name,
            "unit": unit,
            "mean": decimal(row["mean"]),
            "deviation": decimal(row["deviation"]),
        }
        line["definition"] = FEATURES[name].definition.replace("`", "") if name in FEATURES else SAMPLES
        for variant in ("full", "shape"):
            its = found[variant, name]
            ends = (its["coefficient_low"], its["coefficient_high"])
            line[variant] = interval(its["coefficient"], *ends, places=3)
        table.append(line)
    return table
