"""Tables beyond the published study: shorter turn caps, the critic pass, relays."""

from __future__ import annotations

from scripts.collaboration.beyond_schemas import ALONE, CAPS, CRITIC, RELAYS
from scripts.collaboration.tables.table import BRACKETS, SCOPE, TEAM, Table
from scripts.lib.typesetting import estimated, text

COUNTED = (SCOPE, text("Graded", "graded"), text("Planned", "planned"))

TABLES = [
    Table(
        "caps",
        "statistics/caps.parquet",
        CAPS,
        (
            TEAM,
            text("Cap", "cap"),
            *COUNTED,
            *(estimated(name) for name in ("tax", "bound", "cut", "unsubmitted")),
        ),
        "Tax under shorter turn caps (exchanges), replayed; bound: what it has more than under the longest "
        "cap; cut: share of conversations that had not ended within the cap; unsubmitted: share in which "
        f"only the grader model found an answer, which counts as none here. {BRACKETS}",
        lambda rows: [row for row in rows if row["scope"] != "task"],
    ),
    Table(
        "relays",
        "statistics/relays.parquet",
        RELAYS,
        (
            *(text(name.capitalize(), name) for name in ("first", "then", "seat", "turns")),
            *COUNTED,
            *(estimated(name) for name in ("relay", "pair", "own_first", "own_then")),
            *(estimated(name) for name in ("from_pair", "from_own_first", "from_own_then")),
        ),
        "Relays: one model has a seat for so many turns, then the other, who has the other seat throughout; "
        "against the pair that keeps its seats and each model with itself, on the same instances. "
        f"{BRACKETS}",
        lambda rows: [row for row in rows if row["scope"] != "task"],
    ),
    Table(
        "alone",
        "statistics/alone.parquet",
        ALONE,
        (
            TEAM,
            *COUNTED,
            *(estimated(name) for name in ("joint", "alone_1", "alone_2", "best")),
            *(estimated(name) for name in ("from_alone_1", "from_alone_2", "from_best", "known", "unknown")),
        ),
        "The conversation's score and that of each agent's own answer, asked alone at the end; best: the "
        "better of both on each instance, chosen with the optimum known; known: share of instances in which "
        f"one of them has a success and the conversation none; unknown: the reverse. {BRACKETS}",
        lambda rows: [row for row in rows if row["scope"] != "task"],
    ),
    Table(
        "critic",
        "statistics/critic.parquet",
        CRITIC,
        (
            TEAM,
            text("Mode", "mode"),
            *COUNTED,
            *(estimated(name) for name in ("with_critic", "without", "change", "repaired", "broken")),
            *(estimated(name) for name in ("tax_with", "tax_without", "unread")),
        ),
        "Solo scores with and without the critic pass, replayed; repaired and broken: share of instances "
        "that succeed only with it, only without it. Answers count as the program reads them; unread: share "
        f"that only the grader model read. {BRACKETS}",
        lambda rows: [row for row in rows if row["scope"] != "task"],
    ),
]
