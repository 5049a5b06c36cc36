"""A small study with described failures, and made-up descriptions, for the tests of the themes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scripts.collaboration.extract_answers import extract_answers
from scripts.collaboration.generate_instances import generate_instances
from scripts.collaboration.grade_answers import grade_answers
from scripts.collaboration.layout import SHARDED, artifacts
from scripts.collaboration.run_rollouts import run_rollouts
from scripts.collaboration.schemas import DESCRIPTIONS, JUDGEMENTS, ROLLOUT_ID
from scripts.collaboration.select_rollouts import select_rollouts
from scripts.collaboration.split_views import split_views
from scripts.collaboration.theme_schemas import STABILITY, THEME_STAGES, THEME_SUMMARY, THEME_TASKS
from scripts.lib.tables import write_rows
from tasks import TASKS
from tests.collaboration.stage_walk import how

TASKS_PLAYED = ("maze", "treesum")
TOPICS = (
    "agent never asked its partner about missing walls",
    "proposal accepted blindly without any recomputation of totals",
    "coordinates were mirrored because both notations count differently",
)
CLUSTERING = {"k": 3, "k_range": [2, 5], "resamples": 4, "seed": 1, "level": 0.95}
NOBODY = {"arm": "baseline", "team": "m", "mode": "collab", "family": "spatial"}


def plan_of(team: str, count: int, tasks: tuple[str, ...] = TASKS_PLAYED) -> dict[str, Any]:
    """The plan of one team's conversations."""
    families = {task: TASKS[task] for task in tasks}
    teams = {"arms": ["baseline"], "teams": [[team]], "modes": ["collab"]}
    return teams | {"tasks": families, "batches": ["000"], "rollouts": count}


def play(
    folder: Path,
    team: str,
    calls: dict[str, Any] | None = None,
    count: int = 4,
    exchanges: int = 20,
    size: str = "small",
) -> dict[str, Any]:
    """Run a team's conversations, from instances to the sample of its failures; returns its plan."""
    plan, calls = plan_of(team, count), calls or how(folder)
    for task, family in plan["tasks"].items():
        instances, views = (folder / stage / task / "000.parquet" for stage in ("instances", "views"))
        generate_instances(instances, {"task": task, "size": size, "seed": 0, "first": 0, "last": count})
        split_views(instances, views, {"task": task})
        one = plan | {"tasks": {task: family}}
        ((rollouts,), (answers,), (grades,)) = (artifacts(folder, stage, one) for stage in SHARDED)
        job = {"arm": "baseline", "team": [team], "mode": "collab", "family": family, "critic": True}
        run_rollouts([views], rollouts, calls, job | {"max_exchanges": exchanges})
        extract_answers(rollouts, answers, calls, {"grader": None})
        grade_answers(answers, [instances], grades)
    sample(folder, plan)
    return plan


def sample(folder: Path, plan: dict[str, Any], size: int = 100) -> None:
    """Draw the samples of a study."""
    sizes = dict.fromkeys(("judgements", "descriptions", "annotations"), size)
    select_rollouts(folder, folder / "samples", plan | {"success": 1.0, "seed": 0, "sizes": sizes})


def described(path: Path, texts: list[str | None], tasks: list[str] | None = None, **more: Any) -> Path:
    """Write descriptions, one a rollout, of the tasks in turn; returns the path."""
    tasks = tasks or ["maze", "cube"]
    about = {"simulated": False, "describer": "d", "score": 0.0} | more
    rows = [
        NOBODY | {"task": tasks[at % len(tasks)], "index": at, "description": text} | about
        for at, text in enumerate(texts)
    ]
    write_rows(path, rows, DESCRIPTIONS)
    return path


def topical(each: int = 8) -> list[str]:
    """Texts of three topics in turn, each with all but one word of its topic."""
    texts = []
    for number in range(3 * each):
        words = TOPICS[number % 3].split()
        texts.append(" ".join(word for at, word in enumerate(words) if at != number // 3 % len(words)))
    return texts


def judged(path: Path, verdicts: dict[tuple[str, int], dict[str, bool | None]]) -> Path:
    """Write judgements: by (task, index) whether each stage is satisfied; returns the path."""
    rows = [
        NOBODY | {"task": task, "index": index, "stage": stage, "satisfied": satisfied, "simulated": False}
        for (task, index), stages in verdicts.items()
        for stage, satisfied in stages.items()
    ]
    write_rows(path, rows, JUDGEMENTS)
    return path


def write_made_up_themes(
    data: Path, simulated: bool = True, hostile: str = "", source: str = "tfidf"
) -> None:
    """Tables of two invented themes below the data folder of a study."""
    about = {"source": source, "simulated": simulated}
    summary = about | {"wanted": 2, "described": 9, "clustered": 8, "size": 4, "top_terms": ["ask", "walls"]}
    summary |= {"examples": [f"Nobody asked.{hostile}"], "name": f"walls{hostile}", "named_by": "model"}
    summary |= {"tasks": 2, "top_task": "maze", "top_task_share": 0.75, "concentration": 0.625}
    summary |= {"expected": 0.5, "chance_low": 0.4, "chance_high": 0.6}
    task = about | {"task": "maze", "family": "spatial", "size": 4, "described": 6, "count": 3}
    stage = about | {"judged": 4, "fired": 2, "rate": 0.5, "rate_low": 0.2, "rate_high": 0.8, "overall": 0.4}
    stages = [stage | {"theme": theme, "stage": f"l{n}"} for theme in (0, 1) for n in range(1, 5)]
    stable = about | {"found": 2, "described": 9, "clustered": 8, "resamples": 4, "silhouette": 0.3}
    stable |= {"silhouette_low": 0.2, "silhouette_high": 0.4, "rand": 0.9, "rand_low": 0.8, "rand_high": 1.0}
    statistics = data / "statistics"
    write_rows(statistics / "themes.parquet", [summary | {"theme": n} for n in (0, 1)], THEME_SUMMARY)
    rows = [task | {"theme": n, "expected": 3.0, "share": 0.75} for n in (0, 1)]
    write_rows(statistics / "theme_tasks.parquet", rows, THEME_TASKS)
    write_rows(statistics / "theme_stages.parquet", stages, THEME_STAGES)
    rows = [stable | {"k": k, "chosen": k == 2} for k in (2, 3)]
    write_rows(data / "themes" / "stability.parquet", rows, STABILITY)


def identity(row: dict[str, Any]) -> tuple[Any, ...]:
    """The rollout that a row tells of."""
    return tuple(row[name] for name in ROLLOUT_ID)
