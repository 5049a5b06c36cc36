"""The problems of the padded-context pilot: some arithmetic behind irrelevant text."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from itertools import product

from scripts.handoff.answer_line import read_number
from tasks.making import stable_seed

MARK = "ANSWER"  # of the line in which the reply must end
LARGEST = 9_999
STEPS = {
    "add": "Then {number} more crates arrive.",
    "subtract": "Then {number} crates leave.",
    "multiply": "Then new crates arrive until there are {number} times as many.",
    "share": "Then exactly one crate in every {number} is found broken and thrown away.",
}
_PARTS = (
    ("The", "A", "One", "Another", "Every"),
    ("quiet", "narrow", "painted", "borrowed", "distant", "patient", "wooden", "familiar"),
    ("gardener", "lantern", "orchestra", "bridge", "letter", "harbour", "teacher", "clock"),
    ("was remembered", "seemed older", "was described", "looked smaller", "was repaired", "grew silent"),
    ("beside the river", "in the old library", "near the market", "under the pale roof", "above the valley"),
    ("before the rain began", "after the guests had left", "while the season changed", "long ago"),
)


@dataclass(frozen=True)
class PaddedProblem:
    """A problem in words, and its answer, a whole number above 0."""

    text: str
    answer: int


@dataclass(frozen=True)
class Failures:
    """The three definitions of failure. ``arithmetic`` is None where there is no answer line to look at."""

    format: bool
    arithmetic: bool | None

    @property
    def either(self) -> bool:
        """No answer line, or a wrong number in it."""
        return self.format or bool(self.arithmetic)


def grade_reply(reply: str, answer: int) -> Failures:
    """How a reply fails: no answer line (format), or another number than the answer in it (arithmetic)."""
    number = read_number(reply, MARK)
    return Failures(number is None, None if number is None else number != answer)


def make_problem(seed: int, index: int, steps: int = 6) -> PaddedProblem:
    """A problem of so many steps; every number on the way is whole and within 1 .. LARGEST."""
    rng = random.Random(stable_seed(seed, "padded problem", index))
    stock = rng.randint(20, 99)
    sentences = [f"A depot holds {stock} crates."]
    for _ in range(steps):
        kind, number, stock = _step(rng, stock)
        sentences.append(STEPS[kind].format(number=number))
    return PaddedProblem(" ".join([*sentences, "How many crates does the depot hold now?"]), stock)


def _step(rng: random.Random, stock: int) -> tuple[str, int, int]:
    """A kind of step, its number, and the stock after it."""
    choices = {
        "add": [(n, stock + n) for n in range(11, 100)],
        "subtract": [(n, stock - n) for n in range(11, 100)],
        "multiply": [(n, stock * n) for n in range(2, 7)],
        "share": [(n, stock - stock // n) for n in range(2, 10) if stock % n == 0],
    }
    possible = {k: [c for c in found if 1 <= c[1] <= LARGEST] for k, found in choices.items()}
    kind = rng.choice([k for k, found in possible.items() if found])
    number, stock = rng.choice(possible[kind])
    return kind, number, stock


def make_filler(seed: int, index: int, words: int) -> str:
    """As many whole sentences as have no more than ``words`` words; no digit in them.

    A longer filler of the same seed and index begins with a shorter one. Words are not tokens: the load
    of a call is what the endpoint counted.
    """
    rng, every = random.Random(stable_seed(seed, "filler", index)), _sentences()
    sentences: list[str] = []
    while True:
        sentence, length = every[int(rng.random() * len(every))]
        words -= length
        if words < 0:
            return " ".join(sentences)
        sentences.append(sentence)


@cache
def _sentences() -> list[tuple[str, int]]:
    """Every sentence of filler, and its number of words: a prompt of 60,000 tokens takes thousands."""
    every = (" ".join(parts) + "." for parts in product(*_PARTS))
    return [(sentence, len(sentence.split())) for sentence in every]


def padded(problem: PaddedProblem, filler: str) -> str:
    """The problem behind its filler, as an agent reads it."""
    return f"{filler}\n\n{problem.text}" if filler else problem.text
