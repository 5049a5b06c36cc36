"""Shortest route: the roads between towns and their lengths are split over the views.

View A lists its roads as pairs of names with lengths in one unit; view B tells its roads in sentences by ID,
with the list of IDs, and lengths in the other unit. No view connects the two ends well on its own.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Mapping
from typing import Any

from tasks import labels, measures, networks
from tasks.contract import Answer, Draft, Facts, Frame, Reject, Task
from tasks.networks import Told, Wording

WORDING = Wording("towns", "roads", " has roads to ")
LONGEST = 9  # a road is 1 to 9 steps of measures.LENGTH_STEP long
UNCHECKED = 3 / 4  # what a route is worth whose length is not told rightly
_NOTATION = re.compile(r"Roads are written as (pairs|sentences), with their lengths in (km|mi)\.")
_ENDS = re.compile(r"The route starts in (\w+) and ends in (\w+)\.")
_LENGTH = re.compile(rf"(?<![\w.])({measures.NUMBER}) ?(?:km|mi)[a-z]{{0,8}}\b", re.IGNORECASE)
_NAMES_IN_ANSWER = {"path": ("path", "route", "towns"), "length": ("length", "distance")}


class Graph(Task):
    """Facts: ("link", u, v) -> km, u before v; public: ("nodes",) -> all names, ("links",) -> their number,
    ("ends",) -> (start, goal)."""

    name = "graph"
    family = "relational"
    title = "Shortest route"
    rules = (
        "Find the shortest route along roads between two towns, and its length. Roads can be used in both "
        f"directions. {measures.SAME['km']}"
    )
    noun = "roads"
    answer_key = "route"
    answer_format = (
        'one line of JSON, {"route": {"path": ["X", "Y", "Z"], "length": 12}}: all towns from the start to '
        "the end, named as in your view, and the length of the route in the unit of your view."
    )
    score_rule = (
        "2 x shortest length / length of the route - 1, at least 0, for a route along roads from the start "
        "to the end, else 0; less a quarter of that where the length told is not the route's."
    )
    sizes = {
        "tiny": {"nodes": 5, "links": 6, "hops": (2, 2)},
        "small": {"nodes": 6, "links": 9, "hops": (2, 3)},
        "paper": {"nodes": 7, "links": 11, "hops": (3, 5)},
        "large": {"nodes": 15, "links": 32, "hops": (4, 8)},
    }
    public = frozenset({"nodes", "links", "ends"})
    misreadable = ("unit",)

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        names = tuple(sorted(rng.sample(labels.WORDS, size["nodes"])))
        roads = rng.sample(list(itertools.combinations(names, 2)), size["links"])
        facts: Facts = {("link", *road): draw_length(rng) for road in roads}
        start, goal = rng.sample(names, 2)
        found = networks.best_route(networks.both_ways(networks.links_of(facts)), start, goal)
        low, high = size["hops"]
        if found is None or not low <= len(found[0]) - 1 <= high:
            raise Reject("shortest route of too few or too many roads, or missing")
        if not found[1]:
            raise Reject("several shortest routes")
        parts = [{k: facts[k] for k in list(facts)[odd::2]} for odd in (0, 1)]
        shortest = length_of(facts, found[0]) or 0
        for part in parts:
            alone = networks.best_route(networks.both_ways(networks.links_of(part)), start, goal)
            if alone and (length_of(part, alone[0]) or 0) < 2 * shortest:
                raise Reject("one view alone has a good route")
        shared: Facts = {("nodes",): names, ("links",): len(roads), ("ends",): (start, goal)}
        unit_a, unit_b = rng.sample(measures.LENGTHS, 2)
        frames: dict[str, Frame] = {
            "full": {"form": "pairs", "unit": rng.choice(measures.LENGTHS)},
            "a": {"form": "pairs", "unit": unit_a},
            "b": {"form": "sentences", "unit": unit_b, "alias": labels.draw_alias(rng, names, "V")},
        }
        return Draft({"a": shared | parts[0], "b": shared | parts[1]}, frames)

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        told = f"Roads are written as {frame['form']}, with their lengths in {frame['unit']}."
        return f"{told} {labels.state_labels('Towns', frame)}"

    def read_notation(self, text: str) -> Frame:
        match = _NOTATION.search(text)
        if not match:
            raise ValueError("no notation of roads")
        return {"form": match[1], "unit": match[2]} | labels.read_labels(text)

    def say(self, facts: Facts, frame: Frame) -> str:
        told = [
            Told(*networks.by_label(road, frame), measures.write(length, frame["unit"]))
            for road, length in networks.links_of(facts).items()
        ]
        lines = networks.say_network(facts, frame, WORDING, told)
        if ("ends",) in facts:
            start, goal = (labels.label(name, frame) for name in facts[("ends",)])
            lines.append(f"The route starts in {start} and ends in {goal}.")
        return "\n".join(lines)

    def hear(self, text: str, frame: Frame) -> Facts:
        facts, told = networks.hear_network(text, frame, WORDING)
        for first, second, note in told:
            length = measures.read(note, frame["unit"])
            if length:
                facts[("link", *networks.ordered(first, second))] = length
        for match in _ENDS.finditer(text):
            ends = [labels.resolve(end, frame, labels.KNOWN_WORDS) for end in match.groups()]
            if all(ends):
                facts[("ends",)] = tuple(ends)
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        return networks.missing_links(facts)

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        chance = rng or random.Random(0)
        free = [pair for pair in itertools.combinations(facts[("nodes",)], 2) if ("link", *pair) not in facts]
        if self.gaps(facts) > len(free):
            raise Reject("more roads than pairs of towns")
        full = dict(facts)
        for _ in range(10):  # a guess has a route, as every instance does
            added = chance.sample(free, self.gaps(facts))
            full = facts | {("link", *pair): draw_length(chance) for pair in added}
            if self.solve(full):
                break
        return full

    def solve(self, facts: Facts) -> Answer | None:
        start, goal = facts[("ends",)]
        found = networks.best_route(networks.both_ways(networks.links_of(facts)), start, goal)
        return {"path": found[0], "length": length_of(facts, found[0])} if found else None

    # -- answers -----------------------------------------------------------------------------
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        path = [labels.label(name, frame) for name in answer["path"]]
        return {"path": path, "length": measures.write_number(answer["length"], frame["unit"])}

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        entries: dict[str, Any] = {}
        if isinstance(value, dict):
            low = {key.strip().lower(): entry for key, entry in value.items()}
            for part, keys in _NAMES_IN_ANSWER.items():
                entries[part] = next((low[key] for key in keys if key in low), None)
        else:
            entries = {"path": value}
        path = networks.read_chain(entries["path"], frame)
        return path and {"path": path, "length": measures.read(entries.get("length"), frame["unit"])}

    def read_loosely(self, text: str) -> Any | None:
        line = "".join(networks.loose_lines(text)[-1:])
        found, lengths = networks.chains(line), [match[0] for match in _LENGTH.finditer(line)]
        if len(found) > 1 or not (found or networks.LABEL.search(line)):
            return None
        path = networks.LABEL.findall(found[0] if found else line)
        return {"path": path, "length": lengths[0] if len(lengths) == 1 else None}

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        path, ends = answer["path"], facts[("ends",)]
        length = length_of(facts, path)
        if not length or (path[0], path[-1]) != tuple(ends) or len(set(path)) < len(path):
            return 0.0
        quality = max(0.0, 2 * truth["length"] / length - 1)
        return quality * (1.0 if answer["length"] == length else UNCHECKED)


def draw_length(rng: random.Random) -> int:
    """The length of a road in km, whole in both units."""
    return measures.LENGTH_STEP * rng.randint(1, LONGEST)


def length_of(facts: Facts, path: list[str]) -> int | None:
    """The length of a path in km; None where it leaves the roads."""
    steps = [facts.get(("link", *networks.ordered(*step))) for step in itertools.pairwise(path)]
    return None if None in steps else sum(step for step in steps if step is not None)


TASK = Graph()
