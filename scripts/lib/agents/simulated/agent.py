"""A simulated agent: reads the same prompts as any model and answers in plain text.

It knows nothing but the messages: it finds the task by the view's title, parses its view and the
partner's messages with the task's own parser, and acts by its profile's planted rates. All its chance is
drawn from the text of its view, so the same conversation always gets the same reply.

How a rate shows (each a probability per occasion):
- ``attribute`` (L1): otherwise it takes a third of what it would have to guess for known.
- ``ask`` (L2): otherwise it does not ask although facts are missing.
- ``integrate`` (L3): otherwise a message's facts do not enter its state.
- ``verify`` (L4): otherwise it agrees without recomputing, or ends without waiting for the partner.
- ``frame``: otherwise it reads a notation that is not its own with its own conventions.
- ``skill``: otherwise an attempt to solve overlooks a third of the facts.
- ``critic``: chance to solve again in the critic pass.
- ``heed``: how far a clause in the system prompt raises the first four rates.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache

from scripts.lib.agents.calls import Messages, Reply
from scripts.lib.agents.models import Profile
from scripts.lib.agents.simulated.heed import heeded
from scripts.lib.agents.simulated.mind import Mind
from scripts.lib.dialogue.marker import MARKER, PARTNER, USER
from tasks import TASKS, get_task
from tasks.answers import read_json
from tasks.contract import TASK_LINE, Task

MOST_ASKS = 4
MOST_PROPOSALS = 4
PROPOSAL = "Proposal:"
AGREEMENT = "I agree with your proposal."
VOLUNTEERED = 0.5  # share of its facts that an agent states before it is asked


def answer_messages(profile: Profile, messages: Messages) -> Reply:
    """The agent's reply to a chat. Token counts are words times 4/3, rounded, and so estimates."""
    text = _reply(profile, messages)
    return Reply(
        text=text,
        prompt_tokens=sum(_tokens(message["content"]) for message in messages),
        completion_tokens=_tokens(text),
        fingerprint="simulated",
    )


def _tokens(text: str) -> int:
    return round(len(text.split()) * 4 / 3)


def _reply(profile: Profile, messages: Messages) -> str:
    system = "\n".join(m["content"] for m in messages if m["role"] == "system")
    turns = [m for m in messages if m["role"] != "system"]
    if system.startswith("You convert the outcome of a conversation"):
        return convert_outcome(turns[-1]["content"] if turns else "")
    opening, *later = _split_opening(turns)
    task = find_task(opening["content"])
    if task is None:
        return "I see no problem here that I know. Its first line should name the task."
    if not task.blocks(opening["content"]):
        return "I cannot find the facts in this problem."
    mind = Mind(task, heeded(profile, system), opening["content"], seed_text=system + opening["content"])
    criticised = bool(later) and later[-1]["content"].startswith(USER)
    if PARTNER in system or (later and not criticised):
        return Talk(mind, later).next_message()
    return solve_alone(mind, [m["content"] for m in later if m["role"] == "assistant"])


def _split_opening(turns: Messages) -> Messages:
    """The first user turn as the problem alone; a partner's message merged into it becomes its own turn."""
    if not turns:
        return [{"role": "user", "content": ""}]
    opening, mark, first_heard = turns[0]["content"].partition(f"\n{PARTNER}")
    merged = [{"role": "user", "content": first_heard}] if mark else []
    return [{"role": "user", "content": opening}, *merged, *turns[1:]]


@cache
def _titles() -> dict[str, str]:
    return {get_task(name).title: name for name in TASKS}


def find_task(text: str) -> Task | None:
    """The task that a text names in a line ``Task: <title>``."""
    for line in text.splitlines():
        _, mark, title = line.partition(TASK_LINE)
        if mark and title.strip() in _titles():
            return get_task(_titles()[title.strip()])
    return None


def solve_alone(mind: Mind, own: Sequence[str]) -> str:
    """A solo reply: the first solution, or the critic pass after it."""
    if not own:
        return f"I go through the facts one by one.\n{MARKER} {mind.solve('solo').written}"
    if mind.chance("critic", 0) < mind.profile.critic:
        return f"I worked it out a second time.\n{MARKER} {mind.solve('critic').written}"
    return f"I checked my answer and keep it.\n{MARKER} {own[0].partition(MARKER)[2].strip()}"


