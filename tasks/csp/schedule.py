"""Schedule: find the one slot in which all attendees of an event are free, for every event.

View A lists the free slots of half of the people, person by person, on a 24-hour clock; view B lists who
of the others is free, slot by slot, on a 12-hour clock in another time zone. Who attends what is known to
both. Every event needs people of both views.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping
from typing import Any

from tasks import clocks
from tasks.answers import word
from tasks.contract import Answer, Draft, Facts, Frame, Reject, Task

PEOPLE = ("Ann", "Ben", "Cara", "Dan", "Eve", "Finn", "Gina", "Hugo", "Ivy", "Jack", "Kim", "Leo")
EVENTS = ("budget", "demo", "interview", "kickoff", "planning", "retro", "review", "training", "workshop")
SLOT = 60  # minutes
FORMS = {"people": "Free slots are listed person by person.", "slots": "Free people are listed slot by slot."}
_DAY = re.compile(rf"Slots start every hour from ({clocks.TIME}) to ({clocks.TIME})\.")
_ATTENDS = re.compile(r"The ([a-z]+) is attended by ([A-Za-z, ]+)\.")
_FREE = re.compile(r"([A-Z][a-z]+) is free at ([0-9APM:, ]+)\.")
_SLOT = re.compile(rf"Free at ({clocks.TIME}): ([A-Za-z, ]+)\.")
_LOOSE = re.compile(
    rf"\b({'|'.join(EVENTS)})\b[^a-z0-9\n]*(?:(?:is|at|starts) )*(\d{{1,2}}:\d\d(?: ?[ap]\.?m\b)?)",
    re.IGNORECASE,
)


class Schedule(Task):
    """Facts: ("free", person) -> slots, as minutes UTC; ("attends", event) -> people; ("day",) -> ends."""

    name = "schedule"
    family = "csp"
    title = "Schedule"
    rules = (
        "Find for every event the slot in which all of its attendees are free; there is exactly one. All "
        "slots are on the same day and last one hour; people are busy in all slots not listed as free."
    )
    noun = "people's free slots"
    answer_key = "slots"
    answer_format = (
        'one line of JSON, {"slots": {"event": "time", ...}}: for every event the time at which its slot '
        "starts, in the notation of your view; exactly one slot an event."
    )
    score_rule = "Fraction of the events in a slot in which all attendees are free; 0 if an event is missing."
    sizes = {
        "tiny": {"events": 2, "slots": 12, "more": 0.0, "open": 5},
        "small": {"events": 3, "slots": 10, "more": 0.3, "open": 5},
        "paper": {"events": 4, "slots": 10, "more": 0.3, "open": 5},
        "large": {"events": 6, "slots": 12, "more": 0.3, "open": 5},
    }
    public = frozenset({"day", "attends"})
    misreadable = ("zone",)
    least_answers = 4

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        n = size["events"]
        people = rng.sample(PEOPLE, 2 * n)
        sides = {"a": people[:n], "b": people[n:]}
        first = SLOT * rng.randint(7, 8)
        day = [first + SLOT * k for k in range(size["slots"])]
        events = dict(zip(rng.sample(EVENTS, n), rng.sample(day, n), strict=True))
        groups = {h: _attendance(rng, list(events), sides[h], size["more"]) for h in sides}
        free = _free_slots(rng, day, events, groups, size["open"])
        public: Facts = {("day",): (day[0], day[-1])}
        for event in sorted(events):
            public[("attends", event)] = tuple(sorted(groups["a"][event] + groups["b"][event]))
        known = {h: {("free", person): free[person] for person in sorted(sides[h])} for h in sides}
        frame_a = {"form": "people", **clocks.draw_clock(rng, 24)}
        frames = {
            "full": {"form": "people", **clocks.draw_clock(rng, 24)},
            "a": frame_a,
            "b": {"form": "slots", **clocks.draw_clock(rng, 12, unlike=frame_a["zone"])},
        }
        return Draft({h: public | known[h] for h in sides}, frames)

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        return f"{clocks.state_clock(frame)} {FORMS[frame['form']]}"

    def read_notation(self, text: str) -> Frame:
        form = next((form for form, sentence in FORMS.items() if sentence in " ".join(text.split())), None)
        if form is None:
            raise ValueError("no form stated")
        return {"form": form, **clocks.read_stated_clock(text)}

    def say(self, facts: Facts, frame: Frame) -> str:
        lines = []
        if ("day",) in facts:
            first, last = (clocks.write_time(slot, frame) for slot in facts[("day",)])
            lines.append(f"Slots start every hour from {first} to {last}.")
        for key, value in sorted(facts.items()):
            if key[0] == "attends":
                lines.append(f"The {key[1]} is attended by {', '.join(value)}.")
        free = {key[1]: value for key, value in sorted(facts.items()) if key[0] == "free"}
        if frame["form"] == "people":
            for person, slots in free.items():
                times = ", ".join(clocks.write_time(slot, frame) for slot in slots)
                lines.append(f"{person} is free at {times}.")
        else:
            for slot in sorted({slot for slots in free.values() for slot in slots}):
                who = ", ".join(person for person, slots in free.items() if slot in slots)
                lines.append(f"Free at {clocks.write_time(slot, frame)}: {who}.")
        return "\n".join(lines)

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {}
        free: dict[str, set[int]] = {}
        for match in _DAY.finditer(text):
            ends = _times(match.groups(), frame)
            if len(ends) == 2:
                facts[("day",)] = (ends[0], ends[1])
        for match in _ATTENDS.finditer(text):
            facts[("attends", match[1])] = tuple(match[2].split(", "))
        for match in _FREE.finditer(text):
            free.setdefault(match[1], set()).update(_times(match[2].split(", "), frame))
        for match in _SLOT.finditer(text):
            for person in match[2].split(", "):
                free.setdefault(person, set()).update(_times([match[1]], frame))
        return facts | {("free", person): tuple(sorted(slots)) for person, slots in free.items() if slots}

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        return len(self._unknown(facts))

    def _unknown(self, facts: Facts) -> list[str]:
        """Attendees whose free slots are not known."""
        people = {p for key, who in facts.items() if key[0] == "attends" for p in who}
        return sorted(person for person in people if ("free", person) not in facts)

    def _open(self, facts: Facts, event: str) -> list[int]:
        """Slots in which all attendees are free, as far as known."""
        first, last = facts[("day",)]
        free = [facts.get(("free", person)) for person in facts[("attends", event)]]
        return [s for s in range(first, last + 1, SLOT) if all(slots is None or s in slots for slots in free)]

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        fill: dict[str, set[int]] = {person: set() for person in self._unknown(facts)}
        for event in sorted(key[1] for key in facts if key[0] == "attends"):
            slots = self._open(facts, event)
            if not slots:
                raise Reject("an event has no slot left")
            new = slots if rng is None else [rng.choice(slots)]
            for person in facts[("attends", event)]:
                if person in fill:
                    fill[person].update(new)
        return facts | {("free", person): tuple(sorted(slots)) for person, slots in fill.items()}

    def solve(self, facts: Facts) -> Answer | None:
        events = sorted(key[1] for key in facts if key[0] == "attends")
        slots = {event: self._open(facts, event) for event in events}
        return {event: slots[event][0] for event in events} if events and all(slots.values()) else None

    # -- answers -----------------------------------------------------------------------------
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return {event: clocks.write_time(slot, frame) for event, slot in answer.items()}

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        if not isinstance(value, dict) or not 0 < len(value) <= 20:
            return None
        answer: dict[str, int] = {}
        for key, text in value.items():
            event, slot = (word(key) or "").lower(), clocks.read_time(text, frame)
            if not event or slot is None or event in answer:
                return None
            answer[event] = slot
        return answer

    def read_loosely(self, text: str) -> Any | None:
        answer: dict[str, str] = {}
        for match in _LOOSE.finditer(text):
            event, time = match[1].lower(), match[2].lower()
            if answer.setdefault(event, time) != time:
                return None  # two slots for one event are a listing, not an answer
        return answer or None

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        if set(answer) != set(truth):
            return 0.0
        return sum(slot in self._open(facts, event) for event, slot in answer.items()) / len(truth)


def _times(texts: Iterable[str], frame: Frame) -> list[int]:
    read = [clocks.read_time(text, frame) for text in texts]
    return [time for time in read if time is not None]


def _attendance(
    rng: random.Random, events: list[str], people: list[str], more: float
) -> dict[str, list[str]]:
    """Who of one holder's people attends each event: one each, and now and then a second one."""
    groups = {event: [person] for event, person in zip(events, people, strict=True)}
    for event in events:
        second = rng.choice(people)
        if rng.random() < more and second not in groups[event]:
            groups[event].append(second)
    return groups


def _free_slots(
    rng: random.Random,
    day: list[int],
    events: dict[str, int],
    groups: dict[str, dict[str, list[str]]],
    least: int,
) -> dict[str, tuple[int, ...]]:
    """Free slots that leave every event its own slot only, though each holder's people leave more."""
    needed: dict[str, set[int]] = {}
    for group in groups.values():
        for event, people in group.items():
            for person in people:
                needed.setdefault(person, set()).add(events[event])
    side_a = {person for people in groups["a"].values() for person in people}
    free = {
        person: {s for s in day if s in own or person not in side_a or rng.random() < 0.65}
        for person, own in needed.items()
    }
    for event, slot in events.items():
        for other in sorted(set.intersection(*(free[p] for p in groups["a"][event])) - {slot}):
            may = [person for person in groups["b"][event] if other not in needed[person]]
            if not may:
                raise Reject("an event keeps a second slot")
            free[rng.choice(may)].discard(other)
    for group in groups.values():
        for people in group.values():
            if len(set.intersection(*(free[person] for person in people))) < least:
                raise Reject("one holder's people leave too few slots")
    return {person: tuple(sorted(slots)) for person, slots in free.items()}


TASK = Schedule()
