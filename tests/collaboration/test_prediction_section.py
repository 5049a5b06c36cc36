"""The report's section on the prediction."""

import shutil

from scripts.collaboration.sections.prediction import section
from scripts.collaboration.write_report import write_report
from scripts.lib.dialogue.shape import FEATURES
from scripts.lib.drawing.numbers import decimal
from tests.collaboration.fixtures import made_up_study
from tests.collaboration.prediction_cases import (
    SCHEMAS,
    SETTINGS,
    job,
    predicted,
    row_of,
    shape_rows,
    tax_rows,
)


def test_the_page_holds_the_numbers_of_the_tables(tmp_path):
    shapes = shape_rows()
    its = job()
    tables = predicted(tmp_path / "own", shapes, tax_rows(shapes, lambda team, task, pacing: pacing), its)
    study = made_up_study(tmp_path / "study")
    for name in SCHEMAS:
        shutil.copy(*(tmp_path / folder / "statistics" / f"{name}.parquet" for folder in ("own", "study")))
    more = {"prediction": SETTINGS, "published": study.job["published"] | its["published"]}
    write_report(study.folder, [], tmp_path / "report.html", study.job | more)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    main = row_of(tables["prediction"])
    assert f"R squared <strong>{decimal(main['r2'])} [{decimal(main['r2_low'])}, " in page
    assert "R squared 0.475 and rho 0.760 (published, not of this run)" in page
    assert all(f">{name}</th>" in page for name in FEATURES)
    assert page.count('<td class="words">one model out</td>') == 2 * 3


def test_what_was_not_predicted_is_told_with_its_reason(tmp_path):
    its = job(tasks={"t": "csp"})
    shapes = shape_rows(tasks={"t": "csp"})
    predicted(tmp_path, shapes, tax_rows(shapes, lambda team, task, pacing: pacing), its)
    found = section(tmp_path, its)
    assert "score in collab, folds by task: fewer tasks than folds (1 < 3)" in found["reasons"]
    assert found["main"]["r2"] == found["main"]["r2_p"] == "\N{EN DASH}"


def test_without_a_prediction_there_is_no_section(tmp_path):
    study = made_up_study(tmp_path)
    assert section(study.folder, study.job) is None
