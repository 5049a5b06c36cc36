"""Cooperative games: textbook and published values, the axioms, the four propositions for two players."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from scripts.lib.analysis import games
from scripts.lib.analysis.games import in_core, max_superadditive, shapley, two_player_game

# Multiples of 1/64: sums and halves of them are exact, so that "if and only if" can be asked for.
worths = st.integers(0, 64).map(lambda steps: steps / 64)


@st.composite
def many_player_games(draw):
    count = draw(st.integers(1, 4))
    game = draw(arrays(float, (1 << count, 3), elements=worths))
    game[0] = 0
    return game


def orders(game):
    """Shapley values by their definition: the mean over all orders of the players."""
    count = games.players(game)
    totals = np.zeros((count, *game.shape[1:]))
    for order in (found := list(itertools.permutations(range(count)))):
        coalition = 0
        for player in order:
            totals[player] += game[coalition | 1 << player] - game[coalition]
            coalition |= 1 << player
    return totals / len(found)


@pytest.mark.parametrize(
    ("one", "two", "both", "phi"),
    [(0.869, 0.352, 0.731, (0.624, 0.107)), (0.352, 0.932, 0.756, (0.088, 0.668))],
)
def test_the_published_values(one, two, both, phi):
    assert shapley(two_player_game(one, two, both)) == pytest.approx(phi, abs=1e-12)


def test_textbook_games():
    gloves = np.array([0, 0, 0, 0, 0, 1, 1, 1.0])  # two left gloves, one right glove: a pair is worth 1
    assert shapley(gloves) == pytest.approx([1 / 6, 1 / 6, 4 / 6])
    assert in_core(gloves, np.array([0, 0, 1.0])) and not in_core(gloves, shapley(gloves))
    majority = np.array([0, 0, 0, 1, 0, 1, 1, 1.0])
    assert shapley(majority) == pytest.approx([1 / 3] * 3)
    airport = np.array([0, -1, -3, -3, -6, -6, -6, -6.0])  # the longest runway that one of them needs
    assert shapley(airport) == pytest.approx([-1 / 3, -1 / 3 - 1, -1 / 3 - 1 - 3])


def test_a_game_must_have_all_its_coalitions():
    for count in (0, 1, 3, 6):
        with pytest.raises(ValueError, match="coalitions"):
            shapley(np.zeros(count))


def test_a_missing_worth_is_missing_in_the_values_and_no_other_game():
    game = two_player_game(np.array([0.5, np.nan]), np.array([0.5, 0.5]), np.array([0.75, 0.75]))
    assert shapley(game)[:, 0] == pytest.approx([0.375, 0.375])
    assert np.isnan(shapley(game)[:, 1]).all() and np.isnan(games.tax(game)[1])


@given(many_player_games())
def test_the_formula_is_the_mean_over_all_orders(game):
    assert shapley(game) == pytest.approx(orders(game), abs=1e-12)


@given(many_player_games())
def test_all_that_there_is_is_given_out(game):
    assert shapley(game).sum(axis=0) == pytest.approx(game[-1], abs=1e-12)


@given(many_player_games(), st.data())
def test_renamed_players_get_what_they_got(game, data):
    count = games.players(game)
    names = data.draw(st.permutations(range(count)))
    renamed = np.array([sum(1 << names[i] for i in range(count) if s >> i & 1) for s in range(len(game))])
    other = np.empty_like(game)
    other[renamed] = game
    assert shapley(other)[names] == pytest.approx(shapley(game), abs=1e-12)


@given(many_player_games())
def test_who_adds_nothing_gets_nothing_and_changes_nobodys_share(game):
    dummy = np.concatenate([game, game])
    assert shapley(dummy) == pytest.approx(np.vstack([shapley(game), np.zeros(3)]), abs=1e-12)


@given(many_player_games())
def test_values_of_a_sum_of_games_are_sums_of_values(game):
    assert shapley(game[:, 0] + game[:, 1]) == pytest.approx(shapley(game)[:, :2].sum(axis=1), abs=1e-12)


@given(many_player_games())
def test_a_game_without_tax_need_not_be_max_superadditive_but_the_reverse_holds(game):
    assert (games.tax(game)[max_superadditive(game)] <= 0).all()
    assert max_superadditive(game)[games.superadditive(game)].all()
    both = games.superadditive(game) & games.subadditive(game)
    assert shapley(game)[:, both] == pytest.approx(
        game[[1 << i for i in range(games.players(game))]][:, both]
    )


# The four propositions for two players.
@given(worths, worths, worths)
def test_two_players_get_half_of_what_each_adds(one, two, both):
    phi = shapley(two_player_game(one, two, both))
    assert phi.tolist() == [(one + both - two) / 2, (two + both - one) / 2]
    assert phi.sum() == both and phi[0] - phi[1] == one - two


@given(worths, worths, worths)
def test_there_is_a_tax_just_where_max_superadditivity_is_violated(one, two, both):
    game = two_player_game(one, two, both)
    assert (games.tax(game) > 0) == (both < max(one, two)) == (not max_superadditive(game))


@given(worths, worths, worths)
def test_where_the_whole_is_less_than_its_parts_both_lose_the_same(one, two, both):
    game = two_player_game(one, two, both)
    lost = np.array([one, two]) - shapley(game)
    assert lost[0] == lost[1] == (one + two - both) / 2
    assert (lost[0] > 0) == (both < one + two) == (not games.superadditive(game))


@given(worths, worths, worths, worths)
def test_the_core_is_empty_just_where_the_whole_is_less_than_its_parts(one, two, both, share):
    game = two_player_game(one, two, both)
    assert in_core(game, shapley(game)) == (both >= one + two) == games.superadditive(game)
    if both < one + two:
        assert not in_core(game, np.array([share, both - share]))
