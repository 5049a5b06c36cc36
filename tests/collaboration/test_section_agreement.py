"""The report's section on agreement: its numbers as text, links into the kit, nobody to agree."""

import re

from scripts.collaboration.agreement_schemas import AGREEMENT, DISAGREEMENTS
from scripts.collaboration.annotations import opaque_id
from scripts.collaboration.schemas import SAMPLES
from scripts.collaboration.sections.agreement import MOST_LISTED, section
from scripts.collaboration.write_report import write_report
from scripts.lib.tables import read_rows, write_rows
from tests.collaboration.agreement_cases import agreement_row
from tests.collaboration.fixtures import made_up_study


def test_numbers_stand_beside_the_published_ones(tmp_path):
    study = made_up_study(tmp_path)
    (first, *_), told = (its := section(tmp_path, study.job))["rows"], its["disagreements"]
    assert first["stage"] == "L1 attribution" and first["fleiss_kappa"] == "0.71 [0.60, 0.80]"
    assert (first["fleiss_published"], first["cohen_published"]) == ("0.400", "0.500")
    assert (its["judge"], its["raters"], its["simulated_raters"]) == ("judge", ["ann", "bob"], [])
    assert (told[0]["turn"], told[0]["majority"], told[0]["verdict"]) == (2, "satisfied", "not satisfied")
    assert told[0]["team"].endswith("(simulated)") and told[0]["in_kit"]
    assert section(tmp_path, study.job | {"published": {}})["mark"] is None


def test_the_judges_disagreements_come_first_and_not_too_many_are_listed(tmp_path):
    study = made_up_study(tmp_path)
    path = tmp_path / "statistics" / "disagreements.parquet"
    (judges,) = read_rows(path, DISAGREEMENTS)
    divided = judges | {"judge_differs": False, "satisfied": 2, "not_satisfied": 2, "stage": "l3"}
    others = judges | {"judge_differs": False, "satisfied": 3, "not_satisfied": 1, "stage": "l4"}
    write_rows(path, [*[others] * MOST_LISTED, divided, judges], DISAGREEMENTS)
    its = section(tmp_path, study.job)
    assert [row["stage"] for row in its["disagreements"][:3]] == ["L2", "L3", "L4"]
    assert len(its["disagreements"]) == MOST_LISTED and its["differing"] == MOST_LISTED + 2


def page(study):
    write_report(study.folder, [], study.folder / "report.html", study.job)
    text = (study.folder / "report.html").read_text(encoding="utf-8")
    return text.partition('<section aria-labelledby="agreement">')[2].partition("</section>")[0]


def test_disagreements_link_to_their_conversation_in_the_kit(tmp_path):
    study = made_up_study(tmp_path, hostile="<script>alert(1)</script>")
    text = page(study)
    (first, *_) = read_rows(tmp_path / "samples" / "annotations.parquet", SAMPLES)
    assert re.findall(r'href="(annotation_kit.html#[^"]+)"', text) == [
        f"annotation_kit.html#{opaque_id(first)}"
    ]
    assert "&lt;script&gt;alert(1)" in text and "<script>" not in text
    assert "Simulated raters" not in text


def test_simulated_raters_are_called_so(tmp_path):
    study = made_up_study(tmp_path)
    rows = [
        agreement_row(stage, measure, raters="simulated-1; simulated-2", simulated=True)
        for stage in ("l1", "l2", "l3", "l4")
        for measure in ("fleiss_kappa", "krippendorff_alpha", "cohen_judge")
    ]
    write_rows(tmp_path / "statistics" / "agreement.parquet", rows, AGREEMENT)
    assert "Simulated raters.</strong> simulated-1, simulated-2 are programs" in page(study)


def test_without_raters_the_page_says_how_to_get_some(tmp_path):
    study = made_up_study(tmp_path)
    write_rows(tmp_path / "statistics" / "agreement.parquet", [], AGREEMENT)
    write_rows(tmp_path / "statistics" / "disagreements.parquet", [], DISAGREEMENTS)
    assert "Nobody has labelled" in page(study)


def test_a_study_without_conversations_has_no_such_section(tmp_path):
    study = made_up_study(tmp_path)
    write_rows(tmp_path / "samples" / "annotations.parquet", [], SAMPLES)
    assert section(tmp_path, study.job) is None
