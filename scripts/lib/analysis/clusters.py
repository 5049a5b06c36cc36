"""Clusters of short texts or vectors: k-means on cosine, and how far the number of clusters can be trusted.

Rows have length 1, so the squared distance of two of them is 2 (1 - cosine). A row of zeros has no cosine to
anything: it is in no cluster (label -1). All is computed in one thread, because sums that several threads
share change in their last digit with the number of threads, and a label may change with them.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scripts.lib.analysis.bootstrap import Array, Estimate, draw_weights, estimate, weighted_means

Labels = npt.NDArray[np.intp]
Rows = Any  # a scipy CSR matrix or a dense array (n, dimensions), each row of length 1 or 0

NONE = -1
SHARED = 2  # texts a term must occur in: what one text alone says tells nothing of likeness
STARTS = 10  # of k-means on all rows
STARTS_RESAMPLED = 2
SUBSAMPLE = 0.8  # share of the rows in a resample
BOOTSTRAPS = 1000  # of the mean silhouette
UNDEFINED = Estimate(np.nan, np.nan, np.nan)
DIGITS = 9  # of silhouettes and indices: below that, machines may differ
# Words that stop lists drop and that say what somebody failed to do.
NEGATIONS = {"no", "not", "never", "none", "neither", "nor", "nobody", "nothing", "without", "cannot", "cant"}


@dataclass(frozen=True)
class Stability:
    """One number of clusters: ``found`` of ``k`` wanted, mean silhouette and mean adjusted Rand index."""

    k: int
    found: int
    silhouette: Estimate
    rand: Estimate


def term_vectors(texts: Sequence[str]) -> tuple[Rows, list[str]]:
    """TF-IDF of uni- and bigrams, rows of length 1 (CSR), and the terms of the columns.

    Terms are lower-cased words of two letters or more, without English stop words but with negations, that
    occur in two texts at least. A text without such a term is a row of zeros; without any there is no column.
    """
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, TfidfVectorizer

    stop = sorted(ENGLISH_STOP_WORDS - NEGATIONS)
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), min_df=SHARED, stop_words=stop)
    try:
        rows = vectorizer.fit_transform(texts)
    except ValueError:  # no text, or no term that two of them share
        return csr_matrix((len(texts), 0)), []
    return rows, list(vectorizer.get_feature_names_out())


def unit_rows(vectors: Sequence[Sequence[float]]) -> Array:
    """Vectors (n, dimensions) as rows of length 1; zeros stay zeros."""
    rows = np.array(vectors, dtype=np.float64)
    rows = rows if rows.ndim == 2 else rows.reshape(len(vectors), 0)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)


def cluster(rows: Rows, distances: Array, k: int, seed: int, starts: int = STARTS) -> Labels:
    """The cluster of each row, by k-means with ``starts`` starts; clusters are numbered from the largest on.

    ``distances``: of the rows, see ``cosine_distances``. Among equally large clusters the one of the first
    row comes first. Where fewer than ``k`` rows differ, there are as many clusters as these.
    """
    labels = np.full(rows.shape[0], NONE, dtype=np.intp)
    used = np.flatnonzero(_lengths(rows) > 0)
    count = min(k, _different(rows[used]))
    if count > 1:
        labels[used] = _k_means(rows[used], distances[np.ix_(used, used)], count, seed, starts)
    elif count:
        labels[used] = 0
    return _by_size(labels)


def _k_means(rows: Rows, distances: Array, k: int, seed: int, starts: int) -> Labels:
    from sklearn.cluster import KMeans

    def start(centred: Rows, count: int, random_state: np.random.RandomState) -> Array:
        chosen = centred[_spread(distances, count, random_state)]
        return np.asarray(chosen.toarray() if hasattr(chosen, "toarray") else chosen)

    with _one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rows that differ in the last digit only make fewer clusters
        fitted: Labels = KMeans(k, init=start, n_init=starts, random_state=seed).fit_predict(rows)
    return fitted


def _spread(distances: Array, k: int, random: np.random.RandomState) -> list[int]:
    """Rows far from each other: greedy k-means++ (Arthur and Vassilvitskii 2007), as scikit-learn has it.

    The squared distances are looked up; scikit-learn computes them anew for each row that it tries.
    """
    tries = 2 + int(np.log(k))
    chosen = [int(random.randint(len(distances)))]
    nearest = distances[chosen[0]]
    for _ in range(1, k):
        sums = np.cumsum(nearest)
        drawn = np.searchsorted(sums, random.uniform(size=tries) * sums[-1]).clip(max=len(sums) - 1)
        after = np.minimum(nearest, distances[drawn])
        best = int(np.argmin(after.sum(axis=1)))
        chosen.append(int(drawn[best]))
        nearest = after[best]
    return chosen


@contextmanager
def _one_thread() -> Iterator[None]:
    with _libraries().limit(limits=1):
        yield


@functools.cache
def _libraries() -> Any:
    """What computes in threads; looked for once, when all of it is loaded."""
    import sklearn.cluster  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _lengths(rows: Rows) -> Array:
    squares = rows.multiply(rows) if hasattr(rows, "multiply") else rows * rows
    return np.asarray(squares.sum(axis=1), dtype=np.float64).ravel()


def _different(rows: Rows) -> int:
    """How many rows differ."""
    if hasattr(rows, "indptr"):
        parts = zip(rows.indptr[:-1], rows.indptr[1:], strict=True)
        return len({(rows.indices[a:b].tobytes(), rows.data[a:b].round(12).tobytes()) for a, b in parts})
    return len({row.round(12).tobytes() for row in rows})


def _by_size(labels: Labels) -> Labels:
    """Labels renumbered 0, 1, ... from the largest cluster on; -1 stays."""
    found, first, sizes = np.unique(labels[labels != NONE], return_index=True, return_counts=True)
    order = found[np.lexsort((first, -sizes))]
    new = {int(old): number for number, old in enumerate(order)}
    return np.array([new.get(int(label), NONE) for label in labels], dtype=np.intp)


def cosine_distances(rows: Rows) -> Array:
    """1 - cosine of every two rows, (n, n), in [0, 2]."""
    with _one_thread():
        product = rows @ rows.T
    distances = np.clip(1 - (product.toarray() if hasattr(product, "toarray") else product), 0, 2)
    np.fill_diagonal(distances, 0)
    return np.asarray(distances, dtype=np.float64)


def silhouettes(distances: Array, labels: Labels) -> Array:
    """Silhouette of each row in [-1, 1]; NaN in no cluster, and everywhere unless there are 2 .. n - 1."""
    from sklearn.metrics import silhouette_samples

    values, used = np.full(len(labels), np.nan), np.flatnonzero(labels != NONE)
    if 2 <= len(np.unique(labels[used])) < len(used):
        with _one_thread():
            inner = distances[np.ix_(used, used)]
            values[used] = silhouette_samples(inner, labels[used], metric="precomputed")
    return values


def rand_index(first: Labels, second: Labels) -> float:
    """Adjusted Rand index (Hubert and Arabie 1985) over the rows that both cluster: 1 the same, 0 chance.

    NaN where no row is in both.
    """
    from sklearn.metrics import adjusted_rand_score

    both = (first != NONE) & (second != NONE)
    return float(adjusted_rand_score(first[both], second[both])) if both.any() else np.nan


def stability(
    rows: Rows, distances: Array, labels: Labels, k: int, resamples: int, seed: int, level: float
) -> Stability:
    """How good and how stable the clustering ``labels`` (of ``cluster`` with this ``k``) of all rows is.

    - Silhouette: mean over rows; interval by bootstrap over rows, the clusters held fixed.
    - Rand: a resample is 80 % of the rows, drawn without replacement and clustered anew; its adjusted Rand
      index with the clustering of all rows is taken over its rows. Mean and percentiles over the resamples.

    Both are NaN with fewer than two clusters: one cluster agrees with itself by necessity.
    """
    found = int(labels.max(initial=NONE)) + 1
    if found < 2:
        return Stability(k, found, UNDEFINED, UNDEFINED)
    weights = draw_weights(seed, "silhouette", BOOTSTRAPS, len(labels))
    of_rows = weighted_means(silhouettes(distances, labels), weights)
    indices = [_resampled_rand(rows, distances, labels, k, [seed, k, number]) for number in range(resamples)]
    rand = estimate(np.array([np.mean(indices), *indices]), level)
    return Stability(k, found, _rounded(estimate(of_rows, level)), _rounded(rand))


def _resampled_rand(rows: Rows, distances: Array, labels: Labels, k: int, seed: Sequence[int]) -> float:
    rng = np.random.default_rng(seed)
    size = max(round(SUBSAMPLE * len(labels)), 1)
    drawn = np.sort(rng.choice(len(labels), size=size, replace=False))
    inner = distances[np.ix_(drawn, drawn)]
    again = cluster(rows[drawn], inner, k, int(rng.integers(2**31)), STARTS_RESAMPLED)
    return rand_index(labels[drawn], again)


def _rounded(value: Estimate) -> Estimate:
    return Estimate(*(round(part, DIGITS) for part in (value.mean, value.low, value.high)))


def centre(rows: Rows, members: npt.NDArray[np.intp]) -> Array:
    """The mean row of some rows, (dimensions,)."""
    return np.asarray(rows[members].mean(axis=0), dtype=np.float64).ravel()


def likeness(rows: Rows, labels: Labels) -> Array:
    """Cosine of each row (n,) to the mean of its cluster; NaN in no cluster."""
    values = np.full(len(labels), np.nan)
    for label in np.unique(labels[labels != NONE]):
        members = np.flatnonzero(labels == label)
        middle = centre(rows, members)
        values[members] = np.asarray(rows[members] @ middle).ravel() / np.linalg.norm(middle)
    return values.round(DIGITS)
