"""What a simulated agent says next in a conversation, and the words by which it does so."""

from __future__ import annotations

import re
from functools import cache

from scripts.lib.agents.calls import Messages
from scripts.lib.agents.simulated.mind import Mind
from scripts.lib.dialogue.marker import MARKER, PARTNER
from tasks import TASKS, get_task
from tasks.contract import TASK_LINE, Task

MOST_ASKS = 4
MOST_PROPOSALS = 4
PROPOSAL = "Proposal:"
AGREEMENT = "I agree with your proposal."
RECOMPUTED = "I recomputed it"
END, REPEAT, CONSIDER, CONTRIBUTE = "end", "repeat", "consider", "contribute"
VOLUNTEERED = 0.5  # share of its facts that an agent states before it is asked


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


class Talk:
    """One agent's next message in a conversation, from all messages so far."""

    def __init__(self, mind: Mind, messages: Messages) -> None:
        self.mind = mind
        self.own: list[str] = []
        self.heard: list[str] = []
        self.taken: int | None = None  # facts read in the last message; None where it took up none
        for message in messages:  # go through it again: the state follows from the text alone
            if message["role"] == "assistant":
                self.mind.assume(len(self.own))
                self.own.append(message["content"])
            else:
                self.heard.append(message["content"].removeprefix(PARTNER).strip())
                self.taken = self.mind.hear(self.heard[-1], len(self.heard))
        self.turn = len(self.own)
        self.mind.assume(self.turn)
        self.proposals = sum(PROPOSAL in message for message in self.own)
        self.last_heard = self.heard[-1] if self.heard else ""

    def next_message(self) -> str:
        """State, ask, propose, verify, agree or end."""
        occasions = {
            END: self._end,
            REPEAT: self._repeat,
            CONSIDER: self._consider,
            CONTRIBUTE: self._contribute,
        }
        return _join([self._thanks(), occasions[self.occasion()]()])

    def occasion(self) -> str:
        """What the conversation asks of it now."""
        proposed = bool(self.own) and PROPOSAL in self.own[-1]
        often, heard = self.proposals >= MOST_PROPOSALS, _proposal(self.last_heard)
        if proposed and (heard is None or often):
            return END if often or AGREEMENT in self.last_heard else REPEAT
        return CONTRIBUTE if heard is None else CONSIDER

    def may_ask(self) -> bool:
        """Whether facts are missing that it has not asked for too often."""
        return self.mind.gaps > 0 and self.turn < MOST_ASKS

    def asks(self) -> bool:
        """Whether it asks now, if it may."""
        return self.may_ask() and self.mind.chance("ask", self.turn) < self.mind.profile.ask

    def waits(self) -> bool:
        """Whether it proposes an answer for the partner to check, instead of ending with it."""
        return self.mind.chance("wait", self.turn) < self.mind.profile.verify

    def verifies(self) -> bool:
        """Whether it recomputes a proposal."""
        return self.mind.chance("verify", self.turn) < self.mind.profile.verify

    def shows(self) -> bool:
        """Whether it only shows what it has: facts are missing, and the partner has not spoken yet."""
        return self.mind.gaps > 0 and not self.heard

    def _contribute(self) -> str:
        asked = re.search(r"\?\s*$", self.last_heard, re.MULTILINE) is not None
        parts = [self.mind.state_facts(1.0 if asked else VOLUNTEERED)] if asked or not self.own else []
        if self.asks():
            return _join([*parts, self._question()])
        if self.shows():
            return _join([*parts, "That is what I can see."])
        return self._propose(parts)

    def _propose(self, parts: list[str]) -> str:
        solution = self.mind.solve(f"proposal {self.turn}")
        mark = PROPOSAL if self.waits() else MARKER
        return _join([*parts, f"{self.mind.basis()}\n{mark} {solution.written}"])

    def _consider(self) -> str:
        if not self.verifies():
            return AGREEMENT
        if self.asks():
            return _join(["I cannot check this yet.", self.mind.state_facts(1.0), self._question()])
        solution, basis = self.mind.solve(f"check {self.turn}"), self.mind.basis()
        if self.mind.accepts(_proposal(self.last_heard) or "", solution):
            return f"{basis}\n{RECOMPUTED} from my facts and yours and get {solution.written}\n{AGREEMENT}"
        parts = [f"{RECOMPUTED} and get something else. These are my facts.", self.mind.state_facts(1.0)]
        return _join([*parts, f"{basis}\n{PROPOSAL} {solution.written}"])

    def _repeat(self) -> str:
        """The partner neither agreed nor proposed: give it the facts it asked for, and the proposal again."""
        return self._propose([self.mind.state_facts(1.0)])

    def _end(self) -> str:
        last = next(message for message in reversed(self.own) if PROPOSAL in message)
        return f"Then we are done.\n{MARKER} {_proposal(last)}"

    def _thanks(self) -> str:
        """What it took up of the message before."""
        if self.taken is None:
            return ""
        return f"From your message {len(self.heard)} I take {self.taken} {self.mind.task.noun}."

    def _question(self) -> str:
        noun = self.mind.task.noun
        miss = f"I still miss {self.mind.gaps} {noun}. Which {noun} do you know, all of them?"
        return f"{self.mind.basis(proposing=False)}\n{miss}"


def _join(parts: list[str]) -> str:
    return "\n\n".join(part.strip() for part in parts if part)


def _proposal(message: str) -> str | None:
    """The text after the last proposal's mark, up to the end of its line."""
    _, mark, after = message.rpartition(PROPOSAL)
    return after.strip().splitlines()[0] if mark and after.strip() else None
