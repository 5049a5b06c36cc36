"""The changes of docs/reruns.md: how each is made, and how many jobs of each rule it makes run."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from scripts.collaboration.annotations import opaque_id
from tests.pipeline.study import (
    ANALYSIS,
    ARM_STATISTICS,
    FOLLOWING,
    SHOWN_THEMES,
    STAGES,
    TAXES,
    THEMES,
    Study,
)

# Two tasks share a family, so that a family's jobs differ from a task's: 3 tasks, 2 families, 2 modes.
PLAN = {
    "tasks": ["maze", "geomaze", "treesum"],
    "models": ["served"],
    "grader": "served",
    "judging": {"judge": "served"},
    "rollouts": 2,
    "batch_size": 2,
}
MODELS = Path("config/models.yaml")
PROMPTS = "scripts/lib/dialogue/prompts"
DRAWINGS = {
    "draw_tax": 1,
    "draw_ratio_gap": 1,
    "draw_published_gaps": 1,
    "draw_prediction": 1,
    "write_report": 1,
}
STAGE_DRAWINGS = {"draw_cascade": 1, "draw_stage_overlap": 1, "draw_agreement": 1}
WRITING = {"write_tables": 1, "write_report": 1, "write_manifest": 1}


class Change(NamedTuple):
    """What is done to a finished study, and the jobs that it makes run."""

    make: Callable[[Study], None]
    jobs: dict[str, int]


CHANGES: dict[str, Change] = {}


def change(name: str, *parts: dict[str, int], **jobs: int):
    """Register a change under its name in the document."""

    def register(make: Callable[[Study], None]) -> Callable[[Study], None]:
        CHANGES[name] = Change(make, {rule: n for part in [*parts, jobs] for rule, n in part.items()})
        return make

    return register


def shards(number: int, measured: int = 0) -> dict[str, int]:
    """That many batches of rollouts, their answers and grades; how many have conversations to be measured."""
    graded = {"run_rollouts": number, "extract_answers": number, "grade_answers": number}
    return graded | ({"measure_shape": measured} if measured else {})


def instances(number: int) -> dict[str, int]:
    """That many batches of instances and views."""
    return {"generate_instances": number, "split_views": number}


def serve(study: Study, url: str) -> None:
    """Put two models behind a real endpoint into the study's list."""
    text = (study.folder / MODELS).read_text(encoding="utf-8")
    for name, served in (("served", "simulated-middle"), ("second", "simulated-strong")):
        text += f"\n{name}:\n  base_url: {url}\n  served_name: {json.dumps(served)}\n"
    study.write(str(MODELS), text)


def plan(study: Study, **changes) -> None:
    """Configure the study of this page, with changes."""
    study.configure(**(PLAN | changes))


def append(study: Study, path: str, text: str) -> None:
    """Put a text at the end of a file."""
    study.write(path, (study.folder / path).read_text(encoding="utf-8") + text)


@change("a comment in a task file")
def _(study):
    append(study, "tasks/spatial/maze.py", "\n# a comment\n")
    for path in ("tasks/contract.py", "scripts/lib/dialogue/protocol.py", "scripts/lib/agents/endpoint.py"):
        study.edit(path, '"""\n\nfrom __future__', ' Another word."""\n\nfrom __future__')


@change("a touched file")
def _(study):
    made = list((study.folder / "data/collaboration/views").rglob("*.parquet"))
    read = [study.folder / name for name in ("Snakefile", "config/study.yaml", "tasks/spatial/maze.py")]
    for path in made + read:
        assert path.exists()
        path.touch()
    assert made


@change("a task's grader", FOLLOWING, grade_answers=2, measure_task_properties=1)
def _(study):
    study.edit("tasks/gridpaths.py", "return 0.0 if good == best", "return 0.5 if good == best")


@change("a task's generator", FOLLOWING, instances(1), shards(2, 1), draw_views=1, measure_task_properties=1)
def _(study):
    old = '"walls": 0.30, "shortest": (3, 6)'
    study.edit("tasks/spatial/maze.py", old, old.replace("0.30", "0.31"))


@change("a prompt", FOLLOWING, shards(2, 2))
def _(study):
    append(study, f"{PROMPTS}/collab_system.txt", "\nBe brief.\n")


@change("the grader model's prompt", FOLLOWING, extract_answers=4, grade_answers=4)
def _(study):
    append(study, f"{PROMPTS}/grader_system.txt", "\nBe brief.\n")


@change("the judge's prompt", STAGES, WRITING, judge_stages=1, estimate_themes=1, draw_themes=1)
def _(study):
    append(study, f"{PROMPTS}/judge_l2.txt", "\nBe brief.\n")


