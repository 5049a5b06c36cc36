"""Folds, resamples and permutations of rows that come in groups: a group is kept whole in all three.

A group (a task) belongs to a stratum (its family) and has one row for each member (a model) that was seen on
it. Strata are kept as they are: folds are dealt, groups drawn and groups exchanged within them.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scripts.lib.analysis.bootstrap import Array, draw_weights

Rows = npt.NDArray[np.int64]


def deal_folds(groups: Sequence[str], strata: Sequence[str], folds: int, seed: int) -> Rows:
    """The fold (n,) of each row, 0 to folds - 1, the same for all rows of a group.

    The groups of each stratum, in an order that the seed decides, go to the folds in turn; the next stratum
    goes on where the last one ended. So folds differ by one group at most, over all and in each stratum.
    """
    dealt: dict[str, int] = {}
    for members in _by_stratum(groups, strata).values():
        for group in sorted(members, key=lambda name: hashlib.sha256(f"{seed}\x1f{name}".encode()).digest()):
            dealt[group] = len(dealt) % folds
    return np.array([dealt[group] for group in groups], np.int64)


def draw_groups(groups: Sequence[str], strata: Sequence[str], resamples: int, seed: int) -> Array:
    """Weights (1 + resamples, n) of the rows; row 0 counts each once.

    In each resample the groups of a stratum are drawn anew with replacement, as many as there are; all rows
    of a group get the number of times that it was drawn.
    """
    weights = np.empty((1 + resamples, len(groups)))
    names = np.array(groups)
    for stratum, members in _by_stratum(groups, strata).items():
        drawn = draw_weights(seed, f"groups of {stratum}", resamples, len(members))
        for place, group in enumerate(members):
            weights[:, names == group] = drawn[:, [place]]
    return weights


def exchange_groups(
    groups: Sequence[str], members: Sequence[str], strata: Sequence[str], rounds: int, seed: int
) -> Rows:
    """For each round (rounds, n) the row whose target a row takes: that of the same member on another group.

    Each round draws one order of the groups of a stratum and uses it for all members. So the targets of a
    group stay together, and each member and stratum keeps the targets it has. Only groups that were
    seen with the same members change places.
    """
    rows = {(group, member): row for row, (group, member) in enumerate(zip(groups, members, strict=True))}
    seen: dict[str, set[str]] = defaultdict(set)
    for group, member in rows:
        seen[group].add(member)
    taken = np.tile(np.arange(len(groups)), (rounds, 1))
    for stratum, names in _by_stratum(groups, strata).items():
        alike: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for group in names:
            alike[tuple(sorted(seen[group]))].append(group)
        for number, (common, same) in enumerate(sorted(alike.items())):
            orders = _orders(f"{seed}\x1f{stratum}\x1f{number}", rounds, len(same))
            for member in common:
                own = np.array([rows[group, member] for group in same])
                taken[:, own] = own[orders]
    return taken


def _by_stratum(groups: Sequence[str], strata: Sequence[str]) -> dict[str, list[str]]:
    """The groups of each stratum, both sorted, so that no order of rows decides a draw."""
    found: dict[str, set[str]] = defaultdict(set)
    for group, stratum in zip(groups, strata, strict=True):
        found[stratum].add(group)
    return {stratum: sorted(found[stratum]) for stratum in sorted(found)}


def _orders(seed: str, rounds: int, size: int) -> Rows:
    digest = hashlib.sha256(seed.encode()).digest()
    generator = np.random.default_rng(int.from_bytes(digest[:16], "big"))
    return generator.permuted(np.tile(np.arange(size), (rounds, 1)), axis=1)
