"""Crossword: grids, turning and grades worked out by hand."""

import random

import pytest

from tasks import lattices, lexicon
from tasks.contract import Reject
from tasks.csp.crossword import TASK

PUBLIC = {("grid",): (3, 0, 2), ("words",): 6, ("given",): 2}
A = {("word", word): "listed" for word in ("ARC", "DEN", "OWL")} | {("letter", 0, 1): "I"}
B = {("word", word): "listed" for word in ("AID", "CAN", "EEL")} | {("letter", 1, 2): "E"}
FACTS = PUBLIC | A | B
TRUTH = ["AID", "R.E", "CAN"]
TURNED = ["ARC", "I.A", "DEN"]
PLAIN = {"form": "sentences", "turn": "plain", "side": 3, "lines": [0, 2]}
DRAWN = {"form": "drawing", "turn": "turned", "side": 3, "lines": [0, 2]}
FRAMES = {"full": PLAIN, "a": PLAIN, "b": DRAWN}


def score(value):
    return TASK.score(FACTS, TRUTH, value, FRAMES).score


def test_the_grid_is_filled():
    assert TASK.solve(FACTS) == TRUTH and TASK.gaps(FACTS) == 0
    assert TASK.gaps(PUBLIC | A) == TASK.gaps(PUBLIC | B) == 4
    grid = lattices.Lattice(3, (0, 2))
    words = ["AID", "ARC", "CAN", "DEN", "EEL", "OWL"]
    assert grid.solutions(words, {(0, 1): "I"}, 9) == [["AID", "CAN", "ARC", "DEN"]]
    assert len(grid.solutions(words, {}, 9)) == 2  # and the turned grid


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (TRUTH, 1.0),
        (TURNED, 1.0),  # as view B shows it
        (["a i d", "r # e", "c a n"], 1.0),
        (["AID", "R E", "CAN"], 1.0),
        ([["A", "I", "D"], ["R", "", "E"], ["C", "A", "N"]], 1.0),
        (["AID", "R.E", "CAT"], (5 / 6 - 0.2) / 0.8),  # 6 of 8 cells have no given letter
        (["A.D", "R..", "C.."], (4 / 6 - 0.2) / 0.8),
        (["?I?", "?.E", "???"], 0.0),  # the given letters alone
        (["A..", "...", "..."], 0.0),  # 1 of 6 is below chance
        (["AID", "RIE", "CAN"], 0.0),  # a letter in a cell of no word
        (["AID", "R.E"], 0.0),
        ([*TRUTH, "AID"], 0.0),
        (["AIDARC", "R.E", "CAN"], 0.0),
        (["ARC", "DEN", "OWL"], 0.0),  # the list
        (["EEE", "E.E", "EEE"], 0.0),
    ],
)
def test_grades(value, expected):
    assert score(value) == pytest.approx(expected)


def test_a_grid_in_free_text_is_read_but_not_a_list_of_words():
    value, how = TASK.read_answer("The grid is:\n\nA I D\nR # E\nC A N\n\nand all fits.")
    assert how == "loose" and score(value) == 1
    for frame in FRAMES.values():
        value, _ = TASK.read_answer(TASK.say(FACTS, frame))
        assert score(value) == 0


def test_views_are_written_in_sentences_and_as_a_turned_drawing():
    assert TASK.say(A, PLAIN).splitlines() == [
        "Words of the list: ARC, DEN, OWL.",
        "The word in row 1 has I in place 2.",
    ]
    assert TASK.say(B, DRAWN).splitlines() == ["Words of the list: AID, CAN, EEL.", "???", "?.?", "?E?"]
    for frame in FRAMES.values():
        assert TASK.hear(TASK.say(FACTS, frame), frame) == FACTS
        assert TASK.read_notation(TASK.notation(frame)) == frame
        assert TASK.interpret(TASK.write_answer(TRUTH, frame), frame) == TRUTH


def test_a_misread_turn_moves_the_letters():
    wrong = TASK.misread(DRAWN, PLAIN, random.Random(0))
    heard = TASK.hear(TASK.say({("letter", 1, 2): "E"}, DRAWN), wrong)
    assert heard == {("grid",): (3, 0, 2), ("letter", 2, 1): "E"}


def test_completing_keeps_what_is_known_and_can_be_solved():
    for known in (PUBLIC | A, PUBLIC | B, PUBLIC, {k: v for k, v in FACTS.items() if k != ("word", "CAN")}):
        for rng in (None, *map(random.Random, range(5))):
            full = TASK.complete(known, rng)
            assert TASK.gaps(full) == 0 and TASK.solve(full) and full | known == full
    clash = FACTS | {("letter", 0, 0): "Z"}
    assert TASK.solve(clash) is None
    with pytest.raises(Reject):
        TASK.complete(clash, random.Random(0))


@pytest.mark.parametrize("side", [3, 5, 7])
def test_words_of_the_language_are_found_by_their_letters(side):
    words = lexicon.words(side)
    assert len(words) > 100 and all(word.isalpha() and word.isupper() for word in words)
    some = lexicon.with_letters(side, (0, side - 1), words[9][0] + words[9][-1])
    assert words[9] in some and all(w[0] == words[9][0] and w[-1] == words[9][-1] for w in some)
