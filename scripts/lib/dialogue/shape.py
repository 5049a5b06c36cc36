"""The shape of a conversation: how it runs, not whether it is right.

FEATURES defines each feature once; docs/shape.md shows the same table. Everything is counted in the text
as it was relayed, of any language, by the rules below; nothing here knows a task, an answer or a score.

- word: a run of letters, digits and underscores.
- triple: three tokens in a row, where a token is a word or a run of three or more other signs (so that the
  rows of a drawn map count). Lower case throughout.
- item of a view: a triple of the view that the partner's view lacks; all its triples where it lacks none.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from scripts.lib.dialogue.marker import read_message
from scripts.lib.dialogue.phrases import count_attitudes, plain, proposes

Triple = tuple[str, str, str]
Items = tuple[frozenset[Triple], frozenset[Triple]]  # what only view a holds, what only view b holds
Shape = dict[str, float | None]

_TOKEN = re.compile(r"\w+|[^\w\s]{3,}")
# A mark (of ASCII or full width) right behind two letters: drawn maps are full of other question marks.
_QUESTION = re.compile(r"(?<=\w\w)[\"')\]]?[?\uff1f](?![?\uff1f])(?=\s|$)")
_COORDINATES = re.compile(
    r"[(\[]\s{0,3}-?\d++(?:\s{0,3},\s{0,3}-?\d++){1,2}\s{0,3}[)\]]"
    r"|\brow\s{1,3}\d++,?\s{1,3}(?:and\s)?col(?:umn)?\s{1,3}\d++|\br\d++c\d++\b"
)


class Feature(NamedTuple):
    """What a feature means, its unit, and the range of its values; ``high`` is infinite where unbounded."""

    definition: str
    unit: str
    low: float
    high: float


FEATURES = {
    "turns": Feature("messages of both agents", "turns", 0, math.inf),
    "words_per_turn": Feature("words over turns", "words a turn", 0, math.inf),
    "words_balance": Feature(
        "1 - |words of agent 1 - words of agent 2| / words: 1 where both say as much, 0 where one says all "
        "or nobody a word",
        "share",
        0,
        1,
    ),
    "pacing": Feature(
        "correlation of log(1 + words of a turn) with the number of the turn: above 0 where turns get "
        "longer; 0 where all are as long or there is one turn",
        "correlation",
        -1,
        1,
    ),
    "agreement": Feature("markers of agreement (`phrases.py`)", "per 100 words", 0, 100),
    "disagreement": Feature("markers of disagreement (`phrases.py`)", "per 100 words", 0, 100),
    "questions": Feature(
        "question marks right behind a word of at least two letters, also in questions of the task that are "
        "told again",
        "marks a turn",
        0,
        math.inf,
    ),
    "numbers": Feature("words of digits alone", "per 100 words", 0, 100),
    "coordinates": Feature(
        "pairs and threes of whole numbers in brackets, as (3, 4) or [3, 4], `row 3, column 4`, `r3c4`",
        "per 100 words",
        0,
        100,
    ),
    "view_a_share": Feature("items of view a that agent 1 says", "share of the items", 0, 1),
    "view_b_share": Feature("items of view b that agent 2 says", "share of the items", 0, 1),
    "transfer_entropy": Feature(
        "entropy of the turns in which items are first said by their holder, over the entropy of equal "
        "shares: 0 where all come in one turn or none comes, 1 where each turn brings as many",
        "share",
        0,
        1,
    ),
    "transfer_lag": Feature(
        "mean, over the items that are said, of the turns before an item is first said, over all turns; 1 "
        "where none is said",
        "share of the turns",
        0,
        1,
    ),
    "repeated": Feature("triples that were said in an earlier turn, by anyone", "share of triples", 0, 1),
    "first_proposal": Feature(
        "turns before the first one with the marker and an answer, or with a phrase of proposal "
        "(`phrases.py`), over all turns; 1 where there is none",
        "share of the turns",
        0,
        1,
    ),
}


def view_items(view_a: str, view_b: str) -> Items:
    """The items of the two views; empty where a view has no three tokens."""
    a, b = (set(_triples(_TOKEN.findall(plain(view)))) for view in (view_a, view_b))
    return frozenset(a - b or a), frozenset(b - a or b)


def measure_conversation(turns: Sequence[tuple[int, str]], items: Items) -> Shape:
    """Every feature of a conversation of (slot 1 or 2, text); only ``turns`` where nobody spoke.

    Agent 1 holds view a, agent 2 view b. All values are finite and within the ranges of FEATURES; the others
    are None where there is no turn.
    """
    if not turns:
        return dict.fromkeys(FEATURES, None) | {"turns": 0.0}
    talk = _Talk(items)
    for number, (slot, text) in enumerate(turns):
        talk.add(number, slot, text)
    return talk.features()


@dataclass
class _Talk:
    """What the turns of one conversation add up to."""

    items: Items
    words: list[int] = field(default_factory=list)  # by turn
    words_of: dict[int, int] = field(default_factory=lambda: {1: 0, 2: 0})  # by slot
    fresh: list[int] = field(default_factory=list)  # items first said, by turn
    left: tuple[set[Triple], set[Triple]] = field(init=False)  # items not yet said
    said: set[Triple] = field(default_factory=set)
    triples: int = 0
    repeated: int = 0
    agreement: int = 0
    disagreement: int = 0
    questions: int = 0
    numbers: int = 0
    coordinates: int = 0
    first_proposal: int | None = None

    def __post_init__(self) -> None:
        self.left = set(self.items[0]), set(self.items[1])

    def add(self, number: int, slot: int, text: str) -> None:
        """Take up one turn."""
        lower = plain(text)
        tokens = _TOKEN.findall(lower)
        words = [token for token in tokens if token[0].isalnum() or token[0] == "_"]
        self.words.append(len(words))
        self.words_of[slot] += len(words)
        self.numbers += sum(word.isdecimal() for word in words)
        self.questions += len(_QUESTION.findall(lower))
        self.coordinates += len(_COORDINATES.findall(lower))
        agreement, disagreement = count_attitudes(lower)
        self.agreement += agreement
        self.disagreement += disagreement
        if self.first_proposal is None and (proposes(lower) or read_message(text).answer is not None):
            self.first_proposal = number
        self._transfer(slot, _triples(tokens))

    def _transfer(self, slot: int, triples: list[Triple]) -> None:
        left, new = self.left[slot - 1], set(triples)
        self.fresh.append(len(left & new))
        left -= new
        self.triples += len(triples)
        self.repeated += sum(triple in self.said for triple in triples)
        self.said |= new

    def features(self) -> Shape:
        """The features of all turns so far, of which there is at least one."""
        turns, words = len(self.words), sum(self.words)
        hundred = 100 / words if words else 0.0
        proposal = turns if self.first_proposal is None else self.first_proposal
        return {
            "turns": float(turns),
            "words_per_turn": words / turns,
            "words_balance": 1 - abs(self.words_of[1] - self.words_of[2]) / words if words else 0.0,
            "pacing": _trend([math.log1p(count) for count in self.words]),
            "agreement": self.agreement * hundred,
            "disagreement": self.disagreement * hundred,
            "questions": self.questions / turns,
            "numbers": self.numbers * hundred,
            "coordinates": self.coordinates * hundred,
            "view_a_share": self._share(0),
            "view_b_share": self._share(1),
            "transfer_entropy": _evenness(self.fresh),
            "transfer_lag": _mean_place(self.fresh),
            "repeated": self.repeated / self.triples if self.triples else 0.0,
            "first_proposal": proposal / turns,
        }

    def _share(self, holder: int) -> float:
        return 1 - len(self.left[holder]) / len(self.items[holder]) if self.items[holder] else 0.0


def _triples(tokens: list[str]) -> list[Triple]:
    return list(zip(tokens, tokens[1:], tokens[2:], strict=False))


def _trend(values: list[float]) -> float:
    """Pearson correlation of values with their place, in [-1, 1]; 0 where either does not vary."""
    middle, mean = (len(values) - 1) / 2, math.fsum(values) / len(values)
    places = [place - middle for place in range(len(values))]
    spread = math.fsum((value - mean) ** 2 for value in values) * math.fsum(p * p for p in places)
    if max(values) == min(values) or spread == 0:
        return 0.0
    together = math.fsum(p * (value - mean) for p, value in zip(places, values, strict=True))
    return max(-1.0, min(1.0, together / math.sqrt(spread)))


def _evenness(counts: list[int]) -> float:
    """Entropy of counts over its largest value, in [0, 1]; 0 for one place or no count."""
    total = sum(counts)
    if len(counts) < 2 or not total:
        return 0.0
    shares = [count / total for count in counts if count]
    entropy = -math.fsum(share * math.log(share) for share in shares)
    return max(0.0, min(1.0, entropy / math.log(len(counts))))


def _mean_place(counts: list[int]) -> float:
    """Mean place of what is counted, over the number of places, in [0, 1); 1 where nothing is counted."""
    total = sum(counts)
    if not total:
        return 1.0
    return sum(place * count for place, count in enumerate(counts)) / total / len(counts)
