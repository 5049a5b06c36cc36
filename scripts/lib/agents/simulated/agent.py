"""A simulated agent: reads the same prompts as any model and answers in plain text.

It knows nothing but the messages: it finds the task by the view's title, parses its view and the
partner's messages with the task's own parser, and acts by its profile's planted rates. All its chance is
drawn from the text of its view, so the same conversation always gets the same reply.

How a rate shows (each a probability per occasion):
- ``attribute`` (L1): otherwise it takes a third of what it would have to guess for known, and from then on
  says how much it knows without saying from where.
- ``ask`` (L2): otherwise it does not ask although facts are missing.
- ``integrate`` (L3): otherwise a message's facts do not enter its state, and it does not say that it took
  them up.
- ``verify`` (L4): otherwise it agrees without recomputing, or ends without waiting for the partner.
- ``frame``: otherwise it reads a notation that is not its own with its own conventions.
- ``skill``: otherwise an attempt to solve overlooks a third of the facts.
- ``critic``: chance to solve again in the critic pass.
- ``heed``: how far a clause in the system prompt raises the first four rates.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from scripts.lib.agents.calls import Messages, Reply
from scripts.lib.agents.models import Profile
from scripts.lib.agents.simulated.brought import counted
from scripts.lib.agents.simulated.describer import OPENING as DESCRIBER
from scripts.lib.agents.simulated.describer import describe_failure
from scripts.lib.agents.simulated.heed import heeded
from scripts.lib.agents.simulated.judge import OPENING as JUDGE
from scripts.lib.agents.simulated.judge import judge_conversation
from scripts.lib.agents.simulated.mind import Mind
from scripts.lib.agents.simulated.talk import PROPOSAL, Talk, find_task
from scripts.lib.dialogue.marker import MARKER, PARTNER, USER
from tasks.answers import read_json

READERS = {  # by how their prompts begin: models that read a whole conversation
    "You convert the outcome of a conversation": lambda _, content: convert_outcome(content),
    JUDGE: judge_conversation,
    DESCRIBER: lambda _, content: describe_failure(content),
}


def answer_messages(profile: Profile, messages: Messages) -> Reply:
    """The agent's reply to a chat. Token counts are words times 4/3, rounded, and so estimates."""
    return counted(_reply(profile, messages), messages)


def _reply(profile: Profile, messages: Messages) -> str:
    system = "\n".join(m["content"] for m in messages if m["role"] == "system")
    turns = [m for m in messages if m["role"] != "system"]
    for prompt, read in READERS.items():
        if system.startswith(prompt):
            return read(system, turns[0]["content"] if turns else "")
    opening, *later = split_opening(turns)
    task = find_task(opening["content"])
    if task is None:
        return "I see no problem here that I know. Its first line should name the task."
    if not task.blocks(opening["content"]):
        return "I cannot find the facts in this problem."
    mind = Mind(task, heeded(profile, system), opening["content"], seed_text=system + opening["content"])
    criticised = bool(later) and later[-1]["content"].startswith(USER)
    if PARTNER in system or (later and not criticised):
        talked, alone = split_closing(later)
        return Talk(mind, talked).answer_alone() if alone else Talk(mind, talked).next_message()
    return solve_alone(mind, [m["content"] for m in later if m["role"] == "assistant"])


def split_opening(turns: Messages) -> Messages:
    """The first user turn as the problem alone; a partner's message merged into it becomes its own turn."""
    if not turns:
        return [{"role": "user", "content": ""}]
    opening, mark, first_heard = turns[0]["content"].partition(f"\n{PARTNER}")
    merged = [{"role": "user", "content": first_heard}] if mark else []
    return [{"role": "user", "content": opening}, *merged, *turns[1:]]


def split_closing(later: Messages) -> tuple[Messages, bool]:
    """The turns of a conversation without the user's request at its end, and whether there is one."""
    if not later or later[-1]["role"] != "user":
        return later, False
    heard, mark, _ = later[-1]["content"].partition(USER)
    if not mark:
        return later, False
    return [*later[:-1], *([{"role": "user", "content": heard.strip()}] if heard.strip() else [])], True


def solve_alone(mind: Mind, own: Sequence[str]) -> str:
    """A solo reply: the first solution, or the critic pass after it."""
    if not own:
        return f"I go through the facts one by one.\n{MARKER} {mind.solve('solo').written}"
    if mind.chance("critic", 0) < mind.profile.critic:
        return f"I worked it out a second time.\n{MARKER} {mind.solve('critic').written}"
    return f"I checked my answer and keep it.\n{MARKER} {own[0].partition(MARKER)[2].strip()}"


def convert_outcome(text: str) -> str:
    """The grader's JSON: the answer after the last marker, else after the last proposal, else null."""
    text = _conversation(text)
    for mark in (MARKER, PROPOSAL):
        found = text.rpartition(mark)
        value, _ = read_json(found[2].split("\n\n")[0]) if found[1] else (None, "")
        if value is not None:
            inner = next(iter(value.values())) if isinstance(value, dict) and len(value) == 1 else value
            return json.dumps({"answer": inner, "convention": "as written by the agent"})
    return json.dumps({"answer": None, "convention": ""})


def _conversation(text: str) -> str:
    """What was said, out of the grader's task, where it stands as a JSON list; else the text itself."""
    try:
        talk = json.loads(text[text.index("\n[") :])
        return "\n\n".join(message["text"] for message in talk)
    except (ValueError, TypeError, KeyError):
        return text
