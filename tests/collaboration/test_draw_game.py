"""Figure 2: the same bytes twice, published games called so, and what is drawn without any game."""

import pytest

from scripts.collaboration.draw_game import STEM, draw_game
from scripts.collaboration.schemas import GAME_VALUES
from scripts.lib.tables import write_rows
from tests.collaboration.figures import check_figure
from tests.collaboration.fixtures import PUBLISHED


def game(team, v1, v2, v12, kind="mixed", alone="solo_full", **changes):
    row = dict.fromkeys(GAME_VALUES.names) | {"team": team, "kind": kind, "alone": alone, "scope": "all"}
    row |= {"simulated": True, "tasks": 1, "v1": v1, "v2": v2, "v12": v12}
    if v12 is not None:
        row |= {"v12_low": v12 - 0.1, "phi_1": (v1 + v12 - v2) / 2, "phi_2": (v2 + v12 - v1) / 2}
        row |= {"v12_high": v12 + 0.1}
    return row | changes


def drawn(folder, rows, published=None):
    write_rows(folder / "game_values.parquet", rows, GAME_VALUES)
    for name in ("one", "two"):
        draw_game(folder / "game_values.parquet", folder / name, {"published": published})
    svg = check_figure(folder / "one", folder / "two", STEM)
    assert "nan" not in svg.lower()
    return svg


@pytest.mark.parametrize("core", [False, True])
def test_the_first_mixed_team_is_shown_and_all_are_listed(tmp_path, core):
    rows = [
        game("alone", 0.5, 0.5, 0.4, kind="homogeneous"),
        game("$trong + weak", 0.2 if core else 0.869, 0.352, 0.731),
        game("$trong + weak", 0.7, 0.2, 0.731, alone="own_collab"),
        game("not run", None, None, None),
    ]
    svg = drawn(tmp_path, rows)
    assert "The game of" in svg and svg.count("$trong + weak") == 3
    assert ("credited 0.29" if core else "credited 0.62") in svg
    assert "simulated agents" in svg and "with a copy of itself" in svg
    assert "published" not in svg and "not run" not in svg


def test_published_games_are_hollow_and_called_so(tmp_path):
    svg = drawn(tmp_path, [game("a + b", 0.5, 0.5, 0.4)], PUBLISHED["pairs"])
    assert "gpt-5 + Phi-4" in svg and "published, not from this run" in svg


def test_without_a_game_it_says_so(tmp_path):
    assert "no team was graded alone and together" in drawn(tmp_path, [game("a", None, None, None)])