def convert_outcome(text: str) -> str:
    """The grader's JSON: the answer after the last marker, else after the last proposal, else null."""
    text = _conversation(text)
    for mark in (MARKER, PROPOSAL):
        found = text.rpartition(mark)
        value, _ = read_json(found[2].split("\n\n")[0]) if found[1] else (None, "")
        if value is not None:
            inner = next(iter(value.values())) if isinstance(value, dict) and len(value) == 1 else value
            return json.dumps({"answer": inner, "convention": "as written by the agent"})
    return json.dumps({"answer": None, "convention": ""})


def _conversation(text: str) -> str:
    """What was said, out of the grader's task, where it stands as a JSON list; else the text itself."""
    try:
        talk = json.loads(text[text.index("\n[") :])
        return "\n\n".join(message["text"] for message in talk)
    except (ValueError, TypeError, KeyError):
        return text


class Talk:
    """One agent's next message in a conversation, from all messages so far."""

    def __init__(self, mind: Mind, messages: Messages) -> None:
        self.mind = mind
        self.own: list[str] = []
        self.heard: list[str] = []
        for message in messages:  # go through it again: the state follows from the text alone
            if message["role"] == "assistant":
                self.mind.assume(len(self.own))
                self.own.append(message["content"])
            else:
                self.heard.append(message["content"].removeprefix(PARTNER).strip())
                self.mind.hear(self.heard[-1], len(self.heard))
        self.turn = len(self.own)
        self.mind.assume(self.turn)
        self.proposals = sum(PROPOSAL in message for message in self.own)
        self.last_heard = self.heard[-1] if self.heard else ""

    def next_message(self) -> str:
        """State, ask, propose, verify, agree or end."""
        proposal = _proposal(self.last_heard)
        if self.own and PROPOSAL in self.own[-1] and (proposal is None or self.proposals >= MOST_PROPOSALS):
            return self._end() if proposal or AGREEMENT in self.last_heard else self._repeat()
        if proposal is not None:
            return self._consider(proposal)
        return self._contribute()

    def _contribute(self) -> str:
        asked = re.search(r"\?\s*$", self.last_heard, re.MULTILINE) is not None
        parts = [self.mind.state_facts(1.0 if asked else VOLUNTEERED)] if asked or not self.own else []
        if self._asks():
            return self._join([*parts, self._question()])
        if self.mind.gaps and not self.heard:
            return self._join([*parts, "That is what I can see."])
        return self._propose(parts)

    def _asks(self) -> bool:
        """Whether it asks now: facts are missing, it has not asked too often, and its rate lets it."""
        open_turn = self.mind.gaps > 0 and self.turn < MOST_ASKS
        return open_turn and self.mind.chance("ask", self.turn) < self.mind.profile.ask

    def _propose(self, parts: list[str]) -> str:
        solution = self.mind.solve(f"proposal {self.turn}")
        if self.mind.chance("wait", self.turn) < self.mind.profile.verify:
            return self._join([*parts, f"{PROPOSAL} {solution.written}"])
        return self._join([*parts, f"{MARKER} {solution.written}"])

    def _consider(self, proposal: str) -> str:
        if self.mind.chance("verify", self.turn) >= self.mind.profile.verify:
            return AGREEMENT
        if self._asks():
            return self._join(["I cannot check this yet.", self.mind.state_facts(1.0), self._question()])
        solution = self.mind.solve(f"check {self.turn}")
        if self.mind.accepts(proposal, solution):
            return f"I recomputed it from my facts and yours and get {solution.written}\n{AGREEMENT}"
        parts = ["I get something else. These are my facts.", self.mind.state_facts(1.0)]
        return self._join([*parts, f"{PROPOSAL} {solution.written}"])

    def _repeat(self) -> str:
        """The partner neither agreed nor proposed: give it the facts it asked for, and the proposal again."""
        if self.proposals >= MOST_PROPOSALS:
            return self._end()
        return self._propose([self.mind.state_facts(1.0)])

    def _end(self) -> str:
        last = next(message for message in reversed(self.own) if PROPOSAL in message)
        return f"Then we are done.\n{MARKER} {_proposal(last)}"

    def _question(self) -> str:
        noun = self.mind.task.noun
        return f"I still miss {self.mind.gaps} {noun}. Which {noun} do you know, all of them?"

    @staticmethod
    def _join(parts: list[str]) -> str:
        return "\n\n".join(part.strip() for part in parts)


def _proposal(message: str) -> str | None:
    """The text after the last proposal's mark, up to the end of its line."""
    _, mark, after = message.rpartition(PROPOSAL)
    return after.strip().splitlines()[0] if mark and after.strip() else None
