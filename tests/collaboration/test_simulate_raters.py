"""Simulated raters: planted error rates are recovered, labels depend on nothing but their place and the seed."""

import csv
from collections import Counter

import pytest

from scripts.collaboration import simulate_raters as module
from scripts.collaboration.annotations import COLUMNS, opaque_id, read_ratings
from scripts.collaboration.schemas import SAMPLES
from scripts.collaboration.simulate_raters import ERROR_RATES, UNSURE, read_stage, simulate_raters
from scripts.lib.tables import write_rows
from tests.collaboration.fixtures import made_up_study
from tests.collaboration.test_write_annotation_kit import sampled


def simulated(folder, monkeypatch=None, teams=(0, 1), seed=0, **settings):
    """The rows of the simulated raters' file for a made-up study, and the path."""
    study = made_up_study(folder, **settings)
    write_rows(folder / "sample.parquet", sampled(study, teams), SAMPLES)
    job = {"raters": 5, "seed": seed}
    output = folder / "ratings.csv"
    simulate_raters(folder / "sample.parquet", study.views, study.rollouts, output, job)
    return list(csv.DictReader(output.read_text().splitlines())), output, study


def test_planted_error_rates_are_recovered(monkeypatch):
    monkeypatch.setattr(module, "read_stage", lambda stage, views, messages: messages)
    counts = Counter()
    for index in range(3000):
        truth = bool(index % 2)
        talk = {"arm": "baseline", "team": "m", "task": "maze", "index": index}
        for rater, _, _, label, _ in module._label(talk | {"views": [], "messages": truth}, 5, 0):
            counts[rater, {"": "unsure", "1": truth, "0": not truth}[label]] += 1
    for number, rate in enumerate([*ERROR_RATES, ERROR_RATES[0]]):
        rater = f"simulated-{number + 1}"
        right, wrong, unsure = (counts[rater, kind] for kind in (True, False, "unsure"))
        assert right + wrong + unsure == 3000 * 4
        assert wrong / (right + wrong) == pytest.approx(rate, abs=0.01)
        assert unsure / 12000 == pytest.approx(UNSURE, abs=0.005)
