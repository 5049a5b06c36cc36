"""Simulated agents at play, as the stages let them, without files."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from scripts.lib.agents.models import Profile, load_models
from scripts.lib.agents.simulated.agent import answer_messages
from scripts.lib.dialogue.protocol import Dialogue, collab, solo
from tasks import TASKS, get_task
from tasks.contract import VIEWS
from tasks.making import Instance, make_instance

ROOT = Path(__file__).resolve().parents[4]
MODELS = load_models(ROOT / "config" / "models.yaml")


def profile(name: str, **rates: float) -> Profile:
    """The profile of a model in models.yaml, with other rates where given (``skill``: of every family)."""
    planted = MODELS[name].profile.model_dump()
    if "skill" in rates:
        rates["skill"] = dict.fromkeys(planted["skill"], rates["skill"])
    return Profile(**planted | rates)


@cache
def instance(task: str, size: str, index: int) -> Instance:
    """One instance of the study with seed 0."""
    return make_instance(get_task(task), size, 0, index)


def view(task: str, made: Instance, name: str) -> str:
    """What the holder of a view sees."""
    return get_task(task).view(made.draft, name)


def play(agent: Profile, mode: str, task: str, made: Instance, clauses: Sequence[str] = ()) -> Dialogue:
    """One rollout of an agent, with itself in ``collab``; ``clauses`` are the texts of an arm."""

    async def speak(messages):
        return answer_messages(agent, messages)

    views = {name: view(task, made, name) for name in VIEWS}
    if mode == "collab":
        return asyncio.run(collab([views["a"], views["b"]], [speak, speak], clauses=clauses))
    texts = [views["full"]] if mode == "solo_full" else [views["a"], views["b"]]
    return asyncio.run(solo(mode, texts, speak))


def graded(task: str, made: Instance, answer: str | None) -> float:
    """Score of the text after the marker."""
    if answer is None:
        return 0.0
    value, _ = get_task(task).read_answer(answer)
    return get_task(task).score(made.draft.union, made.answer, value, made.draft.frames).score


def scores(agent: Profile, mode: str, task: str, size: str, count: int) -> list[float]:
    """Scores of an agent on the first instances of a task."""
    made = [instance(task, size, index) for index in range(count)]
    return [graded(task, one, play(agent, mode, task, one).answer) for one in made]


def mean(numbers: list[float]) -> float:
    """Arithmetic mean."""
    return sum(numbers) / len(numbers)


def overall(agent: Profile, size: str = "small", count: int = 12) -> float:
    """Mean of the task means in ``collab``."""
    return mean([mean(scores(agent, "collab", task, size, count)) for task in TASKS])
