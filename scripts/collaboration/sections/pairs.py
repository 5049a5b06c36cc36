"""The report's section on mixed pairs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.collaboration.schemas import PAIRS
from scripts.collaboration.sections.measures import SCOPES, as_text, scope_of, team_of
from scripts.lib.tables import read_rows

Row = dict[str, Any]
READINGS = {"solo": "alone (solo_full)", "own": "with a copy of itself (collab)"}


def section(data: Path, _job: Row) -> Row | None:
    """The numbers of ``statistics/pairs.parquet`` as text; None where no pair was planned."""
    rows = read_rows(data / "statistics" / "pairs.parquet", PAIRS)
    rows = [row for row in rows if row["scope"] in SCOPES]
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(team_of(row), []).append(_shown(row))
    found = [{"team": team, "rows": its} for team, its in groups.items()]
    return {"figures": ["fig7_pairs"], "groups": found, "readings": READINGS} if found else None


def _shown(row: Row) -> Row:
    about = {"scope": scope_of(row), "all": row["scope"] == "all"}
    about |= {name: row[name] for name in ("tasks", "graded", "planned")}
    shown = about | as_text(row, "pair", "slot_effect")
    for name in READINGS:
        columns = [f"{name}_1", f"{name}_2", f"midpoint_{name}", f"from_midpoint_{name}", f"tax_{name}"]
        shown[name] = list(as_text(row, *columns).values())
    return shown
