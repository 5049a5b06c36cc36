"""How themes relate to tasks and stages, against values worked out by hand."""

import itertools

import numpy as np
import pytest

from scripts.collaboration.estimate_themes import (
    chance_concentration,
    concentration,
    estimate_themes,
    expected_concentration,
    term_name,
)
from scripts.collaboration.theme_schemas import (
    ASSIGNMENTS,
    NAMES,
    THEME_STAGES,
    THEME_SUMMARY,
    THEME_TASKS,
    THEMES,
)
from scripts.lib.analysis.proportions import wilson
from scripts.lib.tables import read_rows, write_rows
from tests.collaboration.theme_cases import NOBODY, judged

JOB = {"tasks": {"maze": "spatial", "cube": "spatial", "geomaze": "spatial"}, "seed": 1, "level": 0.95}
SCHEMAS = {"themes": THEME_SUMMARY, "theme_tasks": THEME_TASKS, "theme_stages": THEME_STAGES}
STAGES = ("l1", "l2", "l3", "l4")
TERMS = ["never asked", "asked", "walls"]

# theme 0: maze, maze, maze, cube; theme 1: cube, maze; one description in no theme
PLACED = [("maze", 0), ("maze", 0), ("maze", 0), ("cube", 0), ("cube", 1), ("maze", 1), ("maze", None)]


def related(folder, placed=PLACED, names=None, judgements=None, named_for=None):
    """The three tables for descriptions by (task, theme)."""
    assigned = [
        NOBODY | {"task": task, "index": index, "simulated": False, "source": "tfidf", "theme": theme}
        for index, (task, theme) in enumerate(placed)
    ]
    write_rows(folder / "assignments.parquet", assigned, ASSIGNMENTS)
    found = sorted({theme for _, theme in placed if theme is not None})
    about = {"source": "tfidf", "wanted": 2, "described": len(placed), "clustered": 6, "simulated": False}
    themes = [
        about
        | {"theme": theme, "size": sum(its == theme for _, its in placed)}
        | {"top_terms": TERMS, "examples": []}
        for theme in found
    ]
    write_rows(folder / "themes.parquet", themes, THEMES)
    named = [folder / "names.parquet"] if names else []
    if names:
        about = {"source": "tfidf", "top_terms": named_for or TERMS}
        rows = [about | {"theme": theme, "name": name} for theme, name in enumerate(names)]
        write_rows(named[0], rows, NAMES)
    verdicts = [judged(folder / "judgements.parquet", judgements)] if judgements else []
    files = folder / "themes.parquet", folder / "assignments.parquet"
    estimate_themes(*files, named, verdicts, folder / "statistics", JOB)
    return {
        name: read_rows(folder / "statistics" / f"{name}.parquet", schema) for name, schema in SCHEMAS.items()
    }


def test_concentration_on_tasks_by_hand(tmp_path):
    first, second = related(tmp_path)["themes"]
    assert (first["tasks"], first["top_task"], first["top_task_share"]) == (2, "maze", 0.75)
    assert first["concentration"] == 0.75**2 + 0.25**2 and second["concentration"] == 0.5
    assert (second["tasks"], second["top_task"]) == (2, "maze")
    # two of 4 mazes and 2 cubes: both alike in 7 of 15 draws
    assert second["expected"] == pytest.approx(7 / 15 * 1 + 8 / 15 * 0.5)
    assert all(row["chance_low"] <= row["expected"] <= row["chance_high"] for row in (first, second))
    assert (first["name"], first["named_by"]) == ("never asked, walls", "terms")


@pytest.mark.parametrize("size", [1, 2, 4, 6])
def test_the_expectation_is_that_of_all_draws(size):
    totals = np.array([3.0, 2.0, 1.0])
    kinds = np.repeat(np.arange(3), totals.astype(int))
    draws = [np.bincount(list(drawn), minlength=3) for drawn in itertools.combinations(kinds, size)]
    mean = np.mean([concentration(counts.astype(float)) for counts in draws])
    assert expected_concentration(size, totals) == pytest.approx(mean)


