"""Which code decides which table: the hashes that make Snakemake rerun a stage, and nothing else.

A comment or a formatting change alters no hash. Rollouts follow what is said to the models: prompts,
dialogue rules and the tasks' instances and texts; never the client, the ledger or the graders.
"""

from __future__ import annotations

from collections.abc import Iterable

from scripts.lib import codehash
from scripts.lib.dialogue.prompts import FOLDER as PROMPTS
from tasks import TASKS

# What of a task only scores an answer that has been read.
SCORING = frozenset(
    {
        "grade",
        "interpret",
        "conventions",
        "score",
        "score_rule",
        "valid_share",
        "prefix_score",
        "fraction_right",
        "fraction_equal",
    }
)
# What of a task only reads and grades answers. The instances keep the floors of the grader they were made
# with; the grades check that each rollout belongs to the instance that is there.
GRADING = SCORING | {"read_loosely", "read_answer"}
TEMPLATES = codehash.ROOT / "scripts" / "collaboration" / "templates"
SHARED = codehash.ROOT / "scripts" / "lib" / "templates"
CAPTIONS = codehash.ROOT / "workflow" / "report"
REGISTRY = frozenset({"TASKS"})  # one more task alters no other


def _task_modules(tasks: Iterable[str]) -> list[str]:
    return [f"tasks.{TASKS[task]}.{task}" for task in tasks]


def instances_code(tasks: Iterable[str]) -> str:
    """Code of the instances and texts of tasks, without their graders."""
    modules = [*_task_modules(tasks), "tasks.making", "tasks.contract", "scripts.collaboration.instances"]
    return codehash.code_hash(modules, without=GRADING | REGISTRY)


def rollouts_code(tasks: Iterable[str], mode: str, simulated: bool) -> dict[str, str]:
    """Code and prompts of a mode's conversations; the simulated agents' own code where they take part."""
    dialogue = ["scripts.lib.dialogue.protocol", "scripts.lib.dialogue.marker"]
    prompts = [f"{mode}_system.txt", *([] if mode == "collab" else ["critic.txt"])]
    code = {
        "instances": instances_code(tasks),
        "dialogue": codehash.code_hash(dialogue, follow=False),
        "prompts": codehash.text_hash(PROMPTS, *prompts),
    }
    if simulated:
        agents = [f"scripts.lib.agents.simulated.{name}" for name in ("agent", "mind", "talk", "heed")]
        code["agents"] = codehash.code_hash(agents, follow=False)
    return code


def relay_code() -> str:
    """Code that hands a seat over; apart from the other dialogue rules, because it decides no other arm."""
    return codehash.code_hash(["scripts.lib.dialogue.relay"], follow=False)


def alone_code(tasks: Iterable[str], simulated: bool) -> dict[str, str]:
    """Code and prompt of the question to each agent alone, and what decides the conversation before it."""
    return rollouts_code(tasks, "collab", simulated) | {
        "asking": codehash.code_hash(
            ["scripts.lib.dialogue.alone", "scripts.collaboration.ask_alone"], follow=False
        ),
        "prompt": codehash.text_hash(PROMPTS, "alone.txt"),
    }


def answers_code(tasks: Iterable[str], simulated: bool) -> dict[str, str]:
    """Code that reads answers, the grader's prompt, and the simulated grader where it is used."""
    readers = [
        "scripts.collaboration.extract_answers",
        "scripts.collaboration.reading",
        "tasks.contract",
        "tasks.answers",
        *_task_modules(tasks),
    ]
    code = {
        "readers": codehash.code_hash(readers, without=SCORING, follow=False),
        "prompts": codehash.text_hash(PROMPTS, "grader*.txt"),
    }
    if simulated:
        agents = [f"scripts.lib.agents.simulated.{name}" for name in ("agent", "talk")]
        code["agents"] = codehash.code_hash(agents, follow=False)
    return code


def judgements_code(tasks: Iterable[str], simulated: bool) -> dict[str, str]:
    """Code and prompts of the judge's questions, and the simulated judge where it is used."""
    readers = ["judge_stages", "conversations"]
    asking = [*(f"scripts.collaboration.{name}" for name in readers), "scripts.lib.dialogue.judging"]
    code = {
        "asking": codehash.code_hash([*asking, "tasks.answers"], follow=False),
        "prompts": codehash.text_hash(PROMPTS, "judge_*.txt"),
    }
    if simulated:
        rules = [f"scripts.lib.agents.simulated.{name}" for name in ("judge", "talk")]
        parsers = ["tasks.contract", *_task_modules(tasks)]
        code["judge"] = codehash.code_hash([*rules, *parsers], without=SCORING, follow=False)
    return code


def descriptions_code(tasks: Iterable[str], simulated: bool) -> dict[str, str]:
    """Code that writes out a failure, the describer's prompt, and the simulated describer where it is one."""
    stages = [f"scripts.collaboration.{name}" for name in ("describe_failures", "conversations", "instances")]
    writers = ["tasks.contract", *_task_modules(tasks)]
    code = {
        "asking": codehash.code_hash([*stages, *writers], without=GRADING, follow=False),
        "prompts": codehash.text_hash(PROMPTS, "describe_system.txt"),
    }
    if simulated:
        code["agents"] = codehash.code_hash(["scripts.lib.agents.simulated.describer"], follow=False)
    return code


def reader_code(stage: str, *prompts: str) -> dict[str, str]:
    """Code of a stage that asks a model about what others wrote, and its prompts."""
    return {
        "script": codehash.code_hash([f"scripts.collaboration.{stage}"], follow=False),
        "prompts": codehash.text_hash(PROMPTS, *prompts),
    }


def stage_code(stage: str, tasks: Iterable[str] = ()) -> str:
    """Code of a stage after the answers: its script, all it imports, and the tasks it reads."""
    return codehash.code_hash([f"scripts.collaboration.{stage}", *_task_modules(tasks)], without=REGISTRY)


def annotation_kit_code() -> dict[str, str]:
    """Code and templates of the annotation kit."""
    return {"script": stage_code("write_annotation_kit"), "templates": codehash.text_hash(TEMPLATES, "kit*")}


def report_code() -> dict[str, str]:
    """Code, templates and captions of the report."""
    return {
        "script": stage_code("write_report"),
        "templates": codehash.text_hash(TEMPLATES, "*"),
        "shared": codehash.text_hash(SHARED, "*"),
        "captions": codehash.text_hash(CAPTIONS, "fig*.rst"),
    }
