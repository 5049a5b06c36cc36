"""Weights of neighbours: who is linked to whom is in one view, what the nodes are like in the other one.

View A lists the links as pairs of IDs, with the list of IDs; view B tells colours and weights in sentences
by name, in another unit. The questions are known to both.
"""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Mapping
from typing import Any

from tasks import labels, measures, networks
from tasks.contract import Answer, Draft, Facts, Frame, Reject, Task
from tasks.networks import Told, Wording

WORDING = Wording("nodes", "links", " is linked to ")
COLOURS = ("red", "blue", "green")
HEAVIEST = 12  # a weight is 1 to 12 steps of measures.WEIGHT_STEP
ATTRIBUTES = ("colour", "weight")
_NOTATION = re.compile(r"Facts are written as (pairs|sentences); weights are in (kg|lb)\.")
_PAIRED = re.compile(rf"([A-Za-z0-9]+) (?:({measures.NUMBER})|({'|'.join(COLOURS)}))")
_SENTENCE = re.compile(
    rf"([A-Za-z0-9]+)(?: is ({'|'.join(COLOURS)}))?(?: and)?(?: weighs ({measures.NUMBER}))?\."
)
_QUERY = re.compile(rf"Question ([0-9]{{1,2}}): what do the ({'|'.join(COLOURS)}) neighbours of (\w+) weigh")
_AMOUNT = re.compile(rf"(?<![\w.])({measures.NUMBER})(?![\w.]*\w)(?: ?(?:kg|lb)s?\b)?")


class GraphAttr(Task):
    """Facts: ("link", u, v) -> "link", u before v; ("colour", node) -> a colour; ("weight", node) -> kg.

    Public: ("nodes",) -> all names, ("links",) -> their number, ("query", i) -> (colour, node).
    """

    name = "graphattr"
    family = "relational"
    title = "Weights of neighbours"
    rules = (
        "Nodes have a colour and a weight; two nodes are neighbours if a link joins them. Answer each "
        "question with the sum of the weights of all neighbours of that colour (there is at least one). "
        f"{measures.SAME['kg']}"
    )
    noun = "links, colours and weights"
    answer_key = "totals"
    answer_format = (
        'one line of JSON, {"totals": [n, ...]}: one number for each question, in the order of the '
        "questions and in the unit of your view."
    )
    score_rule = "Fraction of the totals that are exactly right; 0 unless there is one number a question."
    sizes = {
        "tiny": {"nodes": 5, "links": 6, "colours": 2, "queries": 2, "matching": (1, 2), "open": 2},
        "small": {"nodes": 6, "links": 9, "colours": 2, "queries": 3, "matching": (1, 3), "open": 3},
        "paper": {"nodes": 8, "links": 14, "colours": 2, "queries": 4, "matching": (1, 3), "open": 4},
        "large": {"nodes": 16, "links": 44, "colours": 3, "queries": 5, "matching": (2, 5), "open": 4},
    }
    public = frozenset({"nodes", "links", "query"})
    misreadable = ("unit",)

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        names = tuple(sorted(rng.sample(labels.WORDS, size["nodes"])))
        links = rng.sample(list(itertools.combinations(names, 2)), size["links"])
        structure: Facts = {("link", *link): "link" for link in links}
        attributes: Facts = {("colour", name): rng.choice(COLOURS[: size["colours"]]) for name in names}
        attributes |= {("weight", name): draw_weight(rng) for name in names}
        shared: Facts = {("nodes",): names, ("links",): len(links)}
        asked = draw_questions(rng, shared | structure | attributes, size)
        shared |= {("query", number): question for number, question in enumerate(asked, 1)}
        unit_a, unit_b = rng.sample(measures.WEIGHTS, 2)
        frames: dict[str, Frame] = {
            "full": {"form": "pairs", "unit": rng.choice(measures.WEIGHTS)},
            "a": {"form": "pairs", "unit": unit_a, "alias": labels.draw_alias(rng, names, "V")},
            "b": {"form": "sentences", "unit": unit_b},
        }
        return Draft({"a": shared | structure, "b": shared | attributes}, frames)

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        told = f"Facts are written as {frame['form']}; weights are in {frame['unit']}."
        return f"{told} {labels.state_labels('Nodes', frame)}"

    def read_notation(self, text: str) -> Frame:
        match = _NOTATION.search(text)
        if not match:
            raise ValueError("no notation of nodes")
        return {"form": match[1], "unit": match[2]} | labels.read_labels(text)

    def say(self, facts: Facts, frame: Frame) -> str:
        told = [Told(*networks.by_label(link, frame), "") for link in networks.links_of(facts)]
        lines = networks.say_network(facts, frame, WORDING, told) + say_attributes(facts, frame)
        for number, (colour, name) in labels.questions(facts):
            lines.append(
                f"Question {number}: what do the {colour} neighbours of {labels.label(name, frame)} weigh?"
            )
        return "\n".join(lines)

    def hear(self, text: str, frame: Frame) -> Facts:
        facts, told = networks.hear_network(text, frame, WORDING)
        for first, second, _ in told:
            facts[("link", *networks.ordered(first, second))] = "link"
        for line in text.splitlines():
            for label, colour, amount in read_attributes(line.strip(), frame):
                name = labels.resolve(label, frame, labels.KNOWN_WORDS)
                weight = measures.read(amount, frame["unit"])
                if name and colour:
                    facts[("colour", name)] = colour
                if name and weight:
                    facts[("weight", name)] = weight
        for number, colour, label in _QUERY.findall(text):
            if name := labels.resolve(label, frame, labels.KNOWN_WORDS):
                facts[("query", int(number))] = (colour, name)
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        unknown = [(kind, n) for kind in ATTRIBUTES for n in facts[("nodes",)] if (kind, n) not in facts]
        return networks.missing_links(facts) + len(unknown)

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        chance, nodes = rng or random.Random(0), facts[("nodes",)]
        missing = networks.missing_links(facts)
        free = [pair for pair in itertools.combinations(nodes, 2) if ("link", *pair) not in facts]
        if missing > len(free):
            raise Reject("more links than pairs of nodes")
        colours = sorted({colour for _, (colour, _) in labels.questions(facts)}) or COLOURS
        full = dict(facts)
        for _ in range(10):  # a guess has an answer to every question, as every instance does
            full = facts | {("link", *pair): "link" for pair in chance.sample(free, missing)}
            for name in nodes:
                full.setdefault(("colour", name), chance.choice(colours))
                full.setdefault(("weight", name), draw_weight(chance))
            if all(self.solve(full) or [0]):
                break
        return full

    def solve(self, facts: Facts) -> Answer | None:
        totals = [total(facts, *question) for _, question in labels.questions(facts)]
        return None if None in totals or not totals else totals

    # -- answers -----------------------------------------------------------------------------
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return [measures.write_number(weight, frame["unit"]) for weight in answer]

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        totals = [measures.read(entry, frame["unit"]) for entry in labels.answer_list(value) or []]
        return totals if any(entry is not None for entry in totals) else None

    def read_loosely(self, text: str) -> Any | None:
        found = [[match[0] for match in _AMOUNT.finditer(line)] for line in networks.loose_lines(text)]
        if len(found) > 1:  # a numbered list: one number a line
            return [line[0] for line in found] if all(len(line) == 1 for line in found) else None
        return found[0] or None if found else None

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        return labels.fraction_equal(answer, truth)


