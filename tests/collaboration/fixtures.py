"""A small made-up study for tests of drawing and report: real instances, invented transcripts and grades."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.collaboration.compare_pairs import compare_pairs
from scripts.collaboration.estimate_game_values import estimate_game_values
from scripts.collaboration.generate_instances import generate_instances
from scripts.collaboration.instances import to_json
from scripts.collaboration.schemas import ANSWERS, CELLS, GRADES, INSTANCES, ROLLOUTS, TAX
from scripts.collaboration.split_views import split_views
from scripts.collaboration.tables import TABLES
from scripts.lib.names import team_name, team_slug
from scripts.lib.tables import read_rows, write_rows
from tests.collaboration import agreement_cases
from tests.collaboration.theme_cases import write_made_up_themes

TASK_FAMILIES = {"maze": "spatial", "treesum": "relational", "schedule": "csp"}
MODES = ("solo_full", "solo_split", "collab")
COUNT = 3
STEPS = {"spatial": 0.4, "relational": 0.25, "csp": 0.1}
PUBLISHED = {
    "study": "another study",
    "ratio_gaps": {
        "mark": "approx.",
        "models": {"gpt-5": {"spatial": 0.12, "relational": 0.06, "csp": -0.02}},
        "tasks": {"maze": 0.58},
    },
    "pairs": {
        "mark": "published",
        "teams": [
            {"team": ["gpt-5", "Phi-4"], "members": [0.869, 0.352], "pair": 0.731, "shapley": [0.624, 0.107]}
        ],
    },
}
MEASURES = ("solo_full", "solo_split", "collab", "tax", "ratio_gap", "alignment", "talking")


@dataclass(frozen=True)
class Study:
    """The paths of a made-up study and its job."""

    folder: Path
    instances: list[Path]
    views: list[Path]
    rollouts: list[Path]
    answers: list[Path]
    grades: list[Path]
    cells: Path
    tax: Path
    job: dict[str, Any]


def made_up_study(folder: Path, simulated: bool = True, hostile: str = "") -> Study:
    """Write a study below the folder; ``hostile`` is text that stands in every message, answer and name."""
    printable = "".join(filter(str.isprintable, hostile))
    models = [f"strong{printable}", f"weak{printable}"]
    teams = [[models[0]], [models[1]], models]
    paths: dict[str, list[Path]] = {
        name: [] for name in ("instances", "views", "rollouts", "answers", "grades")
    }
    digests: dict[tuple[str, int], str] = {}
    for task in TASK_FAMILIES:
        paths["instances"].append(folder / f"instances/{task}/000.parquet")
        paths["views"].append(folder / f"views/{task}/000.parquet")
        instances_job = {"task": task, "size": "small", "seed": 1, "first": 0, "last": COUNT}
        generate_instances(paths["instances"][-1], instances_job)
        split_views(paths["instances"][-1], paths["views"][-1], {"task": task})
        instances = read_rows(paths["instances"][-1], INSTANCES, ["index", "digest"])
        digests |= {(task, row["index"]): row["digest"] for row in instances}
    for team in teams:
        for task, family in TASK_FAMILIES.items():
            shard = f"baseline/{team_slug(tuple(team))}/collab/{family}/000.parquet"
            rows = [
                made_up_rollout(team, task, index, digests[task, index], simulated, hostile)
                for index in range(COUNT)
            ]
            for stage, schema in (("rollouts", ROLLOUTS), ("answers", ANSWERS), ("grades", GRADES)):
                paths[stage].append(folder / stage / shard)
                write_rows(paths[stage][-1], [row[stage] for row in rows], schema)
    cells, tax = (folder / "statistics" / f"{name}.parquet" for name in ("cells", "tax"))
    write_rows(cells, made_up_cells(teams, simulated), CELLS)
    write_rows(tax, made_up_tax(teams, TASK_FAMILIES, simulated), TAX)
    job = made_up_job(models, teams, simulated)
    compare_pairs(paths["grades"], folder / "statistics" / "pairs.parquet", job)
    estimate_game_values(paths["grades"], folder / "statistics" / "game_values.parquet", job)
    write_made_up_themes(folder, simulated, hostile)
    agreement_cases.write_agreement(folder, sampled(teams[:2]), simulated, hostile)
    write_missing_tables(folder)
    return Study(folder, **paths, cells=cells, tax=tax, job=job)


def sampled(teams: list[list[str]]) -> list[dict[str, Any]]:
    """All conversations of some teams, as rows of a sample."""
    return [
        {"arm": "baseline", "team": team_name(tuple(team)), "mode": "collab", "family": family}
        | {"task": task, "index": index}
        for team in teams
        for task, family in TASK_FAMILIES.items()
        for index in range(COUNT)
    ]


def write_missing_tables(folder: Path) -> None:
    """An empty statistic for each table of the report that has none below the study's data folder."""
    for table in TABLES.values():
        if not (folder / table.source).exists():
            write_rows(folder / table.source, [], table.schema)


