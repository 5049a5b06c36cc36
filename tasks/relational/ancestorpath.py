"""Ancestors: for each question the path from a node up to an ancestor; the links are split over the views.

View A lists parents with their children, by name; view B tells each child's parents, by ID, with the list of
IDs. Each path has links in both views, and each view leaves several equally short ways of closing its gaps.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Mapping
from typing import Any

from tasks import labels
from tasks.ancestry import Link, Links, pick_questions, single_paths
from tasks.contract import Answer, Draft, Facts, Frame, Reject, Task
from tasks.labelruns import echo_scores, read_sequence, runs
from tasks.networks import links_of, missing_links

SPLITS = 8  # ways to split the links over the views that are tried before they are drawn again
FORMS = {"parents": "parent by parent, X: its children", "children": "child by child, as sentences"}
_NODES = re.compile(r"The nodes are ([^.]*)\.")
_COUNT = re.compile(r"There are ([0-9]{1,3}) links")
_CHILDREN = re.compile(r"Children of (\w+): ([^.]*)\.")
_PARENTS = re.compile(r"(\w+) is a child of ([^.]*)\.")
_QUERY = re.compile(r"Question ([0-9]{1,2}): from (\w+) up to (\w+)\?")


class AncestorPath(Task):
    """Facts: ("link", child, parent) -> "link"; public: ("nodes",) -> all names, ("links",) -> their number,
    ("query", i) -> (from, up to)."""

    name = "ancestorpath"
    family = "relational"
    title = "Paths to ancestors"
    rules = (
        "Links between parents and children are given; a node may have several parents. For each question "
        "find the path from the first node up to the second one, at each step from a child to one of its "
        "parents. There is exactly one, with at least one node between its ends."
    )
    noun = "links"
    answer_key = "paths"
    answer_format = (
        'one line of JSON, {"paths": [["X", "Y", "Z"], ...]}: one path for each question, in the order of '
        "the questions, both ends included, nodes named as in your view."
    )
    score_rule = "Fraction of the paths that are exactly right; 0 unless there is one path a question."
    sizes = {
        "tiny": {"nodes": 7, "links": 7, "queries": 2, "steps": (2, 3), "open": 3},
        "small": {"nodes": 9, "links": 11, "queries": 2, "steps": (2, 4), "open": 4},
        "paper": {"nodes": 12, "links": 16, "queries": 3, "steps": (2, 5), "open": 4},
        "large": {"nodes": 16, "links": 26, "queries": 4, "steps": (2, 8), "open": 5},
    }
    public = frozenset({"nodes", "links", "query"})

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        line = rng.sample(labels.WORDS, size["nodes"])  # children come before their parents
        near = [pair for gap in range(1, 5) for pair in zip(line, line[gap:], strict=False)]
        links = rng.sample(near, size["links"])
        pairs = single_paths(Links(line, links), size["steps"])
        rng.shuffle(pairs)
        for _ in range(SPLITS):
            parts = links[: len(links) // 2], links[len(links) // 2 :]
            asked = pick_questions(pairs, [Links(line, part) for part in parts], size)
            if len(asked) == size["queries"]:
                break
            rng.shuffle(links)
        else:
            raise Reject("too few paths that need both views")
        names = tuple(sorted(line))
        shared: Facts = {("nodes",): names, ("links",): len(links)}
        shared |= {("query", number): pair for number, pair in enumerate(asked, 1)}
        known = [{("link", *link): "link" for link in part} for part in parts]
        by_id = {"form": "children", "alias": labels.draw_alias(rng, names, "N")}
        frames: dict[str, Frame] = {"full": {"form": "parents"}, "a": {"form": "parents"}, "b": by_id}
        draft = Draft({"a": shared | known[0], "b": shared | known[1]}, frames)
        if echo_scores(self, draft):
            raise Reject("the nodes are listed as a path")
        return draft

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        return f"Links are told {FORMS[frame['form']]}. {labels.state_labels('Nodes', frame)}"

    def read_notation(self, text: str) -> Frame:
        form = next((form for form, told in FORMS.items() if f"Links are told {told}" in text), None)
        if form is None:
            raise ValueError("no notation of links")
        return {"form": form} | labels.read_labels(text)

    def say(self, facts: Facts, frame: Frame) -> str:
        lines = []
        if ("nodes",) in facts:
            lines.append(f"The nodes are {', '.join(labels.labels(facts[('nodes',)], frame))}.")
        if ("links",) in facts:
            lines.append(f"There are {facts[('links',)]} links in all.")
        pairs = [[labels.label(name, frame) for name in link] for link in links_of(facts)]
        if frame["form"] == "parents":
            pairs = [[parent, child] for child, parent in pairs]
        pairs.sort(key=lambda pair: [labels.order(end) for end in pair])
        for first, group in itertools.groupby(pairs, key=lambda pair: pair[0]):
            others = [pair[1] for pair in group]
            if frame["form"] == "parents":
                lines.append(f"Children of {first}: {', '.join(others)}.")
            else:
                lines.append(f"{first} is a child of {' and '.join(others)}.")
        for number, pair in labels.questions(facts):
            low, high = (labels.label(name, frame) for name in pair)
            lines.append(f"Question {number}: from {low} up to {high}?")
        return "\n".join(lines)

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {}
        if match := _NODES.search(text):
            facts[("nodes",)] = tuple(sorted(labels.mentioned(match[1], frame, labels.KNOWN_WORDS)))
        if match := _COUNT.search(text):
            facts[("links",)] = int(match[1])
        if frame["form"] == "parents":
            told = [(child, m[1]) for m in _CHILDREN.finditer(text) for child in m[2].split(",")]
        else:
            told = [(m[1], parent) for m in _PARENTS.finditer(text) for parent in m[2].split(" and ")]
        found = [("link", *pair) for pair in told] + [("query", *m) for m in _QUERY.findall(text)]
        for kind, *middle, first, second in found:
            low, high = (labels.resolve(end.strip(), frame, labels.KNOWN_WORDS) for end in (first, second))
            if low and high and low != high:
                if kind == "link":
                    facts[("link", low, high)] = "link"
                else:
                    facts[("query", int(middle[0]))] = (low, high)
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        return missing_links(facts)

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        chance = rng or random.Random(0)
        known, missing = Links(facts[("nodes",)], links_of(facts)), self.gaps(facts)
        asked = [pair for _, pair in labels.questions(facts)]
        added: list[Link] = []
        for pair in chance.sample(asked, len(asked)):
            ways = [] if known.path(*pair) else known.guesses(*pair)
            for link in chance.choice(ways) if ways else ():
                known.add(*link)
                added.append(link)
        added = [link for link in dict.fromkeys(added) if ("link", *link) not in facts][:missing]
        added += known.others(missing - len(added), asked, chance)
        return facts | {("link", *link): "link" for link in added}

    def solve(self, facts: Facts) -> Answer | None:
        links = Links(facts[("nodes",)], links_of(facts))
        paths = [links.path(*pair) for _, pair in labels.questions(facts)]
        return paths if paths and all(paths) else None

    # -- answers -----------------------------------------------------------------------------
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return [[labels.label(name, frame) for name in path] for path in answer]

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        entries = labels.answer_list(value) or []
        paths = [read_sequence(entry, frame, len(labels.WORDS)) for entry in entries]
        return paths if any(paths) else None

    def read_loosely(self, text: str) -> Any | None:
        return runs(text, 3) or None

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        return labels.fraction_equal(answer, truth)


TASK = AncestorPath()
