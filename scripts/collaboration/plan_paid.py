"""What the ledger already holds of rollouts that would run: they are replayed through it, without a call."""

from __future__ import annotations

import asyncio
import functools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from scripts.collaboration.extract_answers import grader_messages, is_gradable
from scripts.collaboration.instances import instance_row, read_puzzle
from scripts.collaboration.plan_usage import Use, transcript
from scripts.collaboration.run_rollouts import Item, converse, read_items
from scripts.collaboration.schemas import ROLLOUTS
from scripts.lib.agents.calls import Messages, Reply, call_key
from scripts.lib.agents.ledger import Ledger, read_entries
from scripts.lib.agents.models import Model
from scripts.lib.agents.simulated.agent import answer_messages
from scripts.lib.names import slug, team_name
from scripts.lib.outcomes import UNFINISHED
from scripts.lib.tables import read_each
from tasks import get_task
from tasks.contract import VIEWS, Draft
from tasks.making import make_instance

SPOKEN = 50  # dialogues of a team and mode from which a call's latency is taken

Spoken = list[tuple[str, str]]  # model and ledger key of each recorded reply of one dialogue, in order


class NotPaid(Exception):
    """The ledger holds no reply to the next call."""


@dataclass
class Paid:
    """Of some rollouts: how many are paid to their end, the use of those begun, readings that are paid."""

    ended: int = 0
    begun: list[dict[str, Use]] = field(default_factory=list)
    read: int = 0


@dataclass
class History:
    """What the ledger tells of one model: mean counts by task, and when its replies came (seconds)."""

    counts: dict[str, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    at: dict[str, float] = field(default_factory=dict)


class Replayer:
    """Replays through the ledger alone. Simulated members of a mixed team speak for themselves."""

    def __init__(self, models: dict[str, Model], roots: Sequence[Path]) -> None:
        self.models, self.roots = models, roots
        self.spoken: dict[tuple[str, str], list[Spoken]] = defaultdict(list)  # by team and mode
        self._ledgers: dict[tuple[str, str], Ledger] = {}

    def knows(self, model: str, task: str) -> bool:
        """Whether anything is recorded of a model and task."""
        return any((root / slug(model) / slug(task)).is_dir() for root in self.roots)

    def replay(
        self, items: Sequence[Item], team: Sequence[str], talk: dict[str, Any], grader: str | None
    ) -> Paid:
        """What is paid of these instances' rollouts. ``talk``: mode, critic, max_exchanges, clauses."""
        return asyncio.run(self._replay(items, team, talk, grader))

    async def _replay(
        self, items: Sequence[Item], team: Sequence[str], talk: dict[str, Any], grader: str | None
    ) -> Paid:
        paid = Paid()
        for item in items:
            uses: dict[str, Use] = {}
            spoken: Spoken = []
            speak = [functools.partial(self._speak, item["task"], name, uses, spoken) for name in team]
            try:
                dialogue = await converse(item, list(speak), talk)
            except NotPaid:
                paid.begun += [uses] if uses else []
            else:
                paid.ended += 1
                ask = grader_messages(get_task(item["task"]), {"messages": transcript(dialogue)})
                paid.read += self.holds(grader, item["task"], ask)
            sample = self.spoken[team_name(tuple(team)), talk["mode"]]
            if spoken and len(sample) < SPOKEN:
                sample.append(spoken)
        return paid

    def forget(self) -> None:
        """Let go of the ledgers that were opened: many tasks' keys need not be in memory at once."""
        self._ledgers.clear()

    async def _speak(
        self, task: str, name: str, uses: dict[str, Use], spoken: Spoken, messages: Messages
    ) -> Reply:
        model = self.models[name]
        if model.profile:
            return answer_messages(model.profile, messages)
        reply = self._ledger(name, task).get(call_key(model.identity(name), messages, 0))
        if reply is None:
            raise NotPaid
        use = Use(1, reply.prompt_tokens or 0, reply.completion_tokens or 0)
        uses[name] = uses.get(name, Use()) + use
        spoken.append((name, reply.key))
        return reply

    def holds(self, grader: str | None, task: str, ask: Messages) -> bool:
        """Whether the ledger has a grader's reading; simulated ones are never recorded."""
        if grader is None or self.models[grader].simulated:
            return False
        return call_key(self.models[grader].identity(grader), ask, 0) in self._ledger(grader, task)

    def readings(self, rollouts: Path, grader: str) -> dict[str, tuple[int, int]]:
        """By task: dialogues of a finished batch that a grader reads, and those whose reading is paid."""
        found: dict[str, tuple[int, int]] = {}
        real = not self.models[grader].simulated
        columns = ["task", "outcome", "turns", *(["messages"] if real else [])]
        for row in read_each(rollouts, ROLLOUTS, columns):
            wanted, paid = found.get(row["task"], (0, 0))
            if real and is_gradable(row):
                paid += self.holds(grader, row["task"], grader_messages(get_task(row["task"]), row))
            wanted += row["outcome"] not in UNFINISHED and row["turns"] > 0
            found[row["task"]] = (wanted, paid)
        return found

    def _ledger(self, model: str, task: str) -> Ledger:
        if (model, task) not in self._ledgers:
            self._ledgers[model, task] = Ledger(self.roots, model, task)
        return self._ledgers[model, task]


def read_history(roots: Sequence[Path], model: str) -> History:
    """One pass over all that is recorded of a model."""
    history = History()
    for entry, reply in _entries(roots, model):
        if reply.prompt_tokens is not None and reply.completion_tokens is not None:
            counts = reply.prompt_tokens, reply.completion_tokens
            history.counts[str(entry.get("task"))].append(counts)
        if (at := seconds_of(entry.get("at"))) and not reply.batch:
            history.at[reply.key] = at
    return history


def _entries(roots: Sequence[Path], model: str) -> Iterator[tuple[dict[str, Any], Reply]]:
    """Recorded replies, the first of each call; damaged lines are passed over."""
    seen = set()
    for root in roots:
        for _, _, line in read_entries(root, model):
            if line and line[1].key not in seen:
                seen.add(line[1].key)
                yield line


def seconds_of(at: Any) -> float | None:
    """A line's time stamp in seconds; None where it has none."""
    try:
        return datetime.fromisoformat(at).timestamp()
    except (TypeError, ValueError):
        return None


def read_spoken(rollouts: Path) -> list[Spoken]:
    """Who gave which recorded reply, in the first rollouts of a finished batch."""
    found = []
    for row in islice(read_each(rollouts, ROLLOUTS, ["usage", "messages"]), SPOKEN):
        models = {use["slot"]: use["model"] for use in row["usage"]}
        found.append([(models[m["slot"]], m["key"]) for m in row["messages"] if m["key"]])
    return found


def view_texts(views: Path | None, task: str, size: str, seed: int, indices: range) -> list[Item]:
    """Instances of a task as an agent sees them: from their file, else made here (``views`` None)."""
    if views is not None:
        return [item for item in read_items([views]) if item["index"] in indices]
    return [_made(task, size, seed, index) for index in indices]


def _made(name: str, size: str, seed: int, index: int) -> Item:
    task = get_task(name)
    row = instance_row(task, make_instance(task, size, seed, index))
    puzzle = read_puzzle(row)
    draft = Draft(puzzle.facts, puzzle.frames)
    return {"task": name, "index": index, "digest": row["digest"]} | {v: task.view(draft, v) for v in VIEWS}
