"""A seat that changes hands in mid-conversation."""

from __future__ import annotations

from collections.abc import Sequence

from scripts.lib.agents.calls import Messages, Reply
from scripts.lib.dialogue.protocol import Speak


def hand_over(speakers: Sequence[Speak], seat: int, turns: int) -> list[Speak]:
    """Who speaks in the seats 1 and 2 of one dialogue when ``seat`` changes hands.

    After ``turns`` turns of its own speaker the seat is the other seat's speaker's. That one finds all that
    was said in the seat as its own words.
    """
    own, other = speakers[seat - 1], speakers[2 - seat]
    spoken = 0

    async def speak(messages: Messages) -> Reply:
        nonlocal spoken
        spoken += 1
        return await (own if spoken <= turns else other)(messages)

    return [speak if number == seat else speaker for number, speaker in enumerate(speakers, start=1)]
