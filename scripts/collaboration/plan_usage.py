"""What a rollout costs in calls and tokens: as recorded where it was, else as simulated agents talk."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from scripts.collaboration.extract_answers import grader_messages
from scripts.collaboration.run_rollouts import Item, converse
from scripts.collaboration.schemas import ROLLOUTS
from scripts.lib.agents.calls import Messages, Reply
from scripts.lib.agents.models import Profile, Skill
from scripts.lib.agents.simulated.agent import answer_messages
from scripts.lib.dialogue.protocol import Dialogue
from scripts.lib.errors import UserError
from scripts.lib.outcomes import UNFINISHED
from scripts.lib.tables import read_each
from tasks import get_task

# An agent of middle skill, whatever the configuration's models are.
MIDDLE = Profile(
    skill=Skill(spatial=0.75, relational=0.80, csp=0.78),
    attribute=0.8,
    ask=0.8,
    integrate=0.8,
    verify=0.6,
    frame=0.8,
    critic=0.1,
)

Asks = Callable[
    [dict[str, Any]], list[tuple[str, Messages]]
]  # a conversation -> (task, messages) of each call

RECORDED, EARLIER, ELSEWHERE = "recorded", "recorded before a change", "recorded on other tasks"
LEDGER, SIMULATED = "ledger", "simulated"


@dataclass(frozen=True)
class Use:
    """Calls and tokens; means are fractions."""

    calls: float = 0.0
    prompt: float = 0.0
    completion: float = 0.0

    def __add__(self, other: Use) -> Use:
        return Use(self.calls + other.calls, self.prompt + other.prompt, self.completion + other.completion)

    def times(self, factor: float) -> Use:
        """So many of it."""
        return Use(self.calls * factor, self.prompt * factor, self.completion * factor)

    def less(self, paid: Use) -> Use:
        """What is left of it when a part is paid, and one mean call at least."""
        least = self.times(1 / self.calls) if self.calls else self
        return Use(
            max(self.calls - paid.calls, least.calls),
            max(self.prompt - paid.prompt, least.prompt),
            max(self.completion - paid.completion, least.completion),
        )


def mean_use(uses: Sequence[Use]) -> Use:
    """The mean of at least one."""
    return sum(uses, Use()).times(1 / len(uses))


@dataclass(frozen=True)
class Estimate:
    """What one rollout needs of one model, and where that is known from."""

    use: Use
    source: str


@dataclass(frozen=True)
class Sample:
    """Mean use of simulated dialogues of one task and mode: of each slot, and of one call of each reader."""

    slots: tuple[Use, Use]
    grader: Use
    readers: dict[str, Use]

    def of(self, model: str, team: Sequence[str]) -> Use:
        """What a model of the team uses; alone, it speaks in both slots."""
        if len(team) == 1:
            return self.slots[0] + self.slots[1]
        return self.slots[list(team).index(model)]


def simulate(items: Sequence[Item], talk: dict[str, Any], readers: dict[str, Asks]) -> Sample:
    """Talk through some instances of a task. ``talk``: mode, critic, max_exchanges, clauses.

    ``readers``: what those who read a conversation ask, by role. Tokens are words x 4/3, so estimates.
    """

    async def speak(messages: Messages) -> Reply:
        return answer_messages(MIDDLE, messages)

    dialogues = asyncio.run(_all(converse(item, [speak], talk) for item in items))
    slots = [mean_use([_use_of(_replies(dialogue, slot)) for dialogue in dialogues]) for slot in (1, 2)]
    task = get_task(items[0]["task"])
    asks = [grader_messages(task, {"messages": transcript(dialogue)}) for dialogue in dialogues]
    rows = [
        {"task": task.name, "views": [item["a"], item["b"]], "messages": transcript(dialogue)}
        for item, dialogue in zip(items, dialogues, strict=True)
    ]
    read = {
        role: mean_use([_asked(messages) for row in rows for _, messages in asking(row)])
        for role, asking in readers.items()
    }
    return Sample((slots[0], slots[1]), mean_use([_asked(ask) for ask in asks]), read)


def _asked(messages: Messages) -> Use:
    """What a simulated reader uses for one call."""
    return _use_of([answer_messages(MIDDLE, messages)])


async def _all(dialogues: Iterable[Awaitable[Dialogue]]) -> list[Dialogue]:
    return [await dialogue for dialogue in dialogues]


def transcript(dialogue: Dialogue) -> list[dict[str, Any]]:
    """What the grader reads of a dialogue."""
    return [{"slot": turn.slot, "text": turn.text} for turn in dialogue.turns]


def _replies(dialogue: Dialogue, slot: int) -> list[Reply]:
    return [turn.reply for turn in dialogue.turns if turn.slot == slot and turn.reply]


def _use_of(replies: Iterable[Reply]) -> Use:
    uses = [Use(1, reply.prompt_tokens or 0, reply.completion_tokens or 0) for reply in replies]
    return sum(uses, Use())


Recorded = dict[str, list[dict[str, Use]]]  # by task: the use of each model, one entry a rollout


def read_recorded(paths: Sequence[Path], forgiving: bool = False) -> Recorded:
    """What finished rollouts used, where the endpoint counted. ``forgiving``: pass over damaged files."""
    found: Recorded = defaultdict(list)
    for path in filter(Path.exists, paths):
        try:
            for row in read_each(path, ROLLOUTS, ["task", "outcome", "usage"]):
                if row["outcome"] not in UNFINISHED and (uses := _row_uses(row["usage"])):
                    found[row["task"]].append(uses)
        except UserError:
            if not forgiving:
                raise
    return found


def _row_uses(usage: Sequence[dict[str, Any]]) -> dict[str, Use] | None:
    """Use by model; None where a count is missing or nobody was called."""
    uses: dict[str, Use] = {}
    for slot in usage:
        counts = slot["prompt_tokens"], slot["completion_tokens"]
        if None in counts:
            return None
        uses[slot["model"]] = uses.get(slot["model"], Use()) + Use(slot["calls"], *counts)
    return uses if any(use.calls for use in uses.values()) else None


def estimate(
    model: str,
    team: Sequence[str],
    task: str,
    stands: Recorded,
    before: Recorded,
    ledger: Use | None,
    sample: Callable[[], Sample],
) -> Estimate:
    """What a rollout of a task needs of a model of the team.

    ``stands``, ``before``: recorded rollouts of the team and mode that stay and that would run again.
    ``ledger``: a mean call in the ledger, of this model and task, whatever the mode.
    """
    for recorded, source in ((stands, RECORDED), (before, EARLIER)):
        if rows := recorded.get(task):
            return Estimate(mean_use([row.get(model, Use()) for row in rows]), source)
    if rows := [row for recorded in (stands, before) for some in recorded.values() for row in some]:
        return Estimate(mean_use([row.get(model, Use()) for row in rows]), ELSEWHERE)
    talked = sample().of(model, team)
    return Estimate(ledger.times(talked.calls), LEDGER) if ledger else Estimate(talked, SIMULATED)


def mean_tokens(counts: Sequence[tuple[int, int]]) -> Use | None:
    """The mean call of recorded (prompt, completion) counts; None without any."""
    if not counts:
        return None
    return Use(1, fmean(prompt for prompt, _ in counts), fmean(completion for _, completion in counts))
