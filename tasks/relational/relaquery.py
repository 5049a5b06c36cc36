"""Family: answer questions about relatives; the links between parents and children are split over the views.

View A calls the parent by name ("Eva is the mother of Max."); view B tells who is whose child, by ID
("P3's son is P7."), with the list of IDs. No question can be answered from one view.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

from tasks import labels
from tasks.contract import Answer, Draft, Facts, Frame, Key, Reject, Task
from tasks.kinship import RELATIONS, SEX, Family, Question, draw_links
from tasks.networks import links_of, missing_links

KNOWN_NAMES = {name.lower(): name for name in SEX}
KNOWN_ANSWERS = KNOWN_NAMES | {relation: relation for relation in RELATIONS}
LINKS_READ = {"parent": "X is the mother (father) of Y", "child": "X's son (daughter) is Y"}
CHANCE = 0.25  # share of the questions that a guess from one view gets right, about
_PEOPLE = re.compile(r"^(?:Women|Men): ([^.]*)\.", re.MULTILINE)
_COUNT = re.compile(r"There are ([0-9]{1,3}) family links")
_PARENT_OF = re.compile(r"(\w+) is the (?:mother|father) of (\w+)\.")
_ITS_CHILD = re.compile(r"(\w+)'s (?:son|daughter) is (\w+)\.")
_WHO = re.compile(r"Question ([0-9]{1,2}): who is the (\w+) of (\w+)\?")
_WHAT = re.compile(r"Question ([0-9]{1,2}): what is (\w+) to (\w+)\?")
_ANSWER = re.compile(rf"\b(?:P[0-9]{{1,3}}|{'|'.join(KNOWN_ANSWERS)})\b", re.IGNORECASE)


class RelaQuery(Task):
    """Facts: ("link", parent, child) -> "mother" | "father"; public: ("people",) -> all names, ("links",) ->
    their number, ("query", i) -> ("who", relation, person) | ("what", relative, person)."""

    name = "relaquery"
    family = "relational"
    title = "Family"
    rules = (
        "Links between parents and children are given. Siblings share a parent; an aunt or uncle is a "
        "sibling of a parent, a cousin the child of one, a niece or nephew a child of a sibling. Answer a "
        '"who" question with the person, a "what" question with one word: '
        f"{', '.join(list(RELATIONS)[:-1])} or cousin."
    )
    noun = "family links"
    answer_key = "answers"
    answer_format = (
        'one line of JSON, {"answers": ["X", ...]}: one answer for each question, in the order of the '
        "questions; people as your view calls them."
    )
    score_rule = (
        "Fraction of the questions answered rightly, less the 1/4 that guesses reach: (s - 1/4) / (3/4), at "
        "least 0; 0 unless there is one answer a question."
    )
    sizes = {
        "tiny": {"descent": 7, "spouses": 0, "who": 2, "what": 0, "steps": 2, "open": 3},
        "small": {"descent": 8, "spouses": 1, "who": 2, "what": 1, "steps": 3, "open": 3},
        "paper": {"descent": 9, "spouses": 3, "who": 3, "what": 1, "steps": 4, "open": 4},
        "large": {"descent": 12, "spouses": 4, "who": 4, "what": 2, "steps": 4, "open": 4},
    }
    public = frozenset({"people", "links", "query"})

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        links = draw_links(rng, size["descent"], size["spouses"])
        people = sorted({name for link in links for name in link})
        rng.shuffle(links)
        parts = links[: len(links) // 2], links[len(links) // 2 :]
        shared: Facts = {("people",): tuple(people), ("links",): len(links)}
        asked = draw_questions(rng, Family(links), [Family(part) for part in parts], people, size)
        shared |= {("query", number): question for number, question in enumerate(asked, 1)}
        known = [{link_key(*link): word_for(link[0]) for link in part} for part in parts]
        by_id = {"form": "child", "alias": labels.draw_alias(rng, people, "P")}
        frames: dict[str, Frame] = {"full": {"form": "parent"}, "a": {"form": "parent"}, "b": by_id}
        return Draft({"a": shared | known[0], "b": shared | known[1]}, frames)

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        return f"Links read: {LINKS_READ[frame['form']]}. {labels.state_labels('People', frame)}"

    def read_notation(self, text: str) -> Frame:
        form = next((form for form, read in LINKS_READ.items() if read in text), None)
        if form is None:
            raise ValueError("no notation of family links")
        return {"form": form} | labels.read_labels(text)

    def say(self, facts: Facts, frame: Frame) -> str:
        lines = []
        for sex, heading in (("woman", "Women"), ("man", "Men")):
            people = [name for name in facts.get(("people",), ()) if SEX[name] == sex]
            if people:
                lines.append(f"{heading}: {', '.join(labels.labels(people, frame))}.")
        if ("links",) in facts:
            lines.append(f"There are {facts[('links',)]} family links in all.")
        links = [(labels.label(p, frame), labels.label(c, frame), p, c) for p, c in links_of(facts)]
        for above, child, parent, name in sorted(links, key=lambda link: [labels.order(x) for x in link[:2]]):
            if frame["form"] == "parent":
                lines.append(f"{above} is the {word_for(parent)} of {child}.")
            else:
                lines.append(f"{above}'s {'daughter' if SEX[name] == 'woman' else 'son'} is {child}.")
        for number, (kind, first, second) in labels.questions(facts):
            start, of = f"Question {number}: {kind} is", labels.label(second, frame)
            who = f"the {first} of {of}" if kind == "who" else f"{labels.label(first, frame)} to {of}"
            lines.append(f"{start} {who}?")
        return "\n".join(lines)

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {}
        people = labels.mentioned(" ".join(_PEOPLE.findall(text)), frame, KNOWN_NAMES)
        if people:
            facts[("people",)] = tuple(sorted(people))
        if match := _COUNT.search(text):
            facts[("links",)] = int(match[1])
        told = _PARENT_OF if frame["form"] == "parent" else _ITS_CHILD
        for first, second in told.findall(text):
            parent, child = (labels.resolve(end, frame, KNOWN_NAMES) for end in (first, second))
            if parent and child and parent != child:
                facts[link_key(parent, child)] = word_for(parent)
        for number, relation, of in _WHO.findall(text):
            person = labels.resolve(of, frame, KNOWN_NAMES)
            if person and relation in RELATIONS:
                facts[("query", int(number))] = ("who", relation, person)
        for number, first, of in _WHAT.findall(text):
            relative, person = (labels.resolve(end, frame, KNOWN_NAMES) for end in (first, of))
            if relative and person:
                facts[("query", int(number))] = ("what", relative, person)
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        return missing_links(facts)

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        chance = rng or random.Random(0)
        people, family = facts[("people",)], Family(links_of(facts))
        asked = [question for _, question in labels.questions(facts)]
        chance.shuffle(asked)
        for question in asked:
            if not family.answers(question):
                for link in next(family.guesses(question, people, chance), ("", []))[1]:
                    family.add(*link)
        family.grow_to(facts[("links",)], people, chance)
        return facts | {link_key(*link): word_for(link[0]) for link in family.links()}

    def solve(self, facts: Facts) -> Answer | None:
        family = Family(links_of(facts))
        answers = [family.answers(question) for _, question in labels.questions(facts)]
        return [found[0] for found in answers] if answers and all(answers) else None

    # -- answers -----------------------------------------------------------------------------
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return [labels.label(entry, frame) for entry in answer]

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        entries = labels.answer_list(value) or []
        answers = [labels.only_mentioned(entry, frame, KNOWN_ANSWERS) for entry in entries]
        return answers if any(answers) else None

    def read_loosely(self, text: str) -> Any | None:
        lines = [found for found in map(_ANSWER.findall, text.splitlines()) if found]
        return (lines[0] if len(lines) == 1 else [found[-1] for found in lines]) or None

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        family, asked = Family(links_of(facts)), [question for _, question in labels.questions(facts)]
        right = (given in family.answers(q) for given, q in zip(answer, asked, strict=False))
        fraction = labels.fraction_right(right, len(answer), len(asked))
        return max(0.0, (fraction - CHANCE) / (1 - CHANCE))


def link_key(parent: str, child: str) -> Key:
    """The key of a link."""
    return ("link", parent, child)


def word_for(parent: str) -> str:
    """What a parent of that name is: mother or father."""
    return "mother" if SEX[parent] == "woman" else "father"


def draw_questions(
    rng: random.Random, whole: Family, parts: list[Family], people: list[str], size: Mapping[str, Any]
) -> list[Question]:
    """Questions with one answer that neither part holds; no two share an answer or tell each other's."""
    related: dict[tuple[str, str], list[str]] = {}
    candidates: list[tuple[Question, str, str]] = []  # with the answer and the relative
    for person in people:
        for relation, (up, down, _) in RELATIONS.items():
            found = whole.answers(("who", relation, person)) if up + down <= size["steps"] else []
            if len(found) == 1:
                candidates.append((("who", relation, person), found[0], found[0]))
            for relative in found:
                related.setdefault((relative, person), []).append(relation)
    for (relative, person), relations in related.items():
        if len(relations) == 1:
            candidates.append((("what", relative, person), relations[0], relative))
    rng.shuffle(candidates)

    def is_open(question: Question, part: Family) -> bool:
        """Whether a part holds no answer and leaves as many equally likely ones as the size asks."""
        if part.answers(question):
            return False
        found: set[str] = set()
        for guess, _ in part.guesses(question, people, rng):
            found.add(guess)
            if len(found) >= size["open"]:
                return True
        return False

    asked: list[Question] = []
    used: set[Any] = set()
    for kind in ("who", "what"):
        wanted = len(asked) + size[kind]
        for question, answer, relative in candidates:
            pair = frozenset((relative, question[2]))
            fresh = question[0] == kind and not used & {answer, pair}
            if len(asked) < wanted and fresh and all(is_open(question, part) for part in parts):
                asked.append(question)
                used |= {answer, pair}
        if len(asked) < wanted:
            raise Reject("too few questions that need both views")
    return asked


TASK = RelaQuery()
