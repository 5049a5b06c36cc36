"""The sliders of the report in a real browser: they say what the model says."""

import re

import numpy as np
import pytest

from scripts.handoff.chunks import best_chunk
from scripts.handoff.code import CAPTIONS
from scripts.handoff.curves import Linear
from scripts.handoff.model import Chain, chunked_losses
from scripts.handoff.settings import Stylised
from scripts.handoff.voting import failure_at_budget, vote_failure
from scripts.handoff.write_handoff_report import write_handoff_report
from tests.browser import IN_BROWSER, browser, open_page, page  # noqa: F401

pytestmark = IN_BROWSER


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    figures = [folder / f"{stem}.svg" for stem in ("single_against_chunks", "regimes", "voting")]
    for figure in figures:
        figure.write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", encoding="utf-8")
        assert (CAPTIONS / f"{figure.stem}.rst").is_file()
    job = {"stylised": Stylised().model_dump(), "published": {}, "level": 0.95}
    write_handoff_report(figures, [], [], folder / "report.html", job)
    return (folder / "report.html").as_uri()


@pytest.fixture
def shown(page, report):  # noqa: F811
    page.goto(report)
    page.locator("#play-chain").wait_for(state="visible")
    return page


def numbers(shown, name):
    return [float(n) for n in re.findall(r"\d+\.\d+|\d+", shown.locator(f"#{name}").inner_text())]


def test_it_opens_with_the_example_of_the_paper(shown):
    assert "L* = 22 steps" in shown.locator("#chain-crossover").inner_text()
    assert numbers(shown, "chain-best") == [100, 5, 2, 4.47]
    assert "\N{GREEK SMALL LETTER RHO}* = 0.497" in shown.locator("#vote-threshold").inner_text()


@pytest.mark.parametrize(("h", "tax", "note"), [(0.04, 0.002, 0.75), (0.007, 0.0051, 3.1), (0, 0.001, 0)])
def test_what_it_says_is_what_the_model_computes(shown, h, tax, note):
    for name, value in (("h", h), ("tax", tax), ("note", note)):
        shown.locator(f"#chain-{name}").fill(str(value))
    setting = Linear(0.01, tax), Chain(1.0, 0.0, note), h
    size = int(best_chunk(*setting, 100))
    success = np.exp(-chunked_losses(*setting, 100))
    assert numbers(shown, "chain-success")[1:] == pytest.approx(
        [success[-1], success[0], success[size - 1]], abs=6e-4
    )


def test_the_vote_is_that_of_the_model(shown):
    shown.locator("#vote-rho").fill("0.8")
    single = float(failure_at_budget(1, 0.08, 0.22))
    expected = [float(vote_failure(single, 15, 0.8)), float(failure_at_budget(15, 0.08, 0.22)), single]
    assert numbers(shown, "vote-failure")[1:] == pytest.approx(expected, abs=6e-4)
    assert "one call wins" in shown.locator("#vote-threshold").inner_text()


def test_every_slider_has_a_name_and_works_by_keyboard(shown):
    assert shown.get_by_role("slider").count() == 4
    for control in shown.locator("input").all():
        assert control.evaluate("element => element.labels.length") == 1
    shown.get_by_label("h, handoff tax").focus()
    shown.keyboard.press("Home")
    assert "L* = 2 steps" in shown.locator("#chain-crossover").inner_text()


def test_without_scripts_the_figures_stay(open_page, report):  # noqa: F811
    page = open_page(java_script_enabled=False)  # noqa: F811
    page.goto(report)
    assert page.get_by_role("img", name=re.compile("Parallel against sequential")).count() == 1
    assert not page.locator("#play-chain").is_visible()
