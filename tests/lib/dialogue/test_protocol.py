"""The protocol as the models meet it: what each slot is sent, and how a dialogue ends."""

import asyncio

import pytest

from scripts.lib.agents.calls import CallFailed, Reply
from scripts.lib.dialogue.prompts import prompt
from scripts.lib.dialogue.protocol import EMPTY, collab, solo
from scripts.lib.outcomes import Outcome

VIEWS = ["My part: A.\n", "My part: B.\n"]


class Speaker:
    """Says what its script holds (text, Reply or exception to raise) and keeps what it was sent."""

    def __init__(self, *script):
        self.script, self.sent = list(script), []

    async def __call__(self, messages):
        self.sent.append([dict(message) for message in messages])
        said = self.script.pop(0)
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, Reply) else Reply(said)


def talk(first, second, max_exchanges=50):
    return asyncio.run(collab(VIEWS, [first, second], max_exchanges))


def alone(speaker, mode="solo_full", critic=True):
    return asyncio.run(solo(mode, VIEWS[:1] if mode == "solo_full" else VIEWS, speaker, critic))


def system(mode):
    return {"role": "system", "content": prompt(f"{mode}_system")}


def user(content):
    return {"role": "user", "content": content}


def assistant(content):
    return {"role": "assistant", "content": content}


def said(dialogue):
    return [(turn.slot, turn.text) for turn in dialogue.turns]


CRITIC = user(prompt("critic"))


# -- collab ------------------------------------------------------------------------------------


def test_both_agents_find_the_clauses_below_their_system_prompt():
    first, second = Speaker("one", "ACTI! 5"), Speaker("two")
    asyncio.run(collab(VIEWS, [first, second], clauses=["Ask first.", "Check last."]))
    wanted = {"role": "system", "content": f"{prompt('collab_system')}\n\nAsk first.\n\nCheck last."}
    assert [sent[0] for sent in (*first.sent, *second.sent)] == [wanted] * 3


def test_each_agent_sees_its_view_its_own_words_and_its_partners():
    first, second = Speaker("one", "three", "ACTI! 5"), Speaker("two", "four")
    dialogue = talk(first, second)
    mine, theirs = (
        [system("collab"), user("[user]: My part: A.")],
        [system("collab"), user("[user]: My part: B.\n\n[other agent]: one")],
    )
    assert first.sent == [
        mine,
        [*mine, assistant("one"), user("[other agent]: two")],
        [
            *mine,
            assistant("one"),
            user("[other agent]: two"),
            assistant("three"),
            user("[other agent]: four"),
        ],
    ]
    assert second.sent == [theirs, [*theirs, assistant("two"), user("[other agent]: three")]]
    assert said(dialogue) == [(1, "one"), (2, "two"), (1, "three"), (2, "four"), (1, "ACTI! 5")]
    assert (dialogue.outcome, dialogue.answer, dialogue.answer_slot) == (Outcome.ANSWERED, "5", 1)


def test_roles_alternate_on_the_wire_whatever_is_said():
    first, second = Speaker("", "", "a", "b"), Speaker("x", "", "", "ACTI! 1")
    talk(first, second)
    for messages in (*first.sent, *second.sent):
        roles = [message["role"] for message in messages]
        assert roles == ["system", *(["user", "assistant"] * len(roles))[: len(roles) - 1]]
        assert roles[-1] == "user" and all(message["content"] for message in messages)


def test_an_empty_turn_is_replaced_on_the_wire_only():
    first, second = Speaker("", "ACTI! 1"), Speaker("  \n")
    dialogue = talk(first, second)
    assert second.sent[0][-1]["content"].endswith(f"\n\n[other agent]: {EMPTY}")
    assert first.sent[1][-2:] == [assistant(EMPTY), user(f"[other agent]: {EMPTY}")]
    assert said(dialogue)[:2] == [(1, ""), (2, "")]
    assert dialogue.turns[1].reply.text == "  \n"


def test_what_is_relayed_is_cut_and_what_was_written_is_kept():
    written = "[other agent]: one\n[user]: two"
    first, second = Speaker(written), Speaker("ACTI! 1")
    dialogue = talk(first, second)
    assert second.sent[0][-1]["content"].endswith("[other agent]: one")
    turn = dialogue.turns[0]
    assert (turn.text, turn.reply.text, turn.wrote_prefix) == ("one", written, True)
    assert not dialogue.turns[1].wrote_prefix


@pytest.mark.parametrize(("slot", "words"), [(1, ("ACTI! 7", "-")), (2, ("hello", "ACTI! 7"))])
def test_either_agent_may_end(slot, words):
    dialogue = talk(Speaker(words[0]), Speaker(words[1]))
    assert (dialogue.outcome, dialogue.answer, dialogue.answer_slot) == (Outcome.ANSWERED, "7", slot)
    assert len(dialogue.turns) == slot


def test_the_turn_cap_counts_exchanges():
    first, second = Speaker(*"abc"), Speaker(*"xyz")
    dialogue = talk(first, second, max_exchanges=3)
    assert said(dialogue) == [(1, "a"), (2, "x"), (1, "b"), (2, "y"), (1, "c"), (2, "z")]
    assert (dialogue.outcome, dialogue.answer, dialogue.answer_slot) == (Outcome.TURN_CAP, None, None)


def test_a_marker_without_answer_does_not_end():
    dialogue = talk(Speaker("ACTI!", "ACTI! 2"), Speaker("Which answer?"))
    assert (len(dialogue.turns), dialogue.answer) == (3, "2")


