"""The figure of silhouette and stability: valid files, both sources, too little to draw."""

from scripts.collaboration.draw_theme_stability import STEM, draw_theme_stability
from scripts.collaboration.theme_schemas import STABILITY
from scripts.lib.tables import read_rows, write_rows
from tests.collaboration.figures import check_figure
from tests.collaboration.theme_cases import write_made_up_themes


def drawn(folder, change=lambda rows: rows):
    write_made_up_themes(folder, simulated=False)
    path = folder / "themes" / "stability.parquet"
    write_rows(path, change(read_rows(path, STABILITY)), STABILITY)
    draw_theme_stability(path, folder / "one")
    return (folder / "one" / f"{STEM}.svg").read_text(encoding="utf-8")


def test_the_configured_number_is_marked(tmp_path):
    drawn(tmp_path)
    draw_theme_stability(tmp_path / "themes" / "stability.parquet", tmp_path / "two")
    svg = check_figure(tmp_path / "one", tmp_path / "two", STEM)
    assert svg.count("k = 2") == 2 and "TF-IDF" in svg
    assert "embeddings" not in svg and "simulated" not in svg


def test_both_sources_and_their_agreement_are_drawn(tmp_path):
    def doubled(rows):
        return [row | {"source": its, "between": 0.4} for its in ("tfidf", "embedding") for row in rows]

    assert "TF-IDF against embeddings" in drawn(tmp_path, doubled)


def test_too_little_is_told(tmp_path):
    unknown = dict.fromkeys(("silhouette", "rand"))
    assert "Too few descriptions" in drawn(tmp_path / "few", lambda rows: [row | unknown for row in rows])
    assert "No failure was described" in drawn(tmp_path / "none", lambda rows: [])
