"""The figure of the themes: valid files, honest labels, nothing to draw."""

from scripts.collaboration.draw_themes import STEM, draw_themes
from scripts.collaboration.theme_schemas import THEME_STAGES, THEME_SUMMARY
from scripts.lib.tables import read_rows, write_rows
from tests.collaboration.figures import check_figure
from tests.collaboration.theme_cases import write_made_up_themes


def drawn(folder):
    tables = folder / "statistics" / "themes.parquet", folder / "statistics" / "theme_stages.parquet"
    for name in ("one", "two"):
        draw_themes(*tables, folder / name)
    return check_figure(folder / "one", folder / "two", STEM)


def test_themes_are_drawn_and_simulated_ones_say_so(tmp_path):
    write_made_up_themes(tmp_path, simulated=True, hostile=" <b>$x$</b>\x07")
    svg = drawn(tmp_path)
    assert "simulated" in svg
    assert "walls <b>$x$</b>" in svg and all(stage in svg for stage in ("L1", "L2", "L3", "L4"))


def test_rates_that_are_unknown_are_dashes_and_real_results_are_not_called_simulated(tmp_path):
    write_made_up_themes(tmp_path, simulated=False)
    path = tmp_path / "statistics" / "theme_stages.parquet"
    nulls = dict.fromkeys(("rate", "rate_low", "rate_high", "overall"))
    write_rows(path, [row | nulls for row in read_rows(path, THEME_STAGES)], THEME_STAGES)
    svg = drawn(tmp_path)
    assert svg.count("\N{EN DASH}") == 8 and "simulated" not in svg


def test_without_themes_the_figure_says_so(tmp_path):
    write_made_up_themes(tmp_path)
    write_rows(tmp_path / "statistics" / "themes.parquet", [], THEME_SUMMARY)
    assert "No failure was described" in drawn(tmp_path)