def draw_weight(rng: random.Random) -> int:
    """A weight in kg, whole in both units."""
    return measures.WEIGHT_STEP * rng.randint(1, HEAVIEST)


def matching(facts: Facts, colour: str, name: str) -> list[str]:
    """The neighbours of a node that have the colour."""
    around = [link[link[0] == name] for link in networks.links_of(facts) if name in link]
    return [other for other in around if facts.get(("colour", other)) == colour]


def total(facts: Facts, colour: str, name: str) -> int | None:
    """What the neighbours of that colour weigh; None where a weight is unknown."""
    weights = [facts.get(("weight", other)) for other in matching(facts, colour, name)]
    return None if None in weights else sum(weight for weight in weights if weight is not None)


def say_attributes(facts: Facts, frame: Frame) -> list[str]:
    """The colours and weights, as two lists or one sentence a node."""
    names = dict.fromkeys(key[1] for key in facts if key[0] in ATTRIBUTES)
    named = sorted(((labels.label(n, frame), n) for n in names), key=lambda pair: labels.order(pair[0]))
    colours = {label: facts[("colour", name)] for label, name in named if ("colour", name) in facts}
    weights = {
        label: measures.write(facts[("weight", name)], frame["unit"])
        for label, name in named
        if ("weight", name) in facts
    }
    if frame["form"] == "pairs":
        lists = (("Colours", colours), ("Weights", weights))
        return [
            f"{heading}: {', '.join(f'{k} {v}' for k, v in told.items())}." for heading, told in lists if told
        ]
    lines = []
    for label, _ in named:
        parts = [f"is {colours[label]}"] if label in colours else []
        parts += [f"weighs {weights[label]}"] if label in weights else []
        lines.append(f"{label} {' and '.join(parts)}.")
    return lines


def read_attributes(line: str, frame: Frame) -> list[tuple[str, str | None, str | None]]:
    """What a line tells of nodes, as (label, colour, weight)."""
    if frame["form"] == "sentences":
        match = _SENTENCE.fullmatch(line)
        return [(match[1], match[2], match[3])] if match else []
    if not line.startswith(("Colours: ", "Weights: ")):
        return []
    pairs = map(_PAIRED.fullmatch, line[9:].removesuffix(".").split(", "))
    return [(m[1], m[3], m[2]) for m in pairs if m]


def draw_questions(rng: random.Random, facts: Facts, size: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Questions with other totals each; as many sets of nodes as the size asks could be the neighbours."""
    low, high = size["matching"]
    pairs = list(itertools.product(COLOURS, facts[("nodes",)]))
    rng.shuffle(pairs)
    asked: dict[int, tuple[str, str]] = {}
    for colour, name in pairs:
        found = matching(facts, colour, name)
        others = [n for n in facts[("nodes",)] if facts[("colour", n)] == colour and n != name]
        if low <= len(found) <= high and math.comb(len(others), len(found)) >= size["open"]:
            asked.setdefault(total(facts, colour, name) or 0, (colour, name))
        if len(asked) == size["queries"]:
            return list(asked.values())
    raise Reject("too few questions that need both views")


TASK = GraphAttr()
