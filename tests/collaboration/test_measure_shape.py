"""Shapes of a batch: from simulated and from recorded real conversations."""

import pyarrow.parquet as pq
import pytest

from scripts.collaboration.measure_shape import measure_shape
from scripts.collaboration.prediction_schemas import SHAPE
from scripts.collaboration.schemas import ROLLOUT_ID, ROLLOUTS
from scripts.lib.dialogue.shape import FEATURES, measure_conversation, view_items
from scripts.lib.errors import UserError
from scripts.lib.tables import read_each, read_rows, write_rows
from tests.collaboration.stage_walk import COUNT, ROOT, make, roll

RECORDED = sorted((ROOT / "tests" / "recorded" / "rollouts").rglob("collab/*/*.parquet"))


def test_a_batch_has_a_row_for_each_conversation(tmp_path):
    _, views = make(tmp_path, "maze")
    rollouts = roll(tmp_path, "maze", views)
    measure_shape(rollouts, [views], tmp_path / "shape.parquet")
    rows = read_rows(tmp_path / "shape.parquet", SHAPE)
    talks = read_rows(rollouts, ROLLOUTS)
    assert [[row[name] for name in ROLLOUT_ID] for row in rows] == [[t[n] for n in ROLLOUT_ID] for t in talks]
    assert len(rows) == COUNT and all(row["simulated"] for row in rows)
    assert [row["turns"] for row in rows] == [len(talk["messages"]) for talk in talks]
    assert all(row["view_a_share"] > 0.3 for row in rows)  # simulated agents tell what they hold


def test_one_that_failed_before_a_word_has_a_row_without_features(tmp_path):
    _, views = make(tmp_path, "maze")
    rollouts = roll(tmp_path, "maze", views)
    rows = [row | {"messages": [], "turns": 0, "outcome": "failed"} for row in read_rows(rollouts, ROLLOUTS)]
    write_rows(rollouts, rows, ROLLOUTS)
    measure_shape(rollouts, [views], tmp_path / "shape.parquet")
    for row in read_rows(tmp_path / "shape.parquet", SHAPE):
        assert row["turns"] == 0 and row["words_per_turn"] is None and row["outcome"] == "failed"


def test_conversations_on_other_views_are_refused(tmp_path):
    _, views = make(tmp_path / "old", "maze")
    rollouts = roll(tmp_path / "old", "maze", views)
    _, other = make(tmp_path / "new", "maze", seed=1)
    with pytest.raises(UserError, match=r"maze 0 was made on other views .*--forcerun run_rollouts"):
        measure_shape(rollouts, [other], tmp_path / "shape.parquet")
    assert not (tmp_path / "shape.parquet").exists()


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.parent.name)
def test_recorded_real_conversations_have_sane_features(path):
    talks = [row for row in read_each(path, ROLLOUTS) if row["messages"]]
    assert pq.ParquetFile(path).metadata.num_rows == len(talks) > 5
    for talk in talks:
        turns = [(message["slot"], message["text"]) for message in talk["messages"]]
        found = measure_conversation(turns, view_items("a b c", "d e f"))
        assert all(found[name] is not None for name in FEATURES)
        assert found["turns"] == talk["turns"]
        assert (found["first_proposal"] < 1) >= (talk["outcome"] == "answered")
        assert found["words_per_turn"] > 0 and found["numbers"] <= 100