def test_chance_covers_themes_that_ignore_tasks_and_not_one_that_is_a_task():
    counts = np.array([[10.0, 0, 0], [4, 6, 5], [6, 14, 15]])
    low, high = chance_concentration(counts, seed=1, level=0.95)
    assert concentration(counts[0]) == 1.0 > high[0]
    even = np.array([[4.0, 3, 3], [5, 5, 5], [11, 12, 12]])
    low, high = chance_concentration(even, seed=1, level=0.95)
    assert (low <= concentration(even)).all() and (concentration(even) <= high).all()
    again = chance_concentration(even, seed=1, level=0.95)
    assert (again[0] == low).all() and (again[1] == high).all()


def test_every_theme_and_task_has_a_row(tmp_path):
    rows = related(tmp_path)["theme_tasks"]
    counts = {(row["theme"], row["task"]): (row["count"], row["described"], row["size"]) for row in rows}
    assert counts == {
        (0, "maze"): (3, 4, 4),
        (0, "cube"): (1, 2, 4),
        (0, "geomaze"): (0, 0, 4),
        (1, "maze"): (1, 4, 2),
        (1, "cube"): (1, 2, 2),
        (1, "geomaze"): (0, 0, 2),
    }
    assert [row["expected"] for row in rows[:2]] == [pytest.approx(8 / 3), pytest.approx(4 / 3)]
    assert [row["share"] for row in rows[:2]] == [0.75, 0.25]


def test_stages_fire_where_they_are_not_satisfied(tmp_path):
    all_but = dict.fromkeys(STAGES, True)
    verdicts = {
        ("maze", 0): all_but | {"l1": False},
        ("maze", 1): all_but | {"l1": False, "l2": None},
        ("cube", 3): all_but,
        ("cube", 4): all_but | {"l1": None},
        ("maze", 6): dict.fromkeys(STAGES, False),  # its description is in no theme
        ("maze", 99): dict.fromkeys(STAGES, False),  # not described
    }
    rows = {(r["theme"], r["stage"]): r for r in related(tmp_path, judgements=verdicts)["theme_stages"]}
    first = rows[0, "l1"]
    assert (first["judged"], first["fired"], first["rate"]) == (3, 2, pytest.approx(2 / 3))
    assert (first["rate_low"], first["rate_high"]) == wilson(2, 3, 0.95)
    assert first["overall"] == pytest.approx(2 / 3)  # the void verdict of theme 1 counts nowhere
    assert (rows[1, "l1"]["judged"], rows[1, "l1"]["rate"], rows[1, "l1"]["rate_low"]) == (0, None, None)
    assert (rows[0, "l2"]["judged"], rows[0, "l2"]["rate"]) == (2, 0.0) and rows[0, "l2"]["rate_high"] > 0.5
    assert len(rows) == 2 * 4


def test_without_judgements_rates_are_null(tmp_path):
    rows = related(tmp_path)["theme_stages"]
    assert len(rows) == 8 and {(row["judged"], row["rate"], row["overall"]) for row in rows} == {
        (0, None, None)
    }


def test_a_models_name_goes_before_the_terms(tmp_path):
    first, second = related(tmp_path, names=["No question asked", None])["themes"]
    assert (first["name"], first["named_by"]) == ("No question asked", "model")
    assert (second["name"], second["named_by"]) == ("never asked, walls", "terms")


def test_a_name_of_another_theme_of_the_same_number_is_not_taken(tmp_path):
    first, _ = related(tmp_path, names=["No question asked", None], named_for=["mirrored"])["themes"]
    assert (first["name"], first["named_by"]) == ("never asked, walls", "terms")


def test_no_themes_make_empty_tables(tmp_path):
    assert related(tmp_path, placed=[("maze", None)]) == {name: [] for name in SCHEMAS}
    assert related(tmp_path, placed=[]) == {name: [] for name in SCHEMAS}


def test_a_theme_without_terms_has_a_number():
    assert term_name({"top_terms": [], "theme": 4}) == "theme 5"
