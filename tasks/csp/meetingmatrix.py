"""Meeting matrix: give every meeting a slot and a room; there is exactly one plan.

View A tells in sentences who attends which meetings and when they are busy; view B lists by ID how many seats
meetings need and rooms have and when rooms are open, on a 12-hour clock in another time zone, with the list
of IDs.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

from tasks import clocks, labels, matrices
from tasks.answers import whole
from tasks.contract import Answer, Draft, Facts, Frame, Key, Reject, Task
from tasks.matrices import SLOT, Matrix

MEETINGS = ("Audit", "Budget", "Demo", "Hiring", "Kickoff", "Launch", "Planning", "Retro", "Review")
ROOMS = ("Atrium", "Birch", "Cedar", "Dome", "Elm", "Forum", "Garden", "Hall")
PEOPLE = ("Ann", "Ben", "Cara", "Dan", "Eve", "Finn", "Gina", "Hugo", "Ivy", "Jack", "Kim", "Leo")
KNOWN_MEETINGS = {name.lower(): name for name in MEETINGS}
KNOWN_ROOMS = {name.lower(): name for name in ROOMS}
KNOWN = KNOWN_MEETINGS | KNOWN_ROOMS
LONGEST_LINE = 500  # characters, well above what is ever written, so that no line is slow to match
GUESSES = 12  # plans drawn from a view to see how much it tells
FLOOR = 0.8  # share of the constraints at which the score is 0, about what guesses from one view reach
FORMS = {
    "sentences": "Facts are told in sentences.",
    "rows": "Facts are listed in rows, as thing | what holds.",
}
WORDING = {
    "sentences": {
        "person": "{0} attends {1} and is busy at {2}.",
        "needs": "{0} needs {1} seats.",
        "room": "{0} has {1} seats and is open at {2}.",
        "set": "{0} takes place at {1} in {2}.",
    },
    "rows": {
        "person": "{0} | attends {1} | busy {2}",
        "needs": "{0} | needs {1} seats",
        "room": "{0} | has {1} seats | open {2}",
        "set": "{0} | takes place {1} | {2}",
    },
}
PATTERNS = {
    form: {
        kind: re.compile(re.sub(r"\\\{.\\\}", lambda _: r"([\w:, ]+?)", re.escape(text)))
        for kind, text in wording.items()
    }
    for form, wording in WORDING.items()
}
_SLOTS = re.compile(rf"Slots of one hour start every hour from ({clocks.TIME}) to ({clocks.TIME})\.")
_LIST = re.compile(r"The (meetings|rooms) are ([\w, ]+)\.")
_COUNT = re.compile(r"There are ([0-9]{1,3}) facts in all\.")
_TIME = r"[0-9]{1,2}(?::[0-9]{2})?(?: ?[ap]\.?m\b\.?)?(?: ?\(?UTC(?:[+-][0-9]{1,2})?\)?)?"
_ENTRY = re.compile(rf"\W*(?:at )?({_TIME})(.*)", re.IGNORECASE | re.DOTALL)
_LOOSE = re.compile(rf"\W*({'|'.join(MEETINGS)}|M[1-9])\b[^0-9\n]{{0,30}}({_TIME}\W.{{2,40}})", re.IGNORECASE)


class MeetingMatrix(Task):
    """Facts: ("person", p) -> (meetings, busy slots); ("needs", meeting) -> seats; ("room", room) -> (seats,
    open slots); ("set", meeting) -> (slot, room). Slots are minutes UTC. Public: ("slots",) -> ends,
    ("meetings",), ("rooms",) -> names, ("facts",) -> number of the others.
    """

    name = "meetingmatrix"
    family = "csp"
    title = "Meetings, slots and rooms"
    rules = (
        "Give every meeting a slot and a room, so that none of its attendees is busy then, no one has two "
        "meetings at once, the room has enough seats and is open then, and no two meetings are in one room "
        "at once. There is exactly one such plan. All slots are on the same day."
    )
    noun = "facts on people, meetings and rooms"
    answer_key = "plan"
    answer_format = (
        'one line of JSON, {"plan": {"meeting": ["time", "room"], ...}}: for every meeting the time at which '
        "its slot starts and its room, in the notation of your view."
    )
    score_rule = (
        f"Fraction of the constraints satisfied (per meeting: attendees, seats, room free; per two meetings "
        f"with a common attendee: not at once), rescaled so that {FLOOR} is 0; 0 if a meeting is missing."
    )
    sizes = {
        "tiny": {"meetings": 2, "slots": 4, "rooms": 2, "people": 2, "busy": 0.6, "open": 0.5, "told": 0.25},
        "small": {"meetings": 3, "slots": 4, "rooms": 3, "people": 3, "busy": 0.6, "open": 0.3, "told": 0.25},
        "paper": {"meetings": 4, "slots": 5, "rooms": 3, "people": 4, "busy": 0.6, "open": 0.3, "told": 0.2},
        "large": {"meetings": 6, "slots": 7, "rooms": 4, "people": 6, "busy": 0.6, "open": 0.2, "told": 0.25},
    }
    public = frozenset({"slots", "meetings", "rooms", "facts"})
    misreadable = ("zone",)
    least_answers = 4

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        meetings = sorted(rng.sample(MEETINGS, size["meetings"]))
        rooms = sorted(rng.sample(ROOMS, size["rooms"]))
        first = SLOT * rng.randint(8, 10)
        slots = [first + SLOT * number for number in range(size["slots"])]
        cells = rng.sample([(slot, room) for slot in slots for room in rooms], len(meetings))
        plan = dict(zip(meetings, cells, strict=True))
        people = matrices.draw_people(rng, rng.sample(PEOPLE, size["people"]), plan, slots, size["busy"])
        places = matrices.draw_places(rng, rooms, plan, slots, size["open"])
        public: Facts = {
            ("slots",): (slots[0], slots[-1]),
            ("meetings",): tuple(meetings),
            ("rooms",): tuple(rooms),
            ("facts",): len(people) + len(places),
        }
        if not Matrix(public | people | places).is_unique():
            raise Reject("more than one plan")
        for known in (people, places):
            if self._guessed(public | known, public | people | places, rng) > size["told"]:
                raise Reject("one view tells too much")
        frame_a = {"form": "sentences", **clocks.draw_clock(rng, 24)}
        frame_b = {"form": "rows", **clocks.draw_clock(rng, 12, unlike=frame_a["zone"])}
        frame_b["alias"] = labels.draw_alias(rng, meetings, "M") | labels.draw_alias(rng, rooms, "R")
        full = {"form": "sentences", **clocks.draw_clock(rng, 24)}
        return Draft({"a": public | people, "b": public | places}, {"full": full, "a": frame_a, "b": frame_b})

    def _guessed(self, known: Facts, facts: Facts, rng: random.Random) -> float:
        """What plans drawn from one view alone score, on average."""
        plans = [Matrix(known).plan(rng) for _ in range(GUESSES)]
        return sum(self.grade(facts, plan, plan) for plan in plans if plan) / GUESSES

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        things = labels.state_labels("Meetings and rooms", frame)
        return f"{FORMS[frame['form']]} {clocks.state_clock(frame)} {things}"

    def read_notation(self, text: str) -> Frame:
        text = " ".join(text.split())
        form = next((form for form, sentence in FORMS.items() if sentence in text), None)
        if form is None:
            raise ValueError("no form stated")
        return {"form": form} | clocks.read_stated_clock(text) | labels.read_labels(text)

    def say(self, facts: Facts, frame: Frame) -> str:
        lines = []
        if ("slots",) in facts:
            first, last = (clocks.write_time(slot, frame) for slot in facts[("slots",)])
            lines.append(f"Slots of one hour start every hour from {first} to {last}.")
        for kind in ("meetings", "rooms"):
            if (kind,) in facts:
                lines.append(f"The {kind} are {', '.join(labels.labels(facts[(kind,)], frame))}.")
        if ("facts",) in facts:
            lines.append(f"There are {facts[('facts',)]} facts in all.")
        told = [(labels.order(labels.label(k[1], frame)), k) for k in facts if k[0] in WORDING["rows"]]
        return "\n".join(lines + [_write_fact(key, facts[key], frame) for _, key in sorted(told)])

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {}
        for line in (line for line in text.splitlines() if len(line) <= LONGEST_LINE):
            if match := _SLOTS.search(line):
                first, last = (clocks.read_time(end, frame) for end in match.groups())
                if first is not None and last is not None:
                    facts[("slots",)] = (first, last)
            elif match := _LIST.search(line):
                known = KNOWN_MEETINGS if match[1] == "meetings" else KNOWN_ROOMS
                facts[(match[1],)] = tuple(sorted(labels.mentioned(match[2], frame, known)))
            elif match := _COUNT.search(line):
                facts[("facts",)] = int(match[1])
            else:
                facts |= _read_fact(line.strip(), frame)
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        matrix = Matrix(facts)
        if matrix.is_unique() or matrix.plan() is None:
            return 0
        return max(1, facts[("facts",)] - sum(key[0] in ("person", "needs", "room") for key in facts))

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        """A plan that the facts leave, told outright meeting by meeting until it is the only one."""
        plan = Matrix(facts).plan(rng)
        if plan is None:
            raise Reject("the facts contradict each other")
        full, meetings = dict(facts), sorted(plan)
        if rng is not None:
            rng.shuffle(meetings)
        for meeting in meetings:
            if not Matrix(full).is_unique():
                full[("set", meeting)] = plan[meeting]
        return full

    def solve(self, facts: Facts) -> Answer | None:
        plan = Matrix(facts).plan()
        return {meeting: list(cell) for meeting, cell in sorted(plan.items())} if plan else None

    # -- answers -----------------------------------------------------------------------------
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return {
            labels.label(meeting, frame): [clocks.write_time(slot, frame), labels.label(room, frame)]
            for meeting, (slot, room) in answer.items()
        }

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        if not isinstance(value, dict) or not 0 < len(value) <= 20:
            return None
        answer: dict[str, list[Any]] = {}
        for key, entry in value.items():
            meeting, cell = labels.only_mentioned(key, frame, KNOWN_MEETINGS), _read_cell(entry, frame)
            if meeting is None or cell is None or meeting in answer:
                return None
            answer[meeting] = cell
        return answer

    def read_loosely(self, text: str) -> Any | None:
        answer: dict[str, str] = {}
        for line in text.splitlines():
            match = _LOOSE.match(line)
            if match and answer.setdefault(match[1].capitalize(), match[2]) != match[2]:
                return None  # two cells for one meeting are a listing, not an answer
        return answer or None

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        if set(answer) != set(truth):
            return 0.0
        plan = {meeting: (slot, room) for meeting, (slot, room) in answer.items()}
        return max(0.0, (Matrix(facts).satisfied(plan) - FLOOR) / (1 - FLOOR))


# -- writing and reading single facts and cells --------------------------------------------------
def _write_times(slots: tuple[int, ...], frame: Frame) -> str:
    return ", ".join(clocks.write_time(slot, frame) for slot in slots) or "no time"


def _write_fact(key: Key, value: Any, frame: Frame) -> str:
    parts = [labels.label(key[1], frame)]
    if key[0] == "person":
        parts += [" and ".join(labels.labels(value[0], frame)) or "nothing", _write_times(value[1], frame)]
    elif key[0] == "room":
        parts += [str(value[0]), _write_times(value[1], frame)]
    elif key[0] == "set":
        parts += [clocks.write_time(value[0], frame), labels.label(value[1], frame)]
    else:
        parts.append(str(value))
    return WORDING[frame["form"]][key[0]].format(*parts)


def _read_times(text: str, frame: Frame) -> tuple[int, ...]:
    times = {clocks.read_time(part, frame) for part in text.split(",")}
    return tuple(sorted(time for time in times if time is not None))


def _read_fact(line: str, frame: Frame) -> Facts:
    """The fact that a line tells, if any."""
    for kind, pattern in PATTERNS[frame["form"]].items():
        match = pattern.fullmatch(line)
        if not match:
            continue
        if kind == "person":
            meetings = labels.mentioned(match[2], frame, KNOWN_MEETINGS)
            known = match[1] in PEOPLE
            return (
                {(kind, match[1]): (tuple(sorted(meetings)), _read_times(match[3], frame))} if known else {}
            )
        thing = labels.resolve(match[1], frame, KNOWN_ROOMS if kind == "room" else KNOWN_MEETINGS)
        if thing is None:
            return {}
        if kind == "set":
            cell = _read_cell([match[2], match[3]], frame)
            return {(kind, thing): (cell[0], cell[1])} if cell else {}
        seats = whole(match[2])
        if seats is None:
            return {}
        return {(kind, thing): (seats, _read_times(match[3], frame)) if kind == "room" else seats}
    return {}


def _read_cell(entry: Any, frame: Frame) -> list[Any] | None:
    """The slot and the room that one entry of an answer names: a pair, an object or a text; else None."""
    if isinstance(entry, dict):
        entry = list(entry.values())
    if isinstance(entry, str) and len(entry) <= 60:
        match = _ENTRY.fullmatch(entry)
        entry = [match[1], match[2]] if match else None
    if not isinstance(entry, list) or len(entry) != 2:
        return None
    slot, room = clocks.read_time(entry[0], frame), labels.only_mentioned(entry[1], frame, KNOWN_ROOMS)
    return None if slot is None or room is None else [slot, room]


TASK = MeetingMatrix()
