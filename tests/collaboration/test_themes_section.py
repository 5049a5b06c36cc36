"""The report's section and the tables of the themes."""

import csv
import re

from scripts.collaboration.sections.themes import section
from scripts.collaboration.theme_schemas import STABILITY, THEME_STAGES, THEME_SUMMARY
from scripts.collaboration.write_report import write_report
from scripts.collaboration.write_tables import write_tables
from scripts.lib.tables import read_rows, write_rows
from tests.collaboration.fixtures import made_up_study
from tests.collaboration.theme_cases import write_made_up_themes

HOSTILE = '<img src=x onerror="alert(1)"> & {{ job }} \\end{tabular}'


def shown(study):
    """The section of the report, without what figures hold."""
    write_report(study.folder, [], study.folder / "report.html", study.job)
    page = (study.folder / "report.html").read_text(encoding="utf-8")
    return re.search(r'<section aria-labelledby="themes">.*?</section>', page, re.DOTALL)[0]


def test_the_section_tells_number_stability_and_concentration(tmp_path):
    study = made_up_study(tmp_path, simulated=True)
    study.job["published"] |= {"themes": {"mark": "published", "descriptions": 700, "k": 16}}
    text = re.sub(r"<[^>]+>|\s+", " ", shown(study))
    for words in ("9 (700 published)", "0.30 [0.20, 0.40]", "0.90 [0.80, 1.00]", "maze (75 %)", "0.62*"):
        assert words in " ".join(text.split()), words
    assert "Simulated:" in text and "published: 16 themes" in text


def test_names_and_examples_stay_text(tmp_path):
    study = made_up_study(tmp_path, hostile=HOSTILE)
    html = shown(study)
    assert "<img src=x" not in html and "&lt;img src=x" in html
    write_tables(tmp_path, tmp_path / "tables", {"files": ["themes.csv", "themes.tex"]})
    (first, _) = csv.DictReader((tmp_path / "tables" / "themes.csv").read_text().splitlines())
    assert first["name"] == f"walls{HOSTILE}" and first["top_terms"] == "ask; walls"
    latex = (tmp_path / "tables" / "themes.tex").read_text(encoding="utf-8")
    assert latex.count(r"\end{tabular}") == 1 and r"\textbackslash{}end\{tabular\}" in latex


def test_a_study_without_descriptions_says_so(tmp_path):
    study = made_up_study(tmp_path)
    statistics = tmp_path / "statistics"
    write_rows(statistics / "themes.parquet", [], THEME_SUMMARY)
    write_rows(statistics / "theme_stages.parquet", [], THEME_STAGES)
    none = {"found": 0, "described": 0, "clustered": 0}
    none |= dict.fromkeys(f"{n}{end}" for n in ("silhouette", "rand") for end in ("", "_low", "_high"))
    path = tmp_path / "themes" / "stability.parquet"
    write_rows(path, [row | none for row in read_rows(path, STABILITY)], STABILITY)
    assert "No failure was described" in shown(study)
    write_rows(path, [row | {"described": 1} for row in read_rows(path, STABILITY)], STABILITY)
    assert "No two descriptions share a term" in shown(study)


def test_two_sources_are_compared(tmp_path):
    write_made_up_themes(tmp_path / "one", source="tfidf")
    write_made_up_themes(tmp_path / "two", source="embedding")
    for name, schema in (
        ("statistics/themes.parquet", THEME_SUMMARY),
        ("statistics/theme_stages.parquet", THEME_STAGES),
        ("themes/stability.parquet", STABILITY),
    ):
        rows = [row for folder in ("one", "two") for row in read_rows(tmp_path / folder / name, schema)]
        write_rows(
            tmp_path / "both" / name,
            [row | {"between": 0.25} for row in rows] if "stability" in name else rows,
            schema,
        )
    its = section(tmp_path / "both", {})
    assert [source["label"] for source in its["sources"]] == ["TF-IDF of the words", "embeddings"]
    assert {source["between"] for source in its["sources"]} == {"0.25"} and len(its["themes"]) == 4
    assert its["sources"][0]["best_rand"] == "2 (0.90)"  # of equals the smaller number
