"""What a simulated agent believes: its view, what it heard, what it merely assumes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random

from scripts.lib.agents.models import Profile
from tasks.contract import Answer, Facts, Frame, Task
from tasks.making import completed, stable_seed

OVERLOOKED = 1 / 3  # share of the private facts that a slip overlooks
ASSUMED = 1 / 3  # share of the guessed facts that are taken for known without attribution
TRIES = 8  # guesses at a completion that has a solution


@dataclass(frozen=True)
class Solution:
    """A solution of what is believed (the facts it was computed from too), and as it is written."""

    facts: Facts
    answer: Answer
    written: str


class Mind:
    """State of one agent in one conversation, rebuilt from the messages at every call."""

    def __init__(self, task: Task, profile: Profile, opening: str, seed_text: str) -> None:
        self.task, self.profile, self.seed_text = task, profile, seed_text
        (self.frame, body), *others = task.blocks(opening)
        self.partner_frame = self.frame
        self.own: Facts = task.hear(body, self.frame)
        self.assumed: Facts = {}
        self.heard: Facts = {}
        for number, (frame, body) in enumerate(others):
            self._take_up(frame, body, f"part {number}")

    def chance(self, *occasion: str | int) -> float:
        """A number in [0, 1) that belongs to this conversation and occasion."""
        return self._rng(*occasion).random()

    def _rng(self, *occasion: str | int) -> Random:
        return Random(stable_seed(self.seed_text, *occasion))

    @property
    def belief(self) -> Facts:
        """What it goes by: its own view before what it assumes, and that before what it heard."""
        return self.heard | self.assumed | self.own

    @property
    def gaps(self) -> int:
        """How many facts it still misses, as far as it can tell."""
        return self.task.gaps(self.belief)

    def integrates(self, number: int) -> bool:
        """Whether the facts of a message enter its state."""
        return self.chance("integrate", number) < self.profile.integrate

    def hear(self, message: str, number: int) -> int | None:
        """Take up what a message states, unless integration fails; how many facts it took, None for none."""
        taken = None
        for frame, body in self.task.blocks(message):
            self.partner_frame = frame
            if self.integrates(number):
                taken = (taken or 0) + self._take_up(frame, body, f"message {number}")
        return taken

    def _take_up(self, frame: Frame, body: str, occasion: str) -> int:
        """Read facts written in a frame, and count them; a statement as full as all before replaces them."""
        if self.chance("frame", occasion) >= self.profile.frame:
            frame = self.task.misread(frame, self.frame, self._rng("misread", occasion))
        stated = self.task.hear(body, frame)
        self.heard = stated if len(stated) >= len(self.heard) else self.heard | stated
        return len(self.private(stated))

    def private(self, facts: Facts) -> Facts:
        """Those that not both holders see from the start."""
        return {key: value for key, value in facts.items() if key[0] not in self.task.public}

    def assume(self, turn: int) -> None:
        """Without attribution, some of what it would have to guess is from now on taken for known."""
        if not self.gaps or self.chance("attribute", turn) < self.profile.attribute:
            return
        rng, belief = self._rng("assume", turn), self.belief
        guess = completed(self.task, belief, rng)
        if guess:
            unknown = [key for key in guess[0] if key not in belief]
            self.assumed |= {key: guess[0][key] for key in unknown if rng.random() < ASSUMED}

    def state_facts(self, share: float) -> str:
        """A share of its own facts as a block of text, public ones always."""
        rng = self._rng("state")
        said = {k: v for k, v in self.own.items() if k[0] in self.task.public or rng.random() < share}
        return self.task.block(said, self.frame)

    def basis(self, proposing: bool = True) -> str:
        """How many facts it goes by, and from where; without attribution the number alone, as if known.

        Who is proposing and keeps apart what it knows also says what it only assumes.
        """
        noun, own = self.task.noun, self.private(self.own)
        heard = {key for key in self.private(self.heard) if key not in own}
        known = len(own) + len(heard)
        if self.assumed:
            return f"I am sure of {len(self.private(self.belief))} {noun}."
        guessed = f", and {self.gaps} more that I only assume" if self.gaps and proposing else ""
        return (
            f"I go by {known} {noun}, {len(own)} from my view and {len(heard)} from your messages{guessed}."
        )

    def solve(self, occasion: str) -> Solution:
        """An answer from what is believed, gaps guessed; with a slip where skill fails."""
        rng = self._rng("solve", occasion)
        facts = dict(self.belief)
        if rng.random() >= getattr(self.profile.skill, self.task.family):
            facts = {k: v for k, v in facts.items() if k[0] in self.task.public or rng.random() >= OVERLOOKED}
        for attempt in range(TRIES):
            guess = completed(self.task, facts, rng if attempt else None)
            if guess:
                return self._solution(*guess)
        return Solution(facts, None, "none")

    def _solution(self, facts: Facts, answer: Answer) -> Solution:
        value = self.task.write_answer(answer, self.frame)
        return Solution(facts, answer, json.dumps({self.task.answer_key: value}))

    def accepts(self, proposal: str, solution: Solution) -> bool:
        """Whether a partner's proposal is as good as its own solution, by its own facts."""
        value, _ = self.task.read_answer(proposal)
        if solution.answer is None:
            return True
        answers = [self.task.interpret(value, frame) for frame in (self.partner_frame, self.frame)]
        return any(
            a is not None and self.task.grade(solution.facts, solution.answer, a) >= 1 for a in answers
        )
