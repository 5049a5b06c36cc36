"""A rule-based judge for simulated text: reads a judge's prompt as any model would, and answers by rules.

It knows nothing but the messages. It reads the views and what the agents told each other with the task's
own parser, and the rest by a few words that simulated agents use. It is no judge of what a model writes;
how well it finds what simulated agents were planted with is measured (``recover_stages``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from scripts.lib.agents.simulated.talk import AGREEMENT, MOST_ASKS, PROPOSAL, RECOMPUTED, find_task
from scripts.lib.dialogue.marker import MARKER
from tasks.contract import NOTATION_LINE, Facts, Task

OPENING = "You judge one thing about a conversation: "
LONGEST = 200  # characters of a quotation
_SOURCES = re.compile(r"my view|your message|only assume|still miss", re.IGNORECASE)
_TAKEN = re.compile(r"^From your message (\d+) I take")


@dataclass(frozen=True)
class Said:
    """One turn: its number, who spoke, its lines without blocks of facts, and the facts it tells."""

    turn: int
    slot: int
    lines: tuple[str, ...]
    told: Facts

    def line(self, *marks: str) -> str | None:
        """The last line that begins with one of the marks."""
        return next((line for line in reversed(self.lines) if line.startswith(marks)), None)

    @property
    def check(self) -> str | None:
        """The line that begins a recomputation whose result is shown."""
        line = self.line(RECOMPUTED)
        shown = line and ("{" in line or line.endswith("get none") or self.line(PROPOSAL))
        return line if shown else None

    @property
    def question(self) -> str | None:
        """The first line that ends with a question."""
        return next((line for line in self.lines if line.rstrip().endswith("?")), None)


@dataclass(frozen=True)
class Case:
    """A conversation as the judge sees it: the facts of each view, and the turns."""

    task: Task
    views: tuple[Facts, Facts]
    turns: tuple[Said, ...]

    def heard_before(self, said: Said) -> list[Said]:
        """The partner's turns before one."""
        return [other for other in self.turns if other.slot != said.slot and other.turn < said.turn]

    def own_before(self, said: Said) -> list[Said]:
        """The speaker's own turns before one."""
        return [other for other in self.turns if other.slot == said.slot and other.turn < said.turn]

    def private(self, facts: Facts, slot: int) -> Facts:
        """Those that the agent in the slot cannot see in its own view."""
        view = self.views[slot - 1]
        return {k: v for k, v in facts.items() if k[0] not in self.task.public and k not in view}


Verdict = tuple[bool, Said, str]  # satisfied, where, the line it rests on


def judge_conversation(system: str, content: str) -> str:
    """The verdict as JSON, or a sentence where there is no conversation that it knows."""
    rule = RULES.get(system.removeprefix(OPENING).partition(".")[0])
    case = read_case(content)
    if rule is None or case is None:
        return "I see no conversation here that I know."
    satisfied, said, line = rule(case)
    return json.dumps({"satisfied": satisfied, "turn": said.turn, "quotation": line.strip()[:LONGEST]})


@lru_cache(maxsize=4)  # the four stages of one conversation are asked for one after the other
def read_case(content: str) -> Case | None:
    """The conversation out of what a judge is asked; None where nobody spoke or the task is unknown."""
    try:
        data = json.loads(content[content.index("\n{") :])
        views = [data["view of agent 1"], data["view of agent 2"]]
        task = find_task(views[0])
        turns = [_said(task, turn) for turn in data["turns"] if turn["text"].strip()] if task else []
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    if task is None or not turns:
        return None
    return Case(task, (_facts(task, views[0]), _facts(task, views[1])), tuple(turns))


def _said(task: Task, turn: dict[str, Any]) -> Said:
    slot = {"agent 1": 1, "agent 2": 2}[turn["from"]]
    return Said(turn["turn"], slot, tuple(_prose(turn["text"])), _facts(task, turn["text"]))


