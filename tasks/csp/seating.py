"""Seating: who sits where at a round table; the clues leave one seating.

View A tells in sentences by name who sits how many seats to the left of whom; view B lists by badge who sits
opposite, next to or apart from whom, with the list of badges, and means left and right the other way round.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Sequence
from typing import Any

from tasks import labels
from tasks.contract import Facts, Frame, Key
from tasks.sequences import Clue, SequenceTask, hear_public, say_public

GUESTS = (
    "Anna",
    "Boris",
    "Clara",
    "David",
    "Emil",
    "Frida",
    "Georg",
    "Helen",
    "Ida",
    "Jonas",
    "Karin",
    "Max",
)
KNOWN = {name.lower(): name for name in GUESTS}
FACING = {
    "the table": "Guests face the table: the seat to the left of a guest is the next one clockwise",
    "outward": "Guests face outward: the seat to the left of a guest is the next one counterclockwise",
}
LIST = (
    'Clues are listed as "relation: x, y"; "2 seats left: x, y" means that x sits 2 seats to the left of y.'
)
WORDING = {
    "sentences": {
        "left": "{} sits {} to the {} of {}.",
        "opposite": "{} sits opposite {}.",
        "next": "{} sits next to {}.",
        "apart": "{} does not sit next to {}.",
    },
    "list": {
        "left": "{1} {2}: {0}, {3}",
        "opposite": "opposite: {}, {}",
        "next": "next to each other: {}, {}",
        "apart": "not next to each other: {}, {}",
    },
}
PATTERNS = {
    "sentences": {
        "left": re.compile(r"(?P<x>\w+) sits (?P<k>[0-9]) seats? to the (?P<way>left|right) of (?P<y>\w+)\."),
        "opposite": re.compile(r"(?P<x>\w+) sits opposite (?P<y>\w+)\."),
        "next": re.compile(r"(?P<x>\w+) sits next to (?P<y>\w+)\."),
        "apart": re.compile(r"(?P<x>\w+) does not sit next to (?P<y>\w+)\."),
    },
    "list": {
        "left": re.compile(r"(?P<k>[0-9]) seats? (?P<way>left|right): (?P<x>\w+), (?P<y>\w+)"),
        "opposite": re.compile(r"opposite: (?P<x>\w+), (?P<y>\w+)"),
        "next": re.compile(r"next to each other: (?P<x>\w+), (?P<y>\w+)"),
        "apart": re.compile(r"not next to each other: (?P<x>\w+), (?P<y>\w+)"),
    },
}
_SEATS = re.compile(r"There are ([2-9]) seats\.")


class Seating(SequenceTask):
    """Facts: ("left", x, y) -> seats clockwise from y to x; ("pair", x, y) -> opposite, next or apart."""

    name = "seating"
    family = "csp"
    title = "Seating"
    rules = (
        "Guests sit at a round table, one on every seat, the seats evenly spaced. Find out from the clues "
        "who sits where; up to turning the table, there is exactly one seating."
    )
    noun = "clues"
    answer_key = "seating"
    answer_format = (
        'one line of JSON, {"seating": ["X", "Y", ...]}: all guests clockwise as seen from above, beginning '
        "with any one, as your view calls them."
    )
    score_rule = (
        "1 - mean circular distance of the guests from their seats (1 = half of the table), best over "
        "rotation, not over reflection, rescaled so that .75 is 0; 0 unless every guest is named once."
    )
    sizes = {
        "tiny": {"names": 5, "a": ("left",), "b": ("next", "apart"), "open": 4},
        "small": {"names": 5, "a": ("left",), "b": ("left", "next"), "open": 4},
        "paper": {"names": 6, "a": ("left",) * 2, "b": ("opposite", "next"), "open": 5},
        "large": {"names": 8, "a": ("left",) * 3, "b": ("opposite", "next", "next", "apart"), "open": 24},
    }
    misreadable = ("facing",)
    ring = True
    prefix = "G"
    pool = GUESTS
    chance = 0.75

    def draw_frames(self, rng: random.Random, alias: dict[str, str]) -> dict[str, Frame]:
        ways = rng.sample(list(FACING), 2)
        frames: dict[str, Frame] = {
            "full": {"form": "sentences", "facing": rng.choice(ways)},
            "a": {"form": "sentences", "facing": ways[0]},
            "b": {"form": "list", "facing": ways[1], "alias": alias},
        }
        return {view: frame | {"seats": len(alias)} for view, frame in frames.items()}

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        form = f" {LIST}" if frame["form"] == "list" else ""
        seats = f"There are {frame['seats']} seats."
        return f"{seats} {FACING[frame['facing']]}.{form} {labels.state_labels('Guests', frame)}"

    def read_notation(self, text: str) -> Frame:
        text = " ".join(text.split())
        facing = next((way for way, sentence in FACING.items() if f"{sentence}." in text), None)
        match = _SEATS.search(text)
        if not match or facing is None:
            raise ValueError("no seats or facing stated")
        form = "list" if LIST in text else "sentences"
        return {"form": form, "facing": facing, "seats": int(match[1])} | labels.read_labels(text)

    def say(self, facts: Facts, frame: Frame) -> str:
        clues = sorted((key, value) for key, value in facts.items() if key[0] in ("left", "pair"))
        return "\n".join(
            [*say_public(facts, frame, "guests"), *(_write_clue(key, value, frame) for key, value in clues)]
        )

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {}
        for line in text.splitlines():
            facts |= hear_public(line, frame, "guests", self.pool) or _read_clue(line, frame)
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps_of(self, key: Key, value: Any, n: int) -> tuple[int, ...]:
        if key[0] == "left":
            return (value,)
        if value == "opposite":
            return (n // 2,) if n % 2 == 0 else ()
        return tuple(gap for gap in range(1, n) if (gap in (1, n - 1)) == (value == "next"))

    def true_clues(self, kind: str, sequence: Sequence[str]) -> list[Clue]:
        n, found = len(sequence), []
        for (q, y), (p, x) in itertools.permutations(enumerate(sequence), 2):
            key = ("left" if kind == "left" else "pair", x, y)
            value = (p - q) % n if kind == "left" else kind
            if x < y and (p - q) % n in self.gaps_of(key, value, n):
                found.append((key, value))
        return found

    def direct_clues(self, sequence: Sequence[str]) -> list[Clue]:
        host = min(sequence)
        return [clue for clue in self.true_clues("left", sequence) if clue[0][1] == host]

    def similarity(self, sequence: Sequence[str], truth: Sequence[str]) -> float:
        n = len(truth)
        turns = [(sequence.index(name) - place) % n for place, name in enumerate(truth)]
        off = min(sum(min((t - turn) % n, (turn - t) % n) for t in turns) for turn in range(n))
        return 1 - off / (n * (n // 2))


# -- clues ---------------------------------------------------------------------------------------
def _write_clue(key: Key, value: Any, frame: Frame) -> str:
    x, y = (labels.label(name, frame) for name in key[1:])
    wording = WORDING[frame["form"]]
    if key[0] == "pair":
        return wording[value].format(x, y)
    to_left = value if frame["facing"] == "the table" else frame["seats"] - value
    way, seats = ("left", to_left) if 2 * to_left <= frame["seats"] else ("right", frame["seats"] - to_left)
    return wording["left"].format(x, f"{seats} seat{'s' if seats > 1 else ''}", way, y)


def _read_clue(line: str, frame: Frame) -> Facts:
    """The clue that a line states, if any."""
    for kind, pattern in PATTERNS[frame["form"]].items():
        match = pattern.fullmatch(line.strip())
        if not match:
            continue
        x, y = (labels.resolve(match[end], frame, KNOWN) for end in "xy")
        if x is None or y is None or x == y:
            return {}
        if kind != "left":
            return {("pair", *sorted((x, y))): kind}
        seats = int(match["k"]) % frame["seats"]
        if not seats:
            return {}
        clockwise = ((match["way"] == "left") == (frame["facing"] == "the table")) == (x < y)
        return {("left", *sorted((x, y))): seats if clockwise else frame["seats"] - seats}
    return {}


TASK = Seating()
