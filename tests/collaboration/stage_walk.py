"""One batch of one task from seed to grade, for the tests of the stages."""

from pathlib import Path

from scripts.collaboration.extract_answers import extract_answers
from scripts.collaboration.generate_instances import generate_instances
from scripts.collaboration.grade_answers import grade_answers
from scripts.collaboration.run_rollouts import run_rollouts
from scripts.collaboration.split_views import split_views
from tasks import TASKS

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "config" / "models.yaml"
ONE_A_FAMILY = {family: task for task, family in reversed(TASKS.items())}
COUNT = 4


def how(folder, models=MODELS, **more):
    """How a stage reaches models, as the option ``--calls`` says it."""
    return {"models_file": models, "ledger": [folder / "ledger"], "replay_only": False, **more}


def make(folder, task, count=COUNT, seed=0):
    """Instances and views of one task; returns their paths."""
    instances, views = (folder / stage / task / "000.parquet" for stage in ("instances", "views"))
    generate_instances(instances, {"task": task, "size": "small", "seed": seed, "first": 0, "last": count})
    split_views(instances, views, {"task": task})
    return instances, views


def roll(folder, task, views, team=("simulated-middle",), mode="collab", models=MODELS, **more):
    """One batch of rollouts; returns its path."""
    output = folder / "rollouts" / "+".join(team) / mode / f"{task}.parquet"
    job = {
        "arm": "baseline",
        "team": list(team),
        "mode": mode,
        "family": TASKS[task],
        "critic": True,
        "max_exchanges": 20,
    }
    calls = how(folder, models) | {"replay_only": more.pop("replay_only", False)}
    run_rollouts([views], output, calls, job | more)
    return output


def read(folder, rollouts, grader="simulated-grader", models=MODELS):
    """The answers of a batch; returns their path."""
    output = folder / "answers" / rollouts.relative_to(folder)
    extract_answers(rollouts, output, how(folder, models), {"grader": grader})
    return output


def grade(folder, answers, instances):
    """The grades of a batch; returns their path."""
    output = folder / "grades" / answers.relative_to(folder)
    grade_answers(answers, [instances], output)
    return output
