"""Orders in a line or round a table: what the puzzles share that are answered by one sequence of names.

Sets of sequences are the bits of one integer, so that clues are intersected in microseconds. Places count
from 0; round a table they count clockwise and the first name stands in place 0, as turning changes nothing.
"""

from __future__ import annotations

import itertools
import random
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

from tasks import labels
from tasks.arrangements import pick
from tasks.contract import Answer, Draft, Facts, Frame, Key, Reject, Task

MOST = 8  # names in a sequence that are few enough to enumerate
Clue = tuple[Key, Any]


@cache
def sequences(n: int, ring: bool) -> list[tuple[int, ...]]:
    """All ways to put n items into n places (place of item j), up to turning where they form a ring."""
    if not ring:
        return list(itertools.permutations(range(n)))
    return [(0, *places) for places in itertools.permutations(range(1, n))]


@cache
def placed(n: int, ring: bool, item: int, place: int) -> int:
    """The sequences with the item in the place."""
    column = bytes(places[item] for places in reversed(sequences(n, ring)))
    return int(column.translate(bytes(b"1"[0] if p == place else b"0"[0] for p in range(256))), 2)


@cache
def apart(n: int, ring: bool, first: int, second: int, gaps: tuple[int, ...]) -> int:
    """The sequences in which the first item stands one of so many places behind the second one."""
    holds = 0
    for p, q in itertools.permutations(range(n), 2):
        if ((p - q) % n if ring else p - q) in gaps:
            holds |= placed(n, ring, first, p) & placed(n, ring, second, q)
    return holds


