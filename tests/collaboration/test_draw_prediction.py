"""The figure of the prediction: valid files, honest labels, also where nothing could be predicted."""

import pytest

from scripts.collaboration.draw_prediction import STEM, draw_prediction
from tests.collaboration.figures import check_figure
from tests.collaboration.prediction_cases import FAMILY, TEAMS, job, predicted, shape_rows, tax_rows


def drawn(tmp_path, its, tasks=FAMILY):
    shapes = shape_rows([team for (team,) in its["teams"]], tasks)
    predicted(tmp_path, shapes, tax_rows(shapes, lambda team, task, pacing: pacing), its)
    data = tmp_path / "statistics"
    for folder in ("one", "two"):
        paths = (data / "prediction.parquet", data / "prediction_cells.parquet", tmp_path / folder)
        draw_prediction(*paths, its | {"published": its["published"]["prediction"]})
    return check_figure(tmp_path / "one", tmp_path / "two", STEM)


@pytest.mark.parametrize("teams", [["m <$&$>"], TEAMS])
def test_every_model_scheme_and_variant_is_named(tmp_path, teams):
    svg = drawn(tmp_path, job(teams))
    assert "simulated agents" in svg and "published (arXiv 2608.22152)" in svg
    assert all(team in svg for team in teams)
    assert all(words in svg for words in ("one model out: shape alone", "nested penalty: all columns"))
    assert "nan" not in svg.lower()


def test_real_models_are_not_called_simulated_and_nothing_published_is_shown_unasked(tmp_path):
    its = job() | {"simulated": dict.fromkeys(TEAMS, False), "published": {"prediction": None}}
    svg = drawn(tmp_path, its)
    assert "simulated" not in svg and "published" not in svg


def test_what_could_not_be_predicted_is_told(tmp_path):
    svg = drawn(tmp_path, job(tasks={"t": "csp"}), {"t": "csp"})
    assert "fewer tasks than folds" in " ".join(svg.split())
