"""Networks shared by the relational tasks: nodes and links as text, shortest routes, answers in free text.

Inside the tasks nodes go by name. A frame's ``form`` writes links as ``pairs`` ("Links: X-Y, X-Z.") or as
``sentences`` ("X is linked to Y and Z."); its ``alias`` is that of ``tasks.labels``. Facts: ("nodes",) ->
names, ("links",) -> their number, ("link", X, Y) -> anything.
"""

from __future__ import annotations

import heapq
import itertools
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from tasks import labels
from tasks.answers import word
from tasks.contract import Facts, Frame
from tasks.measures import NUMBER

Pair = tuple[str, str]
LABEL = re.compile(rf"\b(?:V[0-9]{{1,3}}|{'|'.join(labels.WORDS)})\b", re.IGNORECASE)
_JOIN = r"\s?(?:->|=>|-|>|\N{RIGHTWARDS ARROW})\s?"
_CHAIN = re.compile(rf"{LABEL.pattern}(?:{_JOIN}{LABEL.pattern})+", re.IGNORECASE)
_PAIR = re.compile(rf"([A-Za-z0-9]+)-([A-Za-z0-9]+)(?: ({NUMBER}))?")
_END = re.compile(rf"([A-Za-z0-9]+)(?: \(({NUMBER})\))?")
_COUNT = re.compile(r"There are ([0-9]{1,3}) \w+ in all\.")
_NUMBERED = re.compile(
    r"[ *#>-]{0,8}(?:question|answer|q)?[ #]{0,2}([0-9]{1,2})[*]{0,2} ?[:.)][ *]{1,4}(\S.*)", re.I
)
LONGEST_CHAIN = 40  # nodes of an answer that are looked at


class Wording(NamedTuple):
    """How a task words its network."""

    nodes: str  # "towns"
    links: str  # "roads"
    joint: str  # what stands between a node and its neighbours in a sentence: " has roads to "


class Told(NamedTuple):
    """A link as text tells it, with the number written beside it ("" for none)."""

    first: str
    second: str
    note: str


# -- text ----------------------------------------------------------------------------------------
def say_network(facts: Facts, frame: Frame, wording: Wording, told: Iterable[Told]) -> list[str]:
    """Lines that tell the nodes, how many links there are, and those links that are told."""
    lines = []
    if ("nodes",) in facts:
        lines.append(f"The {wording.nodes} are {', '.join(labels.labels(facts[('nodes',)], frame))}.")
    if ("links",) in facts:
        lines.append(f"There are {facts[('links',)]} {wording.links} in all.")
    rows = [Told(labels.label(t.first, frame), labels.label(t.second, frame), t.note) for t in told]
    rows.sort(key=lambda row: (labels.order(row.first), labels.order(row.second)))
    if rows and frame["form"] == "pairs":
        listed = (f"{row.first}-{row.second}" + (f" {row.note}" if row.note else "") for row in rows)
        lines.append(f"{wording.links.capitalize()}: {', '.join(listed)}.")
    elif rows:
        for first, group in itertools.groupby(rows, key=lambda row: row.first):
            ends = (row.second + (f" ({row.note})" if row.note else "") for row in group)
            lines.append(f"{first}{wording.joint}{' and '.join(ends)}.")
    return lines


def hear_network(text: str, frame: Frame, wording: Wording) -> tuple[Facts, list[Told]]:
    """The nodes and the number of links, as facts, and the links that a text tells in the frame's form."""
    facts: Facts = {}
    told: list[Told] = []
    nodes, links = f"The {wording.nodes} are ", f"{wording.links.capitalize()}: "
    for line in text.splitlines():
        if line.startswith(nodes):
            facts[("nodes",)] = tuple(sorted(labels.mentioned(line[len(nodes) :], frame, labels.KNOWN_WORDS)))
        elif match := _COUNT.fullmatch(line):
            facts[("links",)] = int(match[1])
        elif frame["form"] == "pairs":
            pairs = line[len(links) : -1].split(", ") if line.startswith(links) else []
            told += [Told(m[1], m[2], m[3] or "") for m in map(_PAIR.fullmatch, pairs) if m]
        elif wording.joint in line:
            first, _, rest = line.removesuffix(".").partition(wording.joint)
            told += [Told(first, m[1], m[2] or "") for m in map(_END.fullmatch, rest.split(" and ")) if m]
    return facts, list(_named(told, frame))


