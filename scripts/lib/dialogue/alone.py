"""What an agent is asked by itself when the conversation is over."""

from __future__ import annotations

from collections.abc import Sequence

from scripts.lib.agents.calls import Messages
from scripts.lib.dialogue.prompts import prompt
from scripts.lib.dialogue.protocol import Turn, collab_messages


def alone_messages(view: str, turns: Sequence[Turn], slot: int) -> Messages:
    """The whole conversation as the agent in ``slot`` has it, and then the request for its own answer.

    Where the partner spoke last, the request is a part of that same user turn, because many chat templates
    insist on alternation.
    """
    *before, last = collab_messages(view, turns, slot)
    if last["role"] == "user":
        return [*before, {"role": "user", "content": f"{last['content']}\n\n{prompt('alone')}"}]
    return [*before, last, {"role": "user", "content": prompt("alone")}]
