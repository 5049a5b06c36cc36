"""What simulated agents did in a recorded conversation, known because their chance follows from the text.

An agent's state and its luck are functions of its profile and the messages, so they can be gone through
again. A stage counts as satisfied where neither agent slipped in it with an effect:

- ``l1``: no agent took what it would have to guess for known.
- ``l2``: no agent worked out an answer, or checked one, with facts missing that it could have asked for and
  did not.
- ``l3``: no agent went for an answer, or agreed to one, without facts that it was told and did not take up,
  in that message or in a later one.
- ``l4``: no agent agreed without recomputing, or ended without waiting for the other's check.

A notation read wrongly (``frame``) and a slip in solving (``skill``) belong to no stage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scripts.lib.agents.models import Profile
from scripts.lib.agents.simulated.agent import split_opening
from scripts.lib.agents.simulated.mind import Mind
from scripts.lib.agents.simulated.talk import CONSIDER, CONTRIBUTE, REPEAT, Talk, find_task
from scripts.lib.dialogue.protocol import Turn, collab_messages
from scripts.lib.dialogue.stages import STAGES
from tasks.contract import Key


def planted_labels(profile: Profile, views: Sequence[str], turns: Sequence[Turn]) -> dict[str, bool]:
    """For each stage whether a team of two agents of one profile satisfied it. ``views``: a's and b's text.

    Raises ValueError where the views name no task.
    """
    slipped = {
        stage
        for slot in (1, 2)
        for talk in _occasions(profile, views[slot - 1], turns, slot)
        for stage in slips(talk)
    }
    return {stage: stage not in slipped for stage in STAGES}


def _occasions(profile: Profile, view: str, turns: Sequence[Turn], slot: int) -> Iterator[Talk]:
    """The agent's state before each message of its own."""
    system, *messages = collab_messages(view, turns, slot)
    opening, *later = split_opening(messages)
    task = find_task(view)
    if task is None:
        raise ValueError("the view names no task that is known")
    for number, message in enumerate(later):
        if message["role"] == "assistant":
            mind = Mind(task, profile, opening["content"], seed_text=system["content"] + opening["content"])
            yield Talk(mind, later[:number])


def slips(talk: Talk) -> set[str]:
    """The stages in which an agent slips with its next message."""
    occasion, checks = talk.occasion(), talk.verifies()
    asks = talk.asks() and (occasion == CONTRIBUTE or (occasion == CONSIDER and checks))
    if asks or (occasion == CONTRIBUTE and talk.shows()):
        return {"l1"} if talk.mind.assumed else set()
    works = occasion == CONTRIBUTE or (occasion == CONSIDER and checks)
    hasty = not checks if occasion == CONSIDER else occasion in (CONTRIBUTE, REPEAT) and not talk.waits()
    found = {
        "l1": bool(talk.mind.assumed),
        "l2": works and talk.may_ask(),
        "l3": bool(_lost(talk)),
        "l4": hasty,
    }
    return {stage for stage, slipped in found.items() if slipped}


def _lost(talk: Talk) -> set[Key]:
    """Facts that the agent was told and that are in no message it took up."""
    mind, known, passed = talk.mind, set[Key](), set[Key]()
    for number, message in enumerate(talk.heard, start=1):
        for _, facts in mind.task.hear_blocks(message):
            told = {key for key in mind.private(facts) if key not in mind.own}
            (known if mind.integrates(number) else passed).update(told)
    return passed - known