def _named(told: Iterable[Told], frame: Frame) -> Iterable[Told]:
    for first, second, note in told:
        ends = [labels.resolve(end, frame, labels.KNOWN_WORDS) for end in (first, second)]
        if ends[0] and ends[1] and ends[0] != ends[1]:
            yield Told(ends[0], ends[1], note)


def by_label(pair: Pair, frame: Frame) -> Pair:
    """The two ends of a link without direction, in the order of their labels in the frame."""
    first, second = sorted(pair, key=lambda name: labels.order(labels.label(name, frame)))
    return first, second


# -- reasoning -----------------------------------------------------------------------------------
def ordered(first: str, second: str) -> Pair:
    """The two ends of a link without direction, sorted."""
    return (first, second) if first < second else (second, first)


def links_of(facts: Facts) -> dict[Pair, Any]:
    """All links among the facts, with their values."""
    return {(key[1], key[2]): value for key, value in facts.items() if key[0] == "link"}


def missing_links(facts: Facts) -> int:
    """How many links are still unknown."""
    missing: int = facts[("links",)] - len(links_of(facts))
    return max(0, missing)


def both_ways(links: Mapping[Pair, int]) -> dict[Pair, int]:
    """Links without direction as links in both directions."""
    return dict(links) | {(second, first): length for (first, second), length in links.items()}


def best_route(lengths: Mapping[Pair, int], start: str, goal: str) -> tuple[list[str], bool] | None:
    """The shortest route over directed links of positive length, and whether it is the only one.

    The first one by name where there are several; None where there is none.
    """
    ahead: dict[str, dict[str, int]] = {}
    back: dict[str, dict[str, int]] = {}
    for (first, second), length in lengths.items():
        ahead.setdefault(first, {})[second] = back.setdefault(second, {})[first] = length
    distance: dict[str, int] = {}
    heap = [(0, goal)]
    while heap:
        so_far, node = heapq.heappop(heap)
        if node not in distance:
            distance[node] = so_far
            for before, length in back.get(node, {}).items():
                heapq.heappush(heap, (so_far + length, before))
    if start not in distance:
        return None
    route, only = [start], True
    while route[-1] != goal:
        here = distance[route[-1]]
        steps = ahead[route[-1]].items()
        best = sorted(node for node, length in steps if distance.get(node, here) + length == here)
        only = only and len(best) == 1
        route.append(best[0])
    return route, only


def route_counts(links: Iterable[Pair], start: str) -> dict[str, tuple[int, int]]:
    """Of every node that can be reached: the fewest directed links to it, and in how many ways."""
    ahead: dict[str, list[str]] = {}
    for first, second in links:
        ahead.setdefault(first, []).append(second)
    found = {start: (0, 1)}
    queue = [start]
    for node in queue:  # grows while it is walked
        steps, ways = found[node]
        for after in ahead.get(node, ()):
            if after not in found:
                queue.append(after)
            if found.get(after, (steps + 1, 0))[0] == steps + 1:
                found[after] = (steps + 1, found.get(after, (0, 0))[1] + ways)
    return found


# -- answers -------------------------------------------------------------------------------------
def read_chain(value: Any, frame: Frame) -> list[str] | None:
    """The nodes of one path: a list of labels, or a text such as ``X -> Y``; None where it is no path."""
    if isinstance(value, str):
        text = word(value, 600)
        value = LABEL.findall(text) if text else None
    if not isinstance(value, list) or not 1 < len(value) <= LONGEST_CHAIN:
        return None
    names = [labels.only_mentioned(entry, frame, labels.KNOWN_WORDS) for entry in value]
    known = [name for name in names if name is not None]
    return known if len(known) == len(names) else None


def loose_lines(text: str) -> list[str]:
    """The lines of a reply that answer: those numbered 1, 2, ..., or else the last one.

    Empty where one number is missing or stands before several texts: that is a listing, not an answer.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    numbered = [(int(match[1]), match[2]) for match in map(_NUMBERED.fullmatch, lines) if match]
    return labels.in_order(numbered) or [] if numbered else lines[-1:]


def chains(line: str) -> list[str]:
    """The chains ``X -> Y -> Z`` of three or more nodes in a line, each once."""
    found = (match[0] for match in _CHAIN.finditer(line))
    return list(dict.fromkeys(chain for chain in found if len(LABEL.findall(chain)) > 2))
