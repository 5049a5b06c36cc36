"""Cooperative games on arrays: Shapley values, superadditivity, the core, and the tax.

A game of n players is an array (2**n, ...). Entry S is the worth of the coalition whose members are the bits
of S (bit i for player i); entry 0, of nobody, is 0 (Shapley 1953). Trailing axes are games side by side, such
as the resamples of a bootstrap; a game with a missing worth (NaN) has missing values.

Four propositions hold for the game of two players, v(1), v(2) and v(12), and are tested:

1. Each gets phi_i = (v(i) + v(12) - v(j)) / 2, together v(12), and phi_1 - phi_2 = v(1) - v(2).
2. The tax max(v(1), v(2)) - v(12) is above 0 if and only if the game is not max-superadditive.
3. Where v(12) < v(1) + v(2), both get less than alone, by the same amount (v(1) + v(2) - v(12)) / 2.
4. The core is empty in just these games; where it is not, the Shapley values lie in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import comb

import numpy as np
import numpy.typing as npt

from scripts.lib.analysis.bootstrap import Array

Truth = npt.NDArray[np.bool_]


def two_player_game(one: Array, two: Array, both: Array) -> Array:
    """The game (4, ...) of two players from their worths alone and together, each (...)."""
    return np.stack(np.broadcast_arrays(np.zeros(()), one, two, both)).astype(np.float64)


def players(game: Array) -> int:
    """How many players a game (2**n, ...) has. Raises ValueError where the first axis is no such number."""
    count = len(game).bit_length() - 1
    if count < 1 or len(game) != 1 << count:
        raise ValueError(f"{len(game)} coalitions belong to no number of players")
    return count


def shapley(game: Array) -> Array:
    """Shapley values (n, ...): what a player adds, averaged over all orders in which the players may come.

    phi_i is the sum over the coalitions S without i of |S|! (n - |S| - 1)! / n! times v(S and i) - v(S).
    """
    count = players(game)
    coalitions = np.arange(len(game))
    sizes = np.array([int(coalition).bit_count() for coalition in coalitions])
    values = []
    for player in range(count):
        without = coalitions[(coalitions >> player) & 1 == 0]
        chance = np.array([1 / (count * comb(count - 1, size)) for size in sizes[without]])
        values.append(np.tensordot(chance, game[without | 1 << player] - game[without], axes=1))
    return np.stack(values)


def tax(game: Array) -> Array:
    """What the best player alone is worth, less what all are worth together: (...)."""
    alone = game[[1 << player for player in range(players(game))]]
    return alone.max(axis=0) - game[-1]


def max_superadditive(game: Array) -> Truth:
    """Whether no union of disjoint coalitions is worth less than the better of the two: (...)."""
    return _everywhere(game, lambda one, two, union: union >= np.maximum(one, two))


def superadditive(game: Array) -> Truth:
    """Whether every union of disjoint coalitions is worth at least their sum: (...)."""
    return _everywhere(game, lambda one, two, union: union >= one + two)


def subadditive(game: Array) -> Truth:
    """Whether every union of disjoint coalitions is worth at most their sum: (...)."""
    return _everywhere(game, lambda one, two, union: union <= one + two)


def in_core(game: Array, shares: Array) -> Truth:
    """Whether shares (n, ...) split all there is and leave no coalition better off alone: (...).

    Compared to within 1e-9, because a split that is exact on paper is not so in floating point.
    """
    member = (np.arange(len(game))[:, None] >> np.arange(players(game))) & 1
    given = np.tensordot(member.astype(np.float64), shares, axes=1)
    return (np.abs(given[-1] - game[-1]) <= 1e-9) & (given >= game - 1e-9).all(axis=0)


def _everywhere(game: Array, holds: Callable[[Array, Array, Array], Truth]) -> Truth:
    """Whether a relation holds for all pairs of disjoint coalitions, neither of them empty."""
    truths = [holds(game[one], game[two], game[one | two]) for one, two in _disjoint(players(game))]
    return np.logical_and.reduce(truths) if truths else np.ones(game.shape[1:], bool)


def _disjoint(count: int) -> Iterator[tuple[int, int]]:
    """Every pair of disjoint coalitions of so many players, each pair once."""
    for one in range(1, 1 << count):
        rest = ((1 << count) - 1) & ~one
        two = rest
        while two > one:
            yield one, two
            two = (two - 1) & rest
