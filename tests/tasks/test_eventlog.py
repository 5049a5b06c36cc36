"""Event log: ends, questions and grades worked out by hand."""

import random

import pytest

from tasks.csp.eventlog import TASK

# Ends (UTC): Audit 10:00, Backup 09:50, Scan 11:30, which is 06:30 at its site.
A = {("start", "Audit"): 540, ("start", "Backup"): 570, ("start", "Scan"): 510}
B = {
    ("lasts", "Audit"): 60,
    ("lasts", "Backup"): 20,
    ("lasts", "Scan"): 180,
    ("zone", "Scan"): -300,
}
PUBLIC = {
    ("step",): 10,
    ("question", 1): ("local", "Scan"),
    ("question", 2): ("between", "Backup", "Audit"),
    ("question", 3): ("after", 480, "Audit"),
    ("question", 4): ("first", "Audit", "Backup", "Scan"),
}
FACTS = PUBLIC | A | B
TRUTH = ["06:30", 10, 120, "Backup"]
FULL = {"form": "sentences", "unit": 1, "zone": 0, "clock": 24}
LOG = FULL | {"form": "log entries"}
IDS = {
    "form": "sentences",
    "unit": 10,
    "zone": 120,
    "clock": 12,
    "alias": {"E1": "Scan", "E2": "Audit", "E3": "Backup"},
}
FRAMES = {"full": FULL, "a": LOG, "b": IDS}


def score(value):
    return TASK.score(FACTS, TRUTH, value, FRAMES).score


def test_the_questions_are_answered():
    assert TASK.solve(FACTS) == TRUTH
    assert TASK.gaps(FACTS) == 0 and TASK.gaps(PUBLIC | A) == 4 and TASK.gaps(PUBLIC | B) == 3
    assert TASK.solve(PUBLIC | A) is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (TRUTH, 1.0),
        (["6:30 AM", "10 minutes", 120.0, "E3"], 1.0),  # as view B writes it
        (["06:30 local time", "10", "120 min", "backup"], 1.0),
        ({"1": "06:30", "2": 10, "3": 120, "4": "Backup"}, 1.0),
        (["06:30", 10, 120, "Scan"], 0.75),
        (["18:30", 10, 121, "Backup"], 0.5),
        (["11:30", -10, 60, "Audit"], 0.0),
        (["06:30", 10, 120], 0.0),  # an answer is missing
        ([*TRUTH, "Scan"], 0.0),
        ([TRUTH] * 4, 0.0),
        (["06:30 or 18:30", [10, 20], "60-180", "Audit, Backup or Scan"], 0.0),
        ([None, True, {}, ""], 0.0),
    ],
)
def test_grades(value, expected):
    assert score(value) == expected


def test_an_answer_in_free_text_is_read_unless_it_is_a_listing():
    value, how = TASK.read_answer("Answers:\n1. 06:30\n2. 10 minutes\n**3.** 120\n4) Backup.")
    assert how == "loose" and score(value) == 1
    assert TASK.read_answer("1. 06:30\n1. 07:30\n2. 10\n3. 120\n4. Backup") == (None, "none")


def test_views_are_written_as_log_and_as_sentences():
    assert TASK.say(A, LOG).splitlines()[0] == "[09:00] start of Audit"
    some = {("lasts", "Backup"): 20, ("zone", "Scan"): -300, ("start", "Scan"): 510}
    assert TASK.say(some, IDS).splitlines() == [
        "E1 starts at 10:30 AM.",
        "The site of E1 is at UTC-5.",
        "E3 lasts 2 blocks.",
    ]
    assert TASK.say(PUBLIC, IDS).splitlines()[1:] == [
        "Question 1: What is the local time at the site of E1 when it ends?",
        "Question 2: How many minutes after the end of E3 does E2 end?",
        "Question 3: How many minutes after 10:00 AM does E2 end?",
        "Question 4: Which of these events ends first: E1, E2, E3?",
    ]
    for frame in FRAMES.values():
        assert TASK.hear(TASK.say(FACTS, frame), frame) == FACTS


def test_a_misread_frame_changes_what_is_heard():
    wrong = TASK.misread(IDS, LOG, random.Random(0))
    assert (wrong["unit"], wrong["zone"]) == (1, 0) and wrong["alias"] != IDS["alias"]
    assert TASK.hear("E3 lasts 2 blocks.", IDS | {"unit": 1}) == {("lasts", "Backup"): 2}
    assert TASK.hear("E3 starts at 10:30 AM.", IDS | {"zone": 0}) == {("start", "Backup"): 630}
    mixed = IDS | {"alias": IDS["alias"] | {"E3": "Scan", "E1": "Backup"}}
    assert TASK.hear("E3 lasts 2 blocks.", mixed) == {("lasts", "Scan"): 20}
    assert TASK.hear("[09:00] start of Audit", TASK.misread(LOG, IDS, random.Random(0))) == {
        ("start", "Audit"): 420
    }


def test_amounts_that_fit_no_block_come_back_too():
    odd = {("lasts", "Scan"): 17, ("lasts", "Audit"): 1}
    assert TASK.hear(TASK.say(odd, IDS | {"unit": 30}), IDS | {"unit": 30}) == odd


def test_garbled_facts_are_still_completed():
    garbled = PUBLIC | {("start", "Nobody"): -5, ("question", 9): ("first", "Audit"), ("zone", "Scan"): 10**6}
    full = TASK.complete(garbled, random.Random(0))
    assert TASK.gaps(full) == 0 and len(TASK.solve(full)) == 5
