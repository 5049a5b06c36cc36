"""The figure of agreement: valid files, published numbers marked, simulated ones called so."""

from xml.etree import ElementTree

from scripts.collaboration.agreement_schemas import AGREEMENT
from scripts.collaboration.draw_agreement import STEM, draw_agreement
from scripts.lib.tables import write_rows
from tests.collaboration.figures import check_figure

STAGES = ("l1", "l2", "l3", "l4")
PUBLISHED = {"mark": "published", "fleiss": {"l1": 0.4, "l2": 0.5}, "cohen": dict.fromkeys(STAGES, 0.6)}


def drawn(folder, rows, published=None):
    """The figure's files in a folder; returns the text of the SVG."""
    write_rows(folder / "agreement.parquet", rows, AGREEMENT)
    draw_agreement(folder / "agreement.parquet", folder, {"published": published})
    return " ".join(ElementTree.parse(folder / f"{STEM}.svg").getroot().itertext())


def row(stage, measure, coefficient=0.7, low=0.6, simulated=False):
    ends = {"coefficient_low": low, "coefficient_high": 0.8}
    return {"stage": stage, "measure": measure, "coefficient": coefficient, "simulated": simulated, **ends}


MEASURES = ("fleiss_kappa", "krippendorff_alpha", "cohen_judge", "cohen_pair")


def test_draw_agreement(tmp_path):
    rows = [row(stage, measure, simulated=True) for stage in STAGES for measure in MEASURES]
    write_rows(tmp_path / "agreement.parquet", rows, AGREEMENT)
    for folder in ("one", "two"):
        draw_agreement(tmp_path / "agreement.parquet", tmp_path / folder, {"published": PUBLISHED})
    svg = check_figure(tmp_path / "one", tmp_path / "two", STEM)
    assert "L1 attribution" in svg and "published" in svg and "simulated raters or agents" in svg


def test_what_is_undefined_is_not_drawn(tmp_path):
    rows = [row("l1", "fleiss_kappa", None, None), row("l2", "cohen_judge", -0.3, None)]
    svg = drawn(tmp_path, rows)
    assert "nan" not in svg.lower() and "published" not in svg and "simulated" not in svg


def test_without_raters_the_figure_says_so(tmp_path):
    assert "nobody has labelled anything yet" in drawn(tmp_path, [], PUBLISHED)
