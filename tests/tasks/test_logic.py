"""Logic puzzle: clues, numbering and grades worked out by hand."""

import random

import pytest

from tasks.arrangements import Board
from tasks.contract import Reject
from tasks.csp.logic import TASK

PUBLIC = {
    ("items", "owners"): ("Ann", "Ben", "Eve"),
    ("items", "drinks"): ("Juice", "Milk", "Tea"),
    ("clues",): 4,
}
# From the left: Ben with Tea, Ann with Juice, Eve with Milk.
A = {("at", "Ben"): 0, ("pair", "Ann", "Eve"): "before"}
B = {("pair", "Ben", "Tea"): "same", ("pair", "Juice", "Milk"): "before"}
FACTS = PUBLIC | A | B
TRUTH = [["Ben", "Tea"], ["Ann", "Juice"], ["Eve", "Milk"]]
LEFT = {"form": "sentences", "side": "left", "houses": 3}
ALIAS = {"O1": "Eve", "O2": "Ben", "O3": "Ann", "D1": "Tea", "D2": "Milk", "D3": "Juice"}
RIGHT = {"form": "signs", "side": "right", "houses": 3, "alias": ALIAS}
FRAMES = {"full": LEFT, "a": LEFT, "b": RIGHT}


def score(value):
    return TASK.score(FACTS, TRUTH, value, FRAMES).score


def test_the_clues_leave_one_solution():
    assert TASK.solve(FACTS) == TRUTH and TASK.gaps(FACTS) == 0
    assert TASK.gaps(PUBLIC | A) == TASK.gaps(PUBLIC | B) == 2


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (TRUTH, 1.0),
        ([["tea", "ben"], ["Juice", "Ann"], ["Milk", "Eve"]], 1.0),
        ([["O1", "D2"], ["O3", "D3"], ["O2", "D1"]], 1.0),  # as view B writes it
        ({"house 1": {"owner": "Ben", "drink": "Tea"}, "2": ["Ann", "Juice"], "3": ["Eve", "Milk"]}, 1.0),
        ([["Ben", "Tea"], ["Ann", "Milk"], ["Eve", "Juice"]], 0.5),  # 4 of 6, (4/6 - 1/3) / (2/3)
        ([["Ben", "Tea"], ["Ann", None], ["Eve"]], 0.5),  # 4 of 6
        ([["Ben", "Tea"], ["Eve", "Milk"], ["Ann", "Juice"]], 0.0),  # 2 of 6 is chance
        ([["Ben", "Tea"], [], []], 0.0),
        ([["Ben", "Tea"], ["Ann", "Juice"]], 0.0),  # a house is missing
        ([["Ben", "Tea"], ["Ann", "Juice"], ["Ann", "Milk"]], 0.0),  # an item named twice
        ([["Ann", "Ben", "Eve"]] * 3, 0.0),
        ([["Ann", "Ben", "Eve", "Juice", "Milk", "Tea"]] * 3, 0.0),
        (["Ben, Tea", "Ann, Juice", "Eve, Milk"], 0.0),
    ],
)
def test_grades(value, expected):
    assert score(value) == pytest.approx(expected, abs=1e-12)


def test_an_answer_in_free_text_is_read_unless_it_is_a_listing():
    text = "So:\n- House 1: Ben, Tea\n- **House 2**: Ann, Juice.\n- House 3: Eve, Milk"
    value, how = TASK.read_answer(text)
    assert how == "loose" and score(value) == 1
    assert TASK.read_answer(text + "\nHouse 3: Ann, Milk") == (None, "none")


def test_views_count_from_opposite_ends():
    assert TASK.say(A, LEFT).splitlines() == [
        "Ben is in house 1.",
        "The house of Ann has a lower number than the house of Eve.",
    ]
    assert TASK.say(A | B, RIGHT).splitlines() == ["O2 @ 3", "O1 < O3", "O2 = D1", "D2 < D3"]
    more = {("not", "Tea"): 2, ("pair", "Ben", "Eve"): "next", ("pair", "Juice", "Tea"): "after"}
    for frame in FRAMES.values():
        assert TASK.hear(TASK.say(FACTS | more, frame), frame) == FACTS | more


def test_a_misread_frame_changes_what_is_heard():
    side_only = {key: value for key, value in RIGHT.items() if key != "alias"}
    assert TASK.misread(side_only, LEFT, random.Random(0))["side"] == "left"
    heard = TASK.hear(TASK.say(A, RIGHT), RIGHT | {"side": "left"})
    assert heard == {("at", "Ben"): 2, ("pair", "Ann", "Eve"): "after"}
    swapped = TASK.hear(TASK.say(B, RIGHT), RIGHT | {"alias": ALIAS | {"D1": "Milk", "D2": "Tea"}})
    assert swapped == {("pair", "Ben", "Milk"): "same", ("pair", "Juice", "Tea"): "before"}


@pytest.mark.parametrize(
    "extra",
    [
        {("not", "Ben"): 0},
        {("at", "Zoe"): 0},
        {("at", "Ann"): 9},
        {("pair", "Ann", "Ben"): "same"},
        {("items", "pets"): ("Cat",)},
        {("items", "drinks"): ()},
    ],
)
def test_garbled_clues_have_no_solution(extra):
    garbled = FACTS | extra
    assert TASK.solve(garbled) is None and TASK.gaps(garbled) == 0
    with pytest.raises(Reject):
        TASK.complete(garbled, random.Random(0))


def test_arrangements_are_counted_as_by_hand():
    board = Board([("Ann", "Ben", "Cara"), ("Cat", "Dog", "Emu")])
    assert board.everything.bit_count() == 36
    assert board.holds(("at", "Dog"), 1).bit_count() == 12
    assert board.holds(("not", "Dog"), 1).bit_count() == 24
    assert board.holds(("pair", "Ann", "Ben"), "before").bit_count() == 18
    assert board.holds(("pair", "Ann", "Ben"), "next").bit_count() == 24
    assert board.holds(("pair", "Ann", "Cat"), "same").bit_count() == 12
    where = {"Ann": 0, "Ben": 1, "Cara": 2, "Cat": 2, "Dog": 0, "Emu": 1}
    left = board.left({("at", name): place for name, place in where.items()})
    assert left.bit_count() == 1 and board.member(left, None) == where and board.told(left, where) == 1
    assert board.told(board.everything, where) == pytest.approx(1 / 3)
