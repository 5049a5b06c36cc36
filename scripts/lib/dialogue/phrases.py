"""Word lists that tell agreement, disagreement and proposals: phrases of English, not understanding.

A phrase counts as whole words in any case, with any white space between them. Longer phrases go first and
disagreement before agreement, so "I do not agree" is no agreement. What the lists do not hold is not seen.
"""

from __future__ import annotations

import re

AGREEMENT = (
    "agree",
    "agreed",
    "agrees",
    "yes",
    "correct",
    "exactly",
    "confirm",
    "confirmed",
    "confirms",
    "ok",
    "okay",
    "looks good",
    "sounds good",
    "makes sense",
    "that is right",
    "that's right",
    "you are right",
    "you're right",
    "same answer",
    "same result",
    "matches",
)
DISAGREEMENT = (
    "disagree",
    "disagrees",
    "not agree",
    "don't agree",
    "can't agree",
    "cannot agree",
    "incorrect",
    "not correct",
    "isn't correct",
    "not right",
    "isn't right",
    "wrong",
    "mistake",
    "not match",
    "doesn't match",
    "don't match",
    "mismatch",
    "contradicts",
    "contradiction",
    "inconsistent",
    "something else",
    "something different",
    "different answer",
    "different result",
)
PROPOSAL = (
    "i propose",
    "we propose",
    "proposal",
    "proposed",
    "i suggest",
    "my answer",
    "final answer",
    "the answer is",
    "the answers are",
    "the solution is",
    "our answer",
    "let's submit",
    "we can submit",
    "shall we submit",
)


def _any_of(phrases: tuple[str, ...]) -> str:
    longest_first = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    return "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in longest_first)


_ATTITUDE = re.compile(rf"\b(?:(?P<disagree>{_any_of(DISAGREEMENT)})|{_any_of(AGREEMENT)})\b")
_PROPOSAL = re.compile(rf"\b(?:{_any_of(PROPOSAL)})\b")


def plain(text: str) -> str:
    """Text as the lists expect it: lower case, straight apostrophes."""
    return text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")


def count_attitudes(text: str) -> tuple[int, int]:
    """How many markers of agreement and of disagreement a plain text holds; no word counts twice."""
    found = [match["disagree"] is not None for match in _ATTITUDE.finditer(text)]
    return found.count(False), found.count(True)


def proposes(text: str) -> bool:
    """Whether a plain text holds a phrase that puts an answer forward."""
    return _PROPOSAL.search(text) is not None
