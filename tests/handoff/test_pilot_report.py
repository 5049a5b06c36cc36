"""A pilot from its calls to figure, tables and section, without Snakemake; published numbers beside."""

import csv
from pathlib import Path

import pytest

from scripts.handoff.draw_pilot import STEM, draw_pilot
from scripts.handoff.published import load_published, pilot_rows
from scripts.handoff.section_pilot import pilot_section
from scripts.handoff.tabulate_pilot import tabulate_pilot
from scripts.lib.errors import UserError
from scripts.lib.page import render_page
from tests.collaboration.figures import check_figure
from tests.handoff.pilot_cases import call, fit, play, write_calls

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = load_published(ROOT / "config" / "published_handoff.yaml")


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pilot")
    play(folder)
    fit(folder)
    return folder / "pilot.parquet", folder / "pilot_hinges.parquet"


@pytest.fixture
def stopped(tmp_path):
    """A real model that writes no answer line and whose context ends."""
    rows = [call(i, level, True, None) for i in range(3) for level in range(3)]
    rows += [call(i, 3, None, None, load=None, outcome="context_overflow") for i in range(3)]
    rows = [row | {"simulated": False, "load": None if row["level"] == 3 else row["load"]} for row in rows]
    write_calls(tmp_path, rows)
    fit(tmp_path, problems=3, loads=[0, 1000, 2000, 6000], calls=1, simulated=False)
    return tmp_path / "pilot.parquet", tmp_path / "pilot_hinges.parquet"


def test_the_figure(tmp_path, tables):
    for folder in ("one", "two"):
        draw_pilot(*tables, tmp_path / folder, {"published": PUBLISHED["pilot"]})
    svg = check_figure(tmp_path / "one", tmp_path / "two", STEM)
    assert "simulated agents" in svg and "no answer line" in svg and "hinge, published" in svg


def test_the_figure_shows_where_a_real_model_stopped(tmp_path, stopped):
    draw_pilot(*stopped, tmp_path / "figure", {"published": None})
    svg = (tmp_path / "figure" / "pilot.svg").read_text(encoding="utf-8")
    assert "simulated agents" not in svg and "published" not in svg
    assert "refused 3 of 3" in svg and "knee poorly determined" in svg


def test_the_tables(tmp_path, tables):
    tabulate_pilot(*tables, tmp_path, {"published": PUBLISHED})
    names = {"pilot.csv", "pilot.tex", "pilot_hinges.csv", "pilot_hinges.tex"}
    assert {path.name for path in tmp_path.iterdir()} == names
    with (tmp_path / "pilot.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    own = [row for row in rows if row["source"] == "this run"]
    assert len(own) == 12 and all(row["simulated"] == "true" for row in own)
    published = [row for row in rows if row["source"] == "published" and row["failure"] == "either"]
    assert [row["share"] for row in published] == ["0.055", "0.295"]
    assert (published[1]["difference"], published[1]["t"], published[1]["df"]) == ("0.225", "6.7", "99")
    latex = (tmp_path / "pilot_hinges.tex").read_text(encoding="utf-8")
    assert "Simulated agents, not language models." in latex and "27,000" in latex and "7.8" in latex


def section(tables, published=PUBLISHED):
    template = ROOT / "scripts" / "handoff" / "templates"
    drawn = {"pilot": {"title": "Pilot", "text": "A figure.", "source": "data:,", "stem": "pilot"}}
    pilot = pilot_section(list(tables), published)
    return render_page(template, "pilot.html", {"pilot": pilot, "drawn": drawn, "level": 0.95})


def test_the_section_says_simulated_and_shows_published_numbers(tables):
    page = section(tables)
    assert "Simulated:" in page and "6.7 (99)" in page and "63,129" in page
    assert "stopped" not in page and "None" not in page and "nan" not in page


def test_the_section_says_where_a_real_model_stopped_and_that_there_is_no_knee(stopped):
    page = section(stopped, {})
    assert "stopped at a load of 6,000 tokens" in page and "refused 3 of 3 calls" in page
    assert "the knee is poorly determined" in page and "all of the graded calls failed" in page
    assert "Simulated:" not in page and "gpt-oss-20b" not in page


def test_a_models_name_is_no_markup(tmp_path):
    rows = [call(i, level, i < level, None if i < level else False) for i in range(3) for level in range(3)]
    write_calls(tmp_path, rows)
    fit(tmp_path, problems=3, loads=[0, 1000, 2000], calls=1)
    pilot = pilot_section([tmp_path / "pilot.parquet", tmp_path / "pilot_hinges.parquet"], {})
    for row in (*pilot["loads"], *pilot["hinges"], *pilot["poor"]):
        row["model"] = "<script>"
    drawn = {"pilot": {"title": "", "text": "", "source": "data:,"}}
    context = {"pilot": pilot, "drawn": drawn, "level": 0.95}
    page = render_page(ROOT / "scripts" / "handoff" / "templates", "pilot.html", context)
    assert "<script>" not in page and "&lt;script&gt;" in page


def test_without_a_pilot_there_is_no_section_and_without_a_file_nothing_published():
    assert pilot_section([], {}) is None and load_published(None) == {}
    assert pilot_rows({}) == {"loads": [], "hinges": []}


def test_a_published_number_that_cannot_be_is_named(tmp_path):
    text = (ROOT / "config" / "published_handoff.yaml").read_text(encoding="utf-8")
    (tmp_path / "wrong.yaml").write_text(text.replace("[0.055, 0.295]", "[0.055, 29.5]"), encoding="utf-8")
    with pytest.raises(UserError, match="either"):
        load_published(tmp_path / "wrong.yaml")
