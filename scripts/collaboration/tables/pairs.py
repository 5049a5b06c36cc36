"""Tables of the mixed pairs and of the teams as games."""

from __future__ import annotations

from scripts.collaboration.schemas import GAME_VALUES, PAIRS
from scripts.collaboration.tables.table import BRACKETS, SCOPE, TEAM, Table
from scripts.lib.typesetting import estimated, number, text

MEMBERS = ("solo_1", "solo_2", "own_1", "own_2")
AGAINST = tuple(f"{name}_{of}" for of in ("solo", "own") for name in ("midpoint", "from_midpoint", "tax"))

TABLES = [
    Table(
        "pairs",
        "statistics/pairs.parquet",
        PAIRS,
        (
            TEAM,
            SCOPE,
            text("Tasks", "tasks"),
            text("Graded", "graded"),
            *(estimated(name) for name in ("pair", *MEMBERS, *AGAINST, "slot_effect")),
        ),
        "Mixed pairs in slot order against their members: solo is a member's score alone (solo full), own "
        "its score with a copy of itself, each with its midpoint, the pair's distance from it and the tax "
        f"against the better member. Slot effect: this order less the other one. {BRACKETS}",
    ),
    Table(
        "game_values",
        "statistics/game_values.parquet",
        GAME_VALUES,
        (
            TEAM,
            text("Alone", "alone"),
            SCOPE,
            text("Tasks", "tasks"),
            *(estimated(name) for name in ("v1", "v2", "v12", "tax", "surplus", "phi_1", "phi_2")),
            number("Share with tax", "tax_share"),
            estimated("taxed"),
            text("Clear", "taxed_clear"),
            estimated("subadditive"),
            text("Clear", "subadditive_clear"),
        ),
        "Teams as games of two players: scores alone and together, tax, surplus, Shapley values; tasks with "
        "a tax (max-superadditivity violated) and strictly subadditive ones, and how many have an interval "
        f"on that side of 0. Share with tax: of the resamples. {BRACKETS}",
    ),
]