def made_up_job(models: list[str], teams: list[list[str]], simulated: bool) -> dict[str, Any]:
    """The job of the report."""
    skill = {"spatial": 0.9, "relational": 0.9, "csp": 0.95}
    profile = {"skill": skill, "attribute": 0.9, "ask": 0.8, "integrate": 0.9, "verify": 0.7, "frame": 0.9}
    known = {"profile": profile} if simulated else {"parameters": {"temperature": 0.7}}
    url = "simulated:" if simulated else "https://user:secret@api.example.org/v1"
    model = {"base_url": url, "served_name": None, "simulated": simulated, **known}
    statistics = {"resamples": 2000, "seed": 1, "level": 0.95}
    statistics |= {"solo_tractable": 0.55, "least_solo": 0.05, "least_tax": 0.05}
    return {
        "arms": ["baseline"],
        "teams": teams,
        "modes": list(MODES),
        "tasks": TASK_FAMILIES,
        "batches": ["000"],
        "size": "small",
        "rollouts": COUNT,
        "seed": 1,
        "statistics": statistics,
        "report": {"transcripts": 4},
        "models": dict.fromkeys(models, model),
        "simulated": dict.fromkeys(models, simulated),
        "published": PUBLISHED
        | {"matched": dict(zip(models, ["gpt-5", "Phi-4"], strict=True))}
        | {"agreement": agreement_cases.PUBLISHED},
    }


def made_up_rollout(
    team: list[str], task: str, index: int, digest: str, simulated: bool, hostile: str
) -> dict[str, Any]:
    """One rollout of mode collab as a row of each stage; the first index succeeds, the others fail."""
    identity = {
        "arm": "baseline",
        "team": team_name(tuple(team)),
        "mode": "collab",
        "family": TASK_FAMILIES[task],
        "task": task,
        "index": index,
    }
    texts = [
        "I hold one part of the facts.",
        "Thanks.\n\nHere is mine.",
        f'ACTI! {{"made_up": [1, 2]}}{hostile}',
    ]
    messages = [
        {
            "turn": turn,
            "slot": 1 + turn % 2,
            "text": text + hostile,
            "reply": text + hostile,
            "finish_reason": "stop",
            "wrote_prefix": False,
        }
        for turn, text in enumerate(texts)
    ]
    score = 1.0 if index == 0 else 0.5
    rollout = {
        "digest": digest,
        "simulated": simulated,
        "outcome": "answered",
        "answer_text": texts[-1].removeprefix("ACTI! "),
        "answer_slot": 1,
        "turns": len(texts),
        "truncated": 0,
        "messages": messages,
        "usage": [],
        "sent": "[]",
    }
    answer = to_json({"made_up": [1, 2], "note": hostile})
    graded = {"outcome": "answered", "answered_by": "program", "answer": answer}
    return {
        "rollouts": identity | rollout,
        "answers": identity
        | {"digest": digest, "found_by": "json", "program_answer": answer, "grader_convention": None}
        | graded,
        "grades": identity | graded | {"score": score, "accepted": ["a"] if score == 1 else []},
    }


def made_up_cells(teams: list[list[str]], simulated: bool) -> list[dict[str, Any]]:
    """Rows of cells: a mixed team has mode collab only; one reply in 20 is truncated."""
    rows = []
    for team in teams:
        for mode in MODES if len(team) == 1 else ("collab",):
            for task, family in TASK_FAMILIES.items():
                row = {
                    "arm": "baseline",
                    "team": team_name(tuple(team)),
                    "mode": mode,
                    "family": family,
                    "task": task,
                }
                row |= {"simulated": simulated, "planned": COUNT, "run": COUNT, "graded": COUNT}
                row |= dict.fromkeys(
                    ("no_answer", "turn_cap", "truncated", "refused", "context_overflow", "failed", "budget"),
                    0,
                )
                row |= {"answered": COUNT, "by_grader": 0, "score": 0.5, "floor": 0.1, "turns": 3.0}
                row |= {
                    "replies": 20,
                    "truncated_replies": 1,
                    "prompt_tokens": 1000,
                    "completion_tokens": None,
                }
                rows.append(row | {"cost": 0.0 if simulated else None})
    return rows


def made_up_tax(teams: list[list[str]], tasks: dict[str, str], simulated: bool) -> list[dict[str, Any]]:
    """Rows of tax with invented values: later teams are weaker, and one CSP task is undefined."""
    rng = random.Random(7)
    rows = []
    for number, team in enumerate(teams):
        families = list(dict.fromkeys(tasks.values()))
        scopes = [("task", family, task) for task, family in tasks.items()]
        scopes += [("family", family, None) for family in families] + [("all", None, None)]
        for scope, family, task in scopes:
            solo = max(0.9 - 0.06 * number - rng.random() * 0.2, 0.02)
            undefined = scope == "task" and number > 0 and family == "csp" and task == list(tasks)[-1]
            row = {
                "arm": "baseline",
                "team": team_name(tuple(team)),
                "scope": scope,
                "family": family,
                "task": task,
            }
            row |= {"kind": "mixed" if len(team) > 1 else "homogeneous", "simulated": simulated, "tasks": 1}
            row |= {"planned": 3 * COUNT, "graded": 3 * COUNT, "dagger": solo < 0.55}
            step = STEPS.get(family or "", 0.25)
            values = _measures(solo, step * (0.6 + rng.random()), rng.random())
            for name in MEASURES:
                unknown = name == "ratio_gap" and undefined
                unknown |= len(team) > 1 and name in ("solo_split", "alignment", "talking")
                middle, half = values[name], 0.05 + 0.05 * rng.random()
                ends = (None, None, None) if unknown else (middle, middle - half, middle + half)
                row |= dict(zip((name, f"{name}_low", f"{name}_high"), ends, strict=True))
            rows.append(row)
    return rows


def _measures(solo: float, tax: float, share: float) -> dict[str, float]:
    tax = min(tax, solo)
    alignment = tax * share * 0.6 - 0.03
    split = {"solo_split": solo - alignment, "alignment": alignment, "talking": tax - alignment}
    return {"solo_full": solo, "collab": solo - tax, "tax": tax, "ratio_gap": tax / solo, **split}
