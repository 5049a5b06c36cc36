"""Descriptions go to a real server of embeddings, once; a clustering of them needs no call."""

import pytest

from scripts.collaboration.cluster_themes import cluster_themes
from scripts.collaboration.embed_descriptions import embed_descriptions
from scripts.collaboration.schemas import EMBEDDINGS
from scripts.collaboration.theme_schemas import ASSIGNMENTS
from scripts.lib.tables import read_rows
from tests.collaboration.stage_walk import how
from tests.collaboration.theme_cases import CLUSTERING, described
from tests.lib.agents.fake_endpoint import embedding, error

TEXTS = ["asked late", None, "agreed early", "asked late"]


def embedded(folder, models, name="one"):
    path = described(folder / "descriptions.parquet", TEXTS)
    output = folder / f"{name}.parquet"
    embed_descriptions(path, output, how(folder, models), {"embedder": "fake"})
    return read_rows(output, EMBEDDINGS)


def test_each_text_is_embedded_once_and_clustering_needs_no_call(tmp_path, served):
    with served(embedding(1.0, 0.0), embedding(0.0, 2.0), embeds=True) as (fake, models):
        rows = embedded(tmp_path, models)
        assert [body["input"] for body in fake.bodies] == ["asked late", "agreed early"]
        assert embedded(tmp_path, models, "two") == rows and len(fake.bodies) == 2
    assert [row["vector"] for row in rows] == [[1.0, 0.0], None, [0.0, 2.0], [1.0, 0.0]]
    assert {(row["embedder"], row["error"]) for row in rows} == {("fake", None)}
    files = [tmp_path / "descriptions.parquet"], [tmp_path / "one.parquet"]
    cluster_themes(*files, tmp_path / "themes", CLUSTERING | {"k": 2})  # the server is gone
    themes = {
        row["index"]: row["theme"]
        for row in read_rows(tmp_path / "themes" / "assignments.parquet", ASSIGNMENTS)
        if row["source"] == "embedding"
    }
    assert themes == {0: 0, 2: 1, 3: 0}


@pytest.mark.parametrize("said", [lambda: error(400, "not today"), {"data": [{"embedding": [0, 0]}]}])
def test_a_call_that_fails_leaves_no_vector_and_says_why(tmp_path, served, said):
    with served(said, embedding(1.0, 0.0), embeds=True) as (_, models):
        rows = embedded(tmp_path, models)
    failed = [row for row in rows if row["error"]]
    assert len(failed) >= 1 and all(row["vector"] is None for row in failed)
    assert [row["vector"] for row in rows if row["index"] == 2] == [[1.0, 0.0]]
