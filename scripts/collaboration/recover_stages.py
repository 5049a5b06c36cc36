"""Hold the judge against what simulated agents were planted with -> ``statistics/recovery.parquet``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from scripts.collaboration.conversations import read_conversations
from scripts.collaboration.layout import artifacts
from scripts.collaboration.schemas import JUDGEMENTS, RECOVERY, ROLLOUT_ID, SAMPLES
from scripts.lib.agents.models import Profile
from scripts.lib.agents.simulated.planted import planted_labels
from scripts.lib.analysis.agreement import cohen_kappas
from scripts.lib.analysis.bootstrap import Array, draw_weights, estimate, estimate_columns, weighted_means
from scripts.lib.dialogue.protocol import Turn
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.names import team_name
from scripts.lib.stage import run
from scripts.lib.tables import Rows, read_rows, write_rows

Row = dict[str, Any]
PLANTED, FOUND = 0, 1  # columns of the ratings


def recover_stages(data: Path, output: Path, job: Row) -> None:
    """Write one row a simulated team and stage, and one a stage for all of them; none without such a team.

    ``job``: the plan of the homogeneous conversations, profiles ({model: its planted rates, of simulated
    models only}), statistics (resamples, seed, level).

    What was planted is read off the recorded conversation by going through the agents' chances again (see
    ``planted.py``). Compared are the drawn rollouts with a valid verdict on the stage, each once. Intervals:
    percentile bootstrap over these rollouts, within a row's teams together.
    """
    ratings = {
        team_name(tuple(team)): _ratings(data, team, job)
        for team in job["teams"]
        if team[0] in job["profiles"]
    }
    rows: Rows = []
    for place, stage in enumerate(STAGES):
        by_team = {team: its[place] for team, its in ratings.items()}
        everyone = {None: np.vstack(list(by_team.values()))} if by_team else {}
        for team, its in (by_team | everyone).items():
            rows.append({"team": team, "stage": stage, "judge": job["judge"]} | _row(its, team, job))
    write_rows(output, rows, RECOVERY)


def _ratings(data: Path, team: list[str], job: Row) -> list[Array]:
    """For each stage an array (rollouts, 2): planted and judged; 1 satisfied, NaN without a valid verdict."""
    plan, name = job | {"teams": [team]}, team_name(tuple(team))
    (path,) = artifacts(data, "judgements", plan)
    found = {_key(row): row["satisfied"] for row in read_rows(path, JUDGEMENTS)}
    sample = [
        row for row in read_rows(data / "samples" / "judgements.parquet", SAMPLES) if row["team"] == name
    ]
    views, rollouts = (artifacts(data, stage, plan) for stage in ("views", "rollouts"))
    profile, pairs = Profile(**job["profiles"][team[0]]), []
    for row in read_conversations(sample, views, rollouts):
        turns = [Turn(message["slot"], message["text"]) for message in row["messages"]]
        planted = planted_labels(profile, row["views"], turns)
        pairs.append([(planted[stage], found[_key(row | {"stage": stage})]) for stage in STAGES])
    values = np.array(pairs, dtype=np.float64).reshape(-1, len(STAGES), 2)
    return [values[:, place] for place in range(len(STAGES))]


def _key(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in (*ROLLOUT_ID, "stage"))


def _row(ratings: Array, team: str | None, job: Row) -> Row:
    """The measures of one stage."""
    settings = job["statistics"]
    ratings = ratings[~np.isnan(ratings).any(axis=1)]
    planted, found = ratings[:, PLANTED], ratings[:, FOUND]
    row: Row = {
        "simulated": True,
        "judged": len(ratings),
        "planted": float(planted.mean()) if len(ratings) else None,
        "found": float(found.mean()) if len(ratings) else None,
        "missed": int(np.sum((planted == 0) & (found == 1))),
        "false_alarms": int(np.sum((planted == 1) & (found == 0))),
    }
    if not len(ratings):
        return row
    weights = draw_weights(settings["seed"], f"recovery/{team}", settings["resamples"], len(ratings))
    same = weighted_means((planted == found).astype(float), weights)
    for name, values in (("agreement", same), ("kappa", cohen_kappas(planted, found, weights))):
        row |= estimate_columns(name, estimate(values, settings["level"]))
    return row


if __name__ == "__main__":
    run(recover_stages)
