"""Subtree sums: add up the times of jobs in a tree; structure and times are split over the views.

View A tells the tree as lists of children, by name, and the times at even depth; view B tells the times at
odd depth in another unit, by ID, with the list of IDs.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

from tasks import labels
from tasks.answers import word
from tasks.contract import Answer, Draft, Facts, Frame, Reject, Task
from tasks.trees import below, read_tree, say_tree

UNITS = {"min": 1, "h": 60}
HIGHEST = 9  # a time is 1 to 9 hours, so that it is a whole number in both units
_JOBS = re.compile(r"The jobs are ([^.]*)\.")
_TIME = re.compile(r"(?:(\w+) takes|The time of (\w+) is) ([0-9]{1,6}(?:\.[0-9]{1,6})?)\.", re.ASCII)
_QUERY = re.compile(r"Question ([0-9]{1,2}): what is the total of (\w+)\?")
_AMOUNT = re.compile(r"\s*([0-9]{1,6}(?:\.[0-9]{1,18})?)\s*(?:(min|h)[a-z]*\.?)?\s*")
_LIST_MARK = re.compile(r"(?m)^\s*(?:[-*]|[0-9]+[.):](?![0-9])|Question [0-9]+:?)\s*")
_NUMBER = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6})?")


class TreeSum(Task):
    """Facts: ("parent", job), ("query", i) -> job; ("time", job) -> minutes; ("jobs",) -> all names."""

    name = "treesum"
    family = "relational"
    title = "Totals in a tree of jobs"
    rules = (
        "Jobs form a tree: every job but one is directly below another one. The total of a job is its own "
        "time plus the own times of all jobs below it, on all levels. Answer the questions."
    )
    noun = "links and times"
    answer_key = "totals"
    answer_format = (
        'one line of JSON, {"totals": [n, ...]}: one number for each question, in the order of the '
        "questions and in the unit of your view."
    )
    score_rule = "Fraction of the totals that are exactly right; 0 unless there is one number a question."
    sizes = {
        "tiny": {"jobs": 5, "queries": 2, "subtree": (2, 3)},
        "small": {"jobs": 7, "queries": 3, "subtree": (2, 5)},
        "paper": {"jobs": 10, "queries": 3, "subtree": (2, 7)},
        "large": {"jobs": 16, "queries": 4, "subtree": (3, 12)},
    }
    public = frozenset({"jobs", "query"})
    misreadable = ("unit",)

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        names = rng.sample(labels.WORDS, size["jobs"])
        tree: Facts = {}
        depth = {names[0]: 0}
        for number, name in enumerate(names[1:], 1):
            above = rng.choice(names[max(0, number - 4) : number])
            tree[("parent", name)] = above
            depth[name] = depth[above] + 1
        low, high = size["subtree"]
        roots = [name for name in sorted(names) if low <= len(below(tree, name)) <= high]
        if len(roots) < size["queries"]:
            raise Reject("too few subtrees to ask for")
        asked = rng.sample(roots, size["queries"])
        shared: Facts = {("jobs",): tuple(sorted(names))}
        shared |= {("query", number): name for number, name in enumerate(asked, 1)}
        times = [
            {("time", n): 60 * rng.randint(1, HIGHEST) for n in names if depth[n] % 2 == odd}
            for odd in (0, 1)
        ]
        unit_a, unit_b = rng.sample(list(UNITS), 2)
        alias = labels.draw_alias(rng, names, "J")
        frames: dict[str, Frame] = {
            "full": {"form": "lists", "unit": rng.choice(list(UNITS))},
            "a": {"form": "lists", "unit": unit_a},
            "b": {"form": "sentences", "unit": unit_b, "alias": alias},
        }
        return Draft({"a": shared | tree | times[0], "b": shared | times[1]}, frames)

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        told = f"Links are written as {frame['form']}; times are in {frame['unit']}."
        return f"{told} {labels.state_labels('Jobs', frame)}"

    def read_notation(self, text: str) -> Frame:
        match = re.search(r"Links are written as (lists|sentences); times are in (min|h)\b", text)
        if not match:
            raise ValueError("no notation of jobs")
        return {"form": match[1], "unit": match[2]} | labels.read_labels(text)

    def say(self, facts: Facts, frame: Frame) -> str:
        lines = []
        if ("jobs",) in facts:
            lines.append(f"The jobs are {', '.join(labels.labels(facts[('jobs',)], frame))}.")
        lines += say_tree(facts, frame)
        times = {labels.label(key[1], frame): value for key, value in facts.items() if key[0] == "time"}
        for job in sorted(times, key=labels.order):
            amount = write_time(times[job], frame)
            lines.append(
                f"{job} takes {amount}." if frame["form"] == "lists" else f"The time of {job} is {amount}."
            )
        for number, name in labels.questions(facts):
            lines.append(f"Question {number}: what is the total of {labels.label(name, frame)}?")
        return "\n".join(lines)

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {}
        if match := _JOBS.search(text):
            facts[("jobs",)] = tuple(sorted(labels.mentioned(match[1], frame, labels.KNOWN_WORDS)))
        found = [("parent", *link) for link in read_tree(text)]
        found += [("query", number, job) for number, job in _QUERY.findall(text)]
        found += [("time", m[1] or m[2], m[3]) for m in _TIME.finditer(text)]
        for kind, first, second in found:
            job = labels.resolve(second if kind == "query" else first, frame, labels.KNOWN_WORDS)
            above = labels.resolve(second, frame, labels.KNOWN_WORDS) if kind == "parent" else None
            if kind == "query" and job:
                facts[("query", int(first))] = job
            elif kind == "time" and job:
                facts[("time", job)] = to_minutes(float(second), frame["unit"])
            elif job and above and job != above:
                facts[("parent", job)] = above
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        jobs = facts[("jobs",)]
        links = sum(("parent", job) in facts for job in jobs)
        return max(0, len(jobs) - 1 - links) + sum(("time", job) not in facts for job in jobs)

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        jobs, full = facts[("jobs",)], dict(facts)
        tops = [job for job in jobs if ("parent", job) not in facts]
        if rng:
            rng.shuffle(tops)
        for top in tops[1:]:  # hang every loose part but the first one below a job outside it
            own = below(full, top)
            outside = [job for job in jobs if job not in own]
            full[("parent", top)] = rng.choice(outside) if rng else outside[0]
        for job in jobs:
            full.setdefault(("time", job), 60 * (rng.randint(1, HIGHEST) if rng else HIGHEST // 2 + 1))
        return full

    def solve(self, facts: Facts) -> Answer | None:
        totals = [total(facts, name) for _, name in labels.questions(facts)]
        return None if None in totals or not totals else totals

    # -- answers -----------------------------------------------------------------------------
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        unit = UNITS[frame["unit"]]
        return [minutes // unit if minutes % unit == 0 else minutes / unit for minutes in answer]

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        entries = labels.answer_list(value)
        totals = [read_total(entry, frame) for entry in entries or []]
        return totals if any(entry is not None for entry in totals) else None

    def read_loosely(self, text: str) -> Any | None:
        return [float(number) for number in _NUMBER.findall(_LIST_MARK.sub(" ", text))] or None

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        return labels.fraction_equal(answer, truth)


def total(facts: Facts, top: str) -> int | None:
    """Minutes of the job and all jobs below it; None where a time is missing."""
    jobs = below(facts, top)
    return sum(facts[("time", job)] for job in jobs) if all(("time", job) in facts for job in jobs) else None


def write_time(minutes: int, frame: Frame) -> str:
    """A time in the frame's unit, without naming the unit."""
    unit = UNITS[frame["unit"]]
    return str(minutes // unit) if minutes % unit == 0 else f"{minutes / unit:.6f}"


def to_minutes(amount: float, unit: str) -> int:
    """A time in whole minutes."""
    return round(amount * UNITS[unit])


def read_total(entry: Any, frame: Frame) -> int | None:
    """Minutes that one entry of an answer states; a unit that it names wins over the frame's."""
    text = str(entry) if isinstance(entry, int | float) and not isinstance(entry, bool) else word(entry)
    match = _AMOUNT.fullmatch(text) if text else None
    return to_minutes(float(match[1]), match[2] or frame["unit"]) if match else None


TASK = TreeSum()
