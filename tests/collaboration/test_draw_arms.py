"""Figure 6: valid files, honest labels, shares that are undefined or beyond the axis."""

import pytest

from scripts.collaboration.draw_arms import STEM, draw_arms
from scripts.collaboration.schemas import ARMS
from scripts.lib.tables import write_rows
from tests.collaboration.figures import check_figure
from tests.collaboration.statistics_cases import arm_row

PUBLISHED = {"recovered": {"all_four": {"spatial": 0.3, "relational": 0.4, "csp": 0.5, "all": 0.4}}}


def drawn(tmp_path, rows, published=None):
    write_rows(tmp_path / "arms.parquet", rows, ARMS)
    job = {"statistics": {"least_tax": 0.05}, "published": published}
    for folder in ("one", "two"):
        draw_arms(tmp_path / "arms.parquet", tmp_path / folder, job)
    return check_figure(tmp_path / "one", tmp_path / "two", STEM)


def rows_of(teams, arms=("all_four", "no_l1", "brief"), **changes):
    return [
        arm_row(arm=arm, team=team, scope=scope, family=family, **changes)
        for arm in arms
        for scope, family in (("family", "spatial"), ("family", "csp"), ("all", None))
        for team in (*teams, None)
    ]


@pytest.mark.parametrize("count", [1, 12])
def test_draw_arms(tmp_path, count):
    svg = drawn(
        tmp_path, rows_of([f"model {number} <$&$>" for number in range(count)], simulated=True), PUBLISHED
    )
    assert "simulated agents" in svg and "published, not of this run" in svg
    assert all(word in svg for word in ("Spatial", "CSP", "All tasks", "without attribution", "brief"))
    assert "Relational" not in svg and "Undefined" not in svg
    assert all(f"model {number} <$&$>" in svg for number in range(count)) == (count > 1)


def test_real_models_are_not_called_simulated(tmp_path):
    svg = drawn(tmp_path, rows_of(["m", "n"]))
    assert "simulated" not in svg and "published" not in svg


def test_what_is_undefined_or_beyond_the_axis_is_named(tmp_path):
    gone = dict.fromkeys(("recovered", "recovered_low", "recovered_high"))
    rows = rows_of(["m", "n"], arms=["no_l2"])
    rows[0] |= gone
    rows[1] |= {"recovered": -4.0, "recovered_low": None, "recovered_high": None}
    svg = drawn(tmp_path, rows)
    assert "Undefined (tax below 0.05): m (Spatial)." in svg
    assert "Beyond the axis: n (no_l2 in Spatial \N{MINUS SIGN}400 %)." in svg
    assert "nan" not in svg.lower()
