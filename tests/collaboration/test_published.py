"""The published numbers: complete, closed, matched with models by name, and computed with nowhere."""

import re

import pytest
import yaml

from scripts.collaboration.published import load_published, published_name
from scripts.lib.codehash import ROOT
from scripts.lib.errors import UserError
from tasks import TASKS

FILE = ROOT / "config" / "published.yaml"


@pytest.fixture(scope="module")
def published():
    return load_published(FILE)


def test_every_task_and_eleven_models_have_a_gap(published):
    gaps = published.ratio_gaps
    assert gaps.mark == "approx."
    assert set(gaps.tasks) == set(TASKS) and len(gaps.models) == 11
    assert gaps.models["gpt-4o-mini"].model_dump() == {"spatial": 0.44, "relational": 0.25, "csp": 0.24}


def test_the_published_order_of_the_families_holds_in_every_model(published):
    for gap in published.ratio_gaps.models.values():
        assert gap.spatial > gap.relational >= gap.csp


def test_shares_of_the_cascade_add_up(published):
    assert sum(published.cascade.firing) == pytest.approx(1, abs=0.005)


def test_published_shapley_values_are_those_of_the_published_scores(published):
    values = [pair for pair in published.pairs.teams if pair.shapley]
    assert len(values) == 2
    for pair in values:
        one, two = pair.members
        wanted = [(one + pair.pair - two) / 2, (two + pair.pair - one) / 2]
        assert pair.shapley == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"pair": {}}, 'unknown key "pair"; did you mean "pairs"?'),
        ({"themes": {"mark": "approximate", "descriptions": 1, "k": 2}}, '"themes.mark" is "approximate"'),
        (
            {"ratio_gaps": {"mark": "approx.", "tasks": {"mazes": 0.5}}},
            'unknown task "mazes"; did you mean "maze"?',
        ),
        ({"ratio_gaps": {"mark": "approx.", "tasks": {"maze": 58.0}}}, '"ratio_gaps.tasks.maze" is 58.0'),
        ({"prediction": {"mark": "published", "r2": 0.475}}, 'key "prediction.spearman" is missing'),
    ],
)
def test_a_mistake_names_the_key_and_its_place(tmp_path, change, said):
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump({"study": "mine"} | change), encoding="utf-8")
    with pytest.raises(UserError) as error:
        load_published(path)
    assert said in str(error.value)
    assert re.match(rf"{re.escape(str(path))}( line \d+)?: ", str(error.value))


def test_a_topic_may_be_left_out(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("study: mine\n", encoding="utf-8")
    assert load_published(path).pairs is None


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["simulated/gpt-5"], "gpt-5"),
        (["mine", "microsoft/phi-4"], "Phi-4"),
        (["gpt-5-mini", None], None),
        (["gpt-4.1-nano", None], "gpt-4.1-nano"),
        (["simulated-strong", "simulated-strong"], None),
    ],
)
def test_a_model_is_matched_by_its_own_or_its_served_name(published, names, found):
    assert published_name(names, published.ratio_gaps.models) == found


def test_no_statistic_knows_the_published_numbers():
    rules = (ROOT / "workflow/rules/collaboration/statistics.smk").read_text(encoding="utf-8")
    assert "published" not in rules
    for path in (ROOT / "scripts/collaboration").glob("*.py"):
        if path.name.startswith(("estimate_", "measure_", "compare_", "fit_", "cluster_", "grade_")):
            assert "published" not in path.read_text(encoding="utf-8"), path
    assert not list((ROOT / "scripts/lib").rglob("published*"))
