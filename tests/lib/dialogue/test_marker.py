"""What ends a conversation and what does not; what a model may not write in others' names."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.lib.dialogue.marker import read_message


@pytest.mark.parametrize(
    "reply",
    [
        '> ACTI! {"count": 3}',
        '"ACTI! 3" is what you wrote.',
        "\u201cACTI! 3\u201d is what you wrote.",
        'You wrote ACTI! {"count": 3} too early.',
        "You wrote `ACTI! 3`, but I have not checked it.",
        "1. ACTI! 3",
        "Acti! 3",
        "acti! 3",
        "ACTI 3",
        "ACT! 3",
        "XACTI! 3",
        "",
        "   \n\t ",
    ],
)
def test_a_quoted_or_mentioned_marker_does_not_count(reply):
    message = read_message(reply)
    assert message.answer is None
    assert message.text == reply.strip()
    assert not message.wrote_prefix


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ('ACTI! {"count": 3}', '{"count": 3}'),
        ("Done.\nACTI! 3", "3"),
        ("Done.\r\nACTI! 3", "3"),
        ("   \tACTI! 3", "3"),
        ("**ACTI!** 3", "3"),
        ("- ACTI! 3", "3"),
        ("* **ACTI!**: 3", "3"),
        ("## ACTI! 3", "3"),
        ("__ACTI!__ 3", "3"),
        ("`ACTI!` 3", "3"),
        ("ACTI!: 3", "3"),
        ("ACTI!3", "3"),
        ("ACTI!\n3", "3"),
        ('ACTI!\n\n{\n "count": 3\n}', '{\n "count": 3\n}'),
        ("ACTI! 3\nThank you.", "3\nThank you."),
        ("ACTI! <3 paths>: 3", "<3 paths>: 3"),
    ],
)
def test_a_marker_at_the_start_of_a_line_ends_with_the_answer_after_it(reply, answer):
    assert read_message(reply).answer == answer


def test_an_answer_may_stand_in_a_fence():
    answer = read_message('So:\nACTI!\n```json\n{"count": 3}\n```').answer
    assert answer is not None and '{"count": 3}' in answer and answer.endswith("```")


@pytest.mark.parametrize(
    "reply", ["ACTI!", "ACTI!  \n\n", "**ACTI!**", "ACTI! .", "ACTI! ...", "ACTI!:\n```\n```"]
)
def test_a_marker_without_an_answer_does_not_count(reply):
    assert read_message(reply).answer is None


@pytest.mark.parametrize(
    "reply", ["ACTI! <answer>", "ACTI! `<answer>`", "ACTI!\n<your answer here>", "**ACTI! <the count>**"]
)
def test_a_placeholder_is_no_answer(reply):
    assert read_message(reply).answer is None


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("ACTI! 3\nNo, wait.\nACTI! 4", "4"),
        ("ACTI! 3\nACTI!", "3"),
        ("ACTI!\nACTI! 4", "4"),
        ("ACTI! 3\nWe must write:\nACTI! <answer>", "3\nWe must write:"),
        ("ACTI! <answer>\nACTI!", None),
    ],
)
def test_of_several_markers_the_last_with_an_answer_counts(reply, answer):
    assert read_message(reply).answer == answer


@pytest.mark.parametrize(
    "reply",
    [
        "[other agent]: I see 4 cells.",
        "[user]: I see 4 cells.",
        "[user]: [other agent]: I see 4 cells.",
        "[other agent]:\n[other agent]:\n\nI see 4 cells.",
        "  [Other Agent]: I see 4 cells.",
    ],
)
def test_leading_prefixes_are_taken_off(reply):
    message = read_message(reply)
    assert (message.text, message.answer, message.wrote_prefix) == ("I see 4 cells.", None, True)


def test_what_a_model_writes_in_its_partners_name_is_cut_off():
    message = read_message("What do you see?\n\n[other agent]: Four cells.\nACTI! 4")
    assert (message.text, message.answer, message.wrote_prefix) == ("What do you see?", None, True)
    message = read_message("[other agent]: Mine.\nACTI! 3\n[user]: Thank you.\nACTI! 4")
    assert (message.text, message.answer, message.wrote_prefix) == ("Mine.\nACTI! 3", "3", True)


def test_a_prefix_in_the_middle_of_a_line_is_a_mention():
    reply = "The relay writes [other agent]: before your words.\nACTI! 3"
    message = read_message(reply)
    assert (message.text, message.answer, message.wrote_prefix) == (reply, "3", False)


def test_only_prefixes_leave_an_empty_message():
    message = read_message("[other agent]: [user]:")
    assert (message.text, message.answer, message.wrote_prefix) == ("", None, True)


pieces = st.sampled_from(
    [
        "ACTI!",
        "[user]:",
        "[other agent]:",
        "<answer>",
        "\n",
        " ",
        "- ",
        "**",
        "`",
        ">",
        "3",
        "{",
        "}",
        "\r",
        "é",
    ]
)


@given(st.one_of(st.text(), st.lists(pieces, max_size=40).map("".join)))
def test_any_reply_is_read(reply):
    message = read_message(reply)
    assert message.text in reply
    if message.answer is not None:
        assert message.answer and message.answer in message.text and "ACTI!" in message.text
    if not message.wrote_prefix:
        assert message.text == reply.strip()
    assert not message.text.lower().startswith(("[user]:", "[other agent]:"))


@pytest.mark.parametrize(
    "piece",
    ["-", "- ", "*_`#", " ", "\n", "\t\n", "ACTI! ", "ACTI!\n", "ACTI! <", "<", "[user]:", "[user]:\n"],
)
def test_a_megabyte_is_read_at_once(piece):
    started = time.process_time()
    read_message("x" + "\n" + piece * (2**20 // len(piece)))
    assert time.process_time() - started < 3
