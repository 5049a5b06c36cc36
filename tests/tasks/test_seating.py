"""Seating: left and right, clues and grades worked out by hand."""

import random

import pytest

from tasks.contract import Reject
from tasks.csp.seating import TASK
from tasks.making import make_instance

TRUTH = ["Anna", "Boris", "Clara", "David", "Emil", "Frida"]  # clockwise
PUBLIC = {("names",): tuple(TRUTH), ("clues",): 4}
# Anna is 5 seats clockwise from Boris, so 1 seat to his right as he faces the table
A = {("left", "Anna", "Boris"): 5, ("left", "Boris", "Clara"): 5}
B = {("pair", "Anna", "David"): "opposite", ("pair", "David", "Emil"): "next"}
FACTS = PUBLIC | A | B
PLAIN = {"form": "sentences", "facing": "the table", "seats": 6}
ALIAS = {"G1": "Emil", "G2": "Clara", "G3": "Anna", "G4": "Frida", "G5": "Boris", "G6": "David"}
LIST = {"form": "list", "facing": "outward", "seats": 6, "alias": ALIAS}
FRAMES = {"full": PLAIN | {"facing": "outward"}, "a": PLAIN, "b": LIST}


def score(value):
    return TASK.score(FACTS, TRUTH, value, FRAMES).score


def test_the_clues_leave_one_seating():
    assert TASK.solve(FACTS) == TRUTH and TASK.gaps(FACTS) == 0
    # up to turning there are 5! seatings; Anna, Boris and Clara in a row leave 3!
    assert TASK.left(PUBLIC).bit_count() == 120 and TASK.left(PUBLIC | A).bit_count() == 6
    # David opposite Anna, Emil on either side of him, the other three anywhere
    assert TASK.left(PUBLIC | B).bit_count() == 2 * 6 and TASK.gaps(PUBLIC | B) == 2


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (TRUTH, 1.0),
        ([*TRUTH[2:], *TRUTH[:2]], 1.0),  # any rotation
        (["G3", "G5", "G2", "G6", "G1", "G4"], 1.0),  # as view B calls them
        (["anna (G3)", *TRUTH[1:]], 1.0),
        (["Boris", "Anna", *TRUTH[2:]], 5 / 9),  # two guests 1 of 3 off: 1 - 2/18, less .75, over .25
        (["Boris", "Clara", "Anna", "David", "Emil", "Frida"], 1 / 9),  # 1 - (1 + 1 + 2) / 18
        (["David", "Boris", "Clara", "Anna", "Emil", "Frida"], 0.0),  # 1 - (3 + 3) / 18
        (TRUTH[::-1], 0.0),  # the handedness is fixed
        (TRUTH[:5], 0.0),
        ([*TRUTH, "Anna"], 0.0),
        ([*TRUTH, *TRUTH[::-1]], 0.0),
        ([*TRUTH[:5], "Helen"], 0.0),
        ([TRUTH], 0.0),
        ([", ".join(TRUTH)], 0.0),
        (None, 0.0),
    ],
)
def test_grades(value, expected):
    assert score(value) == pytest.approx(expected, abs=1e-12)


def test_an_answer_in_free_text_is_read_unless_it_is_a_listing():
    value, how = TASK.read_answer("Clockwise: " + " -> ".join(TRUTH))
    assert how == "loose" and score(value) == 1
    assert TASK.read_answer(f"Anna or Boris. {' '.join(TRUTH)}")[0] is None


@pytest.mark.parametrize("size", TASK.sizes)
def test_the_names_as_listed_and_the_prompt_itself_score_nothing(size):
    for index in range(10):
        instance = make_instance(TASK, size, 5, index)
        draft = instance.draft
        for text in (TASK.view(draft, view) for view in ("full", "a", "b")):
            listed = next(line for line in text.splitlines() if line.startswith("The guests are "))
            for reply in (text, listed):
                value, _ = TASK.read_answer(reply)
                assert TASK.score(draft.union, instance.answer, value, draft.frames).score == 0


def test_left_depends_on_where_guests_face():
    assert TASK.say(A, PLAIN).splitlines() == [
        "Anna sits 1 seat to the right of Boris.",
        "Boris sits 1 seat to the right of Clara.",
    ]
    assert TASK.say(A, FRAMES["full"]).splitlines()[0] == "Anna sits 1 seat to the left of Boris."
    assert TASK.say(A | B, LIST).splitlines() == [
        "1 seat left: G3, G5",
        "1 seat left: G5, G2",
        "opposite: G3, G6",
        "next to each other: G6, G1",
    ]
    more = {("left", "Anna", "Emil"): 2, ("left", "Clara", "Frida"): 3, ("pair", "Anna", "Emil"): "apart"}
    for frame in FRAMES.values():
        assert TASK.hear(TASK.say(FACTS | more, frame), frame) == FACTS | more
        assert TASK.read_notation(TASK.notation(frame)) == frame
    # either of the two guests may be named first
    assert TASK.hear("Boris sits 1 seat to the left of Anna.", PLAIN) == {("left", "Anna", "Boris"): 5}


def test_a_misread_frame_changes_what_is_heard():
    no_alias = {key: value for key, value in LIST.items() if key != "alias"}
    assert TASK.misread(no_alias, PLAIN, random.Random(0))["facing"] == "the table"
    heard = TASK.hear("1 seat left: G3, G5", LIST | {"facing": "the table"})
    assert heard == {("left", "Anna", "Boris"): 1}
    swapped = TASK.hear("opposite: G3, G6", LIST | {"alias": ALIAS | {"G6": "Emil", "G1": "David"}})
    assert swapped == {("pair", "Anna", "Emil"): "opposite"}


@pytest.mark.parametrize(
    "extra",
    [
        {("pair", "Anna", "Boris"): "apart"},
        {("left", "Anna", "Boris"): 1},
        {("left", "Anna", "Helen"): 1},
        {("names",): ("Anna",)},
        {("names",): tuple("ABCDEFGHIJ")},
    ],
)
def test_garbled_clues_have_no_solution(extra):
    garbled = FACTS | extra
    assert TASK.solve(garbled) is None and TASK.gaps(garbled) == 0
    with pytest.raises(Reject):
        TASK.complete(garbled, random.Random(0))


def test_opposite_needs_an_even_table():
    five = {("names",): tuple(TRUTH[:5]), ("clues",): 1, ("pair", "Anna", "David"): "opposite"}
    assert TASK.left(five) == 0
