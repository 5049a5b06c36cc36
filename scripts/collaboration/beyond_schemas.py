"""The columns of the tables beyond the published study; the other tables are in ``schemas``."""

from __future__ import annotations

import pyarrow as pa

from scripts.collaboration.schemas import COUNT, FLAG, LONG, ROLLOUT_ID, TEXT, estimates, schema

# What a row speaks of; planned and graded count instances, graded those that every measure of the row has.
SCOPED: dict[str, pa.DataType] = {
    "scope": TEXT,
    "family": TEXT,
    "task": TEXT,
    "simulated": FLAG,
    "tasks": COUNT,
    "planned": COUNT,
    "graded": COUNT,
}

# One row a homogeneous team, turn cap (exchanges) and scope, arm baseline. bound = tax at this cap - tax at
# the longest one, cut: share of conversations that had not ended within the cap. unsubmitted: share in which
# only the grader model found an answer although none was submitted; it counts as none here.
CAPS = schema(
    team=TEXT,
    cap=COUNT,
    longest=FLAG,
    **SCOPED,
    **estimates("solo_full", "collab", "tax", "bound", "cut", "unsubmitted"),
)

# One row a model, solo mode and scope, arm baseline; change = score with the critic pass - without it.
# Answers count as the program reads them; unread: share of rollouts that the grader model read in its place.
CRITIC = schema(
    team=TEXT,
    mode=TEXT,
    **SCOPED,
    **estimates(
        "with_critic", "without", "change", "repaired", "broken", "tax_with", "tax_without", "unread"
    ),
)

# One row a relay (its arm and team in slot order) and scope: ``first`` has the seat for so many of its turns,
# then ``then``, who has the other seat throughout. from_* = relay - the score of the same name.
RELAYS = schema(
    arm=TEXT,
    team=TEXT,
    first=TEXT,
    then=TEXT,
    seat=COUNT,
    turns=COUNT,
    **SCOPED,
    **estimates("relay", "pair", "own_first", "own_then", "from_pair", "from_own_first", "from_own_then"),
)

# One row an agent (slot) of a conversation, asked alone after its end. ``text`` is its reply, answer_text
# what stands after the marker in it.
ASKED_ALONE = schema(
    **ROLLOUT_ID,
    digest=TEXT,
    simulated=FLAG,
    slot=COUNT,
    outcome=TEXT,
    error=TEXT,
    text=TEXT,
    answer_text=TEXT,
    prompt_tokens=LONG,
    completion_tokens=LONG,
    key=TEXT,
)

# One row a team whose agents were asked alone, and scope. joint: the conversation's score; best: the better
# of both own answers; known: share of instances in which an agent alone has a success and the conversation
# none; unknown: in which the conversation has one and neither agent alone.
ALONE = schema(
    team=TEXT,
    **SCOPED,
    **estimates("joint", "alone_1", "alone_2", "best", "from_alone_1", "from_alone_2", "from_best"),
    **estimates("known", "unknown"),
)
