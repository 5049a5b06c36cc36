"""The report's section on teams as games: values, violations, and the game to play with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.collaboration.schemas import GAME_VALUES
from scripts.collaboration.sections.measures import SCOPES, as_text, scope_of, team_of
from scripts.lib.drawing.numbers import interval, known, percent
from scripts.lib.names import team_name
from scripts.lib.tables import read_rows

Row = dict[str, Any]
MEASURES = ("v1", "v2", "v12", "tax", "phi_1", "phi_2")
ALONE = {"solo_full": "alone (solo_full)", "own_collab": "with a copy of itself (collab)"}


def section(data: Path, job: Row) -> Row | None:
    """The numbers of ``statistics/game_values.parquet`` as text; None where no team has a game.

    ``job``: published, with the topic ``pairs``.
    """
    rows = read_rows(data / "statistics" / "game_values.parquet", GAME_VALUES)
    rows = [row for row in rows if row["scope"] in SCOPES and known(row["v12"])]
    if not rows:
        return None
    mixed_first = sorted(rows, key=lambda row: row["kind"] == "homogeneous")
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((team_of(row), ALONE[row["alone"]]), []).append(_shown(row))
    return {
        "figures": ["fig2_game"],
        "scripts": ["game.js"],
        "groups": [{"team": team, "alone": alone, "rows": its} for (team, alone), its in groups.items()],
        "measured": [_game(row) for row in mixed_first if row["scope"] == "all"],
        "published": _published(job["published"].get("pairs")),
    }


def _shown(row: Row) -> Row:
    counts = {
        name: f"{interval(row[name], row[f'{name}_low'], row[f'{name}_high'], 0)} of {row['tasks']}"
        for name in ("taxed", "subadditive")
    }
    clear = {name: row[name] for name in ("taxed_clear", "subadditive_clear")}
    share = {"share": percent(row["tax_share"]), "scope": scope_of(row), "all": row["scope"] == "all"}
    return as_text(row, *MEASURES) | counts | clear | share


def _game(row: Row) -> Row:
    """A game that the page can load."""
    return {"label": f"{team_of(row)}: members {ALONE[row['alone']]}"} | {
        name: f"{row[name]:.3f}" for name in ("v1", "v2", "v12")
    }


def _published(pairs: Row | None) -> list[Row]:
    return [
        {
            "label": team_name(tuple(pair["team"])),
            "v1": f"{pair['members'][0]:.3f}",
            "v2": f"{pair['members'][1]:.3f}",
            "v12": f"{pair['pair']:.3f}",
        }
        for pair in (pairs or {}).get("teams", [])
    ]
