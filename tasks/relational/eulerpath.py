"""Walk: use every link of a network exactly once; the links are split over the views.

View A lists its links as pairs, by name; view B tells its links as adjacency sentences by ID, with the list
of IDs. The start is known to both. Neither view can go far from the start on its own links.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Collection, Mapping
from typing import Any

from tasks import labels
from tasks.contract import Answer, Draft, Facts, Frame, Key, Reject, Task
from tasks.labelruns import echo_scores, longest_run, read_sequence
from tasks.relational import trianglecount
from tasks.relational.trianglecount import Edge, edge_key, edges_of

NETWORK = trianglecount.TASK  # writes and reads the same networks
BUDGET = 3000  # steps of the search for a guess
_START = re.compile(r"The walk starts at (\w+)\.")


class EulerPath(Task):
    """Facts: ("edge", u, v) -> "link", u before v; public: ("nodes",), ("edges",) -> count, ("start",)."""

    name = "eulerpath"
    family = "relational"
    title = "A walk over every link"
    rules = (
        "Find a walk through a network that starts at the given node and uses every link exactly once. "
        "Links have no direction; nodes may be passed several times. There is such a walk."
    )
    noun = "links"
    answer_key = "walk"
    answer_format = (
        'one line of JSON, {"walk": ["X", "Y", "Z", ...]}: the nodes in the order in which they are '
        "reached, the start first, named as in your view."
    )
    score_rule = (
        "Steps of the longest valid prefix (from the start, along links not used before) over the number of "
        "links; 0 for a walk of more steps than links."
    )
    sizes = {
        "tiny": {"nodes": 5, "edges": 5, "ahead": 1},
        "small": {"nodes": 6, "edges": 7, "ahead": 1},
        "paper": {"nodes": 6, "edges": 8, "ahead": 2},
        "large": {"nodes": 10, "edges": 18, "ahead": 4},
    }
    public = frozenset({"nodes", "edges", "start"})

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        names = tuple(sorted(rng.sample(labels.WORDS, size["nodes"])))
        shared: Facts = {("nodes",): names, ("edges",): size["edges"], ("start",): rng.choice(names)}
        edges = edges_of(self.complete(shared, rng))
        if len({name for edge in edges for name in edge}) < len(names):
            raise Reject("a node without a link")
        rng.shuffle(edges)
        parts = edges[: len(edges) // 2], edges[len(edges) // 2 :]
        if any(goes_far(part, shared[("start",)], size["ahead"]) for part in parts):
            raise Reject("one view goes far on its own links")
        known = [{edge_key(*edge): "link" for edge in part} for part in parts]
        alias = labels.draw_alias(rng, names, "V")
        union = shared | known[0] | known[1]
        for listed in (list(names), list(alias.values())):
            if self.grade(union, None, listed):
                raise Reject("the nodes are listed in a way that is walked")
        by_id = {"form": "sentences", "alias": alias}
        frames: dict[str, Frame] = {"full": {"form": "pairs"}, "a": {"form": "pairs"}, "b": by_id}
        draft = Draft({"a": shared | known[0], "b": shared | known[1]}, frames)
        if echo_scores(self, draft):
            raise Reject("the links are listed in a way that is walked")
        return draft

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        return NETWORK.notation(frame)

    def read_notation(self, text: str) -> Frame:
        return NETWORK.read_notation(text)

    def say(self, facts: Facts, frame: Frame) -> str:
        text = NETWORK.say(facts, frame)
        if ("start",) in facts:
            text += f"\nThe walk starts at {labels.label(facts[('start',)], frame)}."
        return text.strip()

    def hear(self, text: str, frame: Frame) -> Facts:
        facts = NETWORK.hear(text, frame)
        match = _START.search(text)
        start = labels.resolve(match[1], frame, labels.KNOWN_WORDS) if match else None
        return facts | {("start",): start} if start else facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        return NETWORK.gaps(facts)

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        if not self.gaps(facts):
            return facts
        search = Search(facts, rng or random.Random(0))
        if not search.go_on(facts[("start",)], edges_of(facts), self.gaps(facts)):
            raise Reject("no walk uses all known links")
        return facts | {edge_key(*edge): "link" for edge in search.added}

    def solve(self, facts: Facts) -> Answer | None:
        left, walk = sorted(edges_of(facts)), [facts[("start",)]]
        if not left or jumps(left, walk[0]):
            return None
        while left:  # never take a step that leaves links out of reach (Fleury)
            for edge in left:
                if walk[-1] in edge:
                    rest, there = [e for e in left if e != edge], other(edge, walk[-1])
                    if not jumps(rest, there):
                        break
            left, walk = rest, [*walk, there]
        return walk

    # -- answers -----------------------------------------------------------------------------
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return [labels.label(name, frame) for name in answer]

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        return read_sequence(value, frame, longest=60)

    def read_loosely(self, text: str) -> Any | None:
        return longest_run(text)

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        left = {key[1:] for key in facts if key[0] == "edge"}
        total = len(left)
        if answer[0] != facts[("start",)] or len(answer) - 1 > total:
            return 0.0
        for pair in itertools.pairwise(answer):
            edge = tuple(sorted(pair)) if None not in pair else None
            if edge not in left:
                break
            left.remove(edge)
        return (total - len(left)) / total


class Search:
    """A random walk over all known links and as many new ones as are missing."""

    def __init__(self, facts: Facts, rng: random.Random) -> None:
        self.nodes, self.rng, self.budget = facts[("nodes",)], rng, BUDGET
        self.known = {key[1:] for key in facts if key[0] == "edge"}
        self.added: list[Edge] = []

    def go_on(self, here: str, left: list[Edge], missing: int) -> bool:
        """Whether the walk can be finished from here; ``added`` then holds its new links."""
        self.budget -= 1
        if self.budget < 0 or jumps(left, here) > missing:
            return False
        if not left and not missing:
            return True
        new: list[Key] = [edge_key(here, name)[1:] for name in self.nodes if missing and name != here]
        ways = [edge for edge in left if here in edge]
        ways += [e for e in new if e not in self.known and e not in self.added]
        self.rng.shuffle(ways)
        for edge in ways:
            fresh = edge not in self.known
            if fresh:
                self.added.append(edge)
            if self.go_on(other(edge, here), [e for e in left if e != edge], missing - fresh):
                return True
            if fresh:
                self.added.pop()
        return False


def other(edge: Edge, end: str) -> str:
    """The other end of a link."""
    return edge[1] if edge[0] == end else edge[0]


def jumps(edges: Collection[Edge], start: str) -> int:
    """How many links one walk from the start over all these links lacks at least; 0 if there is one."""
    near: dict[str, list[str]] = {}
    for first, second in edges:
        near.setdefault(first, []).append(second)
        near.setdefault(second, []).append(first)
    seen: set[str] = set()
    walks, begins = 0, not edges
    for name in near:
        if name in seen:
            continue
        part = [name]
        seen.add(name)
        for node in part:  # grows while it is walked
            for there in near[node]:
                if there not in seen:
                    seen.add(there)
                    part.append(there)
        odd = [node for node in part if len(near[node]) % 2]
        walks += max(1, len(odd) // 2)
        begins = begins or start in (odd or part)
    return walks - begins if edges else 0


def goes_far(edges: Collection[Edge], start: str, steps: int) -> bool:
    """Whether a walk from the start along these links has more steps than that."""
    ways = [edge for edge in edges if start in edge]
    if steps == 0 or not ways:
        return bool(ways)
    return any(goes_far([e for e in edges if e != w], other(w, start), steps - 1) for w in ways)


TASK = EulerPath()
