"""Questions of the event log about when events end: asking, answering, writing and reading them.

A question is a tuple: ("local", event), ("between", event, later), ("after", minutes UTC, event) or
("first", event, event, ...). What it is about are facts: ("start" | "lasts" | "zone", event) -> minutes.
"""

from __future__ import annotations

import random
import re
from typing import Any

from tasks import clocks, labels
from tasks.contract import Facts, Frame, Key, Reject

Question = tuple[Any, ...]
EVENTS = (
    *("Audit", "Backup", "Cleanup", "Deploy", "Export", "Failover", "Import"),
    *("Merge", "Patch", "Reboot", "Scan", "Sync", "Upload", "Warmup"),
)
KNOWN = {name.lower(): name for name in EVENTS}
DETAILS = ("start", "lasts", "zone")
EARLY = 6 * 60  # questions measure minutes from a full hour after this one (UTC)
QUESTIONS = {
    "local": "What is the local time at the site of {0} when it ends?",
    "between": "How many minutes after the end of {0} does {1} end?",
    "after": "How many minutes after {0} does {1} end?",
    "first": "Which of these events ends first: {0}?",
}
_ASKED = {
    kind: re.compile(re.escape(text).replace(r"\{0\}", "(.+)").replace(r"\{1\}", "(.+)"))
    for kind, text in QUESTIONS.items()
}


def questions(facts: Facts) -> list[Question]:
    """The questions asked, in order."""
    return [question for _, question in labels.questions(facts, "question")]


def missing(facts: Facts) -> list[Key]:
    """What the questions need and the facts do not tell."""
    needed: dict[Key, None] = {}
    for kind, *names in questions(facts):
        for event in names[1:] if kind == "after" else names:
            details = DETAILS if kind == "local" else DETAILS[:2]
            needed |= dict.fromkeys((detail, event) for detail in details)
    return [key for key in needed if key not in facts]


def answer(question: Question, facts: Facts) -> Any:
    """Minutes as a number, a time of day as 24-hour text, or an event."""
    kind, first, *more = question
    ends = {e: facts[("start", e)] + facts[("lasts", e)] for e in question[1:] if isinstance(e, str)}
    if kind == "local":
        return clocks.write_clock(ends[first] + facts[("zone", first)])
    if kind == "first":
        return min(ends, key=lambda event: (ends[event], event))
    return ends[more[0]] - (first if kind == "after" else ends[first])


def ask(rng: random.Random, kind: str, facts: Facts, unasked: list[str], choice: int) -> Question:
    """A question of a kind, about events not asked about before where there are some."""
    events = sorted(key[1] for key in facts if key[0] == "zone")

    def end(event: str) -> int:
        return facts[("start", event)] + facts[("lasts", event)]

    if kind == "first":
        for _ in range(40):
            some = sorted(rng.sample(events, choice))
            best = [event for event in some if end(event) == min(map(end, some))]
            traps = (min(some, key=lambda e: facts[(detail, e)]) for detail in ("start", "lasts"))
            if len(best) == 1 and best[0] not in traps:
                return (kind, *some)
        raise Reject("one view tells which event ends first")
    event = unasked.pop() if unasked else rng.choice(events)
    if kind == "local":
        return (kind, event)
    if kind == "after":
        return (kind, rng.randrange(EARLY, facts[("start", event)] + 1, 60), event)
    other = unasked.pop() if unasked else rng.choice(events)
    if end(event) == end(other):
        raise Reject("two events end at the same time")
    return (kind, *sorted((event, other), key=end))


def write_question(question: Question, frame: Frame) -> str:
    """The question in words; ``read_question`` reads it back."""
    kind, *parts = question
    words = [labels.label(p, frame) if isinstance(p, str) else clocks.write_time(p, frame) for p in parts]
    if kind == "first":
        words = [", ".join(labels.labels(parts, frame))]
    return QUESTIONS[kind].format(*words)


def read_question(text: str, frame: Frame) -> Question | None:
    """The question that a text asks; None where it asks none."""
    for kind, pattern in _ASKED.items():
        match = pattern.search(text)
        if not match:
            continue
        if kind == "first":
            names = sorted(labels.mentioned(match[1], frame, KNOWN))
            return (kind, *names) if names else None
        parts: list[Any] = [labels.resolve(part, frame, KNOWN) for part in match.groups()]
        if kind == "after":
            parts[0] = clocks.read_time(match[1], frame)
        return None if None in parts else (kind, *parts)
    return None
