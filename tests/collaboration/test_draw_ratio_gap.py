"""Figure 4: order, means, the note on what is not drawn, 9 to 32 tasks."""

import pytest

from scripts.collaboration.draw_ratio_gap import STEM, draw_ratio_gap
from scripts.collaboration.ordering import mean_gap, ordered_tasks
from scripts.collaboration.schemas import TAX
from scripts.lib.tables import write_rows
from tasks.contract import FAMILIES
from tests.collaboration.figures import check_figure
from tests.collaboration.fixtures import made_up_tax


def gap(task, family, value, dagger=False):
    return {"task": task, "family": family, "ratio_gap": value, "dagger": dagger}


@pytest.mark.parametrize(
    ("models", "tasks", "published"),
    [(1, 9, None), (12, 32, {"mark": "approx.", "tasks": {"task0": 0.58, "unplayed": 0.5}})],
)
def test_draw_ratio_gap(tmp_path, models, tasks, published):
    families = {f"task{n}": list(FAMILIES)[n * 3 // tasks] for n in range(tasks)}
    rows = made_up_tax([[f"model {n}"] for n in range(models)], families, simulated=True)
    rows[0] |= {"ratio_gap": -2.5, "ratio_gap_low": -9.0, "ratio_gap_high": 0.1}
    write_rows(tmp_path / "tax.parquet", rows, TAX)
    for folder in ("one", "two"):
        draw_ratio_gap(tmp_path / "tax.parquet", tmp_path / folder, {"published": published})
    svg = check_figure(tmp_path / "one", tmp_path / "two", STEM)
    assert "simulated agents" in svg and "nan" not in svg.lower()
    assert "Left of the axis: task0 (model 0 \N{MINUS SIGN}250 %)." in svg
    assert ("Undefined" in svg) == (models > 1)
    assert ("published mean (approx.), not this run's" in svg) == bool(published)


def test_the_mean_is_over_solo_tractable_models_where_there_are_any():
    rows = [gap("t", "csp", 0.2), gap("t", "csp", 0.4), gap("t", "csp", 0.9, dagger=True)]
    assert mean_gap(rows) == (pytest.approx(0.3), False)
    assert mean_gap(rows[2:]) == (0.9, True)
    assert mean_gap([gap("t", "csp", None, dagger=True)]) == (None, True)


def test_tasks_are_ordered_within_their_family():
    rows = [
        gap("c", "csp", 0.9),
        gap("undefined", "spatial", None),
        gap("small", "spatial", 0.1),
        gap("large", "spatial", 0.5),
    ]
    assert ordered_tasks(rows) == ["large", "small", "undefined", "c"]