def test_reasoning_is_not_relayed():
    first, second = Speaker(Reply("one", reasoning="SECRET")), Speaker("ACTI! 1")
    talk(first, second)
    assert "SECRET" not in str(second.sent)


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.CONTEXT_OVERFLOW])
def test_a_failed_call_ends_the_dialogue_with_its_outcome(outcome):
    dialogue = talk(Speaker("one"), Speaker(CallFailed(outcome, "HTTP 400: too much")))
    assert (dialogue.outcome, dialogue.error, dialogue.answer) == (outcome, "HTTP 400: too much", None)
    assert said(dialogue) == [(1, "one")]


def test_a_refusal_ends_the_dialogue_and_is_recorded():
    dialogue = talk(Speaker("one"), Speaker(Reply("", finish_reason="content_filter")))
    assert dialogue.outcome == Outcome.REFUSED
    assert said(dialogue) == [(1, "one"), (2, "")]


def test_running_out_of_tokens_before_a_word_ends_the_dialogue():
    dialogue = talk(Speaker(Reply("", finish_reason="length", reasoning="hm")), Speaker("never asked"))
    assert (dialogue.outcome, len(dialogue.turns)) == (Outcome.TRUNCATED, 1)


def test_a_truncated_message_with_words_goes_on():
    dialogue = talk(Speaker(Reply("I see", finish_reason="length"), "ACTI! 1"), Speaker("Go on"))
    assert (dialogue.outcome, len(dialogue.turns)) == (Outcome.ANSWERED, 3)
    assert dialogue.turns[0].reply.finish_reason == "length"


# -- alone -------------------------------------------------------------------------------------


def test_solo_full_and_its_critic_pass():
    speaker = Speaker("Hm.\nACTI! 3", "Better.\nACTI! 4")
    dialogue = alone(speaker)
    first = [system("solo_full"), user("[user]: My part: A.")]
    assert speaker.sent == [first, [*first, assistant("Hm.\nACTI! 3"), CRITIC]]
    assert said(dialogue) == [(1, "Hm.\nACTI! 3"), (0, prompt("critic")), (1, "Better.\nACTI! 4")]
    assert dialogue.turns[1].reply is None
    assert (dialogue.outcome, dialogue.answer, dialogue.answer_slot) == (Outcome.ANSWERED, "4", 1)


def test_solo_split_shows_both_views_in_one_message():
    speaker = Speaker("ACTI! 3")
    alone(speaker, "solo_split", critic=False)
    assert speaker.sent == [
        [system("solo_split"), user("[user]: Part 1\n\nMy part: A.\n\nPart 2\n\nMy part: B.")]
    ]


def test_without_critic_there_is_one_call():
    speaker = Speaker("ACTI! 3")
    dialogue = alone(speaker, critic=False)
    assert (len(speaker.sent), said(dialogue), dialogue.answer) == (1, [(1, "ACTI! 3")], "3")


@pytest.mark.parametrize(
    ("script", "outcome", "answer"),
    [
        (("ACTI! 3", "ACTI! 3"), Outcome.ANSWERED, "3"),
        (("ACTI! 3", "It is right."), Outcome.ANSWERED, "3"),
        (("I do not know.", "ACTI! 3"), Outcome.ANSWERED, "3"),
        (("I do not know.", "I still do not."), Outcome.NO_ANSWER, None),
        (("ACTI! 3", CallFailed(Outcome.FAILED, "gone")), Outcome.ANSWERED, "3"),
        (("ACTI! 3", Reply("", finish_reason="length")), Outcome.ANSWERED, "3"),
        (("ACTI! 3", Reply("", finish_reason="content_filter")), Outcome.ANSWERED, "3"),
        (("I do not know.", CallFailed(Outcome.FAILED, "gone")), Outcome.FAILED, None),
        (("I do not know.", Reply("", finish_reason="length")), Outcome.TRUNCATED, None),
        ((Reply("half a", finish_reason="length"), "ACTI! 3"), Outcome.ANSWERED, "3"),
    ],
)
def test_the_critics_answer_counts_where_it_gives_one(script, outcome, answer):
    dialogue = alone(Speaker(*script))
    assert (dialogue.outcome, dialogue.answer) == (outcome, answer)
    assert dialogue.error == ("gone" if isinstance(script[1], CallFailed) else None)


@pytest.mark.parametrize(
    ("reply", "outcome", "turns"),
    [
        (CallFailed(Outcome.FAILED, "gone"), Outcome.FAILED, 0),
        (CallFailed(Outcome.CONTEXT_OVERFLOW, "too long"), Outcome.CONTEXT_OVERFLOW, 0),
        (Reply("", finish_reason="length"), Outcome.TRUNCATED, 1),
        (Reply("I cannot.", finish_reason="content_filter"), Outcome.REFUSED, 1),
    ],
)
def test_there_is_no_critic_pass_after_a_first_reply_that_failed(reply, outcome, turns):
    dialogue = alone(Speaker(reply))
    assert (dialogue.outcome, len(dialogue.turns), dialogue.answer) == (outcome, turns, None)


def test_the_critic_sees_a_placeholder_for_an_empty_first_reply():
    speaker = Speaker("", "ACTI! 3")
    dialogue = alone(speaker)
    assert speaker.sent[1][2:] == [assistant(EMPTY), CRITIC]
    assert said(dialogue)[0] == (1, "")
