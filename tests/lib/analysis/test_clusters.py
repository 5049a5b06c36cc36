"""Clusters: planted ones are found, poor material makes few, and threads change nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.lib.analysis.clusters import (
    NONE,
    cluster,
    cosine_distances,
    likeness,
    rand_index,
    silhouettes,
    stability,
    term_vectors,
    unit_rows,
)

TOPICS = (
    "agent never asked its partner about missing walls",
    "proposal accepted blindly without any recomputation of totals",
    "coordinates were mirrored because both notations count differently",
)


def planted(each=12):
    """Texts of three topics in turn, each with all words of its topic but one or two."""
    texts, labels = [], []
    for number in range(3 * each):
        words = TOPICS[number % 3].split()
        left_out = {number // 3 % len(words), number % 5}
        texts.append(" ".join(word for at, word in enumerate(words) if at not in left_out))
        labels.append(number % 3)
    return texts, np.array(labels)


def test_planted_themes_are_found_and_stability_peaks_at_their_number():
    texts, labels = planted()
    rows, _ = term_vectors(texts)
    distances = cosine_distances(rows)
    assert rand_index(cluster(rows, distances, 3, seed=1), labels) == 1.0
    found = {
        k: stability(
            rows, distances, cluster(rows, distances, k, seed=1), k, resamples=10, seed=1, level=0.95
        )
        for k in range(2, 8)
    }
    assert found[3].rand.mean == found[3].rand.low == 1.0
    assert max(found, key=lambda k: found[k].rand.mean) == 3
    assert max(found, key=lambda k: found[k].silhouette.mean) == 3
    assert all(its.silhouette.low < its.silhouette.mean < its.silhouette.high for its in found.values())
    assert all(its.rand.mean < 0.95 for k, its in found.items() if k != 3)


def test_random_labels_are_neither_good_nor_stable():
    rows = unit_rows(np.random.default_rng(0).normal(size=(60, 40)))
    labels = np.arange(60) % 4
    found = stability(rows, cosine_distances(rows), labels, 4, resamples=10, seed=1, level=0.9)
    assert abs(found.silhouette.mean) < 0.1 and abs(found.rand.mean) < 0.1


@pytest.mark.parametrize(
    ("texts", "clusters", "without"),
    [
        ([], 0, 0),
        (["one text alone has nobody to share a term with"], 0, 1),
        (["the same words"] * 5, 1, 0),
        (["", "   ", "the of and"], 0, 3),
        (["asked nothing", "asked nothing", "the and of", "\x00 <b>9</b>"], 1, 2),
        (["asked late", "asked late", "agreed early", "agreed early"], 2, 0),
    ],
)
def test_poor_material_makes_fewer_clusters_than_wanted(texts, clusters, without):
    rows, _ = term_vectors(texts)
    labels = cluster(rows, cosine_distances(rows), 16, seed=1)
    assert labels.max(initial=NONE) + 1 == clusters and (labels == NONE).sum() == without
    found = stability(rows, cosine_distances(rows), labels, 16, resamples=3, seed=1, level=0.95)
    assert found.found == clusters
    assert np.isnan(found.rand.mean) == (clusters < 2)


def test_a_term_counts_when_two_texts_have_it_and_negations_count():
    rows, terms = term_vectors(["It never asked.", "They never asked twice", "the once"])
    assert terms == ["asked", "never", "never asked"]
    np.testing.assert_allclose(rows.toarray(), [[3**-0.5] * 3, [3**-0.5] * 3, [0, 0, 0]])


def test_clusters_are_numbered_from_the_largest_on_and_ties_by_the_first_row():
    rows = unit_rows([[0, 1], [1, 0], [0, 1], [1, 0], [0, 0], [-1, 0], [-1, 0.01], [-1, 0]])
    assert cluster(rows, cosine_distances(rows), 3, seed=1).tolist() == [1, 2, 1, 2, NONE, 0, 0, 0]


def test_rows_of_zeros_and_of_length_one():
    rows = unit_rows([[3.0, 4.0], [0.0, 0.0]])
    np.testing.assert_array_equal(rows, [[0.6, 0.8], [0.0, 0.0]])
    assert unit_rows([[], []]).shape == (2, 0) and unit_rows([]).shape == (0, 0)


def test_silhouettes_by_hand():
    distances = np.array([[0, 1, 4.0], [1, 0, 3], [4, 3, 0]])
    # a: (4 - 1) / 4, b: (3 - 1) / 3, and 0 for one that is alone in its cluster
    np.testing.assert_allclose(silhouettes(distances, np.array([0, 0, 1])), [0.75, 2 / 3, 0])
    assert np.isnan(silhouettes(distances, np.array([0, 0, 0]))).all()
    assert np.isnan(silhouettes(distances, np.array([0, 1, NONE]))).all()


def test_rand_index_by_hand_and_only_over_what_both_cluster():
    # pairs together in both: 1, in the first: 1, in the second: 2, of 6; expected 1 * 2 / 6
    index = (1 - 2 / 6) / ((1 + 2) / 2 - 2 / 6)
    assert rand_index(np.array([0, 0, 1, 2]), np.array([0, 0, 1, 1])) == pytest.approx(index)
    assert rand_index(np.array([0, 0, 1, 1, NONE]), np.array([5, 5, 2, 2, 2])) == 1.0
    assert np.isnan(rand_index(np.array([NONE]), np.array([0])))


def test_likeness_is_the_cosine_to_the_clusters_mean():
    rows = unit_rows([[1, 0], [0, 1], [1, 1]])
    near = likeness(rows, np.array([0, 0, NONE]))
    np.testing.assert_allclose(near[:2], [2**-0.5, 2**-0.5])
    assert np.isnan(near[2])


@given(st.lists(st.text(alphabet="abc <>é\n", max_size=30), max_size=12), st.integers(2, 5))
def test_any_texts_can_be_clustered(texts, k):
    rows, terms = term_vectors(texts)
    labels = cluster(rows, cosine_distances(rows), k, seed=3, starts=1)
    assert rows.shape == (len(texts), len(terms)) and len(labels) == len(texts)
    found = set(labels.tolist()) - {NONE}
    assert found == set(range(len(found))) and len(found) <= k
    sizes = [int((labels == label).sum()) for label in sorted(found)]
    assert sizes == sorted(sizes, reverse=True)
