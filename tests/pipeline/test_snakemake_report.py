"""Snakemake's own report of a finished study."""

import re
import zipfile

from scripts.collaboration.tables import FILES
from tests.pipeline.study import ROOT

FIGURES = [f"{path.stem}.svg" for path in (ROOT / "workflow" / "report").glob("fig*.rst")]


def test_every_item_of_the_report_has_a_caption(study):
    study.run("--report", "report.zip")
    with zipfile.ZipFile(study.folder / "report.zip") as archive:
        names = archive.namelist()
        text = "\n".join(archive.read(n).decode() for n in names if n.endswith((".js", ".html")))
    figures = [path.name for path in (study.folder / "reports/collaboration/figures").glob("*.svg")]
    assert "fig2_game.svg" in figures
    for stem in [*FILES, "report.html", *figures]:
        assert any(name.endswith(stem) for name in names), stem
    captions = re.findall(r'"caption": (null|"(?:[^"\\]|\\.)*")', text)
    assert len(captions) == len(FILES) + 1 + len(figures)
    assert all(len(caption) > 60 for caption in captions)
    assert "planted rates" in text  # the page itself
