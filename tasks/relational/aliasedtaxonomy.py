"""Two trees of groups that are the same but for their names: find which name stands for which.

View A tells tree 1 as lists of children, with the sizes of its leaves and the known pairs, by name; view B
tells tree 2 as sentences, one a parent link, with the sizes of its leaves, by ID, with the list of IDs.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

from tasks import labels
from tasks.contract import Answer, Draft, Facts, Frame, Reject, Task
from tasks.treematching import guess_mapping, match, twins
from tasks.trees import below, read_tree, say_tree

TAXA = (
    *("Alba", "Borea", "Corva", "Dorsa", "Elata", "Fulva", "Glauca", "Hirta"),
    *("Indica", "Lutea", "Minor", "Nigra", "Ovata", "Pumila", "Rubra", "Sativa"),
)
KNOWN = labels.KNOWN_WORDS | {name.lower(): name for name in TAXA}
SIZES = (1, 2, 3)
FORMS = {"lists": "lists of children", "sentences": "sentences about one group each"}
_NAMES = re.compile(r"The groups of tree ([12]) are ([^.]*)\.")
_COUNT = re.compile(r"There (?:is|are) ([0-9]{1,2}) known pairs?\.")
_PAIR = re.compile(r"(\w+) of tree 1 is (\w+) of tree 2\.")
_SIZE = re.compile(r"The size of (\w+) is ([0-9]{1,3})\.", re.ASCII)
LONGEST = 200  # entries of an answer that are looked at
_END = r"\b([A-Za-z]+[0-9]{0,3})\b"
_IS = r"(?: of tree [12])?[ \t\"'*]{0,4}(?:->|=>|=|:|is|means)[ \t\"'*]{0,4}"
_LOOSE = re.compile(_END + _IS + _END)


class AliasedTaxonomy(Task):
    """Facts: ("parent", group) -> group, ("size", leaf) -> int, ("pair", group of tree 1) -> group of tree 2;
    public: ("groups", tree) -> all names, ("pairs",) -> number of known pairs."""

    name = "aliasedtaxonomy"
    family = "relational"
    title = "One tree under two sets of names"
    rules = (
        "Two trees of groups are the same tree, but each one has its own names. Groups that stand for each "
        "other have the same place in the tree; groups with nothing below them also have the same size. Some "
        "pairs are known. Find the group of tree 2 for each other group of tree 1; there is one solution."
    )
    noun = "links, sizes and pairs"
    answer_key = "mapping"
    answer_format = (
        'one line of JSON, {"mapping": {"X": "Y", ...}}: for each group of tree 1 its group of tree 2, each '
        "named as in your view. Known pairs may be left out."
    )
    score_rule = (
        "Pairs that are right over pairs asked for (known ones aside), rescaled so that one lucky pair is 0: "
        "(right - 1) / (asked - 1); 0 if a group is named twice."
    )
    sizes = {
        "tiny": {"groups": 5, "pairs": 1},
        "small": {"groups": 6, "pairs": 1},
        "paper": {"groups": 8, "pairs": 2},
        "large": {"groups": 14, "pairs": 2},
    }
    public = frozenset({"groups", "pairs"})

    def draw(self, rng: random.Random, size: Mapping[str, Any]) -> Draft:
        first, second = (rng.sample(names, size["groups"]) for names in (labels.WORDS, TAXA))
        above = {n: rng.randrange(max(0, (n - 3) // 2), n) for n in range(1, len(first))}
        sizes = {n: rng.choice(SIZES) for n in range(len(first)) if n not in above.values()}
        parts: list[Facts] = []
        for names in (first, second):
            links = {("parent", names[n]): names[parent] for n, parent in above.items()}
            parts.append(links | {("size", names[n]): sizes[n] for n in sizes})
        pairs = {("pair", first[n]): second[n] for n in rng.sample(range(1, len(first)), size["pairs"])}
        shared: Facts = {("groups", 1): tuple(sorted(first)), ("groups", 2): tuple(sorted(second))}
        shared[("pairs",)] = size["pairs"]
        if twins(shared | parts[0] | pairs):
            raise Reject("more than one solution")
        if not twins(shared | parts[0]):
            raise Reject("the known pairs are not needed")
        if not twins(shared | pairs | {k: v for k, v in parts[0].items() if k[0] == "parent"}):
            raise Reject("the sizes are not needed")
        alias = labels.draw_alias(rng, second, "T")
        truth = [list(pair) for pair in sorted(zip(first, second, strict=True))]
        for listed in (sorted(second), list(alias.values())):
            if self.grade(pairs, truth, [[x, y] for x, y in zip(sorted(first), listed, strict=True)]):
                raise Reject("the groups are listed in about the right pairs")
        by_id = {"form": "sentences", "alias": alias}
        frames: dict[str, Frame] = {"full": {"form": "lists"}, "a": {"form": "lists"}, "b": by_id}
        return Draft({"a": shared | parts[0] | pairs, "b": shared | parts[1]}, frames)

    # -- text --------------------------------------------------------------------------------
    def notation(self, frame: Frame) -> str:
        things = "Groups of tree 2" if "alias" in frame else "All groups"
        also = " Groups of tree 1 have their names." if "alias" in frame else ""
        return f"Trees are told as {FORMS[frame['form']]}. {labels.state_labels(things, frame)}{also}"

    def read_notation(self, text: str) -> Frame:
        form = next((form for form, told in FORMS.items() if f"Trees are told as {told}" in text), None)
        if form is None:
            raise ValueError("no notation of trees")
        return {"form": form} | labels.read_labels(text)

    def say(self, facts: Facts, frame: Frame) -> str:
        lines = [
            f"The groups of tree {tree} are {', '.join(labels.labels(facts[('groups', tree)], frame))}."
            for tree in (1, 2)
            if ("groups", tree) in facts
        ]
        if number := facts.get(("pairs",)):
            lines.append(f"There {'is 1 known pair' if number == 1 else f'are {number} known pairs'}.")
        lines += say_tree(facts, frame)
        sizes = {labels.label(key[1], frame): value for key, value in facts.items() if key[0] == "size"}
        lines += [f"The size of {group} is {sizes[group]}." for group in sorted(sizes, key=labels.order)]
        for left, right in sorted(pairs_of(facts).items()):
            ends = (labels.label(left, frame), labels.label(right, frame))
            lines.append("{} of tree 1 is {} of tree 2.".format(*ends))
        return "\n".join(lines)

    def hear(self, text: str, frame: Frame) -> Facts:
        facts: Facts = {}
        for tree, names in _NAMES.findall(text):
            facts[("groups", int(tree))] = tuple(sorted(labels.mentioned(names, frame, KNOWN)))
        if match := _COUNT.search(text):
            facts[("pairs",)] = int(match[1])
        found = [("parent", *link) for link in read_tree(text)]
        found += [("pair", *pair) for pair in _PAIR.findall(text)]
        for kind, *ends in found:
            first, second = (labels.resolve(end, frame, KNOWN) for end in ends)
            same_tree = (first in TAXA) == (second in TAXA)
            if first and second and first != second and same_tree == (kind == "parent"):
                facts[(kind, first)] = second
        for group, amount in _SIZE.findall(text):
            if leaf := labels.resolve(group, frame, KNOWN):
                facts[("size", leaf)] = int(amount)
        return facts

    # -- reasoning ---------------------------------------------------------------------------
    def gaps(self, facts: Facts) -> int:
        """Missing links and pairs, and missing sizes of groups that are no parent as far as one knows."""
        parents = {value for key, value in facts.items() if key[0] == "parent"}
        missing = max(0, facts[("pairs",)] - len(pairs_of(facts)))
        for tree in (1, 2):
            groups = facts[("groups", tree)]
            missing += max(0, len(groups) - 1 - sum(("parent", group) in facts for group in groups))
            missing += sum(group not in parents and ("size", group) not in facts for group in groups)
        return missing

    def complete(self, facts: Facts, rng: random.Random | None) -> Facts:
        if not self.gaps(facts):
            return facts
        chance = rng or random.Random(0)
        mapping = guess_mapping(facts, chance)
        back = {right: left for left, right in mapping.items()}
        tree = {k: v for k, v in facts.items() if k[0] in ("parent", "size") and k[1] in mapping}
        for key, value in facts.items():  # what is known of tree 2, said of tree 1
            if key[0] in ("parent", "size") and key[1] in back:
                tree[(key[0], back[key[1]])] = back.get(value, value)
        grow(tree, list(mapping), chance)
        full = dict(facts)
        for (kind, group), value in tree.items():
            full[(kind, group)] = value
            full[(kind, mapping[group])] = mapping.get(value, value)
        spare = [left for left in mapping if ("pair", left) not in full]
        lacking = max(0, facts[("pairs",)] - len(pairs_of(facts)))
        return full | {
            ("pair", left): mapping[left] for left in chance.sample(spare, min(len(spare), lacking))
        }

    def solve(self, facts: Facts) -> Answer | None:
        mapping = match(facts)
        return [list(pair) for pair in sorted(mapping.items())] if mapping else None

    # -- answers -----------------------------------------------------------------------------
    def write_answer(self, answer: Answer, frame: Frame) -> Any:
        return {labels.label(left, frame): labels.label(right, frame) for left, right in answer}

    def interpret(self, value: Any, frame: Frame) -> Answer | None:
        if isinstance(value, dict):
            value = list(value.items())
        if not isinstance(value, list) or not 0 < len(value) <= LONGEST:
            return None
        pairs = dict.fromkeys(read_pair(entry, frame) for entry in value)
        return [list(pair) for pair in pairs if pair] or None

    def read_loosely(self, text: str) -> Any | None:
        return [[m[1], m[2]] for m in _LOOSE.finditer(text)] or None

    def grade(self, facts: Facts, truth: Answer, answer: Answer) -> float:
        lefts, rights = ([pair[end] for pair in answer] for end in (0, 1))
        if len(set(lefts)) < len(lefts) or len(set(rights)) < len(rights):
            return 0.0
        asked = [pair for pair in truth if ("pair", pair[0]) not in facts]
        right = sum(pair in answer for pair in asked)
        return max(0.0, (right - 1) / (len(asked) - 1)) if len(asked) > 1 else float(right)


def pairs_of(facts: Facts) -> dict[str, str]:
    """The known pairs."""
    return {key[1]: value for key, value in facts.items() if key[0] == "pair"}


def grow(tree: Facts, groups: list[str], rng: random.Random) -> None:
    """Hang every loose part below a group outside it, and give every leaf a size."""
    open_groups = [group for group in groups if ("size", group) not in tree]
    loose = [group for group in groups if ("parent", group) not in tree]
    tops = [group for group in loose if group in open_groups]
    if not tops:
        raise Reject("no group can be at the top")
    top = rng.choice(tops)
    for part in rng.sample(loose, len(loose)):
        if part != top:
            own = below(tree, part)
            tree[("parent", part)] = rng.choice([group for group in open_groups if group not in own])
    parents = {value for key, value in tree.items() if key[0] == "parent"}
    for group in groups:
        if group not in parents:
            tree.setdefault(("size", group), rng.choice(SIZES))


def read_pair(entry: Any, frame: Frame) -> tuple[str, ...] | None:
    """The pair of groups that an entry of an answer names, that of tree 1 first; None for anything else."""
    if not isinstance(entry, list | tuple) or len(entry) != 2:
        return None
    names = [labels.only_mentioned(end, frame, KNOWN) for end in entry]
    if None in names or (names[0] in TAXA) == (names[1] in TAXA):
        return None
    return tuple(str(name) for name in (names[::-1] if names[0] in TAXA else names))


TASK = AliasedTaxonomy()