class SequenceTask(Task):
    """A puzzle whose clues leave one sequence. Public: ("names",) -> all names, ("clues",) -> their number.

    All other facts are clues, which ``gaps_of`` understands.
    """

    ring: ClassVar[bool]
    prefix: ClassVar[str]  # of the IDs
    pool: ClassVar[tuple[str, ...]]  # the names to draw from
    chance: ClassVar[float]  # similarity at which the score is 0
    public = frozenset({"names", "clues"})
    least_answers = 4

    @abstractmethod
    def gaps_of(self, key: Key, value: Any, n: int) -> tuple[int, ...]:
        """By how many places the first name of a clue about two may stand behind the second one."""

    @abstractmethod
    def true_clues(self, kind: str, sequence: Sequence[str]) -> list[Clue]:
        """All clues of a kind that are true of a sequence."""

    @abstractmethod
    def direct_clues(self, sequence: Sequence[str]) -> list[Clue]:
        """Clues that tell a sequence outright."""

    @abstractmethod
    def similarity(self, sequence: Sequence[str], truth: Sequence[str]) -> float:
        """How alike two sequences of the same names are; 1 where they are the same."""

    @abstractmethod
    def draw_frames(self, rng: random.Random, alias: dict[str, str]) -> dict[str, Frame]:
        """The frames of the three views, the list of IDs in that of b."""

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        sequence = rng.sample(self.pool, size["names"])
        alias = labels.draw_alias(rng, sequence, self.prefix)
        public: Facts = {("names",): tuple(sorted(sequence)), ("clues",): len(size["a"]) + len(size["b"])}
        for listing in (sorted(sequence), list(alias.values())):
            if self.similarity(listing, sequence) > self.chance:
                raise Reject("the names as listed are nearly the answer")
        kinds = [("a", kind) for kind in size["a"]] + [("b", kind) for kind in size["b"]]
        rng.shuffle(kinds)
        known: dict[str, Facts] = {"a": {}, "b": {}}
        left = self.left(public)
        for holder, kind in kinds:
            key, value, left = self._new_clue(rng, kind, sequence, known["a"] | known["b"], left)
            known[holder][key] = value
        if left.bit_count() > 1:
            raise Reject("more than one solution")
        if any(self.left(public | clues).bit_count() < size["open"] for clues in known.values()):
            raise Reject("one view leaves too little open")
        return Draft({holder: public | known[holder] for holder in known}, self.draw_frames(rng, alias))

    def _new_clue(
        self, rng: random.Random, kind: str, sequence: list[str], known: Facts, left: int
    ) -> tuple[Key, Any, int]:
        """A true clue that says something new about two names, with the sequences that it leaves."""
        fresh = [clue for clue in self.true_clues(kind, sequence) if clue[0] not in known]
        rng.shuffle(fresh)
        found = []
        for key, value in fresh:
            after = left & self._holds(tuple(sorted(sequence)), key, value)
            if after != left or after.bit_count() == 1:
                found.append((after.bit_count(), key, value, after))
            if len(found) == 2:
                break
        if not found:
            raise Reject("no clue says something new")
        return min(found, key=lambda clue: clue[0])[1:]  # the stronger of two

    # -- reasoning ---------------------------------------------------------------------------
    def _holds(self, names: tuple[str, ...], key: Key, value: Any) -> int:
        """The sequences in which one clue holds: none for a clue about what is not there."""
        if any(name not in names for name in key[1:]):
            return 0
        n, items = len(names), [names.index(name) for name in key[1:]]
        if len(items) == 1:
            return placed(n, self.ring, items[0], value) if 0 <= value < n else 0
        return apart(n, self.ring, items[0], items[1], self.gaps_of(key, value, n))

    def left(self, facts: Facts) -> int:
        """The sequences that the clues leave; none where the names are too many to enumerate."""
        names = facts[("names",)]
        if not 1 < len(names) <= MOST:
            return 0
        left = (1 << len(sequences(len(names), self.ring))) - 1
        for key, value in facts.items():
            if key[0] not in self.public:
                left &= self._holds(names, key, value)
        return left

    def _member(self, names: tuple[str, ...], left: int, rng: random.Random | None) -> list[str]:
        places = sequences(len(names), self.ring)[pick(left, rng)]
        return sorted(names, key=lambda name: places[names.index(name)])

    def gaps(self, facts: Facts) -> int:
        if self.left(facts).bit_count() <= 1:
            return 0
        return max(1, facts[("clues",)] - sum(key[0] not in self.public for key in facts))

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        """A sequence that the clues leave, told outright as far as the clues leave others."""
        left = self.left(facts)
        if not left:
            raise Reject("the clues contradict each other")
        names, full = facts[("names",)], dict(facts)
        direct = self.direct_clues(self._member(names, left, rng))
        if rng is not None:
            rng.shuffle(direct)
        for key, value in direct:
            if left.bit_count() > 1 and key not in full:
                full[key] = value
                left &= self._holds(names, key, value)
        return full

    def solve(self, facts: Facts) -> Answer | None:
        left = self.left(facts)
        return self._member(facts[("names",)], left, None) if left else None

    # -- answers -----------------------------------------------------------------------------
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return [labels.label(name, frame) for name in answer]

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        known = {name.lower(): name for name in self.pool}
        names = [labels.only_mentioned(entry, frame, known) for entry in labels.answer_list(value) or []]
        return names if names and None not in names and len(set(names)) == len(names) else None

    def read_loosely(self, text: str) -> Any | None:
        known = {name.lower(): name for name in self.pool} | {
            f"{self.prefix}{number}".lower(): f"{self.prefix}{number}" for number in range(1, MOST + 1)
        }
        found = [known[token.lower()] for token in labels.tokens(text) if token.lower() in known]
        # a name that comes twice makes it an argument or a listing, not an answer
        return found if found and len(set(found)) == len(found) else None

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        if sorted(answer) != sorted(truth):
            return 0.0
        return max(0.0, (self.similarity(answer, truth) - self.chance) / (1 - self.chance))


def say_public(facts: Facts, frame: Frame, things: str) -> list[str]:
    """The lines on what is known to both; ``hear_public`` reads them back."""
    lines = []
    if ("names",) in facts:
        lines.append(f"The {things} are {', '.join(labels.labels(facts[('names',)], frame))}.")
    if ("clues",) in facts:
        lines.append(f"There are {facts[('clues',)]} clues in all.")
    return lines


def hear_public(line: str, frame: Frame, things: str, pool: Iterable[str]) -> Facts:
    """What a line of ``say_public`` tells; nothing for another line."""
    words = line.split()
    if line.startswith(f"The {things} are "):
        names = labels.mentioned(line, frame, {name.lower(): name for name in pool})
        return {("names",): tuple(sorted(names))} if names else {}
    if line.startswith("There are ") and line.endswith(" clues in all.") and words[2].isascii():
        return {("clues",): int(words[2])} if words[2].isdecimal() and len(words[2]) < 4 else {}
    return {}
