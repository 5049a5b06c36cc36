"""Geomaze: find a shortest way between named places; each holder knows the links in two directions.

View A tells the links that go north or east, by name and compass; view B those that go south or west, by ID
(with the list of IDs) and as up, right, down and left on a sketch that is turned. Links are one-way and
nothing follows from one about another, so that a way planned on one view must guess. Start, goal and the
number of links in each direction are known to both.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Mapping
from typing import Any

from tasks import labels
from tasks.answers import word
from tasks.contract import Answer, Draft, Facts, Frame, Reject
from tasks.gridpaths import WalkTask

COMPASS = ("north", "east", "south", "west")
SKETCH = ("up", "right", "down", "left")
LONGEST = 60  # moves of an answer that are looked at
TRIES = 8  # random completions drawn until one has a way
_COUNT = re.compile(r"There are ([0-9]{1,3}) links going ([a-z]{2,5})\.")
_FROM = re.compile(r"From (\w+), going ([a-z]{2,5}) leads to (\w+)\.")
_REACHED = re.compile(r"(\w+) is reached by going ([a-z]{2,5}) from (\w+)\.")
_END = re.compile(r"The (start|goal) is (\w+)\.")
_PLACES = re.compile(r"The places are ([^.]*)\.")
_MOVE = re.compile(rf"\b(?:{'|'.join(COMPASS + SKETCH)})\b", re.IGNORECASE)
_UP = re.compile(r"up is (north|east|south|west)")


class GeoMaze(WalkTask):
    """Facts: ("link", place, direction) -> place; public: ("places",) -> all names, ("count", direction) ->
    how many links go there, ("start",) and ("goal",) -> place."""

    name = "geomaze"
    family = "spatial"
    title = "Geomaze"
    rules = (
        "Find a shortest way from the start to the goal by moving along links between places. Every link "
        "goes from one place in one direction to another place and can be used in that direction only. The "
        "links wind: nothing follows from one link about another."
    )
    noun = "links"
    answer_key = "moves"
    answer_format = (
        'one line of JSON, {"moves": ["...", ...]}: the direction of every move from the start to the goal '
        "in order, in the words of your view."
    )
    score_rule = (
        "Moves of the valid prefix (each one nearer to the goal) over the optimal number of moves; best of "
        "the three views' notations. Just the four directions, once each, are no answer."
    )
    sizes = {  # a shortest way has not four moves, so that the list of the four directions is never one
        "tiny": {"places": 6, "each": 2, "shortest": (3,)},
        "small": {"places": 7, "each": 3, "shortest": (3, 5)},
        "paper": {"places": 8, "each": 4, "shortest": (5, 6)},
        "large": {"places": 16, "each": 8, "shortest": (6, 7, 8, 9)},
    }
    public = frozenset({"places", "count", "start", "goal"})
    misreadable = ("up",)

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        names = tuple(sorted(rng.sample(labels.WORDS, size["places"])))
        links: Facts = {}
        for direction in COMPASS:
            for place in rng.sample(names, size["each"]):
                links[("link", place, direction)] = rng.choice([name for name in names if name != place])
        start, goal = rng.sample(names, 2)
        shared: Facts = {("places",): names, ("start",): start, ("goal",): goal}
        shared |= {("count", direction): size["each"] for direction in COMPASS}
        if self.distances(shared | links).get(start) not in size["shortest"]:
            raise Reject("shortest way of another length or missing")
        known_a = {key: value for key, value in links.items() if key[2] in ("north", "east")}
        known_b = {key: value for key, value in links.items() if key not in known_a}
        if any(start in self.distances(shared | known) for known in (known_a, known_b)):
            raise Reject("one view shows a way")
        named: Frame = {"form": "from", "up": "north"}
        by_id = labels.draw_alias(rng, names, "P")
        turned: Frame = {"form": "reached", "up": rng.choice(COMPASS[1:]), "alias": by_id}
        frames = {"full": named, "a": named, "b": turned}
        return Draft({"a": shared | known_a, "b": shared | known_b}, frames)

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        told = "Directions are given by the compass; on a map up is north."
        if frame["form"] == "reached":
            told = f"Directions are up, right, down and left on a sketch on which up is {frame['up']}."
        return f"{told} {labels.state_labels('Places', frame)}"

    def read_notation(self, text: str) -> Frame:
        match = _UP.search(text)
        if not match or "Directions are" not in text:
            raise ValueError("no notation of directions")
        form = "reached" if "on a sketch" in text else "from"
        return {"form": form, "up": match[1]} | labels.read_labels(text)

    def say(self, facts: Facts, frame: Frame) -> str:
        lines = []
        if ("places",) in facts:
            lines.append(f"The places are {', '.join(labels.labels(facts[('places',)], frame))}.")
        for end in ("start", "goal"):
            if (end,) in facts:
                lines.append(f"The {end} is {labels.label(facts[(end,)], frame)}.")
        counts = [(turn_to(d, frame), facts[("count", d)]) for d in COMPASS if ("count", d) in facts]
        lines += [f"There are {count} links going {told}." for told, count in counts]
        links = [
            (labels.label(key[1], frame), turn_to(key[2], frame), labels.label(place, frame))
            for key, place in facts.items()
            if key[0] == "link"
        ]
        if frame["form"] == "from":
            return "\n".join(lines + [f"From {a}, going {d} leads to {b}." for a, d, b in sorted(links)])
        links.sort(key=lambda link: (labels.order(link[2]), link))
        return "\n".join(lines + [f"{b} is reached by going {d} from {a}." for a, d, b in links])

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {}
        if match := _PLACES.search(text):
            places = labels.mentioned(match[1], frame, labels.KNOWN_WORDS)
            facts[("places",)] = tuple(sorted(places))
        for end, told in _END.findall(text):
            if place := labels.resolve(told, frame, labels.KNOWN_WORDS):
                facts[(end,)] = place
        for count, told in _COUNT.findall(text):
            if direction := turn_from(told, frame):
                facts[("count", direction)] = int(count)
        links = _FROM.findall(text)
        if frame["form"] == "reached":
            links = [found[::-1] for found in _REACHED.findall(text)]
        for first, told, second in links:
            place, other = (labels.resolve(end, frame, labels.KNOWN_WORDS) for end in (first, second))
            direction = turn_from(told, frame)
            if direction and place and other and place != other:
                facts[("link", place, direction)] = other
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        return sum(missing(facts, direction) for direction in COMPASS)

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        """Random links where some are missing, tried again until there is a way, as there always is."""
        chance = rng or random.Random(0)
        for _ in range(TRIES):
            filled = facts | self._links(facts, chance)
            if self.solve(filled):
                break
        return filled

    def _links(self, facts: Facts, rng: random.Random) -> Facts:
        names, links = facts[("places",)], {}
        for direction in COMPASS:
            free = [name for name in names if ("link", name, direction) not in facts]
            count = missing(facts, direction)
            if count > len(free) or (count and len(names) < 2):
                raise Reject("more links than places to leave")
            for place in rng.sample(free, count):
                links[("link", place, direction)] = rng.choice([name for name in names if name != place])
        return links

    def steps(self, facts: Facts, place: str) -> list[str]:
        ways = (facts.get(("link", place, direction)) for direction in COMPASS)
        return [other for other in ways if other is not None]

    def steps_back(self, facts: Facts, place: str) -> list[str]:
        return [key[1] for key, other in facts.items() if key[0] == "link" and other == place]

    def solve(self, facts: Facts) -> Answer | None:
        walk = self.shortest(facts)
        if walk is None:
            return None
        return [
            next(d for d in COMPASS if facts.get(("link", here, d)) == there)
            for here, there in itertools.pairwise(walk)
        ]

    # -- answers -----------------------------------------------------------------------------
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return [turn_to(direction, frame) for direction in answer]

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        if not isinstance(value, list) or not 0 < len(value) <= LONGEST:
            return None
        moves = [read_move(entry, frame) for entry in value]
        return None if None in moves else moves

    def read_loosely(self, text: str) -> Any | None:
        lines = [found for found in map(_MOVE.findall, text.splitlines()) if found]
        return (lines[-1] if len(lines[-1]) > 1 else [line[-1] for line in lines]) if lines else None

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        if sorted(answer) == sorted(COMPASS):
            return 0.0
        walk: list[str | None] = [facts[("start",)]]
        for direction in answer:
            walk.append(facts.get(("link", walk[-1], direction)))
        return self.valid_share(facts, walk)


def turn_to(direction: str, frame: Frame) -> str:
    """A compass direction in the words of the frame."""
    if frame["form"] == "from":
        return direction
    return SKETCH[(COMPASS.index(direction) - COMPASS.index(frame["up"])) % 4]


def turn_from(told: str, frame: Frame) -> str | None:
    """The compass direction that a word means in the frame: its own, or one on the sketch."""
    if told in COMPASS:
        return told
    return COMPASS[(SKETCH.index(told) + COMPASS.index(frame["up"])) % 4] if told in SKETCH else None


def read_move(entry: Any, frame: Frame) -> str | None:
    """The one direction that an entry of an answer names, as in ``go north`` or ``N``; None for others."""
    text = (word(entry) or "").lower()
    if len(text) == 1:
        text = next((direction for direction in COMPASS if direction[0] == text), "")
    found = _MOVE.findall(text)
    return turn_from(found[0], frame) if len(found) == 1 else None


def missing(facts: Facts, direction: str) -> int:
    """How many links in that direction are still unknown."""
    known = sum(key[0] == "link" and key[2] == direction for key in facts)
    count: int = facts[("count", direction)]
    return max(0, count - known)


TASK = GeoMaze()
