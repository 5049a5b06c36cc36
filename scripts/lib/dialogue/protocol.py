"""The three modes of the protocol: ``solo_full``, ``solo_split`` and ``collab``.

The protocol follows "The Collaboration Tax" (arXiv 2608.22152); `docs/protocol.md` names our own choices.
Functions here know no task, no endpoint and no file: they get texts and a function that speaks for a
slot, and return a Dialogue. Slot 0 is the user (critic prompt), slots 1 and 2 are the agents.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from scripts.lib.agents.calls import CallFailed, Messages, Reply
from scripts.lib.dialogue.marker import PARTNER, USER, Message, read_message
from scripts.lib.dialogue.prompts import prompt
from scripts.lib.outcomes import Outcome

MODES = ("solo_full", "solo_split", "collab")
EMPTY = "(no message)"  # stands for an empty turn on the wire only: many servers refuse an empty one

Speak = Callable[[Messages], Awaitable[Reply]]


@dataclass(frozen=True)
class Turn:
    """One message. ``text`` is what was relayed; ``reply`` is the model's reply, None for the user's turn."""

    slot: int
    text: str
    reply: Reply | None = None
    wrote_prefix: bool = False


@dataclass
class Dialogue:
    """A finished rollout: its turns, outcome, and the submitted answer text and slot where there is one."""

    turns: list[Turn] = field(default_factory=list)
    outcome: Outcome = Outcome.NO_ANSWER
    answer: str | None = None
    answer_slot: int | None = None
    error: str | None = None


async def solo(mode: str, views: Sequence[str], speak: Speak, critic: bool = True) -> Dialogue:
    """One model with all the facts: one completion and, with ``critic``, a pass that may correct it.

    ``views`` holds one text for ``solo_full`` and the two private views for ``solo_split``. The critic's
    answer counts where it gives one, otherwise the first.
    """
    dialogue = Dialogue()
    task_text = views[0] if mode == "solo_full" else f"Part 1\n\n{views[0]}\nPart 2\n\n{views[1]}"
    messages = [_system(f"{mode}_system"), {"role": "user", "content": f"{USER} {task_text.rstrip()}"}]
    for critical in (False, True)[: 1 + critic]:
        if critical:
            dialogue.turns.append(Turn(0, prompt("critic")))
            messages = [
                *messages,
                {"role": "assistant", "content": dialogue.turns[0].text or EMPTY},
                {"role": "user", "content": prompt("critic")},
            ]
        message = await _take_turn(dialogue, 1, messages, speak)
        if message is None:
            break
        if message.answer is not None:
            dialogue.outcome, dialogue.answer, dialogue.answer_slot = Outcome.ANSWERED, message.answer, 1
    return dialogue


async def collab(
    views: Sequence[str], speakers: Sequence[Speak], max_exchanges: int = 50, clauses: Sequence[str] = ()
) -> Dialogue:
    """Two agents with one view each; slot 1 speaks first. Ends at the marker or after ``max_exchanges``.

    One exchange is one turn of each agent. ``clauses`` are texts that both find below their system prompt.
    """
    dialogue = Dialogue(outcome=Outcome.TURN_CAP)
    for number in range(2 * max_exchanges):
        slot = 1 + number % 2
        messages = collab_messages(views[slot - 1], dialogue.turns, slot, clauses)
        message = await _take_turn(dialogue, slot, messages, speakers[slot - 1])
        if message is None:
            break
        if message.answer is not None:
            dialogue.outcome, dialogue.answer, dialogue.answer_slot = Outcome.ANSWERED, message.answer, slot
            break
    return dialogue


def collab_messages(view: str, turns: Sequence[Turn], slot: int, clauses: Sequence[str] = ()) -> Messages:
    """What the agent in ``slot`` is sent: its own turns as assistant, the partner's as prefixed user turns.

    Turns of the same role that meet are merged: many chat templates insist on alternation.
    """
    messages = [_system("collab_system", clauses), {"role": "user", "content": f"{USER} {view.rstrip()}"}]
    for turn in turns:
        own = turn.slot == slot
        text = turn.text or EMPTY
        text = text if own else f"{PARTNER} {text}"
        role = "assistant" if own else "user"
        if messages[-1]["role"] == role:
            messages[-1] = {"role": role, "content": f"{messages[-1]['content']}\n\n{text}"}
        else:
            messages.append({"role": role, "content": text})
    return messages


async def _take_turn(dialogue: Dialogue, slot: int, messages: Messages, speak: Speak) -> Message | None:
    """One call, recorded as a turn; None where it ends the dialogue (the outcome is set then)."""
    try:
        reply = await speak(messages)
    except CallFailed as failure:
        dialogue.error = str(failure)
        if dialogue.answer is None:  # a critic that fails does not take back the first answer
            dialogue.outcome = failure.outcome
        return None
    message = read_message(reply.text)
    dialogue.turns.append(Turn(slot, message.text, reply, message.wrote_prefix))
    ended = Outcome.REFUSED if reply.finish_reason in ("content_filter", "refusal") else None
    if reply.finish_reason == "length" and not message.text:
        ended = Outcome.TRUNCATED
    if ended and dialogue.answer is None:
        dialogue.outcome = ended
    return None if ended else message


def _system(name: str, clauses: Sequence[str] = ()) -> dict[str, str]:
    return {"role": "system", "content": "\n\n".join([prompt(name), *clauses])}
