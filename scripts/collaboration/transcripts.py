"""Choose a few conversations to show, and read what a reader needs to judge them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

from scripts.collaboration.instances import optimal_answer
from scripts.collaboration.schemas import ANSWERS, GRADES, INSTANCES, ROLLOUT_ID, ROLLOUTS, VIEWS
from scripts.lib.errors import UserError
from scripts.lib.names import team_name
from scripts.lib.tables import read_rows
from tasks.contract import HOLDERS

Row = dict[str, Any]
_SHARD_PARTS = 5  # {arm}/{team}/{mode}/{family}/{batch}.parquet, the same below every stage's folder


def choose(rows: Sequence[Row], count: int) -> list[Row]:
    """Up to ``count`` graded collab rollouts: success and failure in turn, families and teams spread.

    ``rows`` are grades; among equals the first one is taken, so the choice depends on their order alone.
    """
    left = [row for row in rows if row["mode"] == "collab" and row["score"] is not None]
    used: Counter[str] = Counter()
    chosen: list[Row] = []
    while left and len(chosen) < count:
        wanted = len(chosen) % 2 == 0
        pool = [row for row in left if (row["score"] >= 1) == wanted] or left
        best = min(pool, key=lambda row: used[row["family"]] + used[row["team"]] + used[row["task"]])
        used.update((best["family"], best["team"], best["task"]))
        chosen.append(best)
        left.remove(best)
    return chosen


def read_transcripts(
    instances: Sequence[Path],
    views: Sequence[Path],
    rollouts: Sequence[Path],
    answers: Sequence[Path],
    grades: Sequence[Path],
    job: Row,
) -> list[Row]:
    """The chosen rollouts with views, turns and answers; reads only the shards that hold them.

    Raises UserError where a chosen rollout's shard or row is missing.
    """
    return [
        _transcript(grade, instances, views, rollouts, answers, job)
        for grade in choose(candidates(grades, job), job["report"]["transcripts"])
    ]


def candidates(grades: Sequence[Path], job: Row) -> list[Row]:
    """What ``choose`` has to see of the grades, in the config's order.

    Rollouts of one team and task that both succeed, or both fail, are alike to it but for their order: it can
    take no other than the first few. So not all of a large study is held at once.
    """
    alike: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for path in grades:
        fresh = defaultdict(list)
        for row in _planned(read_rows(path, GRADES, [*ROLLOUT_ID, "outcome", "score", "accepted"]), job):
            if row["mode"] == "collab" and row["score"] is not None:
                kind = row["arm"], row["team"], row["task"], row["score"] >= 1
                fresh[kind].append(row | {"shard": _shard(path)})
        for kind, found in fresh.items():
            in_order = sorted([*alike[kind], *found], key=itemgetter("index"))
            alike[kind] = in_order[: job["report"]["transcripts"]]
    return _in_order([row for found in alike.values() for row in found], job)


def _planned(rows: Iterable[Row], job: Row) -> list[Row]:
    """The rows of the config's study; what a larger study left over is not shown."""
    teams = {team_name(tuple(team)) for team in job["teams"]}
    return [
        row
        for row in rows
        if row["arm"] in job["arms"]
        and row["team"] in teams
        and row["task"] in job["tasks"]
        and row["index"] < job["rollouts"]
    ]


def _in_order(rows: Iterable[Row], job: Row) -> list[Row]:
    """Rows in the config's order of arms, teams and tasks."""
    teams, tasks = [team_name(tuple(team)) for team in job["teams"]], list(job["tasks"])
    return sorted(
        rows,
        key=lambda row: (
            job["arms"].index(row["arm"]),
            teams.index(row["team"]),
            tasks.index(row["task"]),
            row["index"],
        ),
    )


def _transcript(
    grade: Row,
    instances: Sequence[Path],
    views: Sequence[Path],
    rollouts: Sequence[Path],
    answers: Sequence[Path],
    job: Row,
) -> Row:
    identity = {name: grade[name] for name in ROLLOUT_ID}
    place = {"task": grade["task"], "index": grade["index"]}
    rollout = _find(_with_shard(rollouts, grade["shard"]), ROLLOUTS, identity)
    answer = _find(_with_shard(answers, grade["shard"]), ANSWERS, identity)
    instance = _find(_of_task(instances, grade["task"]), INSTANCES, place)
    slot = rollout["answer_slot"] or 1
    team = next(team for team in job["teams"] if team_name(tuple(team)) == grade["team"])
    return {
        **grade,
        "models": team * 2 if len(team) == 1 else team,
        "simulated": rollout["simulated"],
        "error": rollout["error"],
        "views": [_find(_of_task(views, grade["task"]), VIEWS, place | {"view": v})["text"] for v in HOLDERS],
        "turns": rollout["messages"],
        "answer_text": rollout["answer_text"],
        "answer": answer["answer"],
        "answered_by": answer["answered_by"],
        "optimal": optimal_answer(instance, HOLDERS[slot - 1]),
        "notation": HOLDERS[slot - 1].upper(),
    }


def _shard(path: Path) -> tuple[str, ...]:
    return path.parts[-_SHARD_PARTS:]


def _with_shard(paths: Sequence[Path], shard: tuple[str, ...]) -> list[Path]:
    return [path for path in paths if _shard(path) == shard]


def _of_task(paths: Sequence[Path], task: str) -> list[Path]:
    return [path for path in paths if path.parent.name == task]


def _find(paths: Sequence[Path], schema: Any, wanted: Row) -> Row:
    """The one row with the wanted values."""
    for path in paths:
        for row in read_rows(path, schema):
            if all(row[name] == value for name, value in wanted.items()):
                return row
    where = ", ".join(map(str, paths)) or "no file"
    raise UserError(f"the report needs {wanted}, which is not there ({where}): rebuild that stage")
