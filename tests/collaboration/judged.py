"""Samples of conversations for the tests of the judge and what follows from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.collaboration.generate_instances import generate_instances
from scripts.collaboration.judge_stages import judge_stages
from scripts.collaboration.layout import artifacts
from scripts.collaboration.schemas import JUDGEMENTS, ROLLOUT_ID, ROLLOUTS, SAMPLES
from scripts.collaboration.split_views import split_views
from scripts.lib.dialogue.stages import STAGES
from scripts.lib.tables import read_rows, write_rows
from tasks import TASKS
from tests.collaboration.stage_walk import MODELS, ROOT, how

RECORDED = ROOT / "tests" / "recorded"
STATISTICS = {"resamples": 200, "seed": 1, "level": 0.95}


def sample_row(rollout: dict[str, Any], success: bool = False, available: int = 1, drawn: int = 1) -> dict:
    """A rollout as a row of a sample."""
    stratum = f"{rollout['team']}/{rollout['task']}/{success}"
    about = {"outcome": "answered", "score": float(success), "success": success, "stratum": stratum}
    about |= {"available": available, "drawn": drawn}
    return {name: rollout[name] for name in ROLLOUT_ID} | about


def draw_all(folder: Path, rollouts: list[Path]) -> Path:
    """A sample of all rollouts of some files; returns its path."""
    path = folder / "samples" / "judgements.parquet"
    rows = [sample_row(row) for file in rollouts for row in read_rows(file, ROLLOUTS)]
    write_rows(path, rows, SAMPLES)
    return path


def judge(folder: Path, views: list[Path], rollouts: list[Path], team: str, **more: Any) -> list[dict]:
    """The judgements of all rollouts of a team. ``more``: judge, models, and of ``Calls``."""
    output = folder / "judgements" / f"{team}.parquet"
    name, models = more.pop("judge", "simulated-judge"), more.pop("models", MODELS)
    calls = how(folder, models) | more
    judge_stages(draw_all(folder, rollouts), views, rollouts, output, calls, {"team": [team], "judge": name})
    return read_rows(output, JUDGEMENTS)


def recorded_conversations(folder: Path) -> tuple[list[Path], list[Path], str]:
    """Views and rollouts of the recorded real model's conversations, and its name."""
    rollouts = sorted((RECORDED / "rollouts").glob("baseline/*/collab/*/*.parquet"))
    found = [row for path in rollouts for row in read_rows(path, ROLLOUTS, ["team", "task", "index"])]
    views = []
    for task in dict.fromkeys(row["task"] for row in found):
        instances, path = (folder / stage / f"{task}.parquet" for stage in ("instances", "views"))
        generate_instances(instances, {"task": task, "size": "tiny", "seed": 0, "first": 0, "last": 4})
        split_views(instances, path, {"task": task})
        views.append(path)
    return views, rollouts, found[0]["team"]


def made_up(folder: Path, rows: list[tuple[str, str, bool, float, list[bool | None]]]) -> dict[str, Any]:
    """A judged study: (team, task, success, weight, verdicts by stage) each; returns the job.

    The study's data folder is ``folder``.
    """
    samples, verdicts = [], []
    for index, (team, task, success, weight, satisfied) in enumerate(rows):
        about = {"arm": "baseline", "team": team, "mode": "collab", "family": TASKS[task], "task": task}
        samples.append(sample_row(about | {"index": index}, success, available=round(10 * weight), drawn=10))
        rest = {"index": index, "simulated": True, "judge": "j", "attempts": 1, "score": float(success)}
        verdicts += [
            about | rest | {"success": success, "stage": stage, "satisfied": verdict}
            for stage, verdict in zip(STAGES, satisfied, strict=True)
        ]
    teams = list(dict.fromkeys(row[0] for row in rows)) or ["m"]
    job = {
        "arms": ["baseline"],
        "teams": [[team] for team in teams],
        "modes": ["collab"],
        "tasks": {"maze": "spatial", "treesum": "relational", "schedule": "csp"},
        "batches": ["000"],
        "judge": "j",
        "statistics": STATISTICS,
    }
    write_rows(folder / "samples" / "judgements.parquet", samples, SAMPLES)
    for path, team in zip(artifacts(folder, "judgements", job), teams, strict=True):
        write_rows(path, [row for row in verdicts if row["team"] == team], JUDGEMENTS)
    return job
