"""The game in the report, played in a real browser; without scripts the figure stays."""

import re

import pytest

from scripts.collaboration.draw_game import draw_game
from scripts.collaboration.estimate_game_values import estimate_game_values
from scripts.collaboration.write_report import write_report
from tests.browser import IN_BROWSER, browser, open_page, page  # noqa: F401
from tests.collaboration.fixtures import COUNT, TASK_FAMILIES, made_up_study
from tests.collaboration.statistics_cases import grades_of, write_grades

pytestmark = IN_BROWSER


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """A report whose pair of models scores .869 and .352 alone and .731 together."""
    study = made_up_study(tmp_path_factory.mktemp("report"), hostile="<b>&\"'")
    strong, weak = (team[0] for team in study.job["teams"][:2])
    pair = f"{strong} + {weak}"
    scores = {(strong, "solo_full"): 0.869, (weak, "solo_full"): 0.352, (pair, "collab"): 0.731}
    cells = [
        [row | {"family": family} for row in grades_of(team, mode, [score] * COUNT, task)]
        for (team, mode), score in scores.items()
        for task, family in TASK_FAMILIES.items()
    ]
    table = study.folder / "statistics" / "game_values.parquet"
    estimate_game_values([write_grades(study.folder / "scores.parquet", *cells)], table, study.job)
    draw_game(table, study.folder / "figures", {})
    write_report(
        study.folder, [study.folder / "figures" / "fig2_game.svg"], study.folder / "report.html", study.job
    )
    return (study.folder / "report.html").as_uri(), pair


@pytest.fixture
def game(page, report):  # noqa: F811
    page.goto(report[0])
    page.locator("#game").wait_for(state="visible")
    return page


def said(page):  # noqa: F811
    """What the page says of the game."""
    return page.get_by_role("status").inner_text()


def test_it_opens_with_a_measured_game(game, report):
    chosen = game.locator("#game-list option:checked").inner_text()
    assert chosen == f"{report[1]} (simulated): members alone (solo_full)"
    assert [game.locator(f"#game-{name}-value").inner_text() for name in ("v1", "v2", "v12")] == [
        "0.869",
        "0.352",
        "0.731",
    ]
    assert "Tax 0.138" in said(game) and "not max-superadditive" in said(game)
    assert "first 0.624, second 0.107; each is credited with 0.245 less than alone" in said(game)
    assert "subadditive and has no core" in said(game)


def test_a_published_game_is_called_so_and_loads(game):
    group = game.locator("#game-list optgroup").last
    assert group.get_attribute("label") == "Published, not of this run"
    game.get_by_label("A measured game").select_option(label="gpt-5 + Phi-4")
    assert "first 0.624, second 0.107" in said(game)


def test_it_is_played_by_keyboard(game):
    game.get_by_label("v12, both together").focus()
    game.keyboard.press("End")
    assert game.locator("#game-v12-value").inner_text() == "1.000"
    assert game.locator("#game-list option:checked").inner_text() == "values of your own"
    assert "No tax: together they score 0.131 more" in said(game) and "no core" in said(game)
    game.get_by_label("v2, second member alone").focus()
    game.keyboard.press("Home")
    assert "superadditive. Its core gives the first member 0.869 to 1.000" in said(game)
    game.keyboard.press("ArrowRight")
    assert game.locator("#game-v2-value").inner_text() == "0.001"


def test_at_the_sum_nobody_gains_or_loses(game):
    for name, value in (("v1", "0.1"), ("v2", "0.2"), ("v12", "0.3")):  # .1 + .2 is not .3 in floating point
        game.locator(f"#game-{name}").fill(value)
    assert "each is credited with as much as alone" in said(game) and "superadditive. Its core" in said(game)


def test_the_picture_moves_and_tells_its_purpose(game):
    picture = game.get_by_role("img", name=re.compile("What each member is credited"))
    before = picture.locator("#game-shapley-point").get_attribute("transform")
    game.locator("#game-v1").fill("0.5")
    after = picture.locator("#game-shapley-point").get_attribute("transform")
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", after)]
    assert before != after and numbers == pytest.approx([0.4395, -0.2915], abs=1e-9)


def test_every_control_has_a_name_and_nothing_is_wider_than_a_phone(game):
    assert game.get_by_role("slider").count() == 3
    for control in game.locator("#game input, #game select").all():
        assert control.evaluate("element => element.labels.length") == 1
    game.set_viewport_size({"width": 360, "height": 740})
    box = game.locator("#game").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 360


def test_without_scripts_the_figure_stays_and_no_dead_control_is_shown(open_page, report):  # noqa: F811
    page = open_page(java_script_enabled=False)  # noqa: F811
    page.goto(report[0])
    assert page.get_by_role("img", name=re.compile("A team as a game of two players")).is_visible()
    assert not page.locator("#game").is_visible()
