"""A seat that changes hands: who speaks when, and what the one who takes over is sent."""

from __future__ import annotations

import asyncio

import pytest

from scripts.lib.agents.calls import Reply
from scripts.lib.dialogue.protocol import collab
from scripts.lib.dialogue.relay import hand_over


def speaker(name, sent):
    async def speak(messages):
        sent.append(messages)
        return Reply(text=f"{name} {len(sent)}")

    return speak


@pytest.mark.parametrize(
    ("seat", "turns", "spoke"),
    [(1, 1, "abbbbb"), (1, 2, "ababbb"), (2, 1, "abaaaa"), (2, 2, "ababaa"), (1, 9, "ababab")],
)
def test_who_speaks(seat, turns, spoke):
    sent = []
    seats = hand_over([speaker("a", sent), speaker("b", sent)], seat, turns)
    dialogue = asyncio.run(collab(["x", "y"], seats, 3))
    assert "".join(turn.text[0] for turn in dialogue.turns) == spoke
    assert [turn.slot for turn in dialogue.turns] == [1, 2] * 3


def test_who_takes_over_finds_the_turns_of_the_seat_as_its_own():
    sent = []
    asyncio.run(collab(["x", "y"], hand_over([speaker("a", sent), speaker("b", sent)], 1, 1), 2))
    assert [message["role"] for message in sent[2]] == ["system", "user", "assistant", "user"]
    assert sent[2][1]["content"].endswith("x") and sent[2][2]["content"] == "a 1"
