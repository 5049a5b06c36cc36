"""Packings of items into bins: finding them and filling in what is not known of their bins.

Facts: ("list", "items" | "bins" | "classes") -> names, ("pairs",) -> number of incompatible pairs, ("weight",
item) -> kg, ("class", item) -> class, ("capacity", bin) -> kg, ("apart", class, later class) -> "apart".
A packing is a dict from item to bin.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator

from tasks.contract import Facts, Key
from tasks.measures import WEIGHT_STEP

Packing = dict[str, str]
HEAVIEST = 10  # steps of weight
_NODES = 20_000  # placements tried until a search is given up
_TRIES = 20  # packings drawn until one explains all that is known


def listed(facts: Facts, kind: str) -> tuple[str, ...]:
    """The names of the items, bins or classes."""
    names: tuple[str, ...] = facts.get(("list", kind), ())
    return names


def class_pairs(facts: Facts) -> list[Key]:
    """The keys of all pairs of classes."""
    return [("apart", *pair) for pair in itertools.combinations(sorted(listed(facts, "classes")), 2)]


def unknown(facts: Facts) -> list[Key]:
    """What is not known of items and bins."""
    kinds = ("weight", "class") if listed(facts, "classes") else ("weight",)
    keys: list[Key] = [(kind, item) for kind in kinds for item in listed(facts, "items")]
    keys += [("capacity", place) for place in listed(facts, "bins")]
    return [key for key in keys if key not in facts]


def pairs_unknown(facts: Facts) -> int:
    """How many incompatible pairs are not known."""
    return max(0, facts[("pairs",)] - sum(key[0] == "apart" for key in facts))


def clash(facts: Facts, item: str, others: Iterable[str]) -> bool:
    """Whether the item's class is known not to be allowed beside one of the others."""
    own = facts.get(("class", item))
    classes = (facts.get(("class", other)) for other in others)
    return any(("apart", *sorted((own, c))) in facts for c in classes if own is not None and c is not None)


def packings(facts: Facts, rng: random.Random | None = None) -> Iterator[Packing]:
    """The packings that break nothing known, heavy items first; with ``rng`` the bins in random order.

    An item of unknown weight weighs at least one step. Gives up after so many placements.
    """
    bins = listed(facts, "bins")
    weight = {item: facts.get(("weight", item), WEIGHT_STEP) for item in listed(facts, "items")}
    items = sorted(weight, key=lambda item: (-weight[item], item))
    room = {place: facts.get(("capacity", place), 10**9) for place in bins}
    inside: dict[str, list[str]] = {place: [] for place in bins}
    nodes = itertools.count()

    def place_from(depth: int) -> Iterator[Packing]:
        if depth == len(items):
            yield {item: place for place in bins for item in inside[place]}
            return
        item = items[depth]
        for place in bins if rng is None else rng.sample(bins, len(bins)):
            if weight[item] > room[place] or clash(facts, item, inside[place]) or next(nodes) > _NODES:
                continue
            room[place] -= weight[item]
            inside[place].append(item)
            yield from place_from(depth + 1)
            inside[place].pop()
            room[place] += weight[item]

    return place_from(0)


def first(facts: Facts) -> Packing | None:
    """The first packing, its items in order; None if there is none or something is unknown."""
    packing = None if unknown(facts) else next(packings(facts), None)
    return packing and {item: packing[item] for item in sorted(packing)}


def groups(packing: Packing) -> tuple[tuple[str, ...], ...]:
    """What lies together, whatever the bins are called."""
    together: dict[str, list[str]] = {}
    for item, place in packing.items():
        together.setdefault(place, []).append(item)
    return tuple(sorted(tuple(sorted(items)) for items in together.values()))


def several(facts: Facts) -> bool:
    """Whether there are packings that differ in more than the names of bins."""
    found = (groups(packing) for packing in packings(facts))
    first = next(found, None)
    return any(other != first for other in found)


def weight_respected(facts: Facts, packing: Packing) -> float:
    """Share of all weight that lies in bins within their capacity and without incompatible classes."""
    good = 0
    for place in listed(facts, "bins"):
        items = [item for item in packing if packing[item] == place]
        load = sum(facts[("weight", item)] for item in items)
        if load <= facts[("capacity", place)] and not any(clash(facts, item, items) for item in items):
            good += load
    return good / sum(facts[("weight", item)] for item in listed(facts, "items"))


def explain(facts: Facts, rng: random.Random) -> Facts | None:
    """Fill what is unknown so that a random packing fills the bins; None where no packing is left."""
    full: Facts | None = None
    for _ in range(_TRIES):
        packing = next(packings(facts, rng), None)
        if packing is None:
            return full
        full = dict(facts)
        for place in listed(facts, "bins"):
            _weigh(full, place, [item for item in packing if packing[item] == place], rng)
        if _classify(full, packing, rng):
            break
    return full


def _weigh(full: Facts, place: str, items: list[str], rng: random.Random) -> None:
    """Weights and a capacity for one bin, so that the bin is full."""
    new = [item for item in items if ("weight", item) not in full]
    load = sum(full.get(("weight", item), 0) for item in items)
    if ("capacity", place) not in full:
        full |= {("weight", item): WEIGHT_STEP * rng.randint(1, HEAVIEST) for item in new}
        load += sum(full[("weight", item)] for item in new)
        full[("capacity", place)] = load or WEIGHT_STEP
        return
    spare = (full[("capacity", place)] - load) // WEIGHT_STEP
    cuts = sorted(rng.sample(range(1, spare), len(new) - 1)) if 0 < len(new) <= spare else []
    for item, (low, high) in zip(new, itertools.pairwise([0, *cuts, spare]), strict=False):
        full[("weight", item)] = WEIGHT_STEP * (high - low)


def _classify(full: Facts, packing: Packing, rng: random.Random) -> bool:
    """Classes and incompatible pairs that the packing respects; False where some had to break it."""
    fits = True
    classes = listed(full, "classes")
    for item in packing if classes else ():
        if ("class", item) not in full:
            others = [other for other in packing if packing[other] == packing[item] and other != item]
            able = [c for c in classes if not clash(full | {("class", item): c}, item, others)]
            fits = fits and bool(able)
            full[("class", item)] = rng.choice(able or classes)
    lacking = pairs_unknown(full)
    if lacking:
        meet = {
            ("apart", *sorted((full[("class", x)], full[("class", y)])))
            for x, y in itertools.combinations(sorted(packing), 2)
            if packing[x] == packing[y]
        }
        new = [key for key in class_pairs(full) if key not in full]
        rng.shuffle(new)
        new.sort(key=lambda key: key in meet)  # pairs that do not meet come first
        fits = fits and not any(key in meet for key in new[:lacking])
        full |= dict.fromkeys(new[:lacking], "apart")
    return fits