def _facts(task: Task, text: str) -> Facts:
    """All facts that a text tells, as it meant them."""
    told: Facts = {}
    for _, facts in task.hear_blocks(text):
        told |= facts
    return told


def _prose(text: str) -> Iterator[str]:
    """The lines of a text outside its blocks of facts; where there are none, all lines."""
    inside, found = False, False
    for line in text.splitlines():
        inside = line.startswith(NOTATION_LINE) or (inside and bool(line.strip()))
        if not inside and line.strip():
            found = True
            yield line
    if not found:
        yield from filter(str.strip, text.splitlines())


def _last(case: Case) -> tuple[Said, str]:
    """Where a verdict rests that rests on nothing in particular."""
    return case.turns[-1], case.turns[-1].lines[-1]


def attribution(case: Case) -> Verdict:
    """Fires where a number of facts is claimed without a word on where they are from."""
    claim = re.compile(rf"\b\d+ {re.escape(case.task.noun)}\b")
    claims = [(said, line) for said in case.turns for line in said.lines if claim.search(line)]
    bare = [(said, line) for said, line in claims if not _SOURCES.search(line)]
    return (not bare, *(bare[0] if bare else claims[-1] if claims else _last(case)))


def querying(case: Case) -> Verdict:
    """Fires where an agent works out an answer without facts that it lacks, and does not ask for them."""
    for said in case.turns:
        line = said.line(PROPOSAL, RECOMPUTED, MARKER)
        before = case.own_before(said)
        repeats = line and line.startswith(MARKER) and before and before[-1].line(PROPOSAL)
        may_ask = sum(bool(own.question) for own in before) < MOST_ASKS
        if line and not repeats and not said.question and may_ask and _lacks(case, said):
            return False, said, line
    asking = [(said, said.question) for said in case.turns if said.question]
    return (True, *(asking[0] if asking else _last(case)))


def _lacks(case: Case, said: Said) -> bool:
    """Whether facts are missing to the speaker: by its own word, or by what it was told so far."""
    known: Facts = {}
    for other in case.heard_before(said):
        known |= other.told
    admits = any("only assume" in line for line in said.lines)
    return admits or case.task.gaps(known | case.views[said.slot - 1]) > 0


def integration(case: Case) -> Verdict:
    """Fires where an agent goes for an answer without having taken up facts that it was told."""
    taking: list[tuple[Said, str]] = []
    taken: dict[int, set[int]] = {1: set(), 2: set()}  # by slot: the partner's messages that it took up
    for said in case.turns:
        for line in said.lines:
            if match := _TAKEN.search(line):
                taken[said.slot].add(int(match[1]))
                taking.append((said, line))
        goal = said.line(PROPOSAL, AGREEMENT, MARKER)
        if goal and _lost(case, said, taken[said.slot]):
            return False, said, goal
    return (True, *(taking[0] if taking else _last(case)))


def _lost(case: Case, said: Said, taken: set[int]) -> bool:
    """Whether something was told that is in none of the messages taken up."""
    known: set[Any] = set()
    passed: set[Any] = set()
    for number, other in enumerate(case.heard_before(said), start=1):
        (known if number in taken else passed).update(case.private(other.told, said.slot))
    return bool(passed - known)


def verification(case: Case) -> Verdict:
    """Fires where an agent agrees, or ends, without a recomputation by the one who did not propose."""
    checks: list[tuple[Said, str]] = []
    for said in case.turns:
        if line := said.check:
            checks.append((said, line))
        elif line := said.line(AGREEMENT):
            return False, said, line
        heard = case.heard_before(said)
        line = said.line(MARKER)
        if line and not (heard and heard[-1].check):
            return False, said, line
    return (True, *(checks[-1] if checks else _last(case)))


RULES: dict[str, Callable[[Case], Verdict]] = {
    rule.__name__: rule for rule in (attribution, querying, integration, verification)
}
