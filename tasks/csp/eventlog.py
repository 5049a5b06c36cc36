"""Event log: when events ended; one log has their starts, the other one how long they took.

View A is a log of starts in UTC on a 24-hour clock, by name; view B tells in sentences how many blocks of
some minutes the events lasted and in which time zones their sites are, by ID with the list of IDs, and
writes times of day in another zone on a 12-hour clock. The questions are known to both.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

from tasks import clocks, eventquestions, labels
from tasks.answers import whole
from tasks.contract import Answer, Draft, Facts, Frame, Task
from tasks.eventquestions import DETAILS, EVENTS, KNOWN

FIRST, LAST, LONGEST = 8 * 60, 13 * 60, 180  # starts (UTC) and durations, in minutes
FORMS = {
    "log entries": {"start": "[{value}] start of {event}", "lasts": "[{value}] length of {event}",
            "zone": "[{value}] site of {event}"},
    "sentences": {"start": "{event} starts at {value}.", "lasts": "{event} lasts {value}.",
                  "zone": "The site of {event} is at {value}."},
}  # fmt: skip
_FORM = re.compile(r"Events are written as (log entries|sentences)")
_UNIT = re.compile(r"durations are in (?:minutes|blocks of ([1-9][0-9]?) minutes)\.")
_AMOUNT = re.compile(r"([0-9]{1,5}(?:\.[0-9]{1,12})?) (?:min|blocks?)")
_QUESTION = re.compile(r"Question ([1-9]): (.*)")
_LOOSE = re.compile(  # bounded, so that hostile text costs no time and a line of reasoning is no answer
    r"(?im)^[^\w\n]{0,20}(?:question|answer|q)?[ \t]{0,4}([1-9])[ \t]{0,4}[:.)]"
    r"[ \t*]{1,8}(\w[^\n]{0,80}?)[ \t.*]{0,20}$"
)
_STEP = re.compile(r"All starts and durations are multiples of ([1-9][0-9]?) minutes\.")
_PATTERNS = {
    form: {
        kind: re.compile(
            re.escape(text)
            .replace(r"\{event\}", r"(?P<event>\w+)")
            .replace(r"\{value\}", r"(?P<value>[\w:+. -]+?)")
            + "$"
        )
        for kind, text in wording.items()
    }
    for form, wording in FORMS.items()
}


class EventLog(Task):
    """Facts: ("start", event) -> minutes UTC, ("lasts", event) -> minutes, ("zone", event) -> minutes ahead.

    Public: ("question", i) -> (kind, ...) and ("step",) -> minutes of which all times are multiples.
    """

    name = "eventlog"
    family = "csp"
    title = "Event log"
    rules = (
        "Answer the questions about the events of one day. An event ends when its duration has passed "
        "after its start; the clock at its site shows UTC plus the offset of the site's zone."
    )
    noun = "log entries"
    answer_key = "answers"
    answer_format = (
        'one line of JSON, {"answers": [x, ...]}: one answer for each question, in order: a number of '
        "minutes, a time of day such as 14:05, or an event as your view calls it."
    )
    score_rule = "Fraction of the questions answered exactly right; 0 unless there is one answer a question."
    sizes = {
        "tiny": {"events": 2, "step": 30, "questions": ("after", "local"), "choice": 0},
        "small": {"events": 5, "step": 15, "questions": ("after", "local", "between", "first"), "choice": 3},
        "paper": {
            "events": 8,
            "step": 5,
            "questions": ("after", "local", "local", "between", "first"),
            "choice": 4,
        },
        "large": {
            "events": 14,
            "step": 5,
            "questions": ("after", "after", "local", "local", "local", "between", "between", "first"),
            "choice": 6,
        },
    }
    public = frozenset({"question", "step"})
    misreadable = ("zone", "unit")
    least_answers = 4

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        step, events = size["step"], sorted(rng.sample(EVENTS, size["events"]))
        starts: Facts = {("start", event): rng.randrange(FIRST, LAST + 1, step) for event in events}
        rest: Facts = {("lasts", event): rng.randrange(step, LONGEST + 1, step) for event in events}
        rest |= {("zone", event): rng.choice(clocks.ZONES) for event in events}
        public: Facts = {("step",): step}
        unasked = rng.sample(events, len(events))
        for number, kind in enumerate(size["questions"], 1):
            public[("question", number)] = eventquestions.ask(
                rng, kind, starts | rest, unasked, size["choice"]
            )
        frame_a = {"form": "log entries", "unit": 1, "zone": 0, "clock": 24}
        frame_b = {"form": "sentences", "unit": step, **clocks.draw_clock(rng, 12, unlike=0)}
        frame_b["alias"] = labels.draw_alias(rng, events, "E")
        return Draft(
            {"a": public | starts, "b": public | rest},
            {"full": frame_a | {"form": "sentences"}, "a": frame_a, "b": frame_b},
        )

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        unit = "minutes" if frame["unit"] == 1 else f"blocks of {frame['unit']} minutes"
        return (
            f"Events are written as {frame['form']}; durations are in {unit}. {clocks.state_clock(frame)} "
            f"{labels.state_labels('Events', frame)}"
        )

    def read_notation(self, text: str) -> Frame:
        text = " ".join(text.split())
        form, unit = _FORM.search(text), _UNIT.search(text)
        if not form or not unit:
            raise ValueError("no form or unit stated")
        frame = {"form": form[1], "unit": int(unit[1] or 1)}
        return frame | clocks.read_stated_clock(text) | labels.read_labels(text)

    def say(self, facts: Facts, frame: Frame) -> str:
        lines = []
        details = [key for key in facts if key[0] in DETAILS]
        details.sort(key=lambda key: (labels.order(labels.label(key[1], frame)), DETAILS.index(key[0])))
        for key in details:
            event = labels.label(key[1], frame)
            lines.append(
                FORMS[frame["form"]][key[0]].format(event=event, value=_write(key[0], facts[key], frame))
            )
        if ("step",) in facts:
            lines.append(f"All starts and durations are multiples of {facts[('step',)]} minutes.")
        asked = labels.questions(facts, "question")
        return "\n".join(
            lines + [f"Question {number}: {eventquestions.write_question(q, frame)}" for number, q in asked]
        )

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {}
        for line in text.splitlines():
            if match := _QUESTION.search(line):
                question = eventquestions.read_question(match[2], frame)
                facts |= {("question", int(match[1])): question} if question else {}
            elif match := _STEP.search(line):
                facts[("step",)] = int(match[1])
            else:
                facts |= _read_entry(line.strip(), frame)
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        return len(eventquestions.missing(facts))

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        step = facts[("step",)]
        full = dict(facts)
        for key in eventquestions.missing(facts):
            if key[0] == "zone":
                full[key] = rng.choice(clocks.ZONES) if rng else 0
            elif key[0] == "start":
                full[key] = rng.randrange(FIRST, LAST + 1, step) if rng else FIRST
            else:
                full[key] = rng.randrange(step, LONGEST + 1, step) if rng else LONGEST // 2
        return full

    def solve(self, facts: Facts) -> Answer | None:
        if eventquestions.missing(facts):
            return None
        return [
            eventquestions.answer(question, facts) for question in eventquestions.questions(facts)
        ] or None

    # -- answers -----------------------------------------------------------------------------
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return [_write_item(item, frame) for item in answer]

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        items = labels.answer_list(value)
        return None if items is None else [_read_item(item, frame) for item in items]

    def read_loosely(self, text: str) -> Any | None:
        return labels.in_order((int(match[1]), match[2]) for match in _LOOSE.finditer(text))

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        return labels.fraction_equal(answer, truth)


# -- writing and reading single entries ----------------------------------------------------------
def _write(kind: str, value: int, frame: Frame) -> str:
    if kind == "start":
        return clocks.write_time(value, frame)
    if kind == "zone":
        return clocks.write_zone(value)
    amount = f"{value / frame['unit']:.9g}"
    return f"{amount} {'min' if frame['unit'] == 1 else 'block' if amount == '1' else 'blocks'}"


def _read_entry(line: str, frame: Frame) -> Facts:
    """The start, duration or zone that a line tells, if any."""
    for kind, pattern in _PATTERNS[frame["form"]].items():
        match = pattern.search(line)
        event = labels.resolve(match["event"], frame, KNOWN) if match else None
        if not match or event is None:
            continue
        amount = _AMOUNT.fullmatch(match["value"])
        value: int | None
        if kind == "lasts":
            value = round(float(amount[1]) * frame["unit"]) if amount else None
        else:
            value = (
                clocks.read_zone(match["value"])
                if kind == "zone"
                else clocks.read_time(match["value"], frame)
            )
        return {} if value is None else {(kind, event): value}
    return {}


def _write_item(item: Any, frame: Frame) -> Any:
    shown = clocks.read_clock(item)
    if shown is not None:
        return clocks.write_clock(shown, frame["clock"])
    return labels.label(item, frame) if isinstance(item, str) else item


def _read_item(item: Any, frame: Frame) -> Any:
    """One answer: minutes as a number, a time of day as 24-hour text, an event by name; None for another."""
    if isinstance(item, str) and len(item) < 60:
        item = re.sub(r"\s*min(?:ute)?s?\.?$", "", item)
        shown = clocks.read_clock(re.sub(r"\s*\(?(?:UTC\S*|local(?: time)?)\)?$", "", item))
        if shown is not None:
            return clocks.write_clock(shown)
    number = whole(item)
    return labels.only_mentioned(item, frame, KNOWN) if number is None else number


TASK = EventLog()
