"""Simulated raters: planted error rates are recovered; a label depends on its place and the seed alone."""

import csv
from collections import Counter

import pytest

from scripts.collaboration import simulate_raters as module
from scripts.collaboration.annotations import opaque_id, read_ratings
from scripts.collaboration.schemas import SAMPLES
from scripts.collaboration.simulate_raters import ERROR_RATES, UNSURE, simulate_raters
from scripts.lib.tables import write_rows
from tests.collaboration.fixtures import made_up_study, sampled


def simulated(folder, teams=(0, 1), seed=0, **settings):
    """The rows of the simulated raters' file for a made-up study, and the path."""
    study = made_up_study(folder, **settings)
    write_rows(folder / "sample.parquet", sampled([study.job["teams"][team] for team in teams]), SAMPLES)
    job = {"raters": 5, "seed": seed}
    output = folder / "ratings.csv"
    simulate_raters(folder / "sample.parquet", study.views, study.rollouts, output, job)
    return list(csv.DictReader(output.read_text().splitlines())), output, study


def test_planted_error_rates_are_recovered(monkeypatch):
    monkeypatch.setattr(module, "read_stage", lambda stage, views, messages: messages)
    counts = Counter()
    for index in range(1500):
        truth = bool(index % 2)
        talk = {"arm": "baseline", "team": "m", "task": "maze", "index": index}
        for rater, _, _, label, _ in module._label(talk | {"views": [], "messages": truth}, 5, 0):
            counts[rater, {"": "unsure", "1": truth, "0": not truth}[label]] += 1
    for number, rate in enumerate([*ERROR_RATES, ERROR_RATES[0]]):
        rater = f"simulated-{number + 1}"
        right, wrong, unsure = (counts[rater, kind] for kind in (True, False, "unsure"))
        assert right + wrong + unsure == 1500 * 4
        assert wrong / (right + wrong) == pytest.approx(rate, abs=0.015)
        assert unsure / 6000 == pytest.approx(UNSURE, abs=0.008)


def test_every_stage_of_every_conversation_is_labelled_by_names_that_say_simulated(tmp_path):
    rows, path, study = simulated(tmp_path)
    ids = set(map(opaque_id, sampled(study.job["teams"][:2])))
    assert Counter(row["stage"] for row in rows) == dict.fromkeys(("l1", "l2", "l3", "l4"), 5 * len(ids))
    ratings = read_ratings([path], ids, simulated=True)
    assert {rating.rater for rating in ratings} == {f"simulated-{n}" for n in range(1, 6)}
    assert {rating.rollout for rating in ratings} == ids


def test_conversations_of_real_models_are_not_labelled(tmp_path):
    rows, path, _ = simulated(tmp_path, simulated=False)
    assert not rows and path.read_text() == "rater,rollout,stage,satisfied,note\n"


def test_labels_follow_their_place_and_the_seed(tmp_path):
    rows = simulated(tmp_path / "one")[0]
    fewer = simulated(tmp_path / "two", teams=(1,))[0]
    assert all(row in rows for row in fewer) and len(fewer) == len(rows) / 2
    assert simulated(tmp_path / "three", seed=1)[0] != rows
