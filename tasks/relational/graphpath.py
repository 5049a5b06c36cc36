"""Ways through a one-way network: links from start to end, half of them in each view.

View A lists its links as pairs of names; view B lists neighbours by ID, with the list of IDs. One view puts
the start of a link first, the other one its end. No way lies in one view alone.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Mapping
from typing import Any

from tasks import labels, networks
from tasks.contract import Answer, Draft, Facts, Frame, Reject, Task
from tasks.networks import Pair, Told, Wording

WORDING = Wording("nodes", "links", ": ")
CHANCE = 1 / 3  # share of the links that a guess from one view gets right, about
FORMS = {
    ("pairs", "start"): "Each link X-Y leads from X to Y.",
    ("pairs", "end"): "Each link X-Y leads from Y to X.",
    ("sentences", "start"): 'Each line "X: Y and Z." lists the nodes Y and Z to which links lead from X.',
    ("sentences", "end"): 'Each line "X: Y and Z." lists the nodes Y and Z from which links lead to X.',
}
_QUESTION = re.compile(r"Question ([0-9]{1,2}): which ([1-9]) links lead from (\w+) to (\w+)\?")


class GraphPath(Task):
    """Facts: ("link", u, v) -> "link", from u to v; public: ("nodes",) -> all names, ("links",) -> their
    number, ("query", i) -> (links, from, to)."""

    name = "graphpath"
    family = "relational"
    title = "Ways through a network"
    rules = (
        "Links lead from one node to another and can be used in that direction only. For each question there "
        "is exactly one way with so many links, and none with fewer: name its nodes."
    )
    noun = "links"
    answer_key = "paths"
    answer_format = (
        'one line of JSON, {"paths": [["X", "Y", "Z"], ...]}: for each question, in order, all nodes of the '
        "way from its first to its last one, named as in your view."
    )
    score_rule = (
        "Links named rightly over links asked for, less the 1/3 that guesses reach: (s - 1/3) / (2/3), at "
        "least 0; a way counts only with the right ends and number of links; 0 unless one way a question."
    )
    sizes = {
        "tiny": {"nodes": 6, "links": 12, "queries": 2, "hops": 2},
        "small": {"nodes": 7, "links": 12, "queries": 2, "hops": 3},
        "paper": {"nodes": 9, "links": 20, "queries": 3, "hops": 3},
        "large": {"nodes": 16, "links": 44, "queries": 4, "hops": 4},
    }
    public = frozenset({"nodes", "links", "query"})
    misreadable = ("first",)

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        names = tuple(sorted(rng.sample(labels.WORDS, size["nodes"])))
        links = rng.sample(list(itertools.permutations(names, 2)), size["links"])
        parts = links[::2], links[1::2]
        asked = draw_questions(rng, links, parts, size)
        shared: Facts = {("nodes",): names, ("links",): len(links)}
        shared |= {("query", number): question for number, question in enumerate(asked, 1)}
        known = [{("link", *link): "link" for link in part} for part in parts]
        first_a, first_b = rng.sample(("start", "end"), 2)
        frames: dict[str, Frame] = {
            "full": {"form": "pairs", "first": "start"},
            "a": {"form": "pairs", "first": first_a},
            "b": {"form": "sentences", "first": first_b, "alias": labels.draw_alias(rng, names, "V")},
        }
        return Draft({"a": shared | known[0], "b": shared | known[1]}, frames)

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        return f"{FORMS[frame['form'], frame['first']]} {labels.state_labels('Nodes', frame)}"

    def read_notation(self, text: str) -> Frame:
        for (form, first), stated in FORMS.items():
            if stated in text:
                return {"form": form, "first": first} | labels.read_labels(text)
        raise ValueError("no notation of links")

    def say(self, facts: Facts, frame: Frame) -> str:
        turned = frame["first"] == "end"
        told = [Told(*(link[::-1] if turned else link), "") for link in networks.links_of(facts)]
        lines = networks.say_network(facts, frame, WORDING, told)
        for number, (hops, *ends) in labels.questions(facts):
            start, goal = (labels.label(name, frame) for name in ends)
            lines.append(f"Question {number}: which {hops} links lead from {start} to {goal}?")
        return "\n".join(lines)

    def hear(self, text: str, frame: Frame) -> Facts:
        facts, told = networks.hear_network(text, frame, WORDING)
        for first, second, _ in told:
            link = (first, second) if frame["first"] == "start" else (second, first)
            facts[("link", *link)] = "link"
        for number, hops, *ends in _QUESTION.findall(text):
            start, goal = (labels.resolve(end, frame, labels.KNOWN_WORDS) for end in ends)
            if start and goal:
                facts[("query", int(number))] = (int(hops), start, goal)
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        return networks.missing_links(facts)

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        chance = rng or random.Random(0)
        full, asked = dict(facts), labels.questions(facts)
        chance.shuffle(asked)
        for _, question in asked:  # first what the questions need, taking known links where they serve
            if not way(full, question):
                added = likely_links(full, question, chance)
                if len(added) <= self.gaps(full):
                    full |= {("link", *link): "link" for link in added}
        pairs = itertools.permutations(facts[("nodes",)], 2)
        free = [pair for pair in pairs if ("link", *pair) not in full]
        if self.gaps(full) > len(free):
            raise Reject("more links than pairs of nodes")
        return full | {("link", *pair): "link" for pair in chance.sample(free, self.gaps(full))}

    def solve(self, facts: Facts) -> Answer | None:
        ways = [way(facts, question) for _, question in labels.questions(facts)]
        return ways if ways and all(ways) else None

    # -- answers -----------------------------------------------------------------------------
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return [[labels.label(name, frame) for name in path] for path in answer]

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        paths = [networks.read_chain(entry, frame) for entry in labels.answer_list(value) or []]
        return paths if any(paths) else None

    def read_loosely(self, text: str) -> Any | None:
        found = [networks.chains(line) for line in networks.loose_lines(text)]
        if len(found) > 1:  # a numbered list: one way a line
            return [line[0] for line in found] if all(len(line) == 1 for line in found) else None
        return found[0] or None if found else None

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        if len(answer) != len(truth):
            return 0.0
        right = sum(links_right(path, given) for path, given in zip(truth, answer, strict=True))
        fraction = right / sum(len(path) - 1 for path in truth)
        return max(0.0, (fraction - CHANCE) / (1 - CHANCE))


def way(facts: Facts, question: tuple[int, str, str]) -> list[str] | None:
    """The way with the fewest links that answers a question, if any."""
    found = networks.best_route(dict.fromkeys(networks.links_of(facts), 1), question[1], question[2])
    return found[0] if found and len(found[0]) > 1 else None


def links_right(true: list[str], given: list[str] | None) -> int:
    """How many links of a way are right; 0 for another number of links or other ends."""
    if not given or len(given) != len(true) or (given[0], given[-1]) != (true[0], true[-1]):
        return 0
    return len(set(itertools.pairwise(true)) & set(itertools.pairwise(given)))


def likely_links(facts: Facts, question: tuple[int, str, str], chance: random.Random) -> list[Pair]:
    """The unknown links of a way of the asked length that has as few of them as can be, drawn at random."""
    hops, start, goal = question
    nodes = facts[("nodes",)]
    known = networks.links_of(facts)
    unknown = {goal: 0}  # node -> fewest unknown links from there to the goal, in a given number of links
    layers = [unknown]
    for _ in range(hops - 1):
        unknown = {
            node: min(left + ((node, after) not in known) for after, left in unknown.items() if after != node)
            for node in nodes
            if node not in (start, goal) and set(unknown) != {node}
        }
        layers.append(unknown)
    path = [start]
    for layer in reversed(layers):
        steps = [node for node in layer if node not in path]
        if not steps:
            return []
        costs = {node: layer[node] + ((path[-1], node) not in known) for node in steps}
        path.append(chance.choice([node for node in steps if costs[node] == min(costs.values())]))
    return [link for link in itertools.pairwise(path) if link not in known]


def draw_questions(
    rng: random.Random, links: list[Pair], parts: tuple[list[Pair], list[Pair]], size: Mapping[str, Any]
) -> list[tuple[int, str, str]]:
    """Questions with one shortest way, of the asked length, that needs both parts; no link serves two."""
    lengths = dict.fromkeys(links, 1)
    held = [set(part) for part in parts]
    only_way = (size["hops"], 1)
    pairs = [
        (start, goal)
        for start in sorted({link[0] for link in links})
        for goal, counted in networks.route_counts(links, start).items()
        if counted == only_way
    ]
    rng.shuffle(pairs)
    asked: list[tuple[int, str, str]] = []
    used: set[Pair] = set()
    for start, goal in pairs:
        found = networks.best_route(lengths, start, goal)
        steps = set(itertools.pairwise(found[0])) if found else set()
        if steps & used or not all(steps & part for part in held):
            continue
        asked.append((size["hops"], start, goal))
        used |= steps
        if len(asked) == size["queries"]:
            return asked
    raise Reject("too few ways that need both views")


TASK = GraphPath()
