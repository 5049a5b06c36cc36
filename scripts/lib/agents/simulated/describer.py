"""A simulated describer: says in a sentence or two why a conversation failed, by what anybody can see in it.

It gets the record that any model would get and looks for a few plain things: who said how much of what they
saw, whether anybody asked, agreed, recomputed or waited. It knows nothing of tasks, profiles or planted
rates, and what it says is a stand-in for a model's reading. All its chance is drawn from the record's text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

from scripts.lib.dialogue.marker import MARKER
from tasks.making import stable_seed

OPENING = "You say in plain words why two agents failed"
MOST_REASONS = 2
LITTLE = 0.5  # share of the lines of a view that its holder must repeat not to have told little
_QUESTION = re.compile(r"[^\W\d_]{2,}\?")
_AGREES = re.compile(r"\b(agree|confirm|correct|looks good|sounds good)", re.IGNORECASE)
_CHECKS = re.compile(r"\b(recomput|check|verif|double.?check|work(ed)? (it|this) out)", re.IGNORECASE)
_PROPOSES = re.compile(r"\b(propos\w*|suggest\w*|my answer)\b\s*:?\s*(.*)", re.IGNORECASE)

Record = dict[str, Any]
Reason = tuple[str, ...]  # one thing in several wordings

# What is said of each thing that can be seen; {who}, {other}, {turn} and {title} are filled in. The wordings
# of one thing share their main words, as those of one describer do.
SILENT: Reason = (
    "{who} told its partner only a small part of what it could see of {title}.",
    "Only a small part of its view was told by {who}, so the two never had all facts of {title}.",
    "{other} never heard most of what {who} could see, because only a small part was told.",
)
NO_QUESTION: Reason = (
    "Nobody asked for the missing facts, although neither agent could know them.",
    "Neither agent asked the other a question about the missing facts.",
    "The missing facts were not asked for by either agent.",
)
UNANSWERED: Reason = (
    "The question in message {turn} was left without an answer.",
    "{other} left the question of {who} in message {turn} without an answer.",
    "A direct question was left without an answer, and the talk went on.",
)
BLIND_AGREEMENT: Reason = (
    "{who} agreed to the proposal in message {turn} without checking it.",
    "Without checking anything, {who} agreed to the proposal of its partner.",
    "The proposal was agreed to at once, without checking, so its mistake stayed.",
)
ALONE: Reason = (
    "{who} ended the conversation by itself, before {other} had confirmed the answer.",
    "{who} submitted the answer and ended the conversation before {other} had confirmed it.",
    "The conversation was ended by {who} with an answer that nobody had confirmed.",
)
AT_ONCE: Reason = (
    "{who} submitted an answer in its first message, from its own view alone.",
    "The first message of {who} already was the answer, made from one view alone.",
)
DISAGREEMENT: Reason = (
    "The two made different proposals and never found out where they differed.",
    "Two different proposals stood side by side, and it was never found out where they differed.",
)
REPEATED: Reason = (
    "{who} repeated the same message, and the conversation went in circles.",
    "The conversation went in circles because {who} repeated itself.",
)
NO_END: Reason = (
    "The exchanges ran out before either agent submitted an answer.",
    "They talked until the exchanges ran out and submitted nothing.",
)
NO_ANSWER: Reason = (
    "No solution of {title} was submitted, because the facts that were put together contradict each other.",
    "The facts that the agents put together contradict each other, so no solution was submitted.",
)
OTHER_LENGTH: Reason = (
    "The two views were not joined rightly: the answer has another length than the best one.",
    "The answer to {title} has another length than the best one, because the views were not joined rightly.",
)
SAME_LENGTH: Reason = (
    "Values were read in the notation of the wrong view, so the answer has the right form but wrong values.",
    "One notation was read as if it were the other, which made single values wrong.",
    "The answer has the right form, but values were not converted from one notation to the other.",
)


def describe_failure(content: str) -> str:
    """One or two sentences on the record in a describer's prompt."""
    rng, record = Random(stable_seed("describer", content)), _read(content)
    seen = list(find_reasons(record))
    chosen = sorted(rng.sample(range(len(seen)), min(MOST_REASONS, len(seen)))) if seen else []
    if not chosen:
        return "The conversation cannot be read, so the reason for the failure is not known."
    return " ".join(_worded(*seen[at], title=_title(record), rng=rng) for at in chosen)


