"""Schedule: slots, grades and clocks worked out by hand."""

import random

import pytest

from tasks import clocks
from tasks.contract import Reject
from tasks.csp.schedule import TASK

# Ann and Ben share 10:00 UTC only; Cara and Dan share 12:00 UTC only.
FACTS = {
    ("day",): (540, 720),
    ("attends", "demo"): ("Ann", "Ben"),
    ("attends", "review"): ("Cara", "Dan"),
    ("free", "Ann"): (540, 600),
    ("free", "Ben"): (600, 660, 720),
    ("free", "Cara"): (660, 720),
    ("free", "Dan"): (540, 720),
}
TRUTH = {"demo": 600, "review": 720}
UTC = {"form": "people", "zone": 0, "clock": 24}
TOKYO = {"form": "slots", "zone": 9 * 60, "clock": 12}
LIMA = {"form": "people", "zone": -5 * 60, "clock": 24}
FRAMES = {"full": UTC, "a": LIMA, "b": TOKYO}


def score(value):
    return TASK.score(FACTS, TRUTH, value, FRAMES).score


def test_the_common_slots_are_found():
    assert TASK.solve(FACTS) == TRUTH


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"demo": "10:00", "review": "12:00"}, 1.0),
        ({"Demo": "10 AM", "review": "12:00 pm"}, 1.0),
        ({"demo": "05:00", "review": "07:00"}, 1.0),  # as view A writes it
        ({"demo": "7:00 PM", "review": "9:00 PM"}, 1.0),  # as view B writes it
        ({"demo": "10:00 UTC", "review": "21:00 (UTC+9)"}, 1.0),  # a stated zone counts
        ({"demo": "10:00", "review": "11:00"}, 0.5),
        ({"demo": "10:00", "review": "21:00"}, 0.5),  # two conventions in one answer
        ({"demo": "09:00", "review": "11:00"}, 0.0),
        ({"demo": "10:00"}, 0.0),  # an event is missing
        ({"demo": "10:00", "review": "12:00", "retro": "10:00"}, 0.0),
        ({"demo": ["09:00", "10:00", "11:00", "12:00"], "review": "12:00"}, 0.0),
        ({"demo": "09:00, 10:00, 11:00, 12:00", "review": "12:00"}, 0.0),
        ({"demo": "10:00", "DEMO": "11:00", "review": "12:00"}, 0.0),
        ({"demo": "10:00", "review": None}, 0.0),
        ({"demo": "22:00 PM", "review": "12:00"}, 0.0),
    ],
)
def test_grades(value, expected):
    assert score(value) == expected


def test_an_answer_in_free_text_is_read_unless_it_is_a_listing():
    value, how = TASK.read_answer("I suggest: **demo** at 10:00 and the Review is at 12:00 pm.")
    assert how == "loose" and score(value) == 1
    assert TASK.read_answer("demo: 10:00, demo: 11:00, review: 12:00") == (None, "none")


def test_views_are_written_by_person_and_by_slot():
    free = {key: FACTS[key] for key in [("day",), ("free", "Ann"), ("free", "Ben")]}
    assert TASK.say(free, LIMA).splitlines() == [
        "Slots start every hour from 04:00 to 07:00.",
        "Ann is free at 04:00, 05:00.",
        "Ben is free at 05:00, 06:00, 07:00.",
    ]
    assert TASK.say(free, TOKYO).splitlines()[1:3] == ["Free at 6:00 PM: Ann.", "Free at 7:00 PM: Ann, Ben."]
    assert all(TASK.hear(TASK.say(free, frame), frame) == free for frame in FRAMES.values())


def test_a_misread_zone_moves_the_slots():
    wrong = TASK.misread(TOKYO, LIMA, random.Random(0))
    heard = TASK.hear(TASK.say({("free", "Ann"): (540, 600)}, TOKYO), wrong)
    assert heard == {("free", "Ann"): (0, 1380)}  # 6 PM and 7 PM in Lima, not in Tokyo


def test_people_without_a_common_slot_are_refused():
    clash = {**FACTS, ("free", "Ben"): (720,)}
    assert TASK.solve(clash) is None
    with pytest.raises(Reject):
        TASK.complete(clash, random.Random(0))


def test_completing_keeps_a_slot_for_every_event():
    known = {key: value for key, value in FACTS.items() if key not in (("free", "Ben"), ("free", "Dan"))}
    assert TASK.gaps(known) == 2
    for seed in range(10):
        answer = TASK.solve(TASK.complete(known, random.Random(seed)))
        assert answer["demo"] in (540, 600) and answer["review"] in (660, 720)


@pytest.mark.parametrize("clock", [12, 24])
def test_every_minute_comes_back_from_the_clock(clock):
    for zone in clocks.ZONES:
        frame = {"zone": zone, "clock": clock}
        assert clocks.read_stated_clock(clocks.state_clock(frame)) == frame
        for minute in range(0, clocks.DAY, 7):
            assert clocks.read_time(clocks.write_time(minute, frame), frame) == minute


def test_what_is_no_clock_time_is_not_read():
    for text in ("24:00", "10:60", "0:30 AM", "13 PM", "10", "", None, 600, ["10:00"], "10:00 or 11:00"):
        assert clocks.read_clock(text) is None
