"""What a judge of one stage is asked about a conversation, and how its verdict is read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scripts.lib.agents.calls import Messages
from scripts.lib.dialogue.prompts import prompt
from scripts.lib.dialogue.protocol import EMPTY
from tasks.answers import read_json

FORM = '{"satisfied": true or false, "turn": the number of the turn, "quotation": "words of that turn"}'


class Void(Exception):
    """A verdict that does not count; the message says what is wrong with it."""


@dataclass(frozen=True)
class Verdict:
    """Whether a requirement is satisfied, and the evidence. ``turn`` counts from 0, as in a rollout."""

    satisfied: bool
    turn: int
    quotation: str


def judge_messages(stage: str, views: Sequence[str], turns: Sequence[dict[str, Any]]) -> Messages:
    """What the judge of a stage (l1 to l4) is asked: both private views and the turns, as quoted material.

    ``views``: the texts of agents 1 and 2; ``turns``: slot and text of each message of a collab rollout. The
    judge sees turns numbered from 1.
    """
    talk = [
        {"turn": number, "from": f"agent {turn['slot']}", "text": turn["text"]}
        for number, turn in enumerate(turns, start=1)
    ]
    case = {"view of agent 1": views[0], "view of agent 2": views[1], "turns": talk}
    content = f"The views and the conversation, as JSON:\n{json.dumps(case, ensure_ascii=False, indent=1)}"
    return [{"role": "system", "content": prompt(f"judge_{stage}")}, {"role": "user", "content": content}]


def ask_again(messages: Messages, reply: str, wrong: str) -> Messages:
    """The second ask after a void verdict: the reply, and what was wrong with it."""
    complaint = (
        f"This verdict cannot be used: {wrong}. Give it again, as one JSON object of this form: {FORM}"
    )
    return [
        *messages,
        {"role": "assistant", "content": reply or EMPTY},
        {"role": "user", "content": complaint},
    ]


def read_verdict(reply: str, turns: Sequence[dict[str, Any]]) -> Verdict:
    """A judge's reply as a verdict; raises Void.

    The quotation must hold a letter or a digit and occur in the text of the turn that is named, word for
    word and case for case; runs of white space count as one space, at the ends they do not count.
    """
    value, how = read_json(reply)
    if how not in ("json", "fence") or not isinstance(value, dict):
        raise Void("it is not one JSON object and nothing else")
    satisfied, turn, quotation = (value.get(name) for name in ("satisfied", "turn", "quotation"))
    if not isinstance(satisfied, bool):
        raise Void('"satisfied" is neither true nor false')
    if isinstance(turn, bool) or not isinstance(turn, int) or not 1 <= turn <= len(turns):
        raise Void(f'"turn" is no number from 1 to {len(turns)}')
    if not isinstance(quotation, str) or not any(map(str.isalnum, quotation)):
        raise Void('"quotation" holds no words')
    if spaced(quotation) not in spaced(turns[turn - 1]["text"]):
        raise Void(f'the words in "quotation" do not stand in turn {turn}, word for word')
    return Verdict(satisfied, turn - 1, quotation)


def spaced(text: str) -> str:
    """A text with each run of white space as one space, and none at its ends."""
    return " ".join(text.split())
