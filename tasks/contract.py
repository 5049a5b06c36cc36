"""What every task offers, and what the pipeline and the agents may rely on.

A task is a problem cut in two. Its truth is a set of *facts*: a dict from a key (a tuple whose first
element names the kind, such as ``("cell", 2, 3)``) to a value. Holder ``a`` knows one part, holder ``b``
another; kinds listed in ``Task.public`` are known to both. A *frame* is a JSON-able dict that says how a
holder writes facts down (surface form, origin, units, aliases). Everything else follows from the text:
``say`` writes facts in a frame, ``hear`` reads them back, ``notation`` states the frame openly and
``read_notation`` reads it back. Tasks are pure: no I/O, no model, no data frame.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tasks.answers import read_json, unwrap

Key = tuple[Any, ...]
Facts = dict[Key, Any]
Frame = dict[str, Any]
Answer = Any  # JSON-able, canonical: names rather than IDs, origin 0 at the top left, UTC, SI units

HOLDERS = ("a", "b")
VIEWS = ("full", "a", "b")
FAMILIES = {"spatial": "Spatial", "relational": "Relational", "csp": "CSP"}

TASK_LINE = "Task:"
NOTATION_LINE = "Notation:"
FACTS_LINE = "Facts:"
ANSWER_LINE = "Answer:"


class Reject(Exception):
    """A drawn instance does not qualify; the message is the reason that the rejection table counts."""


@dataclass(frozen=True)
class Draft:
    """What ``Task.draw`` returns: the facts of both holders and the frames of the three views."""

    facts: dict[str, Facts]
    frames: dict[str, Frame]

    @property
    def union(self) -> Facts:
        """All facts of the instance."""
        return self.facts["a"] | self.facts["b"]


@dataclass(frozen=True)
class Grade:
    """Score in [0, 1] and the conventions under which the answer reaches it (empty at score 0)."""

    score: float
    accepted: tuple[str, ...] = ()


class Task(ABC):
    """One task. Subclasses set the class attributes and the abstract methods; one file tells it whole."""

    name: ClassVar[str]
    family: ClassVar[str]  # a key of FAMILIES
    title: ClassVar[str]  # stands in the view's first line
    rules: ClassVar[str]  # what the problem is; shown in every view
    noun: ClassVar[str]  # what one fact is called, plural: "cells", "family links"
    answer_key: ClassVar[str]  # the one key of the JSON answer
    answer_format: ClassVar[str]  # one line: how to write the answer, with an example
    score_rule: ClassVar[str]  # one line for the gallery
    sizes: ClassVar[Mapping[str, Mapping[str, Any]]]  # at least tiny, small, paper
    public: ClassVar[frozenset[str]] = frozenset()  # kinds of fact that both holders know
    misreadable: ClassVar[tuple[str, ...]] = ()  # frame keys a careless reader replaces by its own
    least_answers: ClassVar[int] = 2  # distinct optimal answers that each view alone must leave open

    # -- making an instance ------------------------------------------------------------------
    @abstractmethod
    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        """Draw an instance; raise Reject where the draw does not qualify (it is drawn again)."""

    # -- text --------------------------------------------------------------------------------
    @abstractmethod
    def notation(self, frame: Frame) -> str:
        """State the frame openly, without blank lines; ``read_notation`` must recover it exactly."""

    @abstractmethod
    def read_notation(self, text: str) -> Frame:
        """Read the frame back. Raises ValueError where the text states none."""

    @abstractmethod
    def say(self, facts: Facts, frame: Frame) -> str:
        """Write any subset of facts in the frame's surface form, without blank lines."""

    @abstractmethod
    def hear(self, text: str, frame: Frame) -> Facts:
        """Read facts that were written in that frame; what cannot be read is left out. Never raises."""

    # -- reasoning ---------------------------------------------------------------------------
    @abstractmethod
    def gaps(self, facts: Facts) -> int:
        """How many facts are still missing before the answer is fixed; 0 for the union."""

    @abstractmethod
    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        """Fill what is unknown: at random, or optimistically where ``rng`` is None (then deterministic).

        Keeps every known fact, copes with any subset that holds the public facts, and returns facts
        without gaps. May raise Reject where the known facts contradict each other.
        """

    @abstractmethod
    def solve(self, facts: Facts) -> Answer | None:
        """The optimal canonical answer for facts without gaps; None where there is none."""

    # -- answers -----------------------------------------------------------------------------
    @abstractmethod
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        """The JSON value of a canonical answer as the holder of that frame writes it (below answer_key)."""

    @abstractmethod
    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        """Read a JSON value as written in that frame; None where it is not an answer. Never raises."""

    @abstractmethod
    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        """Score in [0, 1] of a canonical answer, given the true facts and their optimal answer."""

    def conventions(self, frames: Mapping[str, Frame]) -> dict[str, Frame]:
        """The conventions an answer is accepted in, by name: by default the frame of each view."""
        return dict(frames)

    def read_loosely(self, text: str) -> Any | None:
        """Read a JSON value out of free text that holds no JSON; None where nothing is found."""
        return None

    # -- given by the above ------------------------------------------------------------------
    def block(self, facts: Facts, frame: Frame) -> str:
        """Facts with their notation, as views and messages show them; ``hear_blocks`` reads it back."""
        return f"{NOTATION_LINE} {self.notation(frame)}\n{FACTS_LINE}\n{self.say(facts, frame)}\n"

    def view(self, draft: Draft, view: str) -> str:
        """The text of view ``full``, ``a`` or ``b``."""
        facts = draft.union if view == "full" else draft.facts[view]
        part = "" if view == "full" else f" You hold view {view.upper()}: one part of the facts."
        return (
            f"{TASK_LINE} {self.title}\n{self.rules}{part}\n\n"
            f"{self.block(facts, draft.frames[view])}\n"
            f"{ANSWER_LINE} {self.answer_format}\n"
        )

    def blocks(self, text: str) -> list[tuple[Frame, str]]:
        """Every block of notation and facts in a text whose notation is readable, as (frame, facts text)."""
        readable = []
        for notation, body in find_blocks(text):
            try:
                readable.append((self.read_notation(notation), body))
            except ValueError:
                continue
        return readable

    def hear_blocks(self, text: str) -> list[tuple[Frame, Facts]]:
        """The blocks of a text with their facts read, as (frame, facts)."""
        return [(frame, self.hear(body, frame)) for frame, body in self.blocks(text)]

    def read_answer(self, text: str) -> tuple[Any | None, str]:
        """Structured answer in the writer's own convention and how it was found.

        Returns (value, how) with how one of ``json``, ``fence``, ``embedded``, ``loose`` or ``none``.
        """
        value, how = read_json(text)
        if value is not None:
            return unwrap(value, self.answer_key), how
        value = self.read_loosely(text[:20_000])
        return value, "none" if value is None else "loose"

    def score(self, facts: Facts, truth: Answer, value: Any, frames: Mapping[str, Frame]) -> Grade:
        """Best score over the accepted conventions, and the conventions that reach it."""
        scores = {}
        for name, frame in self.conventions(frames).items():
            answer = self.interpret(value, frame)
            scores[name] = 0.0 if answer is None else float(self.grade(facts, truth, answer))
        best = max(scores.values(), default=0.0)
        return Grade(best, tuple(n for n, s in scores.items() if s == best) if best > 0 else ())

    def misread(self, frame: Frame, own: Frame, rng: random.Random) -> Frame:
        """The frame as a careless reader takes it: own conventions, two aliases mixed up."""
        wrong = frame | {key: own[key] for key in self.misreadable if key in own and key in frame}
        alias = frame.get("alias")
        if alias and len(alias) > 1:
            first, second = rng.sample(sorted(alias), 2)
            wrong["alias"] = alias | {first: alias[second], second: alias[first]}
        return wrong


def find_blocks(text: str) -> Iterable[tuple[str, str]]:
    """Yield (notation, facts text) for each ``Notation: ... Facts: ...`` block; a blank line ends it."""
    notation: list[str] | None = None
    body: list[str] | None = None
    for line in [*text.splitlines(), ""]:
        if line.startswith(NOTATION_LINE):
            if notation and body:
                yield "\n".join(notation), "\n".join(body)
            notation, body = [line[len(NOTATION_LINE) :].strip()], None
        elif notation is not None and body is None and line.strip() == FACTS_LINE:
            body = []
        elif not line.strip():
            if notation and body:
                yield "\n".join(notation), "\n".join(body)
            notation = body = None
        elif body is not None:
            body.append(line)
        elif notation is not None:
            notation.append(line)
