"""Figures of the stylised model: valid files, the numbers of the model, honest labels."""

from scripts.handoff import draw_regimes, draw_voting
from scripts.handoff.draw_single_against_chunks import STEM, draw_single_against_chunks
from tests.collaboration.figures import check_figure

TOKENS = {"base": 0.01, "slope": 4e-6, "growth": 500, "start": 300, "note": 375, "handoff": 0.02, "depth": 60}
VOTE = {"least": 0.08, "spread": 0.22, "budget": 1, "shared": [0, 0.2, 0.5, 0.8], "votes": 15}


def drawn(tmp_path, draw, stem, job):
    for folder in ("one", "two"):
        draw(tmp_path / folder, job)
    svg = check_figure(tmp_path / "one", tmp_path / "two", stem)
    assert "stylised model: computed, not measured" in svg and "$" not in svg
    return svg


def test_single_against_chunks(tmp_path):
    svg = drawn(tmp_path, draw_single_against_chunks, STEM, TOKENS)
    assert svg.count("L* = 22") == 1  # on the rising curve alone
    assert "a new agent each 5 steps" in svg


def test_a_short_task_has_no_crossover(tmp_path):
    draw_single_against_chunks(tmp_path, TOKENS | {"depth": 10})
    assert "L*" not in (tmp_path / f"{STEM}.svg").read_text(encoding="utf-8")


def test_regimes(tmp_path):
    svg = drawn(tmp_path, draw_regimes.draw_regimes, draw_regimes.STEM, TOKENS)
    assert "example: L* = 22" in svg and "1,000" in svg


def test_voting(tmp_path):
    svg = drawn(tmp_path, draw_voting.draw_voting, draw_voting.STEM, VOTE)
    assert "* = 0.497" in svg and svg.count("vote, shared") == 4
