"""Best nodes: the score of a node is the sum of two partial scores, one of them in each view.

View A lists the first scores in percent by name; view B tells the second scores in sentences by ID, as
fractions of a full score, with the list of IDs. Neither ranking alone is right in any place.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

from tasks import labels, networks
from tasks.contract import Answer, Draft, Facts, Frame, Reject, Task

PARTS = ("first", "second")
NUMBER = r"[0-9]{1,6}(?:\.[0-9]{1,9})?"
STATED = {
    "percent": "Partial scores are listed in percent: 100 is a full score.",
    "fractions": (
        "Partial scores are told in sentences, as numerators of fractions with the denominator {parts}: "
        "{parts} is a full score."
    ),
}
_PARTS = re.compile(r"as numerators of fractions with the denominator ([1-9][0-9]{0,2}):")
_NODES = re.compile(r"^The nodes are ([^.]*)\.", re.MULTILINE)
_TOP = re.compile(r"^Question: which are the ([1-9]) best nodes", re.MULTILINE)
_LIST = re.compile(r"^(First|Second) scores: (.*)\.$", re.MULTILINE)
_SENTENCE = re.compile(rf"^(\w+) has a (first|second) score of ({NUMBER})\.$", re.MULTILINE)
_ENTRY = re.compile(rf"(\w+) ({NUMBER})")


class NodeRanking(Task):
    """Facts: ("first", node) and ("second", node) -> percent; public: ("nodes",) -> all names,
    ("top",) -> how many nodes to name."""

    name = "noderanking"
    family = "relational"
    title = "Best nodes"
    rules = (
        "Every node has a first and a second partial score, both between nothing and a full score. Its score "
        "is the sum of the two, which count alike. Name the nodes with the highest scores, best one first."
    )
    noun = "partial scores"
    answer_key = "ranking"
    answer_format = (
        'one line of JSON, {"ranking": ["X", "Y", "Z"]}: as many nodes as the question asks for, best one '
        "first, named as in your view."
    )
    score_rule = "Fraction of the places that hold the right node; 0 for another number of nodes than asked."
    sizes = {
        "tiny": {"nodes": 4, "top": 2, "step": 10, "parts": (10,)},
        "small": {"nodes": 6, "top": 3, "step": 5, "parts": (10, 20)},
        "paper": {"nodes": 8, "top": 3, "step": 1, "parts": (20, 25)},
        "large": {"nodes": 16, "top": 5, "step": 1, "parts": (20, 25, 50)},
    }
    public = frozenset({"nodes", "top"})
    misreadable = ("parts",)

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        names, top = tuple(sorted(rng.sample(labels.WORDS, size["nodes"]))), size["top"]
        parts = rng.choice(size["parts"])
        first: Facts = {("first", name): rng.randrange(0, 101, size["step"]) for name in names}
        second: Facts = {("second", name): rng.randrange(0, 101, 100 // parts) for name in names}
        totals = scores(first | second, names)
        if len(set(totals.values())) < len(names):
            raise Reject("two nodes have the same score")
        best = ranked(totals)[:top]
        for part in (first, second):
            own = ranked({key[1]: value for key, value in part.items()})
            if any(a == b for a, b in zip(own, best, strict=False)):
                raise Reject("one view's own ranking is right in a place")
        shared: Facts = {("nodes",): names, ("top",): top}
        in_percent = {"form": "percent", "parts": 100}
        alias = labels.draw_alias(rng, names, "V")
        frames: dict[str, Frame] = {
            "full": in_percent,
            "a": in_percent,
            "b": {"form": "fractions", "parts": parts, "alias": alias},
        }
        return Draft({"a": shared | first, "b": shared | second}, frames)

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        told = STATED[frame["form"]].format(parts=frame["parts"])
        return f"{told} {labels.state_labels('Nodes', frame)}"

    def read_notation(self, text: str) -> Frame:
        if match := _PARTS.search(text):
            return {"form": "fractions", "parts": int(match[1])} | labels.read_labels(text)
        if STATED["percent"] in text:
            return {"form": "percent", "parts": 100} | labels.read_labels(text)
        raise ValueError("no notation of scores")

    def say(self, facts: Facts, frame: Frame) -> str:
        lines = []
        if ("nodes",) in facts:
            lines.append(f"The nodes are {', '.join(labels.labels(facts[('nodes',)], frame))}.")
        for part in PARTS:
            told = {labels.label(k[1], frame): write(v, frame) for k, v in facts.items() if k[0] == part}
            rows = sorted(told, key=labels.order)
            if rows and frame["form"] == "percent":
                listed = ", ".join(f"{row} {told[row]}" for row in rows)
                lines.append(f"{part.capitalize()} scores: {listed}.")
            else:
                lines += [f"{row} has a {part} score of {told[row]}." for row in rows]
        if ("top",) in facts:
            lines.append(f"Question: which are the {facts[('top',)]} best nodes, in order?")
        return "\n".join(lines)

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {}
        if match := _NODES.search(text):
            facts[("nodes",)] = tuple(sorted(labels.mentioned(match[1], frame, labels.KNOWN_WORDS)))
        if match := _TOP.search(text):
            facts[("top",)] = int(match[1])
        if frame["form"] == "percent":
            lists = [(m[1].lower(), entry) for m in _LIST.finditer(text) for entry in m[2].split(", ")]
            entries = [(part, _ENTRY.fullmatch(entry)) for part, entry in lists]
            told = [(m[1], part, m[2]) for part, m in entries if m]
        else:
            told = _SENTENCE.findall(text)
        for label, part, amount in told:
            if name := labels.resolve(label, frame, labels.KNOWN_WORDS):
                facts[(part, name)] = round(float(amount) * 100 / frame["parts"])
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        return sum((part, name) not in facts for part in PARTS for name in facts[("nodes",)])

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        unknown = [(part, name) for part in PARTS for name in facts[("nodes",)] if (part, name) not in facts]
        return facts | {key: rng.randrange(0, 101, 5) if rng else 50 for key in unknown}

    def solve(self, facts: Facts) -> Answer | None:
        if self.gaps(facts) or facts[("top",)] > len(facts[("nodes",)]):
            return None
        return ranked(scores(facts, facts[("nodes",)]))[: facts[("top",)]]

    # -- answers -----------------------------------------------------------------------------
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return [labels.label(name, frame) for name in answer]

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        entries = labels.answer_list(value) or []
        names = [labels.only_mentioned(entry, frame, labels.KNOWN_WORDS) for entry in entries]
        return names if any(names) else None

    def read_loosely(self, text: str) -> Any | None:
        found = [list(dict.fromkeys(networks.LABEL.findall(line))) for line in networks.loose_lines(text)]
        if len(found) > 1:  # a numbered list: one node a line
            return [line[0] for line in found] if all(len(line) == 1 for line in found) else None
        return found[0] or None if found else None

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        named = [name for name in answer if name is not None]
        if len(set(named)) < len(named):
            return 0.0
        return labels.fraction_equal(answer, truth)


def scores(facts: Facts, names: tuple[str, ...]) -> dict[str, int]:
    """The score of every node, in percent of a full partial score."""
    return {name: sum(facts[(part, name)] for part in PARTS) for name in names}


def ranked(totals: Mapping[str, int]) -> list[str]:
    """The nodes from the highest to the lowest score, equal ones by name."""
    return sorted(totals, key=lambda name: (-totals[name], name))


def write(percent: int, frame: Frame) -> str:
    """A partial score as the frame counts it."""
    return f"{percent * frame['parts'] / 100:.9g}"


TASK = NodeRanking()
