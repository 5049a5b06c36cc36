"""What an agent is asked when the conversation is over."""

from __future__ import annotations

from scripts.lib.dialogue.alone import alone_messages
from scripts.lib.dialogue.prompts import prompt
from scripts.lib.dialogue.protocol import Turn, collab_messages

TURNS = [Turn(1, "one"), Turn(2, "two"), Turn(1, "ACTI! 3")]


def test_who_spoke_last_is_asked_in_a_turn_of_its_own():
    messages = alone_messages("view", TURNS, 1)
    assert messages[:-1] == collab_messages("view", TURNS, 1)
    assert messages[-1] == {"role": "user", "content": prompt("alone")}


def test_to_the_other_the_request_comes_below_the_last_message():
    messages = alone_messages("view", TURNS, 2)
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "user"]
    assert messages[-1]["content"] == f"[other agent]: ACTI! 3\n\n{prompt('alone')}"


def test_who_never_spoke_is_asked_below_its_view():
    (_, message) = alone_messages("view", [Turn(1, "ACTI! 3")], 2)
    assert message["content"].startswith("[user]: view") and message["content"].endswith(prompt("alone"))