@change("the describer's prompt", THEMES, WRITING, describe_failures=1)
def _(study):
    append(study, f"{PROMPTS}/describe_system.txt", "\nBe brief.\n")


@change("one more model", FOLLOWING, shards(4, 2), judge_stages=2, describe_failures=2)
def _(study):
    plan(study, models=["served", "second"])


@change("a clause", ARM_STATISTICS, shards(2), draw_arms=1)
def _(study):
    plan(study, arms=["only_l1", "only_l4"])
    study.run("--until", "grade_answers")
    append(study, f"{PROMPTS}/clause_verification.txt", "\nBe brief.\n")


@change("one more arm", ARM_STATISTICS, shards(2), draw_arms=1)
def _(study):
    plan(study, arms=["all_four"])


@change("one more pair", TAXES, shards(2), draw_pairs=1)
def _(study):
    plan(study, pairs=[["served", "second"]])


@change("one more relay", TAXES, shards(2), draw_pairs=1)
def _(study):
    plan(study, pairs=[["served", "second"]])
    study.run("--until", "grade_answers")
    plan(study, pairs=[["served", "second"]], relays=[{"first": "served", "then": "second", "turns": 1}])


@change("own answers of a model", WRITING, ask_alone=2, estimate_alone=1)
def _(study):
    plan(study, ask_alone=["served"])


@change("one more task", FOLLOWING, instances(1), shards(2, 1), measure_task_properties=1)
def _(study):
    plan(study, tasks=[*PLAN["tasks"], "graph"])


@change("one task less", FOLLOWING, shards(2, 1), measure_task_properties=1)
def _(study):
    plan(study, tasks=["maze", "treesum"])


@change("more rollouts", FOLLOWING, instances(3), shards(4, 2))
def _(study):
    plan(study, rollouts=4)


@change("another batch size", FOLLOWING, instances(6), shards(8, 4), draw_views=1)
def _(study):
    plan(study, batch_size=1)


@change("a statistic", ANALYSIS)
def _(study):
    plan(study, statistics={"resamples": 300})


@change("another number of themes", THEMES, WRITING)
def _(study):
    plan(study, themes={"k": 3})


@change("the code of a statistic", DRAWINGS, estimate_tax=1, fit_ridge=1, write_tables=1, write_manifest=1)
def _(study):
    append(study, "scripts/collaboration/estimate_tax.py", "\nMORE = 1\n")


@change("a rater's file", WRITING, measure_agreement=1, draw_agreement=1)
def _(study):
    name = opaque_id({"arm": "baseline", "team": "served", "task": "maze", "index": 0})
    text = f"rater,rollout,stage,satisfied,note\nann,{name},l1,1,\n"
    study.write("data/collaboration/annotations/ann.csv", text)


@change("a published number", WRITING, draw_game=1)
def _(study):
    study.edit("config/published.yaml", "pair: 0.731", "pair: 0.732")


@change("a colour", DRAWINGS, STAGE_DRAWINGS, SHOWN_THEMES, draw_views=1, draw_game=1, draw_caps=1)
def _(study):
    study.edit("scripts/lib/drawing/style.py", "#0072B2", "#0072B3")


@change("a caption", write_report=1)
def _(study):
    append(study, "workflow/report/fig3_tax.rst", "One more sentence.\n")


@change("a changed price", estimate_cells=1, write_tables=1, write_report=1, write_manifest=1)
def _(study):
    study.edit(
        str(MODELS), "\nserved:\n", "\nserved:\n  price: {input: 1.0, output: 2.0}\n  limits: {jobs: 1}\n"
    )


@change("a package upgrade")
def _(study):
    study.edit("envs/pipeline.txt", "aiohttp==", "aiohttp==1")
    study.edit("envs/pipeline.yaml", "python =3.11", "python =3.12")


@change("a deleted middle artifact")
def _(study):
    for stage in ("rollouts", "answers", "grades"):
        data = study.folder / "data/collaboration" / stage
        (data / "baseline/served/collab/spatial/000.parquet").unlink()


@change("a deleted middle artifact, then a statistic", FOLLOWING, shards(1, 1))
def _(study):
    CHANGES["a deleted middle artifact"].make(study)
    plan(study, statistics={"resamples": 300})


@change(
    "a fresh clone beside copied data",
    DRAWINGS,
    STAGE_DRAWINGS,
    SHOWN_THEMES,
    WRITING,
    draw_views=1,
    draw_game=1,
    draw_caps=1,
    write_annotation_kit=1,
    write_index=1,
)
def _(study):
    for path in study.folder.rglob("*"):  # a clone has the time of cloning, copied data their own
        if "data" not in path.relative_to(study.folder).parts:
            path.touch()
    for name in ("reports", ".snakemake"):
        shutil.rmtree(study.folder / name)
