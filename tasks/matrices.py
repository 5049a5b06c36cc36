"""Plans that give meetings slots and rooms: drawing, finding and checking them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

from tasks.contract import Facts

SLOT = 60  # minutes
MOST_STEPS = 300  # of a search, after which it ends; only garbled facts take so many
MOST_SLOTS = 24
Cell = tuple[int, str]  # slot, room
Plan = dict[str, Cell]


class Matrix:
    """What facts demand of a plan; facts that are not known demand nothing."""

    def __init__(self, facts: Facts) -> None:
        first, last = facts[("slots",)]
        self.slots = list(range(first, last + 1, SLOT))[:MOST_SLOTS]
        self.meetings: tuple[str, ...] = facts[("meetings",)]
        self.rooms: tuple[str, ...] = facts[("rooms",)]
        self.busy: dict[str, set[int]] = {meeting: set() for meeting in self.meetings}
        self.shared: dict[frozenset[str], None] = {}
        for key, value in facts.items():
            if key[0] == "person":
                attended = [meeting for meeting in value[0] if meeting in self.busy]
                self.shared |= {frozenset(pair): None for pair in itertools.combinations(attended, 2)}
                for meeting in attended:
                    self.busy[meeting].update(value[1])
        self.needs = {m: facts[("needs", m)] for m in self.meetings if ("needs", m) in facts}
        self.places = {r: facts[("room", r)] for r in self.rooms if ("room", r) in facts}
        self._steps = 0
        self.set = {m: facts[("set", m)] for m in self.meetings if ("set", m) in facts}

    def seats(self, meeting: str, room: str) -> bool:
        """Whether the room has enough seats, as far as known."""
        return room not in self.places or self.needs.get(meeting, 0) <= self.places[room][0]

    def opened(self, slot: int, room: str) -> bool:
        """Whether the room is open in the slot, as far as known."""
        return room not in self.places or slot in self.places[room][1]

    def _choices(self, meeting: str) -> list[Cell]:
        """The cells that suit a meeting, regarded alone."""
        return [
            (slot, room)
            for slot, room in itertools.product(self.slots, self.rooms)
            if slot not in self.busy[meeting]
            and self.seats(meeting, room)
            and self.opened(slot, room)
            and self.set.get(meeting, (slot, room)) == (slot, room)
        ]

    def plans(self, rng: random.Random | None = None) -> Iterator[Plan]:
        """All plans, in random order where ``rng`` is given; a search that takes too long ends early."""
        choices = {meeting: self._choices(meeting) for meeting in self.meetings}
        if rng is not None:
            for cells in choices.values():
                rng.shuffle(cells)
        self._steps = 0
        return self._extend({}, choices)

    def _extend(self, plan: Plan, choices: dict[str, list[Cell]]) -> Iterator[Plan]:
        self._steps += 1
        if self._steps > MOST_STEPS:
            return
        if not choices:
            yield dict(plan)
            return
        meeting = min(choices, key=lambda m: len(choices[m]))  # the one with the fewest cells left
        for cell in choices[meeting]:
            rest = {
                other: [c for c in cells if self.compatible(meeting, cell, other, c)]
                for other, cells in choices.items()
                if other != meeting
            }
            if all(rest.values()):
                yield from self._extend(plan | {meeting: cell}, rest)

    def compatible(self, meeting: str, cell: Cell, other: str, its: Cell) -> bool:
        """Whether two meetings may be in these cells: not both in one, nor anyone in both at once."""
        return cell != its and not (cell[0] == its[0] and frozenset((meeting, other)) in self.shared)

    def plan(self, rng: random.Random | None = None) -> Plan | None:
        """A random plan, or the first one; None where there is none."""
        return next(self.plans(rng), None)

    def is_unique(self) -> bool:
        """Whether there is exactly one plan; False where the search ended early."""
        return len(list(itertools.islice(self.plans(), 2))) == 1 and self._steps <= MOST_STEPS

    def satisfied(self, plan: Plan) -> float:
        """Share of the constraints that a plan of all meetings satisfies."""
        kept = []
        for meeting, (slot, room) in plan.items():
            taken = any(cell == (slot, room) for other, cell in plan.items() if other != meeting)
            kept.append(slot in self.slots and slot not in self.busy[meeting])
            kept.append(self.seats(meeting, room))
            kept.append(self.opened(slot, room) and not taken)
        kept += [plan[first][0] != plan[second][0] for first, second in map(sorted, self.shared)]
        kept += [plan[meeting] == cell for meeting, cell in self.set.items() if meeting in plan]
        return sum(kept) / len(kept)


def draw_people(
    rng: random.Random, people: Sequence[str], plan: Plan, slots: Sequence[int], busy: float
) -> Facts:
    """People who attend the meetings, one or two each where that suffices, and are busy at other times."""
    attends: list[list[str]] = [[] for _ in people]
    for number, meeting in enumerate(rng.sample(sorted(plan), len(plan))):
        attends[number % len(people)].append(meeting)
    facts: Facts = {}
    for person, own in zip(people, attends, strict=True):
        others = [m for m in sorted(plan) if m not in own and plan[m][0] not in [plan[x][0] for x in own]]
        if len(own) < 2 and others:
            own.append(rng.choice(others))
        needed = {plan[meeting][0] for meeting in own}
        free = [slot for slot in slots if slot not in needed]
        times = sorted(rng.sample(free, min(len(free), max(1, round(busy * len(free))))))
        facts[("person", person)] = (tuple(sorted(own)), tuple(times))
    return facts


def draw_places(
    rng: random.Random, rooms: Sequence[str], plan: Plan, slots: Sequence[int], open_: float
) -> Facts:
    """Seats of the rooms, seats that the meetings need and when the rooms are open."""
    seats = dict(zip(rooms, rng.sample(range(4, 21, 2), len(rooms)), strict=True))
    facts: Facts = {}
    for meeting, (_, room) in sorted(plan.items()):
        smaller = max((n for n in seats.values() if n < seats[room]), default=1)
        facts[("needs", meeting)] = rng.randint(smaller + 1, seats[room])
    for room in rooms:
        needed = {slot for slot, own in plan.values() if own == room}
        free = [slot for slot in slots if slot not in needed]
        times = needed | set(rng.sample(free, round(open_ * len(free))))
        facts[("room", room)] = (seats[room], tuple(sorted(times)))
    return facts
