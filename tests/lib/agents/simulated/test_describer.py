"""The simulated describer says what can be seen in a record, and nothing breaks it."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scripts.lib.agents.simulated.agent import answer_messages
from scripts.lib.agents.simulated.describer import (
    ALONE,
    AT_ONCE,
    BLIND_AGREEMENT,
    DISAGREEMENT,
    NO_ANSWER,
    NO_END,
    NO_QUESTION,
    OTHER_LENGTH,
    REPEATED,
    SAME_LENGTH,
    SILENT,
    UNANSWERED,
    describe_failure,
    find_reasons,
)
from scripts.lib.dialogue.prompts import prompt
from tests.lib.agents.simulated.game import MODELS

VIEW = "Task: Maze\nFind it.\n\nNotation: here.\nFacts:\none\ntwo\n\nAnswer: JSON."


def record(*texts, ended="answered", answer=(1, 2), optimal=(3, 4)):
    talk = [
        {"turn": number, "from": f"agent {2 - number % 2}", "text": text}
        for number, text in enumerate(texts, start=1)
    ]
    views = {"view of agent 1": VIEW, "view of agent 2": VIEW}
    answers = {"answer": answer and list(answer), "optimal answer": list(optimal)}
    return views | {"conversation": talk, "ended": ended} | answers


def content(its):
    return f"Record, as JSON:\n{json.dumps(its)}"


FACTS = "Facts:\none\ntwo"


@pytest.mark.parametrize(
    ("its", "reasons"),
    [
        (record("ACTI! [1]"), {SILENT, NO_QUESTION, AT_ONCE, SAME_LENGTH}),
        (record(FACTS, "I agree.", "ACTI! [1]"), {SILENT, NO_QUESTION, BLIND_AGREEMENT, SAME_LENGTH}),
        (record(FACTS, f"{FACTS} which cells?", "ACTI! 1"), {UNANSWERED, ALONE, SAME_LENGTH}),
        (record(f"{FACTS} who?", FACTS, ended="turn_cap", answer=None), {NO_END, NO_ANSWER}),
        (
            record("Proposal: 1", "Proposal: 2", "ok", "ok"),
            {SILENT, NO_QUESTION, DISAGREEMENT, REPEATED, SAME_LENGTH},
        ),
        (record(f"{FACTS} so?", FACTS, "I checked it: yes, I agree", "ACTI! 1", answer=(1,)), {OTHER_LENGTH}),
    ],
)
def test_what_can_be_seen(its, reasons):
    assert {reason for reason, _, _ in find_reasons(its)} == reasons


def test_it_says_at_most_two_things_always_the_same_and_not_always_in_the_same_words():
    its = record("ACTI! [1]")
    said = describe_failure(content(its))
    assert said == describe_failure(content(its)) and 1 <= said.count(".") <= 2
    variants = {describe_failure(content(its | {"ended": f"answered {number}"})) for number in range(20)}
    assert len(variants) > 5
    assert "{" not in "".join(variants)


def test_the_prompt_finds_it_behind_the_interface_of_a_model():
    messages = [
        {"role": "system", "content": prompt("describe_system")},
        {"role": "user", "content": content(record("ACTI! [1]"))},
    ]
    reply = answer_messages(MODELS["simulated-describer"].profile, messages)
    assert reply.text == describe_failure(messages[1]["content"]) and reply.completion_tokens > 5


@pytest.mark.parametrize("text", ["", "no JSON", "Record, as JSON:\n{", "x\n{}", 'x\n{"conversation": []}'])
def test_what_cannot_be_read_is_told(text):
    assert "cannot be read" in describe_failure(text)


WORDS = st.sampled_from(
    ["", "ACTI! 1", "I agree.", "which?", "Proposal: {}", "\x00", "Facts:\none", "é" * 90]
)


@settings(max_examples=50)
@given(st.lists(WORDS, max_size=6), st.one_of(st.none(), st.integers(), WORDS))
def test_any_conversation_is_described(texts, answer):
    its = record(*texts) | {"answer": answer}
    said = describe_failure(content(its))
    assert said.strip() == said and said.endswith(".") and "\n" not in said
