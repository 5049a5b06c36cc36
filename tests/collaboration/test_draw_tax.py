"""Figure 3: valid files, honest labels, one to twelve models."""

import pytest

from scripts.collaboration.draw_tax import STEM, draw_tax
from scripts.collaboration.ordering import by_capability
from scripts.collaboration.schemas import TAX
from scripts.lib.tables import write_rows
from tests.collaboration.figures import check_figure
from tests.collaboration.fixtures import TASK_FAMILIES, made_up_tax


def drawn(tmp_path, rows):
    write_rows(tmp_path / "tax.parquet", rows, TAX)
    for folder in ("one", "two"):
        draw_tax(tmp_path / "tax.parquet", tmp_path / folder, {})
    return check_figure(tmp_path / "one", tmp_path / "two", STEM)


@pytest.mark.parametrize("count", [1, 12])
def test_draw_tax(tmp_path, count):
    teams = [[f"model {number} <$&$>"] for number in range(count)]
    svg = drawn(tmp_path, made_up_tax(teams, TASK_FAMILIES, simulated=True))
    assert "simulated agents" in svg
    assert all(f"model {number} <$&$>" in svg for number in range(count))
    assert ("†" in svg) == (count == 12)


def test_real_models_are_not_called_simulated(tmp_path):
    assert "simulated" not in drawn(tmp_path, made_up_tax([["m"]], TASK_FAMILIES, simulated=False))


def test_some_simulated_models_are_named(tmp_path):
    rows = made_up_tax([["real"]], TASK_FAMILIES, False) + made_up_tax([["played"]], TASK_FAMILIES, True)
    assert "partly simulated agents: played" in drawn(tmp_path, rows)


def test_nothing_is_drawn_of_nulls(tmp_path):
    rows = [
        {k: row[k] for k in ("arm", "team", "kind", "scope", "family", "simulated")}
        for row in made_up_tax([["m"]], TASK_FAMILIES, simulated=False)
    ]
    svg = drawn(tmp_path, rows)
    assert "solo_split was not run" in svg and "nan" not in svg.lower()


def test_the_best_model_comes_first_and_unknown_ones_last():
    scores = {"low": 0.2, "unknown": None, "high": 0.9}
    rows = [{"scope": "all", "team": team, "solo_full": score} for team, score in scores.items()]
    assert by_capability(rows) == ["high", "low", "unknown"]
