import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage

from tests.weps.builders import as_sets, dendrogram_of, square, unhurried
from weps.clustering import Merge, pair_position, single_link

GRID = 8
"""Probabilities are multiples of 1/8, exact in binary, so that ties are ties."""


@st.composite
def condensed_probabilities(draw: st.DrawFn, least: int = 0) -> tuple[int, np.ndarray]:
    """The number of pages and a probability for each pair."""
    size = draw(st.integers(least, 8))
    pairs = size * (size - 1) // 2
    steps = draw(st.lists(st.integers(0, GRID), min_size=pairs, max_size=pairs))
    return size, np.array(steps, dtype=np.float64) / GRID


THRESHOLDS = [step / (2 * GRID) for step in range(1, 2 * GRID + 3)]


@pytest.mark.parametrize(
    ("threshold", "expected"),
    [
        (0.0, [[0, 1, 2, 3]]),
        (0.1, [[0, 1, 2, 3]]),
        (0.2, [[0, 1, 2], [3]]),
        (0.8, [[0, 1, 2], [3]]),
        (0.85, [[0, 2], [1], [3]]),
        (0.9, [[0, 2], [1], [3]]),
        (0.95, [[0], [1], [2], [3]]),
    ],
)
def test_merges_below_the_threshold_are_undone(threshold, expected):
    # Pairs 01, 02, 03, 12, 13, 23: 0 and 1 are one cluster through 2, as their own tie is weak.
    assert dendrogram_of(4, 0.3, 0.9, 0.1, 0.8, 0.0, 0.05).cut(threshold) == expected


def test_merges_are_told_most_probable_first():
    assert dendrogram_of(3, 0.2, 0.7, 0.4).merges == (Merge(0, 2, 0.7), Merge(1, 2, 0.4))


@pytest.mark.parametrize(("size", "clusters"), [(0, []), (1, [[0]])])
def test_fewer_than_two_pages(size, clusters):
    tree = dendrogram_of(size)
    assert tree.merges == ()
    assert tree.cut(0.5) == clusters


@given(condensed_probabilities(least=2))
@unhurried
def test_it_cuts_as_scipy_does_at_every_threshold(case):
    size, probability = case
    reference = linkage(1 - probability, method="single")
    tree = single_link(probability, size)
    for threshold in THRESHOLDS:
        flat = fcluster(reference, 1 - threshold, criterion="distance")
        assert as_sets(tree.cut(threshold)) == as_sets(
            np.flatnonzero(flat == number).tolist() for number in set(flat)
        )


@given(condensed_probabilities(), st.data())
@unhurried
def test_the_order_of_the_pages_does_not_matter(case, data):
    size, probability = case
    order = data.draw(st.permutations(range(size)))
    moved = square(probability, size)[np.ix_(order, order)][np.triu_indices(size, k=1)]
    before, after = single_link(probability, size), single_link(moved, size)
    for threshold in THRESHOLDS:
        clusters = [[order[row] for row in rows] for rows in after.cut(threshold)]
        assert as_sets(clusters) == as_sets(before.cut(threshold))


@given(condensed_probabilities(), st.sampled_from(THRESHOLDS))
@unhurried
def test_every_page_is_in_exactly_one_cluster(case, threshold):
    size, probability = case
    clusters = single_link(probability, size).cut(threshold)
    assert sorted(row for rows in clusters for row in rows) == list(range(size))
    assert clusters == sorted(map(sorted, clusters))


@given(condensed_probabilities())
@unhurried
def test_merges_are_pairs_with_their_probability_in_descending_order(case):
    size, probability = case
    merges = single_link(probability, size).merges
    assert len(merges) == max(size - 1, 0)
    assert all(merge.first < merge.second for merge in merges)
    assert [merge.probability for merge in merges] == [
        probability[pair_position(merge.first, merge.second, size)] for merge in merges
    ]
    assert sorted(merges, key=lambda merge: -merge.probability) == list(merges)


@given(condensed_probabilities(), st.sampled_from(THRESHOLDS))
@unhurried
def test_each_merge_held_makes_one_cluster_fewer(case, threshold):
    size, probability = case
    tree = single_link(probability, size)
    assert len(tree.cut(threshold)) == size - len(tree.held(threshold))


@given(condensed_probabilities(), st.data())
@unhurried
def test_preference_never_changes_who_is_with_whom(case, data):
    size, probability = case
    preference = np.array(data.draw(st.permutations(range(len(probability)))), dtype=np.float64)
    plain, preferring = single_link(probability, size), single_link(probability, size, preference)
    assert [plain.cut(t) for t in THRESHOLDS] == [preferring.cut(t) for t in THRESHOLDS]


def test_preference_chooses_among_equally_probable_pairs():
    probability, preference = np.array([0.9, 0.9, 0.9]), np.array([0.1, 0.3, 0.2])
    merges = single_link(probability, 3, preference).merges
    assert merges == (Merge(0, 2, 0.9), Merge(1, 2, 0.9))


def test_probability_comes_before_preference():
    merges = single_link(np.array([0.9, 0.8, 0.7]), 3, np.array([1.0, 2.0, 3.0])).merges
    assert merges == (Merge(0, 1, 0.9), Merge(0, 2, 0.8))


def test_among_complete_ties_the_earlier_pair_wins():
    assert dendrogram_of(3, 0.5, 0.5, 0.5).merges == (Merge(0, 1, 0.5), Merge(0, 2, 0.5))


@pytest.mark.parametrize("size", [2, 3, 7])
def test_pairs_are_where_numpy_puts_them(size):
    rows, columns = np.triu_indices(size, k=1)
    positions = [pair_position(i, j, size) for i, j in zip(rows, columns, strict=True)]
    assert positions == list(range(size * (size - 1) // 2))
