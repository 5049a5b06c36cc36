"""Tables with the published numbers beside this run's."""

from __future__ import annotations

from typing import Any

from scripts.collaboration.layout import BASELINE
from scripts.collaboration.ordering import mean_gap
from scripts.collaboration.schemas import PAIRS, TAX
from scripts.collaboration.tables.table import BRACKETS, FAMILY, TEAM, Table
from scripts.lib.drawing.numbers import known
from scripts.lib.names import team_name
from scripts.lib.tables import Rows
from scripts.lib.typesetting import estimated, number, text
from tasks import TASKS

Beside = dict[
    str, Any
]  # topics of the published numbers, and ``matched``: {model of this run: published name}
NOTHING = {"team": None, "simulated": False}
GAP = ("ratio_gap", "ratio_gap_low", "ratio_gap_high")
SCORES = ("pair", "solo_1", "solo_2", "own_1", "own_2")
OF_PAIR = tuple(f"{name}{end}" for name in SCORES for end in ("", "_low", "_high"))


def single(rows: Rows, scope: str) -> Rows:
    """The rows of single models in the baseline."""
    return [
        row for row in rows if (row["arm"], row["kind"], row["scope"]) == (BASELINE, "homogeneous", scope)
    ]


def models_beside(rows: Rows, beside: Beside) -> Rows:
    """A published model and family a row, with the gap of the model of this run that has its name, if any."""
    gaps = beside.get("ratio_gaps") or {"models": {}}
    found = {(beside["matched"].get(row["team"]), row["family"]): row for row in single(rows, "family")}
    return [
        {"model": model, "family": family, "published": gap, "mark": gaps["mark"]}
        | {name: found.get((model, family), NOTHING).get(name) for name in ("team", "simulated", *GAP)}
        for model, families in gaps["models"].items()
        for family, gap in families.items()
    ]


def tasks_beside(rows: Rows, beside: Beside) -> Rows:
    """A task a row: its published gap, and the mean over the models of this run, as Figure 4 shows it."""
    gaps = beside.get("ratio_gaps") or {"tasks": {}}
    table = []
    for task, gap in gaps["tasks"].items():
        its = [row for row in single(rows, "task") if row["task"] == task]
        mean, exploratory = mean_gap(its)
        about = {"task": task, "family": TASKS[task], "published": gap, "mark": gaps["mark"]}
        simulated = any(row["simulated"] for row in its)
        about |= {"mean_gap": mean, "exploratory": exploratory, "simulated": simulated}
        table.append(about | {"models": sum(known(row["ratio_gap"]) for row in its)})
    return table


def pairs_beside(rows: Rows, beside: Beside) -> Rows:
    """A published pair a row, with the pair of this run whose models have these names, if any."""
    pairs = beside.get("pairs") or {"teams": []}
    found = {
        tuple(beside["matched"].get(row[seat]) for seat in ("first", "second")): row
        for row in rows
        if row["scope"] == "all"
    }
    table = []
    for pair in pairs["teams"]:
        own = found.get(tuple(pair["team"]), NOTHING)
        shapley = pair["shapley"] or [None, None]
        about = {"models": team_name(tuple(pair["team"])), "mark": pairs["mark"], "published": pair["pair"]}
        about |= {f"published_{n + 1}": pair["members"][n] for n in range(2)}
        about |= {f"published_phi_{n + 1}": shapley[n] for n in range(2)}
        table.append(about | {name: own.get(name) for name in ("team", "simulated", *OF_PAIR)})
    return table


TABLES = [
    Table(
        "published_models",
        "statistics/tax.parquet",
        TAX,
        (
            text("Published model", "model"),
            FAMILY,
            number("Published", "published"),
            text("Mark", "mark"),
            TEAM,
            estimated("ratio_gap"),
        ),
        f"Ratio gaps, published and of this run where a model has the published name. {BRACKETS}",
        beside=models_beside,
    ),
    Table(
        "published_tasks",
        "statistics/tax.parquet",
        TAX,
        (
            text("Task", "task"),
            FAMILY,
            number("Published", "published"),
            text("Mark", "mark"),
            number("Mean over this run's models", "mean_gap"),
            text("Models", "models"),
        ),
        "Ratio gaps by task: published means over 11 models, and means over the models of this run.",
        beside=tasks_beside,
    ),
    Table(
        "published_pairs",
        "statistics/pairs.parquet",
        PAIRS,
        (
            text("Published pair", "models"),
            *(number(f"Published {n}", name) for n, name in (("v1", "published_1"), ("v2", "published_2"))),
            number("Published pair", "published"),
            number("Published phi 1", "published_phi_1"),
            number("Published phi 2", "published_phi_2"),
            TEAM,
            *map(estimated, SCORES),
        ),
        f"Mixed pairs, published and of this run where two models have the published names. {BRACKETS}",
        beside=pairs_beside,
    ),
]
