"""Cipher: decode made-up words with a table of which each holder knows half.

View A has the coded text and half of the table, in letters, as code = plain; view B has the other half in
numbers of letters, counted from either end of the alphabet, as plain = code.
"""

from __future__ import annotations

import random
import re
import string
from collections.abc import Mapping
from typing import Any

from tasks import labels
from tasks.contract import Answer, Draft, Facts, Frame, Reject, Task

ALPHABET = string.ascii_uppercase
WAYS = {"code first": "code = plain", "plain first": "plain = code"}
MOST_WORDS, LONGEST = 12, 9
_LETTERS = "Letters are written as letters."
_NUMBERS = re.compile(r"Letters are written as numbers: ([AZ]) is ([01]), ([BY]) is ([12])")
_WAY = re.compile(r"Entries of the table are written (code = plain|plain = code)\.")
_ENTRY = re.compile(r"(\w{1,2}) = (\w{1,2})")
_WORD = re.compile(r"Coded word ([1-9][0-9]?): ([A-Z0-9 ]+)\.")
_LENGTHS = re.compile(r"The words have ([0-9, ]+) letters; ([0-9]{1,2}) letters occur in them\.")
_TOKEN = re.compile(r"[A-Za-z]+|[0-9]{1,2}")


class CipherDecode(Task):
    """Facts: ("plain", code letter) -> letter, ("coded", i) -> coded word i.

    Public: ("lengths",) -> lengths of the words, ("letters",) -> how many letters occur, so entries needed.
    """

    name = "cipherdecode"
    family = "csp"
    title = "Cipher"
    rules = (
        "Decode the words: every letter was replaced by a code letter, always by the same one and never by "
        "itself. The words are made up, so that nothing can be guessed from a language."
    )
    noun = "table entries and coded words"
    answer_key = "words"
    answer_format = (
        'one line of JSON, {"words": ["...", ...]}: the decoded words in order, with letters written as in '
        "your view (numbers of one word are separated by spaces)."
    )
    score_rule = (
        "Right characters, rescaled so that half of them (what half of the table decodes) is 0; 0 if a word "
        "is missing."
    )
    sizes = {
        "tiny": {"letters": 4, "words": 2, "length": 3},
        "small": {"letters": 6, "words": 3, "length": 4},
        "paper": {"letters": 8, "words": 5, "length": 4},
        "large": {"letters": 16, "words": 10, "length": 8},
    }
    public = frozenset({"lengths", "letters"})
    misreadable = ("table",)
    least_answers = 4

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        n, words = size["letters"], size["words"]
        plain = rng.sample(ALPHABET, n)
        code = rng.sample(ALPHABET, n)
        if any(c == p for c, p in zip(code, plain, strict=True)):
            raise Reject("a letter stands for itself")
        table: Facts = {("plain", c): p for c, p in zip(code, plain, strict=True)}
        half = n // 2
        total = words * size["length"]
        text: list[str] = []
        for part in (code[:half], code[half:]):  # each half of the table decodes half of the text
            text += part + [rng.choice(part) for _ in range(total // 2 - half)]
        rng.shuffle(text)
        coded = _cut(text, words, rng)
        public: Facts = {("lengths",): tuple(len(word) for word in coded), ("letters",): n}
        known_a = {("plain", c): table[("plain", c)] for c in sorted(code[:half])}
        words_a: Facts = {("coded", number): word for number, word in enumerate(coded, 1)}
        known_b = {("plain", c): table[("plain", c)] for c in sorted(code[half:])}
        frame_a: Frame = {"form": "letters", "table": "code first"}
        frame_b = {
            "form": "numbers",
            "table": "plain first",
            "first": rng.randrange(2),
            "from": rng.choice(("A", "Z")),
        }
        return Draft(
            {"a": public | known_a | words_a, "b": public | known_b},
            {"full": dict(frame_a), "a": frame_a, "b": frame_b},
        )

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        text = _LETTERS
        if frame["form"] == "numbers":
            first, second, last = "ABZ" if frame["from"] == "A" else "ZYA"
            n = frame["first"]
            counted = f"{first} is {n}, {second} is {n + 1}, ..., {last} is {n + 25}"
            text = f"Letters are written as numbers: {counted}."
        return f"{text} Entries of the table are written {WAYS[frame['table']]}."

    def read_notation(self, text: str) -> Frame:
        text = " ".join(text.split())
        way, numbers = _WAY.search(text), _NUMBERS.search(text)
        if not way or (_LETTERS in text) == bool(numbers):
            raise ValueError("no letters or table stated")
        table = "code first" if way[1] == WAYS["code first"] else "plain first"
        if not numbers:
            return {"form": "letters", "table": table}
        return {"form": "numbers", "table": table, "first": int(numbers[2]), "from": numbers[1]}

    def say(self, facts: Facts, frame: Frame) -> str:
        lines = []
        if ("lengths",) in facts and ("letters",) in facts:
            lengths = ", ".join(map(str, facts[("lengths",)]))
            lines.append(f"The words have {lengths} letters; {facts[('letters',)]} letters occur in them.")
        for key, value in sorted(facts.items()):
            if key[0] == "coded":
                lines.append(f"Coded word {key[1]}: {_write(value, frame)}.")
        entries = [(key[1], value) for key, value in facts.items() if key[0] == "plain"]
        if frame["table"] == "plain first":
            entries = [(plain, code) for code, plain in entries]
        return "\n".join(
            [*lines, *(f"{_write(left, frame)} = {_write(right, frame)}" for left, right in sorted(entries))]
        )

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {}
        for line in map(str.strip, text.splitlines()):
            if match := _ENTRY.fullmatch(line):
                sides = [_read(match[1], frame), _read(match[2], frame)]
                if all(side is not None and len(side) == 1 for side in sides):
                    code, plain = sides if frame["table"] == "code first" else sides[::-1]
                    facts[("plain", code)] = plain
            elif match := _WORD.fullmatch(line):
                word = _read(match[2], frame)
                if word and len(word) <= LONGEST and int(match[1]) <= MOST_WORDS:
                    facts[("coded", int(match[1]))] = word
            elif match := _LENGTHS.fullmatch(line):
                lengths = [int(n) for n in re.findall("[0-9]+", match[1][:60])]
                if 0 < len(lengths) <= MOST_WORDS and max(lengths) <= LONGEST and int(match[2]) <= 26:
                    facts |= {("lengths",): tuple(lengths), ("letters",): int(match[2])}
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        words = sum(("coded", number) not in facts for number in _numbers(facts))
        return words + max(len(_undecoded(facts)), facts[("letters",)] - len(_codes(facts)))

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        rng = rng or random.Random(0)
        full = dict(facts)
        new = _undecoded(facts)
        others = [c for c in ALPHABET if ("plain", c) not in facts and c not in new]
        lacking = facts[("letters",)] - len(_codes(facts)) - len(new)
        new += rng.sample(others, min(max(0, lacking), len(others)))
        used = {value for key, value in facts.items() if key[0] == "plain"}
        unused = [letter for letter in ALPHABET if letter not in used]
        rng.shuffle(unused)
        for c in new:  # no letter stands for itself
            fit = next((letter for letter in unused if letter != c), None)
            if fit is None:
                raise Reject("no letter is left")
            unused.remove(fit)
            full[("plain", c)] = fit
        codes = _codes(full)
        for number, length in zip(_numbers(facts), facts[("lengths",)], strict=True):
            if ("coded", number) not in full:
                full[("coded", number)] = "".join(rng.choice(codes) for _ in range(length))
        return full

    def solve(self, facts: Facts) -> Answer | None:
        words = []
        for number in _numbers(facts):
            letters = [facts.get(("plain", c)) for c in facts.get(("coded", number), "?")]
            if None in letters:
                return None
            words.append("".join(str(letter) for letter in letters))
        return words or None

    # -- answers -----------------------------------------------------------------------------
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return [_write(word, frame, "") for word in answer]

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        if isinstance(value, str):
            value = value.split("," if "," in value else "/" if "/" in value else None)
        if not isinstance(value, list) or not 0 < len(value) <= MOST_WORDS:
            return None
        words = [_read_word(word, frame) for word in value]
        return [word or "" for word in words] if any(words) else None

    def read_loosely(self, text: str) -> Any | None:
        return labels.numbered_answers(text)

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        if len(answer) != len(truth):
            return 0.0
        right = sum(
            given == best
            for word, wanted in zip(answer, truth, strict=True)
            if len(word) == len(wanted)
            for given, best in zip(word, wanted, strict=True)
        )
        return max(0.0, 2 * right / sum(map(len, truth)) - 1)


# -- words -----------------------------------------------------------------------------------------
def _cut(text: list[str], words: int, rng: random.Random) -> list[str]:
    """Cut a text into words whose lengths differ by up to two."""
    length = len(text) // words
    lengths = [length] * words
    for first in range(0, words - 1, 2):
        more = rng.randrange(2) if length > 3 else 0
        lengths[first], lengths[first + 1] = length + more, length - more
    ends = [sum(lengths[: n + 1]) for n in range(words)]
    return ["".join(text[end - size : end]) for end, size in zip(ends, lengths, strict=True)]


def _numbers(facts: Facts) -> range:
    return range(1, len(facts[("lengths",)]) + 1)


def _codes(facts: Facts) -> list[str]:
    """The code letters that the table has."""
    return sorted(key[1] for key in facts if key[0] == "plain")


def _undecoded(facts: Facts) -> list[str]:
    """Letters of the coded words that the table lacks."""
    seen = {c for number in _numbers(facts) for c in facts.get(("coded", number), "")}
    return sorted(c for c in seen if ("plain", c) not in facts)


# -- writing and reading -------------------------------------------------------------------------
def _write(word: str, frame: Frame, between: str = " ") -> str:
    """Letters one by one, as letters or as numbers."""
    if frame["form"] == "letters":
        return between.join(word)
    places = (ALPHABET.index(letter) for letter in word)
    return " ".join(str((p if frame["from"] == "A" else 25 - p) + frame["first"]) for p in places)


def _read(text: str, frame: Frame) -> str | None:
    """Letters that a text writes in the frame; None where a part of it is none."""
    letters = ""
    for token in _TOKEN.findall(text):
        if token.isalpha() != (frame["form"] == "letters"):
            return None
        if token.isalpha():
            letters += token.upper()
            continue
        place = int(token) - frame["first"]
        if not 0 <= place < 26:
            return None
        letters += ALPHABET[place if frame["from"] == "A" else 25 - place]
    return letters or None


def _read_word(value: Any, frame: Frame) -> str | None:
    """One word of an answer: a text, or a list of letters or numbers."""
    if isinstance(value, list) and len(value) <= LONGEST:
        value = " ".join(str(part) for part in value if isinstance(part, str | int))
    if not isinstance(value, str) or len(value) > 60:
        return None
    return _read(value, frame)


TASK = CipherDecode()
