"""Order: clues, signs and grades worked out by hand."""

import random

import pytest

from tasks.contract import Reject
from tasks.csp.order import TASK
from tasks.making import make_instance

PUBLIC = {("names",): ("Amber", "Birch", "Coral", "Delta"), ("clues",): 4}
# From the earliest: Delta, Birch, Amber, Coral.
A = {("pair", "Amber", "Birch"): "after", ("pair", "Amber", "Coral"): "before"}
B = {("pair", "Birch", "Delta"): "after", ("next", "Amber", "Birch"): "next"}
FACTS = PUBLIC | A | B
TRUTH = ["Delta", "Birch", "Amber", "Coral"]
PLAIN = {"form": "sentences", "first": "earliest", "places": 4}
ALIAS = {"K1": "Coral", "K2": "Amber", "K3": "Delta", "K4": "Birch"}
SIGNS = {"form": "signs", "first": "latest", "places": 4, "alias": ALIAS}
FRAMES = {"full": PLAIN, "a": PLAIN, "b": SIGNS}


def score(value):
    return TASK.score(FACTS, TRUTH, value, FRAMES).score


def test_the_clues_leave_one_order():
    assert TASK.solve(FACTS) == TRUTH and TASK.gaps(FACTS) == 0
    # A: Birch, Amber, Coral in this order and Delta in any of 4 places
    assert TASK.left(PUBLIC | A).bit_count() == 4 and TASK.gaps(PUBLIC | A) == 2
    # B: Amber and Birch together after Delta, in either order, and Coral in any of 4 places but between them
    assert TASK.left(PUBLIC | B).bit_count() == 2 * 3 and TASK.gaps(PUBLIC | B) == 2
    assert TASK.left(PUBLIC).bit_count() == 24


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (TRUTH, 1.0),
        (["delta", "birch", "amber", "coral"], 1.0),
        (["K3", "K4", "K2", "K1"], 1.0),  # as view B calls them
        (["K3 (Delta)", "Birch", "K2", "Coral"], 1.0),
        (["Birch", "Delta", "Amber", "Coral"], 1 / 3),  # 5 of 6 pairs, (5/6 - 3/4) / (1/4)
        (["Birch", "Amber", "Delta", "Coral"], 0.0),  # 4 of 6
        (TRUTH[::-1], 0.0),
        (TRUTH[:3], 0.0),
        ([*TRUTH, "Delta"], 0.0),
        ([*TRUTH, *TRUTH[::-1]], 0.0),
        ([*TRUTH, "Ember"], 0.0),
        ([TRUTH], 0.0),
        (["Delta, Birch, Amber, Coral"], 0.0),
        ([None, *TRUTH[1:]], 0.0),
        ("Delta", 0.0),
    ],
)
def test_grades(value, expected):
    assert score(value) == pytest.approx(expected, abs=1e-12)


def test_an_answer_in_free_text_is_read_unless_it_is_a_listing():
    value, how = TASK.read_answer("The order is: Delta, then Birch, then **Amber** and Coral.")
    assert how == "loose" and score(value) == 1
    assert score(TASK.read_answer("k3 - k4 - k2 - k1")[0]) == 1
    assert TASK.read_answer("Delta, Birch, Amber, Coral or Birch, Delta, Amber, Coral")[0] is None


@pytest.mark.parametrize("size", TASK.sizes)
def test_the_names_as_listed_and_the_prompt_itself_score_nothing(size):
    for index in range(10):
        instance = make_instance(TASK, size, 5, index)
        draft = instance.draft
        for text in (TASK.view(draft, view) for view in ("full", "a", "b")):
            listed = next(line for line in text.splitlines() if line.startswith("The items are "))
            for reply in (text, listed, listed.replace("The items are ", "")):
                value, _ = TASK.read_answer(reply)
                assert TASK.score(draft.union, instance.answer, value, draft.frames).score == 0


def test_views_tell_what_is_earlier_and_what_is_later():
    assert TASK.say(A, PLAIN).splitlines() == [
        "Birch is earlier than Amber.",
        "Amber is earlier than Coral.",
    ]
    assert TASK.say(A | B, SIGNS).splitlines() == ["K4 ~ K2", "K2 > K4", "K1 > K2", "K4 > K3"]
    more = {("at", "Delta"): 0, ("at", "Coral"): 3}
    assert TASK.say(more, SIGNS).splitlines() == ["K1 @ 1", "K3 @ 4"]
    for frame in FRAMES.values():
        assert TASK.hear(TASK.say(FACTS | more, frame), frame) == FACTS | more
        assert TASK.read_notation(TASK.notation(frame)) == frame


def test_a_misread_frame_changes_what_is_heard():
    no_alias = {key: value for key, value in SIGNS.items() if key != "alias"}
    assert TASK.misread(no_alias, PLAIN, random.Random(0))["first"] == "earliest"
    heard = TASK.hear("K2 > K4\nK3 @ 4", SIGNS | {"first": "earliest"})
    assert heard == {("pair", "Amber", "Birch"): "before", ("at", "Delta"): 3}
    swapped = TASK.hear("K2 > K4", SIGNS | {"alias": ALIAS | {"K2": "Coral", "K1": "Amber"}})
    assert swapped == {("pair", "Birch", "Coral"): "before"}


@pytest.mark.parametrize(
    "extra",
    [
        {("pair", "Coral", "Delta"): "before"},
        {("pair", "Amber", "Zinc"): "before"},
        {("at", "Amber"): 9},
        {("names",): ()},
        {("names",): tuple("ABCDEFGHIJ")},
    ],
)
def test_garbled_clues_have_no_solution(extra):
    garbled = FACTS | extra
    assert TASK.solve(garbled) is None and TASK.gaps(garbled) == 0
    with pytest.raises(Reject):
        TASK.complete(garbled, random.Random(0))
