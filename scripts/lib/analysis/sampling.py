"""Stratified samples that grow: a larger one holds every smaller one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from hashlib import sha256


def stratified(names: Sequence[str], strata: Sequence[Hashable], size: int, seed: int) -> list[int]:
    """Positions of the drawn items, ascending: as many from each stratum as it has, until ``size`` are drawn.

    Items are ranked inside their stratum by a hash of seed and name; all first ranks go before all second
    ranks, and so on. So the draw depends on no order, and samples of other sizes are nested in each other.
    """
    chances = [sha256(f"{seed}/{name}".encode()).hexdigest() for name in names]
    ranks: dict[int, int] = {}
    seen: Counter[Hashable] = Counter()
    for position in sorted(range(len(names)), key=chances.__getitem__):
        ranks[position] = seen[strata[position]]
        seen[strata[position]] += 1
    order = sorted(ranks, key=lambda position: (ranks[position], chances[position]))
    return sorted(order[:size])
