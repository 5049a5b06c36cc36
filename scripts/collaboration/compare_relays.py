"""Compare each relay with those who keep their seats: grades -> ``statistics/relays.parquet``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.collaboration.beyond_schemas import RELAYS
from scripts.collaboration.cells import Cell, read_scores
from scripts.collaboration.layout import BASELINE, artifacts
from scripts.collaboration.paired import Measures, paired_rows
from scripts.lib.analysis.bootstrap import Array
from scripts.lib.names import team_name
from scripts.lib.stage import run
from scripts.lib.tables import write_rows

Row = dict[str, Any]


def compare_relays(grades: list[Path], output: Path, job: Row) -> None:
    """Write for every relay one row a scope.

    ``job``: arms (the baseline and the relays), relays ({arm: seat, turns, teams}), teams, modes, tasks
    ({task: family}), rollouts (a cell), simulated ({model: bool}), statistics (resamples, seed, level).

    All scores are of mode collab: relay its own, pair those of the same two models when both keep their
    seats, own_first and own_then those of each model with a copy of itself (null where it was not run).
    from_* = relay - these. All means are over the same instances, see ``paired_rows``.
    """
    scores = read_scores(grades, job)
    rows = []
    for arm, relay in job["relays"].items():
        for team in relay["teams"] if "collab" in job["modes"] else ():
            first, then = team if relay["seat"] == 1 else team[::-1]
            values = {task: measures(scores, arm, (first, then), team, task) for task in job["tasks"]}
            about = {"arm": arm, "team": team_name(tuple(team)), "first": first, "then": then}
            about |= {"seat": relay["seat"], "turns": relay["turns"]}
            about |= {"simulated": any(job["simulated"][name] for name in team)}
            rows += [about | row for row in paired_rows(values, job)]
    write_rows(output, rows, RELAYS)


def measures(
    scores: dict[Cell, Array], arm: str, speakers: tuple[str, str], team: list[str], task: str
) -> Measures:
    """The scores of a relay on a task and of those it is compared with, each (rollouts,), and differences."""
    relay = scores[arm, team_name(tuple(team)), "collab", task]
    others = {"pair": team_name(tuple(team)), "own_first": speakers[0], "own_then": speakers[1]}
    found: Measures = {"relay": relay}
    for name, other in others.items():
        score = scores.get((BASELINE, other, "collab", task))
        if score is not None:
            found |= {name: score, f"from_{name}": relay - score}
    return found


def from_data(data: Path, output: Path, job: Row) -> None:
    """``compare_relays`` on the planned files below the study's data folder."""
    compare_relays(artifacts(data, "grades", job), output, job)


if __name__ == "__main__":
    run(from_data)
