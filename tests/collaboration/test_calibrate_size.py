"""Which size suits a model."""

from pathlib import Path

import pytest

from scripts.collaboration.calibrate_size import calibrate_size, describe, propose
from scripts.collaboration.schemas import CALIBRATION
from scripts.lib.tables import read_rows
from tasks import get_task
from tests.collaboration.stage_walk import how

MODELS = Path("config/models.yaml")


def ladder(*scores):
    sizes = ("tiny", "small", "paper", "large")
    return [
        {"task": "maze", "size": size, "score": score, "proposed": False}
        for size, score in zip(sizes, scores, strict=False)
    ]


@pytest.mark.parametrize(
    ("scores", "size"),
    [
        ((0.9, 0.8, 0.7), "paper"),
        ((0.9, 0.8, 0.69), "small"),
        ((0.5, 0.4, None), "tiny"),
        ((0.6, 0.75, 0.2), "small"),
    ],
)
def test_the_largest_size_that_reaches_the_target_is_proposed(scores, size):
    rows = ladder(*scores)
    propose(rows, 0.70)
    assert [row["size"] for row in rows if row["proposed"]] == [size]


def test_the_proposal_reads_as_configuration():
    rows = ladder(0.5, 0.4, 0.1)
    propose(rows, 0.70)
    text = describe(rows, {"model": "m", "target": 0.70, "tasks": ["maze"]})
    assert "    maze: tiny  # below the target at every size" in text
    assert "0.50    0.40    0.10" in text


def test_a_simulated_model_climbs_the_ladder(tmp_path):
    job = {"tasks": ["treesum"], "seed": 0, "critic": True, "rollouts": 6, "target": 0.7}
    for model in ("simulated-perfect", "simulated-weak"):
        calibrate_size(tmp_path / model, how(tmp_path), job | {"model": model})
    perfect, weak = (read_rows(tmp_path / m, CALIBRATION) for m in ("simulated-perfect", "simulated-weak"))
    sizes = list(get_task("treesum").sizes)
    assert [row["size"] for row in perfect] == sizes
    assert all(row["score"] == 1.0 and row["graded"] == 6 and row["simulated"] for row in perfect)
    assert [row["proposed"] for row in perfect] == [size == sizes[-1] for size in sizes]
    assert min(row["score"] for row in weak) < 1.0
    assert sum(row["proposed"] for row in weak) == 1
