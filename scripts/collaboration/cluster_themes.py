"""Cluster the descriptions of failures into themes: ``descriptions/``, ``embeddings/`` -> ``themes/``."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from scripts.collaboration.schemas import DESCRIPTIONS, EMBEDDINGS, ROLLOUT_ID
from scripts.collaboration.theme_schemas import ASSIGNMENTS, STABILITY, THEMES
from scripts.lib.analysis.bootstrap import Array, estimate_columns
from scripts.lib.analysis.clusters import (
    NONE,
    Labels,
    Rows,
    centre,
    cluster,
    cosine_distances,
    likeness,
    rand_index,
    stability,
    term_vectors,
    unit_rows,
)
from scripts.lib.stage import run
from scripts.lib.tables import read_rows, write_rows

log = logging.getLogger(__name__)

TERMS, EMBEDDING = "tfidf", "embedding"  # sources of a clustering
TOP_TERMS = 8
EXAMPLES = 3

Row = dict[str, Any]


class Texts(NamedTuple):
    """The descriptions that there are, in order of their rollouts, with their TF-IDF rows and its terms."""

    rows: list[Row]
    vectors: Rows
    terms: list[str]


def cluster_themes(
    descriptions: list[Path], embeddings: list[Path], output: Path, job: dict[str, Any]
) -> None:
    """Write ``themes``, ``assignments`` and ``stability`` into the folder ``output``; nothing is called.

    ``job``: k (themes wanted), k_range (least and most of the stability), resamples, seed, level.

    Source "tfidf": TF-IDF of uni- and bigrams; source "embedding", where there are embeddings: their vectors.
    Both are clustered by k-means on cosine (see ``lib/analysis/clusters.py``). Fewer descriptions than k make
    fewer themes. A description that shares no term with another one, or has no vector, is in no theme (null).
    """
    texts = _read_texts(descriptions)
    sources = {TERMS: texts.vectors}
    if embeddings:
        sources[EMBEDDING] = _read_vectors(embeddings, texts.rows)
    counts = sorted({job["k"], *range(job["k_range"][0], job["k_range"][1] + 1)})
    distances = {source: cosine_distances(vectors) for source, vectors in sources.items()}
    labels = {
        source: {k: cluster(vectors, distances[source], k, job["seed"]) for k in counts}
        for source, vectors in sources.items()
    }
    themes, assignments, stable = [], [], []
    for source, vectors in sources.items():
        chosen = labels[source][job["k"]]
        _warn(source, chosen, job["k"])
        themes += _themes(source, vectors, chosen, texts, job["k"])
        assignments += _assignments(source, vectors, chosen, texts.rows)
        stable += _stability(source, vectors, distances[source], labels, texts.rows, job)
    write_rows(output / "themes.parquet", themes, THEMES)
    write_rows(output / "assignments.parquet", assignments, ASSIGNMENTS)
    write_rows(output / "stability.parquet", stable, STABILITY)


def _identity(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in ROLLOUT_ID)


def _read_texts(paths: list[Path]) -> Texts:
    wanted = [*ROLLOUT_ID, "simulated", "description"]
    rows = [row for path in paths for row in read_rows(path, DESCRIPTIONS, wanted) if row["description"]]
    rows.sort(key=_identity)
    return Texts(rows, *term_vectors([row["description"] for row in rows]))


def _read_vectors(paths: list[Path], rows: list[Row]) -> Rows:
    """The embedding of each row, of length 1; zeros where it has none, or one of another length than most."""
    found = {_identity(row): row["vector"] for path in paths for row in read_rows(path, EMBEDDINGS)}
    vectors = [found.get(_identity(row)) or [] for row in rows]
    lengths = [len(vector) for vector in vectors if vector]
    usual = max(sorted(set(lengths)), key=lengths.count, default=0)
    return unit_rows([vector if len(vector) == usual else [0.0] * usual for vector in vectors])


def _warn(source: str, labels: Labels, k: int) -> None:
    found, left = int(labels.max(initial=NONE)) + 1, int((labels == NONE).sum())
    if found < k:
        log.warning("%s: %d themes instead of %d: too few different descriptions", source, found, k)
    if left:
        log.info("%s: %d of %d descriptions are in no theme", source, left, len(labels))


def _themes(source: str, vectors: Rows, labels: Labels, texts: Texts, k: int) -> list[Row]:
    near, table = likeness(vectors, labels), []
    for theme in range(int(labels.max(initial=NONE)) + 1):
        members = np.flatnonzero(labels == theme)
        terms = _top_terms(texts, members, np.flatnonzero((labels != theme) & (labels != NONE)))
        typical = members[np.argsort(-near[members], kind="stable")][:EXAMPLES]
        about = {"source": source, "theme": theme, "wanted": k, "described": len(labels)}
        about |= {"clustered": int((labels != NONE).sum()), "size": len(members), "top_terms": terms}
        about["simulated"] = any(texts.rows[at]["simulated"] for at in members)
        table.append(about | {"examples": [texts.rows[at]["description"] for at in typical]})
    return table


def _top_terms(texts: Texts, members: Any, others: Any) -> list[str]:
    """The terms whose mean weight is most above that in the other themes, the most telling one first."""
    if not texts.terms:
        return []
    apart = centre(texts.vectors, members) - (centre(texts.vectors, others) if len(others) else 0)
    order = np.argsort(-apart.round(9), kind="stable")[:TOP_TERMS]
    return [texts.terms[at] for at in order if apart[at] > 0]


def _assignments(source: str, vectors: Rows, labels: Labels, rows: list[Row]) -> list[Row]:
    near = likeness(vectors, labels)
    return [
        {name: row[name] for name in (*ROLLOUT_ID, "simulated")}
        | {"source": source, "theme": None if label == NONE else int(label)}
        | {"likeness": None if label == NONE else float(value)}
        for row, label, value in zip(rows, labels, near, strict=True)
    ]


def _stability(
    source: str,
    vectors: Rows,
    distances: Array,
    labels: dict[str, dict[int, Labels]],
    rows: list[Row],
    job: Row,
) -> list[Row]:
    """One row for each number of clusters."""
    table = []
    others = [of_k for other, of_k in labels.items() if other != source]
    for k, chosen in labels[source].items():
        how = job["resamples"], job["seed"], job["level"]
        found = stability(vectors, distances, chosen, k, *how)
        row: Row = {"source": source, "k": k, "found": found.found, "chosen": k == job["k"]}
        row |= {"simulated": any(row["simulated"] for row in rows), "resamples": job["resamples"]}
        row |= {"described": len(chosen), "clustered": int((chosen != NONE).sum())}
        row |= estimate_columns("silhouette", found.silhouette) | estimate_columns("rand", found.rand)
        between = rand_index(chosen, others[0][k]) if others and found.found else None
        table.append(row | {"between": None if between is None or np.isnan(between) else round(between, 9)})
    return table


if __name__ == "__main__":
    run(cluster_themes)