def _read(content: str) -> Record:
    try:
        record = json.loads(content[content.index("\n{") :])
        return record if isinstance(record, dict) else {}
    except ValueError:
        return {}


def _title(record: Record) -> str:
    """The task, as the first line of a view names it."""
    first = str(record.get("view of agent 1", "")).split("\n", maxsplit=1)[0]
    return f"the {first.partition(':')[2].strip().lower() or 'given'} problem"


def _worded(reason: Reason, slot: int, turn: int, title: str, rng: Random) -> str:
    text = rng.choice(reason).format(who=f"agent {slot}", other=f"agent {3 - slot}", turn=turn, title=title)
    return text[0].upper() + text[1:]


def find_reasons(record: Record) -> Iterator[tuple[Reason, int, int]]:
    """Each thing that can be seen: its wordings, the agent and the message it is about."""
    talk = [message for message in record.get("conversation", []) if message.get("from") != "user"]
    if not talk:
        return
    for look in (_exchange, _asking, _agreement, _ending, _answer):
        yield from look(record, talk)


def _slot(message: Record) -> int:
    return 2 if message.get("from") == "agent 2" else 1


def _exchange(record: Record, talk: list[Record]) -> Iterator[tuple[Reason, int, int]]:
    for slot in (1, 2):
        said = " ".join(message["text"] for message in talk if _slot(message) == slot)
        facts = str(record.get(f"view of agent {slot}", "")).partition("Facts:")[2].partition("\n\n")[0]
        lines = [line.strip() for line in facts.splitlines() if line.strip()]
        if lines and sum(line in said for line in lines) < LITTLE * len(lines):
            yield SILENT, slot, 1
    texts = [message["text"].strip() for message in talk]
    again = next((at for at, text in enumerate(texts) if text in texts[:at]), None)
    if again is not None:
        yield REPEATED, _slot(talk[again]), talk[again]["turn"]


def _asking(_: Record, talk: list[Record]) -> Iterator[tuple[Reason, int, int]]:
    asked = [at for at, message in enumerate(talk) if _QUESTION.search(message["text"])]
    if not asked:
        yield NO_QUESTION, 1, 1
    elif asked[-1] + 1 < len(talk) and MARKER in talk[asked[-1] + 1]["text"]:
        yield UNANSWERED, _slot(talk[asked[-1]]), talk[asked[-1]]["turn"]


def _agreement(_: Record, talk: list[Record]) -> Iterator[tuple[Reason, int, int]]:
    for message in talk[1:]:
        if _AGREES.search(message["text"]) and not _CHECKS.search(message["text"]):
            yield BLIND_AGREEMENT, _slot(message), message["turn"]
            break
    proposed = [found[2].strip() for message in talk if (found := _PROPOSES.search(message["text"]))]
    if len(set(filter(None, proposed))) > 1:
        yield DISAGREEMENT, 1, 1


def _ending(record: Record, talk: list[Record]) -> Iterator[tuple[Reason, int, int]]:
    last = talk[-1]
    if record.get("ended") == "turn_cap":
        yield NO_END, 1, last["turn"]
    elif len(talk) <= 2 and MARKER in last["text"]:
        yield AT_ONCE, _slot(last), last["turn"]
    elif MARKER in last["text"] and not _AGREES.search(talk[-2]["text"]):
        yield ALONE, _slot(last), last["turn"]


def _answer(record: Record, talk: list[Record]) -> Iterator[tuple[Reason, int, int]]:
    answer, optimal = record.get("answer"), record.get("optimal answer")
    if answer is None:
        yield NO_ANSWER, 1, talk[-1]["turn"]
    elif _size(answer) != _size(optimal):
        yield OTHER_LENGTH, 1, talk[-1]["turn"]
    else:
        yield SAME_LENGTH, 1, talk[-1]["turn"]


def _size(value: Any) -> int:
    """How many parts a value has, at every depth."""
    if isinstance(value, dict):
        return sum(map(_size, value.values()))
    return sum(map(_size, value)) if isinstance(value, list) else 1
