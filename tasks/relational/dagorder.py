"""Order of tasks: the one order that all constraints allow; the constraints are split over the views.

View A says what comes before what, by name ("Amber before Birch."); view B says what needs what, by ID
("S3 needs S1 and S5."), with the list of IDs. The links between neighbours in the order go to the views in
turns, so that each view alone leaves many orders.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Mapping
from typing import Any

from tasks import labels
from tasks.contract import Answer, Draft, Facts, Frame, Key, Reject, Task
from tasks.labelruns import longest_run, read_sequence

CHANCE = 0.6  # share of the pairs that a guess from one view puts in the right order, about
FORMS = {"before": '"X before Y"', "needs": '"Y needs X", which says that X comes before Y'}
_FORM = re.compile(r"Constraints read (\"X before Y\"|\"Y needs X\")")
_STEPS = re.compile(r"The steps are ([^.]*)\.")
_BEFORE = re.compile(r"\b(\w+) before (\w+)\.")
_NEEDS = re.compile(r"\b(\w+) needs (\w+(?: and \w+)*)\.")


class DagOrder(Task):
    """Facts: ("before", x, y) -> "link"; public: ("steps",) -> all names."""

    name = "dagorder"
    family = "relational"
    title = "Order of steps"
    rules = (
        "Steps are done one after the other. A step comes before another one, or needs another one, which "
        "then comes first. Taken together the constraints allow exactly one order of all steps. Find it."
    )
    noun = "constraints"
    answer_key = "order"
    answer_format = (
        'one line of JSON, {"order": ["X", "Y", ...]}: every step once, from the first to the last, named '
        "as in your view."
    )
    score_rule = (
        "Share of the pairs of steps in the right order (1 - Kendall distance), rescaled so that a one-view "
        "guess is about 0: (s - .6) / .4, at least 0; 0 unless every step stands there once."
    )
    sizes = {
        "tiny": {"steps": 4, "extra": 0},
        "small": {"steps": 6, "extra": 1},
        "paper": {"steps": 8, "extra": 3},
        "large": {"steps": 14, "extra": 8},
    }
    public = frozenset({"steps"})

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        order = rng.sample(labels.WORDS, size["steps"])
        shared: Facts = {("steps",): tuple(sorted(order))}
        alias = labels.draw_alias(rng, order, "S")
        for listed in (sorted(order), list(alias.values())):
            if self.grade(shared, order, listed):
                raise Reject("the steps are listed in about the right order")
        parts: list[Facts] = [{}, {}]
        first = rng.randrange(2)
        for number, pair in enumerate(itertools.pairwise(order), first):
            parts[number % 2][("before", *pair)] = "link"
        spare = [pair for gap in (2, 3, 4) for pair in zip(order, order[gap:], strict=False)]
        for number, pair in enumerate(rng.sample(spare, size["extra"]), 1 - first):
            parts[number % 2][("before", *pair)] = "link"
        by_id = {"form": "needs", "alias": alias}
        frames: dict[str, Frame] = {"full": {"form": "before"}, "a": {"form": "before"}, "b": by_id}
        return Draft({"a": shared | parts[0], "b": shared | parts[1]}, frames)

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        return f"Constraints read {FORMS[frame['form']]}. {labels.state_labels('Steps', frame)}"

    def read_notation(self, text: str) -> Frame:
        match = _FORM.search(text)
        if not match:
            raise ValueError("no notation of constraints")
        return {"form": "before" if "before" in match[1] else "needs"} | labels.read_labels(text)

    def say(self, facts: Facts, frame: Frame) -> str:
        lines = []
        if ("steps",) in facts:
            lines.append(f"The steps are {', '.join(labels.labels(facts[('steps',)], frame))}.")
        pairs = [[labels.label(name, frame) for name in pair] for pair in pairs_of(facts)]
        if frame["form"] == "before":
            told = sorted(pairs, key=lambda pair: [labels.order(end) for end in pair])
            return "\n".join(lines + [f"{first} before {later}." for first, later in told])
        told = sorted(([later, first] for first, later in pairs), key=lambda pair: [*map(labels.order, pair)])
        for later, group in itertools.groupby(told, key=lambda pair: pair[0]):
            lines.append(f"{later} needs {' and '.join(pair[1] for pair in group)}.")
        return "\n".join(lines)

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {}
        if match := _STEPS.search(text):
            facts[("steps",)] = tuple(sorted(labels.mentioned(match[1], frame, labels.KNOWN_WORDS)))
        if frame["form"] == "before":
            pairs = _BEFORE.findall(text)
        else:
            pairs = [(first, m[1]) for m in _NEEDS.finditer(text) for first in m[2].split(" and ")]
        for pair in pairs:
            first, later = (labels.resolve(end, frame, labels.KNOWN_WORDS) for end in pair)
            if first and later and first != later:
                facts[("before", first, later)] = "link"
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        """Neighbours in the order that nothing links yet: n - 1 less the longest chain of constraints."""
        chain: dict[str, int] = {}
        order = topological(facts, None)
        pairs = pairs_of(facts)
        for name in order or ():
            chain[name] = max((chain[first] + 1 for first, later in pairs if later == name), default=0)
        return 0 if order is None else len(order) - 1 - max(chain.values(), default=0)

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        order = topological(facts, rng)
        if order is None:
            raise Reject("the constraints run in a circle")
        return facts | {("before", *pair): "link" for pair in itertools.pairwise(order)}

    def solve(self, facts: Facts) -> Answer | None:
        return topological(facts, None)

    # -- answers -----------------------------------------------------------------------------
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return [labels.label(name, frame) for name in answer]

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        names = read_sequence(value, frame, len(labels.WORDS))
        return None if names is None or len(set(names)) < len(names) or None in names else names

    def read_loosely(self, text: str) -> Any | None:
        return longest_run(text)

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        if sorted(answer) != sorted(truth):
            return 0.0
        place = {name: number for number, name in enumerate(answer)}
        right = [place[first] < place[later] for first, later in itertools.combinations(truth, 2)]
        return max(0.0, (sum(right) / len(right) - CHANCE) / (1 - CHANCE))


def pairs_of(facts: Facts) -> list[Key]:
    """All constraints among the facts, as (first, later), between steps that there are."""
    steps = facts.get(("steps",))
    pairs = [key[1:] for key in facts if key[0] == "before"]
    return pairs if steps is None else [pair for pair in pairs if pair[0] in steps and pair[1] in steps]


def topological(facts: Facts, rng: random.Random | None) -> list[str] | None:
    """An order of the steps that keeps all constraints: a random one or the first; None for a circle."""
    left, pairs = list(facts[("steps",)]), pairs_of(facts)
    order: list[str] = []
    while left:
        free = [name for name in left if not any(late == name and first in left for first, late in pairs)]
        if not free:
            return None
        order.append(rng.choice(free) if rng else free[0])
        left.remove(order[-1])
    return order


TASK = DagOrder()
