"""Meeting matrix: plans, constraints and grades worked out by hand."""

import random
import time

import pytest

from tasks import matrices
from tasks.contract import Reject
from tasks.csp.meetingmatrix import TASK
from tasks.making import make_instance
from tasks.matrices import Matrix

PUBLIC = {
    ("slots",): (540, 600),
    ("meetings",): ("Audit", "Demo"),
    ("rooms",): ("Atrium", "Birch"),
    ("facts",): 6,
}
# Ann keeps the meetings apart and Ben the demo out of 9:00; only Birch has seats for the audit.
A = {("person", "Ann"): (("Audit", "Demo"), ()), ("person", "Ben"): (("Demo",), (540,))}
B = {
    ("needs", "Audit"): 10,
    ("needs", "Demo"): 4,
    ("room", "Atrium"): (8, (540, 600)),
    ("room", "Birch"): (12, (540,)),
}
FACTS = PUBLIC | A | B
TRUTH = {"Audit": [540, "Birch"], "Demo": [600, "Atrium"]}
UTC = {"form": "sentences", "zone": 0, "clock": 24}
LIMA = {"form": "sentences", "zone": -5 * 60, "clock": 24}
ALIAS = {"M1": "Demo", "M2": "Audit", "R1": "Birch", "R2": "Atrium"}
TOKYO = {"form": "rows", "zone": 9 * 60, "clock": 12, "alias": ALIAS}
FRAMES = {"full": UTC, "a": LIMA, "b": TOKYO}


def score(value):
    return TASK.score(FACTS, TRUTH, value, FRAMES).score


def test_the_facts_leave_one_plan():
    assert TASK.solve(FACTS) == TRUTH and TASK.gaps(FACTS) == 0
    assert len(list(Matrix(PUBLIC).plans())) == 4 * 3
    assert len(list(Matrix(PUBLIC | A).plans())) == 4  # the slots are fixed, the rooms are not
    assert len(list(Matrix(PUBLIC | B).plans())) == 2  # the demo in the Atrium at any time
    assert TASK.gaps(PUBLIC | A) == 4 and TASK.gaps(PUBLIC | B) == 2


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"Audit": ["09:00", "Birch"], "Demo": ["10:00", "Atrium"]}, 1.0),
        ({"demo": "10 am, atrium", "audit": {"time": "9:00", "room": "Birch"}}, 1.0),
        ({"Audit": ["04:00", "Birch"], "Demo": ["05:00", "Atrium"]}, 1.0),  # as view A writes it
        ({"M2": ["6:00 PM", "R1"], "M1": ["7:00 PM", "R2"]}, 1.0),  # as view B writes it
        ({"Audit": ["09:00 UTC", "Birch"], "Demo": "10:00 (UTC) in Atrium"}, 1.0),
        # 6 of 7 constraints (3 a meeting and Ann's one), (6/7 - .8) / .2
        ({"Audit": ["09:00", "Atrium"], "Demo": ["10:00", "Atrium"]}, 2 / 7),  # too few seats
        ({"Audit": ["09:00", "Birch"], "Demo": ["10:00", "Birch"]}, 2 / 7),  # the room is closed
        ({"Audit": ["09:00", "Birch"], "Demo": ["09:00", "Atrium"]}, 0.0),  # Ben is busy, Ann twice wanted
        ({"Audit": ["09:00", "Birch"], "Demo": ["09:00", "Birch"]}, 0.0),
        ({"Audit": ["13:00", "Birch"], "Demo": ["10:00", "Atrium"]}, 0.0),  # no slot, the room is not open
        ({"Audit": ["09:00", "Birch"], "Demo": ["7:00 PM", "R2"]}, 0.0),  # two conventions in one answer
        ({"Audit": ["09:00", "Birch"]}, 0.0),
        ({"Audit": ["09:00", "Birch"], "Demo": ["10:00", "Atrium"], "Retro": ["10:00", "Birch"]}, 0.0),
        ({"Audit": ["09:00", "Birch"], "AUDIT": ["10:00", "Birch"], "Demo": ["10:00", "Atrium"]}, 0.0),
        ({"Audit": ["09:00", "Atrium, Birch"], "Demo": ["10:00", "Atrium, Birch"]}, 0.0),
        ({"Audit": [["09:00", "Birch"], ["10:00", "Birch"]], "Demo": ["10:00", "Atrium"]}, 0.0),
        ({"Audit": ["09:00", None], "Demo": ["10:00", "Atrium"]}, 0.0),
        ([["09:00", "Birch"], ["10:00", "Atrium"]], 0.0),
    ],
)
def test_grades(value, expected):
    assert score(value) == pytest.approx(expected, abs=1e-12)


