"""Triangles: name the triangles of a graph; each one has links in both views.

View A is an edge list by name; view B tells its links as adjacency sentences by ID, with the list of IDs.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterable, Mapping
from typing import Any

from tasks import labels
from tasks.contract import Answer, Draft, Facts, Frame, Key, Reject, Task

Edge = tuple[str, str]
LONGEST = 200  # entries of an answer that are looked at
_COUNT = re.compile(r"There are ([0-9]{1,3}) links")
_NAMES = re.compile(r"The nodes are ([^.]*)\.")
_PAIR = re.compile(r"\b([A-Za-z0-9]+)-([A-Za-z0-9]+)\b")
_ADJACENT = re.compile(r"(\w+) is linked to ([^.]*)\.")
_TRIPLE = re.compile(
    r"\b([A-Z][A-Za-z0-9]*)[-, ]+(?:and )?([A-Z][A-Za-z0-9]*)[-, ]+(?:and )?([A-Z][A-Za-z0-9]*)\b"
)


class TriangleCount(Task):
    """Facts: ("edge", u, v) -> "link", u before v; ("nodes",) -> all names; ("edges",) -> their number."""

    name = "trianglecount"
    family = "relational"
    title = "Triangles"
    rules = (
        "Find all triangles in a network: three nodes of which each two are linked. Links have no "
        "direction. There is at least one triangle."
    )
    noun = "links"
    answer_key = "triangles"
    answer_format = (
        'one line of JSON, {"triangles": [["X", "Y", "Z"], ...]}: every triangle once, its three nodes in '
        "any order, named as in your view."
    )
    score_rule = (
        "Triangles named rightly over triangles named or true (IoU); 0 for more than three times as many "
        "as there are."
    )
    sizes = {
        "tiny": {"nodes": 5, "edges": 6, "triangles": (1, 2)},
        "small": {"nodes": 6, "edges": 8, "triangles": (2, 3)},
        "paper": {"nodes": 8, "edges": 14, "triangles": (3, 5)},
        "large": {"nodes": 14, "edges": 28, "triangles": (5, 9)},
    }
    public = frozenset({"nodes", "edges"})

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        names = tuple(sorted(rng.sample(labels.WORDS, size["nodes"])))
        edges = rng.sample(list(itertools.combinations(names, 2)), size["edges"])
        low, high = size["triangles"]
        if not low <= len(triangles(edges)) <= high:
            raise Reject("too few or too many triangles")
        half = len(edges) // 2
        if triangles(edges[:half]) or triangles(edges[half:]):
            raise Reject("one view holds a whole triangle")
        shared: Facts = {("nodes",): names, ("edges",): len(edges)}
        known = [{("edge", *edge): "link" for edge in part} for part in (edges[:half], edges[half:])]
        by_id = {"form": "sentences", "alias": labels.draw_alias(rng, names, "V")}
        frames: dict[str, Frame] = {"full": {"form": "pairs"}, "a": {"form": "pairs"}, "b": by_id}
        return Draft({"a": shared | known[0], "b": shared | known[1]}, frames)

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        told = "pairs, X-Y" if frame["form"] == "pairs" else "sentences, each told once at one of its ends"
        return f"Links are written as {told}. {labels.state_labels('Nodes', frame)}"

    def read_notation(self, text: str) -> Frame:
        match = re.search(r"Links are written as (pairs|sentences)", text)
        if not match:
            raise ValueError("no notation of links")
        return {"form": match[1]} | labels.read_labels(text)

    def say(self, facts: Facts, frame: Frame) -> str:
        lines = []
        if ("nodes",) in facts:
            lines.append(f"The nodes are {', '.join(labels.labels(facts[('nodes',)], frame))}.")
        if ("edges",) in facts:
            lines.append(f"There are {facts[('edges',)]} links in all.")
        pairs = [labels.labels(edge, frame) for edge in edges_of(facts)]
        pairs.sort(key=lambda pair: [labels.order(end) for end in pair])
        if pairs and frame["form"] == "pairs":
            lines.append("Links: " + ", ".join("-".join(pair) for pair in pairs) + ".")
        elif pairs:
            for first, group in itertools.groupby(pairs, key=lambda pair: pair[0]):
                lines.append(f"{first} is linked to {' and '.join(pair[1] for pair in group)}.")
        return "\n".join(lines)

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {}
        if match := _NAMES.search(text):
            facts[("nodes",)] = tuple(sorted(labels.mentioned(match[1], frame, labels.KNOWN_WORDS)))
        if match := _COUNT.search(text):
            facts[("edges",)] = int(match[1])
        pairs = _PAIR.findall(text) if frame["form"] == "pairs" else []
        if frame["form"] == "sentences":
            pairs = [(m[1], other) for m in _ADJACENT.finditer(text) for other in m[2].split(" and ")]
        for pair in pairs:
            ends = [labels.resolve(end.strip(), frame, labels.KNOWN_WORDS) for end in pair]
            if ends[0] and ends[1] and ends[0] != ends[1]:
                facts[edge_key(ends[0], ends[1])] = "link"
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        missing: int = facts[("edges",)] - len(edges_of(facts))
        return max(0, missing)

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        known = edges_of(facts)
        free = [e for e in itertools.combinations(facts[("nodes",)], 2) if ("edge", *e) not in facts]
        missing = self.gaps(facts)
        if missing > len(free):
            raise Reject("more links than pairs of nodes")
        if rng is None:  # optimistic: the links that close most triangles
            added = sorted(free, key=lambda edge: -len(triangles([*known, edge])))[:missing]
        else:
            for _ in range(10):  # a guess has a triangle, as every instance does
                added = rng.sample(free, missing)
                if triangles([*known, *added]):
                    break
        return facts | {("edge", *edge): "link" for edge in added}

    def solve(self, facts: Facts) -> Answer | None:
        return [list(triangle) for triangle in triangles(edges_of(facts))] or None

    # -- answers -----------------------------------------------------------------------------
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return [[labels.label(name, frame) for name in triangle] for triangle in answer]

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        if not isinstance(value, list) or not 0 < len(value) <= LONGEST:
            return None
        named = (read_triangle(entry, frame) for entry in value)
        # entries that are no triangle stay, so that they count as wrong ones
        return [list(names) for names in dict.fromkeys(named)]

    def read_loosely(self, text: str) -> Any | None:
        return [list(triple) for triple in _TRIPLE.findall(text)] or None

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        true, named = {tuple(t) for t in truth}, {tuple(t) for t in answer}
        if len(named) > 3 * len(true):
            return 0.0
        return len(true & named) / len(true | named)


def edge_key(first: str, second: str) -> Key:
    """The key of a link between two nodes."""
    return ("edge", *sorted((first, second)))


def edges_of(facts: Facts) -> list[Edge]:
    """All links among the facts."""
    return [(key[1], key[2]) for key in facts if key[0] == "edge"]


def triangles(edges: Iterable[Edge]) -> list[tuple[str, str, str]]:
    """All triangles, sorted, each with its names sorted."""
    near: dict[str, set[str]] = {}
    for first, second in edges:
        near.setdefault(min(first, second), set()).add(max(first, second))
    return sorted(
        (first, second, third)
        for first, later in near.items()
        for second in later
        for third in later & near.get(second, set())
    )


def read_triangle(entry: Any, frame: Frame) -> tuple[str, ...]:
    """The sorted nodes that one entry of an answer names: a list of labels, or a text such as X-Y-Z."""
    parts = entry if isinstance(entry, list) else [entry]
    texts = [part for part in parts[:10] if isinstance(part, str) and len(part) <= 60]
    return tuple(sorted(labels.mentioned(" ".join(texts), frame, labels.KNOWN_WORDS)))


TASK = TriangleCount()
