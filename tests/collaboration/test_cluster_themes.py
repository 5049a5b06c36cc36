"""Themes out of descriptions: planted ones, poor ones, hostile ones, and the same wherever it is run."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from scripts.collaboration.cluster_themes import cluster_themes
from scripts.collaboration.describe_failures import describe_failures
from scripts.collaboration.layout import artifacts
from scripts.collaboration.schemas import DESCRIPTIONS, EMBEDDINGS, ROLLOUTS
from scripts.collaboration.theme_schemas import ASSIGNMENTS, STABILITY, THEMES
from scripts.lib.tables import read_rows, write_rows
from tests.collaboration.stage_walk import ROOT, how
from tests.collaboration.theme_cases import CLUSTERING, NOBODY, TOPICS, described, play, sample, topical

NAMES = ("themes", "assignments", "stability")
HOSTILE = [
    "<script>alert('x')</script><img src=x onerror=alert(1)> asked nothing",
    "word " * 20_000,
    "",
    "the of and to a in",
    "\\end{tabular} $x$ & % # {} \x07 asked nothing",
    "\u202egnihton deksa\u2028\ud7ff",
    "=cmd|' /C calc'!A0",
    None,
]


def clustered(folder, texts, embeddings=(), **changes):
    """The tables of themes out of texts."""
    path = described(folder / "descriptions.parquet", texts)
    cluster_themes([path], list(embeddings), folder / "themes", CLUSTERING | changes)
    return tables(folder / "themes")


def tables(folder: Path):
    schemas = dict(zip(NAMES, (THEMES, ASSIGNMENTS, STABILITY), strict=True))
    return {name: read_rows(folder / f"{name}.parquet", schema) for name, schema in schemas.items()}


def embedded(path, vectors):
    """Embeddings of the descriptions of ``described``."""
    tasks = ["maze", "cube"]
    rows = [
        NOBODY | {"task": tasks[at % 2], "index": at, "simulated": False, "embedder": "e", "vector": vector}
        for at, vector in enumerate(vectors)
    ]
    write_rows(path, rows, EMBEDDINGS)
    return path


def test_planted_themes_are_found_told_by_their_words_and_shown_by_examples(tmp_path):
    found = clustered(tmp_path, topical())
    assert [row["size"] for row in found["themes"]] == [8, 8, 8]
    for row in found["themes"]:
        (topic,) = [topic for topic in TOPICS if row["examples"][0].split()[-1] in topic]
        assert all(set(term.split()) <= set(topic.split()) for term in row["top_terms"])
        assert len(row["top_terms"]) == 8 and len(row["examples"]) == 3
    themes = [row["theme"] for row in sorted(found["assignments"], key=lambda row: row["index"])]
    assert themes == themes[:3] * 8 and sorted(themes[:3]) == [0, 1, 2]
    assert all(0.5 < row["likeness"] <= 1 for row in found["assignments"])
    stable = {row["k"]: row for row in found["stability"]}
    assert list(stable) == [2, 3, 4, 5] and [k for k in stable if stable[k]["chosen"]] == [3]
    assert max(stable, key=lambda k: stable[k]["rand"]) == 3 and stable[3]["rand"] == 1.0
    assert {row["between"] for row in stable.values()} == {None}


def test_a_configured_number_outside_the_range_is_measured_too(tmp_path):
    found = clustered(tmp_path, topical(), k=3, k_range=[5, 6])
    assert [row["k"] for row in found["stability"]] == [3, 5, 6]


@pytest.mark.parametrize(
    ("texts", "themes", "clustered_"),
    [([], 0, 0), ([None, None], 0, 0), (["alone"], 0, 0), (["the same thing"] * 4, 1, 4), (HOSTILE, 1, 2)],
)
def test_few_or_hostile_descriptions_make_few_themes(tmp_path, texts, themes, clustered_):
    found = clustered(tmp_path, texts, k=16, k_range=[4, 5])
    there = sum(bool(text) for text in texts)
    assert len(found["themes"]) == themes and len(found["assignments"]) == there
    assert sum(row["theme"] is not None for row in found["assignments"]) == clustered_
    assert {(row["found"], row["described"], row["clustered"]) for row in found["stability"]} == {
        (themes, there, clustered_)
    }
    assert {(row["silhouette"], row["rand"]) for row in found["stability"]} == {(None, None)}
    assert all(row["wanted"] == 16 for row in found["themes"])


def test_the_order_of_files_and_rows_decides_nothing(tmp_path):
    one = described(tmp_path / "one.parquet", topical())
    rows = read_rows(one, DESCRIPTIONS)
    halves = rows[11:][::-1], rows[:11]
    parts = [tmp_path / f"part{number}.parquet" for number in (0, 1)]
    for path, half in zip(parts, halves, strict=True):
        write_rows(path, list(half), DESCRIPTIONS)
    cluster_themes([one], [], tmp_path / "a", CLUSTERING)
    cluster_themes(parts, [], tmp_path / "b", CLUSTERING)
    assert tables(tmp_path / "a") == tables(tmp_path / "b")


def test_threads_and_hash_seeds_decide_nothing(tmp_path):
    rng = np.random.default_rng(5)
    texts = [" ".join(rng.choice([f"w{n}" for n in range(60)], 14)) for _ in range(600)]
    path = described(tmp_path / "descriptions.parquet", texts)
    vectors = embedded(tmp_path / "embeddings.parquet", rng.normal(size=(600, 32)).tolist())
    job = json.dumps(CLUSTERING | {"k": 12, "k_range": [12, 12], "resamples": 2})
    made = []
    for threads, seed in (("1", "1"), ("2", "2")):
        folder = tmp_path / threads
        options = ["--descriptions", str(path), "--embeddings", str(vectors), "--output", str(folder)]
        command = [sys.executable, "-m", "scripts.collaboration.cluster_themes", *options, "--job", job]
        limits = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), threads)
        subprocess.run(command, cwd=ROOT, env=os.environ | limits | {"PYTHONHASHSEED": seed}, check=True)
        made.append([(folder / f"{name}.parquet").read_bytes() for name in NAMES])
    assert made[0] == made[1]


def test_embeddings_make_a_second_clustering_that_is_compared_with_the_first(tmp_path):
    texts = topical()
    apart = np.eye(3)[np.arange(len(texts)) % 3] + 0.01 * np.arange(len(texts))[:, None] / len(texts)
    found = clustered(tmp_path, texts, [embedded(tmp_path / "e.parquet", apart.tolist())])
    assert [row["source"] for row in found["themes"]] == ["tfidf"] * 3 + ["embedding"] * 3
    assert all(row["top_terms"] for row in found["themes"])
    between = {(row["source"], row["k"]): row["between"] for row in found["stability"]}
    assert between["tfidf", 3] == between["embedding", 3] == 1.0
    assert between["tfidf", 4] == between["embedding", 4] < 1.0


def test_a_description_without_a_vector_is_in_no_theme_of_embeddings(tmp_path):
    vectors = [[1.0, 0.0], None, [0.0, 1.0], [1.0], [0.0, 1.0], [1.0, 0.1]]
    found = clustered(tmp_path, ["asked nothing"] * 6, [embedded(tmp_path / "e.parquet", vectors)], k=2)
    themes = {row["index"]: row["theme"] for row in found["assignments"] if row["source"] == "embedding"}
    assert themes[1] is themes[3] is None and themes[0] == themes[5] != themes[2] == themes[4]


def test_the_recorded_transcripts_of_a_real_model_are_described_and_clustered(tmp_path):
    """Real text, read by the simulated describer: whatever it says, it says of every failure."""
    recorded, team = ROOT / "tests" / "recorded", "qwen2.5-coder-1.5b-instruct"
    calls = how(tmp_path, recorded / "models.yaml", replay_only=True, ledger=[recorded / "ledger"])
    plan = play(tmp_path, team, count=4, exchanges=4, size="tiny", calls=calls)
    kept = [row for p in artifacts(recorded, "rollouts", plan) for row in read_rows(p, ROLLOUTS)]
    assert {row["simulated"] for row in kept} == {False}
    sample(tmp_path, plan)
    path = tmp_path / "descriptions.parquet"
    describe_failures(tmp_path, path, how(tmp_path), plan | {"describer": "simulated-describer"})
    rows = read_rows(path, DESCRIPTIONS)
    assert len(rows) >= 6 and all(row["description"] and row["simulated"] for row in rows)
    cluster_themes([path], [], tmp_path / "themes", CLUSTERING)
    found = tables(tmp_path / "themes")
    assert sum(row["size"] for row in found["themes"]) == len(rows) and len(found["themes"]) >= 2
