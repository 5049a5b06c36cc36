"""Families: parents and children, the relations that follow, and plausible links to fill what is unknown."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Sequence

from tasks.contract import Reject

Link = tuple[str, str]  # parent, child
Way = tuple[int, int, str | None]  # steps up to a parent, then steps down to a child; sex of the relative
Question = tuple[str, str, str]  # ("who", relation, person) or ("what", relative, person)

WOMEN = (
    "Anna",
    "Clara",
    "Diana",
    "Eva",
    "Frida",
    "Greta",
    "Helen",
    "Ida",
    "Julia",
    "Karin",
    "Laura",
    "Maria",
)
MEN = ("Adam", "Boris", "Carl", "David", "Emil", "Felix", "Georg", "Hugo", "Ivan", "Jonas", "Kevin", "Max")
SEX = dict.fromkeys(WOMEN, "woman") | dict.fromkeys(MEN, "man")
RELATIONS: dict[str, Way] = {
    "sister": (1, 1, "woman"),
    "brother": (1, 1, "man"),
    "grandmother": (2, 0, "woman"),
    "grandfather": (2, 0, "man"),
    "granddaughter": (0, 2, "woman"),
    "grandson": (0, 2, "man"),
    "aunt": (2, 1, "woman"),
    "uncle": (2, 1, "man"),
    "niece": (1, 2, "woman"),
    "nephew": (1, 2, "man"),
    "cousin": (2, 2, None),
}


class Family:
    """Links between parents and children; garbled links (circles, two mothers) are coped with."""

    def __init__(self, links: Iterable[Link]) -> None:
        self.parents: dict[str, list[str]] = {}
        self.children: dict[str, list[str]] = {}
        for link in links:
            self.add(*link)

    def add(self, parent: str, child: str) -> None:
        """Add a link."""
        self.parents.setdefault(child, []).append(parent)
        self.children.setdefault(parent, []).append(child)

    def drop(self, parent: str, child: str) -> None:
        """Take a link away."""
        self.parents[child].remove(parent)
        self.children[parent].remove(child)

    def links(self) -> list[Link]:
        """All links."""
        return [(parent, child) for parent, children in self.children.items() for child in children]

    def reach(self, person: str, up: int, down: int) -> list[str]:
        """Relatives at the end of so many steps up and then down, meeting nobody twice; sorted."""
        paths = [[person]]
        for near in [self.parents] * up + [self.children] * down:
            paths = [[*path, name] for path in paths for name in near.get(path[-1], ()) if name not in path]
        return sorted({path[-1] for path in paths})

    def answers(self, question: Question) -> list[str]:
        """All right answers to a question."""
        kind, first, person = question
        if kind == "who":
            up, down, sex = RELATIONS[first]
            return [name for name in self.reach(person, up, down) if sex in (None, SEX[name])]
        ways = {relation: RELATIONS[relation][:2] for relation in possible(first)}
        return [relation for relation, (up, down) in ways.items() if first in self.reach(person, up, down)]

    def may_link(self, parent: str, child: str) -> bool:
        """Whether a new link makes sense: one mother, one father, nobody their own ancestor."""
        if any(SEX[known] == SEX[parent] for known in self.parents.get(child, ())):
            return False
        line = [parent]
        for name in line:  # grows while it is walked
            line += [above for above in self.parents.get(name, ()) if above not in line]
        return child not in line

    def guesses(
        self, question: Question, people: Sequence[str], rng: random.Random
    ) -> Iterator[tuple[str, list[Link]]]:
        """Answers that as few new links as possible would make right, with these links, at random."""
        kind, first, person = question
        relations = [first] if kind == "who" else possible(first)
        rng.shuffle(relations)
        for spare in range(1, 5):
            found = False
            for relation in relations:
                for end, links in self._leads((person,), RELATIONS[relation], spare, people, rng):
                    if kind == "who" or end == first:
                        found = True
                        yield (end if kind == "who" else relation), links
            if found:
                return

    def _leads(
        self, path: tuple[str, ...], way: Way, spare: int, people: Sequence[str], rng: random.Random
    ) -> Iterator[tuple[str, list[Link]]]:
        """Ends of paths that go a relation's way with at most ``spare`` new links, and these links."""
        up, down, sex = way
        if not up + down:
            if sex in (None, SEX[path[-1]]):
                yield path[-1], []
            return
        rest = (up - 1, down, sex) if up else (0, down - 1, sex)
        known = (self.parents if up else self.children).get(path[-1], [])
        for name in rng.sample(known, len(known)):
            if name not in path:
                yield from self._leads((*path, name), rest, spare, people, rng)
        for name in rng.sample(people, len(people)) if spare else ():
            link = (name, path[-1]) if up else (path[-1], name)
            if name not in path and self.may_link(*link):
                self.add(*link)
                found = list(self._leads((*path, name), rest, spare - 1, people, rng))
                self.drop(*link)
                for end, links in found:
                    yield end, [link, *links]

    def grow_to(self, number: int, people: Iterable[str], rng: random.Random) -> None:
        """Add random links up to that number; such as make no sense only where no others are left."""
        pairs = list(itertools.permutations(people, 2))
        rng.shuffle(pairs)
        missing = number - len(self.links())
        for sensible in (True, False):
            for parent, child in pairs:
                if missing <= 0:
                    return
                known = child in self.children.get(parent, ())
                if not known and (not sensible or self.may_link(parent, child)):
                    self.add(parent, child)
                    missing -= 1
        if missing > 0:
            raise Reject("more links than pairs of people")


def possible(relative: str) -> list[str]:
    """The relations that somebody of that sex can have."""
    return [relation for relation, (_, _, sex) in RELATIONS.items() if sex in (None, SEX[relative])]


def draw_links(rng: random.Random, descent: int, spouses: int) -> list[Link]:
    """A family that descends from one person; some parents have a spouse who shares their children."""
    names = rng.sample(WOMEN + MEN, descent)
    family = Family(
        (rng.choice(names[max(0, number // 2 - 1) : (number + 1) // 2 + 1][:number]), names[number])
        for number in range(1, descent)
    )
    couples = [name for name in names if family.children.get(name)]
    if len(couples) < spouses:
        raise Reject("too few parents")
    for partner in rng.sample(couples, spouses):
        strangers = [n for n in (MEN if SEX[partner] == "woman" else WOMEN) if n not in names]
        names.append(rng.choice(strangers))
        for child in list(family.children[partner]):
            family.add(names[-1], child)
    return family.links()
