"""Figure 5 and the overlap of stages: valid files, honest labels, nothing drawn of nulls."""

import pytest

from scripts.collaboration import draw_cascade, draw_stage_overlap
from scripts.collaboration.estimate_stages import from_data
from scripts.collaboration.published import load_published
from scripts.collaboration.schemas import RECOVERY
from scripts.collaboration.sections.stages import section
from scripts.collaboration.write_report import overview, render
from scripts.collaboration.write_tables import write_tables
from scripts.lib.tables import write_rows
from tests.collaboration.figures import check_figure
from tests.collaboration.fixtures import made_up_study, write_missing_tables
from tests.collaboration.judged import made_up
from tests.collaboration.stage_walk import ROOT
from tests.collaboration.test_estimate_stages import ROWS

CASCADE = load_published(ROOT / "config" / "published.yaml").cascade.model_dump()


def judged(folder, rows=ROWS):
    """The statistics of a judged study and its job."""
    job = made_up(folder, rows)
    from_data(folder, folder / "statistics", job)
    write_rows(folder / "statistics" / "recovery.parquet", [], RECOVERY)
    return folder / "statistics", job


def drawn(folder, rows=ROWS, published=None, **simulated):
    """The text of both figures."""
    tables, job = judged(folder, rows)
    job |= {"simulated": {"m": True, "n": True, "j": True} | simulated, "published": published}
    for copy in ("one", "two"):
        draw_cascade.draw_cascade(tables / "stages.parquet", folder / "cascade" / copy, job)
        paths = tables / "stage_overlap.parquet", tables / "stage_counts.parquet"
        draw_stage_overlap.draw_stage_overlap(*paths, folder / "overlap" / copy, job)
    return [
        check_figure(folder / name / "one", folder / name / "two", module.STEM)
        for name, module in (("cascade", draw_cascade), ("overlap", draw_stage_overlap))
    ]


def test_families_and_stages_are_named_and_simulated_ones_called_so(tmp_path):
    cascade, overlap = drawn(tmp_path)
    for word in ("Spatial", "Relational", "CSP", "All tasks", "L1 attribution", "3 successes"):
        assert word in cascade
    assert "0.25" in overlap and "4 failures" in overlap
    assert all("simulated agents" in text and "rules" not in text for text in (cascade, overlap))


def test_published_numbers_are_called_so_and_left_out_where_there_are_none(tmp_path):
    _, without = drawn(tmp_path / "without")
    _, beside = drawn(tmp_path / "beside", published=CASCADE)
    assert "published" not in without
    assert "published 0.37" in beside


@pytest.mark.parametrize(
    ("simulated", "words"),
    [
        ({"m": False, "n": False, "j": False}, None),
        ({"m": False, "n": False}, "judged by rules that are made for simulated agents"),
        ({"m": False}, "partly simulated agents: n; judged by rules"),
    ],
)
def test_a_rule_based_judge_of_real_models_is_warned_of(tmp_path, simulated, words):
    for text in drawn(tmp_path, **simulated):
        text = " ".join(text.split())
        assert words in text if words else "simulated" not in text


def test_nothing_is_drawn_of_nulls(tmp_path):
    for text in drawn(tmp_path, rows=[("m", "maze", True, 1, [None] * 4)]):
        assert "nan" not in text.lower()


# -- the section of the report and the tables --------------------------------------------------


def page(folder, rows=ROWS, judge_simulated=False, published=None):
    """The report of a made-up study of real models that was judged."""
    study = made_up_study(folder, simulated=False)
    judged(folder, rows)
    write_missing_tables(folder)
    models = study.job["models"] | {"j": {"simulated": judge_simulated}}
    job = study.job | {"judging": {"rollouts": 1351}, "published": {"cascade": published}, "models": models}
    its = section(folder, job)
    if its is None:
        return None
    about = {"topic": "stages", "title": "Where conversations break"}
    parts = {"drawn": {}, "figures": [], "sections": [its | about], "scripts": [], "transcripts": []}
    text = " ".join(render(overview(folder, study.job) | parts).split())
    return text.partition('<h2 id="stages">')[2].partition("</section>")[0]


def test_the_section_tells_what_was_judged(tmp_path):
    text = page(tmp_path, published=CASCADE)
    assert "<code>j</code>, read 8 conversations" in text and "wanted: 1,351" in text
    assert "L2 querying 1, L3 integration 1, L4 verification 0" in text  # void
    assert "of the published study, not of this run" in text and "12.8 %" in text
    assert "rules that are made" not in text and "planted" not in text


def test_the_section_warns_of_rules_for_simulated_text(tmp_path):
    assert "rules that are made" in page(tmp_path, judge_simulated=True)


def test_without_published_numbers_none_are_shown(tmp_path):
    assert "published" not in page(tmp_path)


def test_without_a_judge_there_is_no_section(tmp_path):
    assert page(tmp_path, rows=[]) is None


def test_the_tables_hold_every_row(tmp_path):
    judged(tmp_path)
    names = ("stages", "stage_counts", "stage_overlap", "recovery")
    write_tables(
        tmp_path, tmp_path / "tables", {"files": [f"{n}.{k}" for n in names for k in ("csv", "tex")]}
    )
    lines = {name: (tmp_path / "tables" / f"{name}.csv").read_text().splitlines() for name in names}
    assert [len(lines[name]) for name in names] == [1 + 6 * 4, 1 + 6 * 10, 1 + 6 * 6, 1]
    assert "L1 attribution" in (tmp_path / "tables" / "stages.tex").read_text()
    assert "(simulated)" in (tmp_path / "tables" / "stage_counts.tex").read_text()