def test_an_answer_in_free_text_is_read_unless_it_is_a_listing():
    text = "The plan:\n- **Audit**: 9:00 in Birch\n- Demo at 10:00, Atrium"
    value, how = TASK.read_answer(text)
    assert how == "loose" and score(value) == 1
    assert TASK.read_answer(text + "\n- Demo at 9:00, Atrium") == (None, "none")


@pytest.mark.parametrize("size", TASK.sizes)
def test_the_prompt_itself_scores_nothing(size):
    for index in range(5):
        instance = make_instance(TASK, size, 5, index)
        draft = instance.draft
        for view in ("full", "a", "b"):
            value, _ = TASK.read_answer(TASK.view(draft, view))
            assert TASK.score(draft.union, instance.answer, value, draft.frames).score == 0


def test_views_are_written_in_sentences_and_in_rows():
    assert TASK.say(PUBLIC | A, LIMA).splitlines() == [
        "Slots of one hour start every hour from 04:00 to 05:00.",
        "The meetings are Audit, Demo.",
        "The rooms are Atrium, Birch.",
        "There are 6 facts in all.",
        "Ann attends Audit and Demo and is busy at no time.",
        "Ben attends Demo and is busy at 04:00.",
    ]
    assert TASK.say(B, TOKYO).splitlines() == [
        "M1 | needs 4 seats",
        "R1 | has 12 seats | open 6:00 PM",
        "M2 | needs 10 seats",
        "R2 | has 8 seats | open 6:00 PM, 7:00 PM",
    ]
    more = {("set", "Audit"): (540, "Birch")}
    assert TASK.say(more, TOKYO) == "M2 | takes place 6:00 PM | R1"
    for frame in FRAMES.values():
        assert TASK.hear(TASK.say(FACTS | more, frame), frame) == FACTS | more
        assert TASK.read_notation(TASK.notation(frame)) == frame


def test_a_misread_frame_changes_what_is_heard():
    assert TASK.misread(TOKYO, LIMA, random.Random(0))["zone"] == -5 * 60
    heard = TASK.hear("R1 | has 12 seats | open 6:00 PM", TOKYO | {"zone": -5 * 60})
    assert heard == {("room", "Birch"): (12, (1380,))}
    swapped = TASK.hear("M1 | needs 4 seats", TOKYO | {"alias": ALIAS | {"M1": "Audit", "M2": "Demo"}})
    assert swapped == {("needs", "Audit"): 4}


def test_completing_tells_a_plan_outright():
    for seed in range(10):
        guess = TASK.complete(PUBLIC | A, random.Random(seed))
        told = {key[1]: value for key, value in guess.items() if key[0] == "set"}
        assert told and TASK.gaps(guess) == 0
        answer = TASK.solve(guess)
        assert answer["Audit"][0] == 540 and answer["Demo"][0] == 600
        assert all(tuple(answer[meeting]) == cell for meeting, cell in told.items())


@pytest.mark.parametrize(
    "extra",
    [
        {("needs", "Audit"): 99},
        {("person", "Ben"): (("Demo",), (540, 600))},
        {("set", "Audit"): (600, "Nowhere")},
        {("room", "Birch"): (12, ())},
        {("slots",): (600, 540)},
        {("rooms",): ()},
    ],
)
def test_garbled_facts_have_no_plan(extra):
    garbled = FACTS | extra
    assert TASK.solve(garbled) is None and TASK.gaps(garbled) == 0
    with pytest.raises(Reject):
        TASK.complete(garbled, random.Random(0))


def test_a_hopeless_search_ends_soon():
    meetings = ("Audit", "Budget", "Demo", "Hiring", "Kickoff", "Launch", "Retro")
    rooms = ("Atrium", "Birch", "Cedar", "Dome")
    facts = {("slots",): (540, 840), ("meetings",): meetings, ("rooms",): rooms, ("facts",): 9}
    facts[("person", "Ann")] = (meetings, ())  # seven meetings of one person in six slots
    started = time.monotonic()
    assert TASK.solve(facts) is None and not Matrix(facts).is_unique()
    assert time.monotonic() - started < 2 and matrices.MOST_STEPS < 1000
