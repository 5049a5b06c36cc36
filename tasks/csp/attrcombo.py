"""Attributes of people: who has which combination; one holder has two attributes, the other the third.

View A tells two attributes in one sentence a person, by name, and counts floors in one way; view B lists
the badges of people by value of the third attribute, has the list of badges, and counts floors in the other
way. The questions are known to both and each needs attributes of both views.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

from tasks import combinations, labels
from tasks.contract import Answer, Draft, Facts, Frame, Task

FORMS = {"people": "What is known is told person by person.", "values": "People are listed value by value."}
_GROUND = re.compile(r"The ground floor is floor ([01])\.")
_SENTENCE = re.compile(r"(\w+) has (.*)\.")
_LISTED = re.compile(r"People with (.*): ([\w, ]+)\.")
_PUBLIC = re.compile(r"(People|Values of (city|hobby|pet|floor)): ([\w, ]+)\.")
_QUESTION = re.compile(
    r"Question ([1-9]): (?:Who|Which (city|hobby|pet) does the person have who) has ([\w ]+)\?"
)
_TRIES = 12  # random fills until one answers all questions


class AttrCombo(Task):
    """Facts: ("has", person, attribute) -> value.

    Public: ("people",) -> names, ("values", attribute) -> the values that there are, and ("question", i) ->
    (wanted attribute or "who", attribute, value, ...): the conditions, which one person fulfils.
    """

    name = "attrcombo"
    family = "csp"
    title = "Who has what"
    rules = (
        "Some people have one value of each attribute. Answer the questions; exactly one person fulfils what "
        "a question says."
    )
    noun = "attributes"
    answer_key = "answers"
    answer_format = (
        'one line of JSON, {"answers": ["x", ...]}: one answer for each question, in order: a person as your '
        "view calls people, or a value."
    )
    score_rule = "Fraction of the questions answered right; 0 unless there is one answer a question."
    sizes = {
        "tiny": {"people": 4, "values": 6, "split": (1, 1), "questions": ("b", "a"), "rivals": 1},
        "small": {"people": 6, "values": 6, "split": (2, 1), "questions": ("b", "a", "b", "a"), "rivals": 1},
        "paper": {"people": 8, "values": 6, "split": (2, 1), "questions": ("b", "a", "b", "a"), "rivals": 1},
        "large": {
            "people": 18,
            "values": 6,
            "split": (2, 2),
            "questions": ("b", "b", "a", "a", "who", "who"),
            "rivals": 3,
        },
    }
    public = frozenset({"people", "values", "question"})
    misreadable = ("ground",)
    least_answers = 4

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        people = sorted(rng.sample(combinations.PEOPLE, size["people"]))
        n, m = size["split"]
        chosen = rng.sample(list(combinations.VALUES), n + m)
        sides = {"a": sorted(chosen[:n]), "b": sorted(chosen[n:])}
        public: Facts = {("people",): tuple(people)}
        has: Facts = {}
        for attribute in sorted(chosen):
            values = sorted(rng.sample(combinations.VALUES[attribute], size["values"]))
            public[("values", attribute)] = tuple(values)
            dealt = rng.sample(values * (len(people) // len(values) + 1), len(people))  # none is frequent
            has |= {("has", person, attribute): value for person, value in zip(people, dealt, strict=True)}
        for number, kind in enumerate(size["questions"], 1):
            asked = [value for key, value in public.items() if key[0] == "question"]
            public[("question", number)] = combinations.ask(
                rng, kind, has, people, sides, size["rivals"], asked
            )
        parts = {h: {key: value for key, value in has.items() if key[2] in sides[h]} for h in sides}
        ground = rng.randrange(2)
        frames: dict[str, Frame] = {
            "full": {"form": "people", "ground": ground},
            "a": {"form": "people", "ground": ground},
            "b": {"form": "values", "ground": 1 - ground, "alias": labels.draw_alias(rng, people, "P")},
        }
        return Draft({h: public | parts[h] for h in parts}, frames)

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        return (
            f"{FORMS[frame['form']]} The ground floor is floor {frame['ground']}. "
            f"{labels.state_labels('People', frame)}"
        )

    def read_notation(self, text: str) -> Frame:
        text = " ".join(text.split())
        form = next((form for form, sentence in FORMS.items() if sentence in text), None)
        ground = _GROUND.search(text)
        if form is None or not ground:
            raise ValueError("no form or floors stated")
        return {"form": form, "ground": int(ground[1])} | labels.read_labels(text)

    def say(self, facts: Facts, frame: Frame) -> str:
        lines = []
        if ("people",) in facts:
            lines.append(f"People: {', '.join(labels.labels(facts[('people',)], frame))}.")
        for key, values in sorted(facts.items()):
            if key[0] == "values":
                lines.append(
                    f"Values of {key[1]}: {', '.join(combinations.write(value, frame) for value in values)}."
                )
        lines += _say_people(facts, frame) if frame["form"] == "people" else _say_values(facts, frame)
        for number, (wanted, *conditions) in labels.questions(facts, "question"):
            told = " and ".join(
                f"{a} {combinations.write(v, frame)}" for a, v in combinations.pairs(conditions)
            )
            start = "Who has" if wanted == "who" else f"Which {wanted} does the person have who has"
            lines.append(f"Question {number}: {start} {told}?")
        return "\n".join(lines)

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {}
        for line in map(str.strip, text.splitlines()):
            if match := _QUESTION.fullmatch(line):
                conditions = combinations.conditions(match[3], frame)
                if conditions:
                    flat = [part for pair in conditions for part in pair]
                    facts[("question", int(match[1]))] = (match[2] or "who", *flat)
            elif match := _PUBLIC.fullmatch(line):
                facts |= _hear_public(match, frame)
            elif match := _LISTED.fullmatch(line):
                people = labels.mentioned(match[2], frame, combinations.KNOWN)
                facts |= {
                    ("has", p, a): v for a, v in combinations.conditions(match[1], frame) for p in people
                }
            elif match := _SENTENCE.fullmatch(line):
                person = labels.resolve(match[1], frame, combinations.KNOWN)
                if person in combinations.PEOPLE:
                    facts |= {("has", person, a): v for a, v in combinations.conditions(match[2], frame)}
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        return len(combinations.unknown(facts))

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        rng = rng or random.Random(0)
        unknown = combinations.unknown(facts)
        full = dict(facts)
        for _ in range(_TRIES):
            full = dict(facts)
            for _, (_, *conditions) in labels.questions(facts, "question"):  # somebody fulfils it
                able = [p for p in facts[("people",)] if combinations.may(full, p, conditions)]
                if able:
                    person = rng.choice(able)
                    full |= {("has", person, a): v for a, v in combinations.pairs(conditions)}
            for key in unknown:
                if key not in full:
                    full[key] = rng.choice(facts[("values", key[2])])
            if self.solve(full) is not None:
                break
        return full

    def solve(self, facts: Facts) -> Answer | None:
        answers = []
        for _, (wanted, *conditions) in labels.questions(facts, "question"):
            who = [p for p in facts[("people",)] if combinations.fulfils(facts, p, conditions)]
            answer = who[0] if len(who) == 1 else None
            if answer is not None and wanted != "who":
                answer = facts.get(("has", answer, wanted))
            if answer is None:
                return None
            answers.append(answer)
        return answers or None

    # -- answers -----------------------------------------------------------------------------
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return [labels.label(item, frame) for item in answer]

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        items = labels.answer_list(value)
        return (
            None
            if items is None
            else [labels.only_mentioned(item, frame, combinations.KNOWN) for item in items]
        )

    def read_loosely(self, text: str) -> Any | None:
        return labels.numbered_answers(text)

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        return labels.fraction_equal(answer, truth)


def _hear_public(match: re.Match[str], frame: Frame) -> Facts:
    if match[1] == "People":
        return {("people",): tuple(sorted(labels.mentioned(match[3], frame, combinations.KNOWN)))}
    values = [combinations.read(match[2], word, frame) for word in match[3].split(", ")]
    known = sorted({value for value in values if value is not None})
    return {("values", match[2]): tuple(known)} if known else {}


def _say_people(facts: Facts, frame: Frame) -> list[str]:
    """One sentence a person."""
    told: dict[str, list[str]] = {}
    for key in sorted(key for key in facts if key[0] == "has"):
        told.setdefault(labels.label(key[1], frame), []).append(
            f"{key[2]} {combinations.write(facts[key], frame)}"
        )
    return [f"{who} has {' and '.join(told[who])}." for who in sorted(told, key=labels.order)]


def _say_values(facts: Facts, frame: Frame) -> list[str]:
    """One line a value, with the people who have it."""
    listed: dict[tuple[str, Any], list[str]] = {}
    for key, value in facts.items():
        if key[0] == "has":
            listed.setdefault((key[2], value), []).append(key[1])
    lines = []
    for (attribute, value), people in sorted(listed.items()):
        who = ", ".join(labels.labels(people, frame))
        lines.append(f"People with {attribute} {combinations.write(value, frame)}: {who}.")
    return lines


TASK = AttrCombo()
