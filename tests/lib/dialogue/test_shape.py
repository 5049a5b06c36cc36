"""The features of a conversation: exact values, ranges on any text, speed, and the document."""

import math
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scripts.collaboration.prediction_schemas import SHAPE
from scripts.lib.dialogue.phrases import AGREEMENT, DISAGREEMENT, PROPOSAL, count_attitudes, plain, proposes
from scripts.lib.dialogue.shape import FEATURES, measure_conversation, view_items

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "shape.md"
ITEMS = view_items("Red fox runs home", "Blue cat sits here")
TALK = [
    (1, "I see red fox runs home now"),
    (2, "I agree: blue cat sits. Is (3, 4) free?"),
    (1, "No, wrong. I propose red fox runs"),
    (2, "ACTI! 3"),
]


def one(text: str, items=ITEMS) -> dict:
    return measure_conversation([(1, text)], items)


def test_a_conversation_counted_by_hand():
    found = measure_conversation(TALK, ITEMS)
    expected = {
        "turns": 4,
        "words_per_turn": 25 / 4,
        "words_balance": 1 - 3 / 25,
        "pacing": np.corrcoef(range(4), np.log1p([7, 9, 7, 2]))[0, 1],
        "agreement": 4,
        "disagreement": 4,
        "questions": 1 / 4,
        "numbers": 12,
        "coordinates": 4,
        "view_a_share": 1,
        "view_b_share": 1 / 2,
        "transfer_entropy": -(2 / 3 * math.log(2 / 3) + 1 / 3 * math.log(1 / 3)) / math.log(4),
        "transfer_lag": 1 / 3 / 4,
        "repeated": 1 / 17,
        "first_proposal": 2 / 4,
    }
    assert list(found) == list(expected) == list(FEATURES)
    assert found == pytest.approx(expected)


def test_nobody_spoke():
    found = measure_conversation([], ITEMS)
    assert found.pop("turns") == 0
    assert set(found.values()) == {None}


def test_empty_messages_have_features():
    found = measure_conversation([(1, ""), (2, " \n")], view_items("", ""))
    assert found["turns"] == 2 and found["transfer_lag"] == 1 and found["first_proposal"] == 1
    assert sum(value for value in found.values()) == 4


def test_an_item_is_what_the_partner_lacks():
    a, b = view_items("the map has walls at 2 5", "the map has a wall at 3 4")
    assert ("the", "map", "has") not in a | b
    assert ("at", "2", "5") in a and ("at", "3", "4") in b
    same, other = view_items("one two three", "one two three")
    assert same == other == {("one", "two", "three")}


def test_rows_of_a_drawn_map_count():
    items = view_items("Facts: .#.?? ##..? G...#", "Facts: none at all")
    assert one(".#.?? ##..? G...#", items)["view_a_share"] == pytest.approx(2 / 3)
    assert one("I shall not tell", items)["view_a_share"] == 0


def test_what_the_other_agent_repeats_is_not_the_holders():
    assert measure_conversation([(2, "red fox runs home")], ITEMS)["view_a_share"] == 0


@pytest.mark.parametrize(
    ("text", "agreement", "disagreement"),
    [
        ("I agree.", 1, 0),
        ("I do not agree; I DISAGREE", 0, 2),
        ("I don\N{RIGHT SINGLE QUOTATION MARK}t agree", 0, 1),
        ("incorrect", 0, 1),
        ("correct, and yes: it matches", 3, 0),
        ("That doesn't\n match", 0, 1),
        ("disagreeable yesterday", 0, 0),
    ],
)
def test_markers(text, agreement, disagreement):
    assert count_attitudes(plain(text)) == (agreement, disagreement)


def test_every_phrase_is_found_as_what_it_is():
    assert all(count_attitudes(phrase) == (1, 0) for phrase in AGREEMENT)
    assert all(count_attitudes(phrase) == (0, 1) for phrase in DISAGREEMENT)
    assert all(proposes(phrase) for phrase in PROPOSAL)


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("Which walls?", 1),
        ("??.G??? #.?", 0),
        ('"Why?" and (what?) or "who"?', 1),
        ("ok??", 0),
        ("\N{CJK UNIFIED IDEOGRAPH-4F60}\N{CJK UNIFIED IDEOGRAPH-597D}\N{FULLWIDTH QUESTION MARK}", 1),
    ],
)
def test_questions(text, questions):
    assert one(text)["questions"] == questions


@pytest.mark.parametrize(
    ("text", "coordinates"),
    [
        ("(3, 4)", 1),
        ("[[0,1],[0,2]]", 2),
        ("(1, 2, 3)", 1),
        ("row 3, column 4", 1),
        ("r3c4 and R5C6", 2),
        ("(3) and 3, 4", 0),
        ("(a, 4)", 0),
    ],
)
def test_coordinates(text, coordinates):
    words = len(text.replace("(", " ").replace("[", " ").replace(",", " ").replace("]", " ").split())
    assert one(text)["coordinates"] == pytest.approx(100 * coordinates / words)


def test_turns_that_grow_and_turns_that_shrink():
    turns = ["one", "one two", "one two three"]
    assert measure_conversation([(1, text) for text in turns], ITEMS)["pacing"] > 0.99
    assert measure_conversation([(1, text) for text in turns[::-1]], ITEMS)["pacing"] < -0.99
    assert measure_conversation([(1, "same"), (2, "same")], ITEMS)["pacing"] == 0


TEXT = st.text(max_size=60) | st.lists(
    st.sampled_from(["a", "1", "(2,", "???", "ACTI!", "7", "yes", "wrong"]), max_size=12
).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from([1, 2]), TEXT), min_size=1, max_size=8), TEXT, TEXT)
def test_every_feature_is_finite_and_in_its_range(turns, view_a, view_b):
    found = measure_conversation(turns, view_items(view_a, view_b))
    assert list(found) == list(FEATURES)
    for name, feature in FEATURES.items():
        assert math.isfinite(found[name]), name
        assert feature.low <= found[name] <= feature.high, name


@pytest.mark.parametrize(
    "text",
    [
        "a" * 100_000,
        "(" * 100_000,
        "(1" * 50_000,
        "1" * 100_000,
        "i  " * 33_000,
        "row 1 " * 16_000,
        "? " * 50_000,
        "\n" * 100_000,
        "not " * 25_000,
        "ACTI! " * 16_000,
        "[[0, 1], " * 11_000,
        "((1, 2)?" * 12_000,
    ],
)
def test_a_long_message_takes_no_longer_than_its_length(text):
    start = time.process_time()
    one(text)
    assert time.process_time() - start < 1


def test_the_document_holds_the_definitions():
    text = DOCUMENT.read_text(encoding="utf-8")
    rows = []
    for name, feature in FEATURES.items():
        ends = (
            f"{feature.low:g} to {feature.high:g}"
            if math.isfinite(feature.high)
            else f"{feature.low:g} or more"
        )
        rows.append(f"| `{name}` | {feature.definition} | {feature.unit} | {ends} |")
    assert "\n".join(rows) in text


def test_the_table_has_a_column_for_each_feature():
    assert SHAPE.names[-len(FEATURES) :] == list(FEATURES)
