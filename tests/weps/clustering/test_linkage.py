"""Linkage and the dendrogram."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage

from tests.weps.builders import as_sets, dendrogram_of, square, unhurried
from tests.weps.clustering.cases import (
    THRESHOLDS,
    distinct_probabilities,
    reordered,
    tied_probabilities,
)
from weps.clustering.dendrogram import (
    Dendrogram,
    Merge,
    membership_matrix,
    pair_position,
    pairs_between,
)
from weps.clustering.linkage import LINKAGES, average_linkage, complete_linkage, single_linkage
from weps.errors import ValuesError

LEVEL = {"single": np.max, "average": np.mean, "complete": np.min}
every_link = pytest.mark.parametrize("link", LINKAGES)


def scipy_clusters(reference: np.ndarray, threshold: float) -> set[frozenset[int]]:
    flat = fcluster(reference, 1 - threshold, criterion="distance")
    return as_sets(np.flatnonzero(flat == number).tolist() for number in set(flat))


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
def test_single_link_joins_through_others(threshold, expected):
    # Pairs 01, 02, 03, 12, 13, 23: 0 and 1 are one cluster through 2, as their own tie is weak.
    assert dendrogram_of(4, 0.3, 0.9, 0.1, 0.8, 0.0, 0.05).cut(threshold) == expected


@pytest.mark.parametrize(
    ("link", "last"),
    [(single_linkage, 0.75), (average_linkage, 0.5), (complete_linkage, 0.25)],
)
def test_each_link_weighs_the_pairs_between_two_clusters(link, last):
    # 0 and 1 are one; page 2 is tied well to 1 and weakly to 0.
    merges = link(np.array([1.0, 0.25, 0.75]), 3).merges
    assert merges == (Merge(0, 1, 1.0), Merge(1, 2, last))


def test_clusters_of_average_link_weigh_by_their_pages():
    # 0, 1, 2 are one; page 3 is tied to them by 0.5, 0.5 and 0.125.
    merges = average_linkage(np.array([1.0, 0.75, 0.5, 0.75, 0.5, 0.125]), 4).merges
    assert merges[-1] == Merge(0, 3, 0.375)


@every_link
@pytest.mark.parametrize(("size", "clusters"), [(0, []), (1, [[0]])])
def test_fewer_than_two_pages(link, size, clusters):
    tree = LINKAGES[link](np.zeros(0), size)
    assert tree.merges == ()
    assert tree.cut(0.5) == clusters


@every_link
def test_two_pages(link):
    assert LINKAGES[link](np.array([0.7]), 2).merges == (Merge(0, 1, 0.7),)


@every_link
@given(case=distinct_probabilities(least=2))
@unhurried
def test_they_merge_as_scipy_does(link, case):
    size, probability = case
    reference = linkage(1 - probability, method=link)
    tree = LINKAGES[link](probability, size)
    levels = [merge.probability for merge in tree.merges]
    np.testing.assert_allclose(levels, 1 - reference[:, 2], rtol=0, atol=1e-12)
    for count, (upper, lower) in enumerate(pairwise(levels), start=1):
        expected = scipy_clusters(reference, (upper + lower) / 2)
        assert as_sets(tree.clusters(count)) == expected


@given(tied_probabilities(least=2))
@unhurried
def test_single_link_cuts_as_scipy_does_even_with_ties(case):
    size, probability = case
    reference, tree = linkage(1 - probability, method="single"), single_linkage(probability, size)
    for threshold in THRESHOLDS:
        assert as_sets(tree.cut(threshold)) == scipy_clusters(reference, threshold)


@every_link
@given(case=tied_probabilities())
@unhurried
def test_every_merge_is_the_most_probable_there_is(link, case):
    size, probability = case
    tree, pairs = LINKAGES[link](probability, size), square(probability, size)
    assert len(tree.merges) == max(size - 1, 0)
    for count, merge in enumerate(tree.merges):
        clusters = tree.clusters(count)
        level_of = {
            (tuple(ours), tuple(theirs)): LEVEL[link](pairs[np.ix_(ours, theirs)])
            for ours, theirs in combinations(clusters, 2)
        }
        (ours,) = (tuple(rows) for rows in clusters if merge.first in rows)
        (theirs,) = (tuple(rows) for rows in clusters if merge.second in rows)
        assert level_of[min(ours, theirs), max(ours, theirs)] == pytest.approx(merge.probability)
        assert merge.probability == pytest.approx(max(level_of.values()), abs=1e-12)


@every_link
@given(case=tied_probabilities(), data=st.data())
@unhurried
def test_the_pair_that_shows_best_stands_for_the_merge(link, case, data):
    size, probability = case
    preference = np.array(
        data.draw(
            st.lists(st.integers(0, 2), min_size=len(probability), max_size=len(probability))
        ),
        dtype=np.float64,
    )
    tree = LINKAGES[link](probability, size, preference)
    for merge, (larger, smaller) in zip(tree.merges, tree.merged_pairs(), strict=True):
        between = [pair_position(min(a, b), max(a, b), size) for a in larger for b in smaller]
        best = max(between, key=lambda pair: (probability[pair], preference[pair], -pair))
        assert merge.first < merge.second
        assert pair_position(merge.first, merge.second, size) == best


@every_link
@given(case=tied_probabilities(grid=10))
@unhurried
def test_levels_never_rise(link, case):
    size, probability = case
    levels = [merge.probability for merge in LINKAGES[link](probability, size).merges]
    assert levels == sorted(levels, reverse=True)


@every_link
@given(case=distinct_probabilities(), data=st.data())
@unhurried
def test_the_order_of_the_pages_does_not_matter(link, case, data):
    size, probability = case
    order = data.draw(st.permutations(range(size)))
    before = LINKAGES[link](probability, size)
    after = LINKAGES[link](reordered(probability, order), size)
    for count in range(size):
        clusters = [[order[row] for row in rows] for rows in after.clusters(count)]
        assert as_sets(clusters) == as_sets(before.clusters(count))


@given(tied_probabilities(), st.data())
@unhurried
def test_the_order_of_the_pages_does_not_matter_to_a_cut_of_single_link(case, data):
    size, probability = case
    order = data.draw(st.permutations(range(size)))
    before, after = (
        single_linkage(each, size) for each in (probability, reordered(probability, order))
    )
    for threshold in THRESHOLDS:
        clusters = [[order[row] for row in rows] for rows in after.cut(threshold)]
        assert as_sets(clusters) == as_sets(before.cut(threshold))


@every_link
@given(case=tied_probabilities(), data=st.data())
@unhurried
def test_preference_never_changes_who_is_with_whom(link, case, data):
    size, probability = case
    preference = np.array(data.draw(st.permutations(range(len(probability)))), dtype=np.float64)
    plain, preferring = (LINKAGES[link](probability, size, each) for each in (None, preference))
    assert [plain.cut(t) for t in THRESHOLDS] == [preferring.cut(t) for t in THRESHOLDS]


@every_link
def test_preference_chooses_among_equally_probable_pairs(link):
    # Pages 0 and 1 come first; both are tied to 2 alike.
    merges = LINKAGES[link](np.array([0.9, 0.5, 0.5]), 3, np.array([0.0, 0.1, 0.2])).merges
    assert merges == (Merge(0, 1, 0.9), Merge(1, 2, 0.5))


def test_preference_orders_equally_probable_merges_of_single_link():
    probability, preference = np.array([0.9, 0.9, 0.9]), np.array([0.1, 0.3, 0.2])
    merges = single_linkage(probability, 3, preference).merges
    assert merges == (Merge(0, 2, 0.9), Merge(1, 2, 0.9))


def test_probability_comes_before_preference():
    merges = single_linkage(np.array([0.9, 0.8, 0.7]), 3, np.array([1.0, 2.0, 3.0])).merges
    assert merges == (Merge(0, 1, 0.9), Merge(0, 2, 0.8))


@every_link
@pytest.mark.parametrize("probability", [0.1, 0.5, 1.0])
def test_constant_probabilities_are_the_level_of_every_merge(link, probability):
    tree = LINKAGES[link](np.full(45, probability), 10)
    assert {merge.probability for merge in tree.merges} == {probability}
    assert tree.cut(probability) == [list(range(10))]
    assert tree.merges[0] == Merge(0, 1, probability)


@every_link
def test_a_thousand_pages(link):
    # Person i % 10; within a person any probability is above any other.
    rows, columns = np.triu_indices(1000, k=1)
    same = rows % 10 == columns % 10
    probability = (same + np.random.default_rng(0).random(len(rows))) / 2
    tree = LINKAGES[link](probability, 1000)
    assert tree.clusters(990) == [list(range(person, 1000, 10)) for person in range(10)]


def test_the_pair_probabilities_are_left_alone():
    probability = np.random.default_rng(0).random(10)
    before = probability.copy()
    for link in LINKAGES.values():
        assert link(probability, 5).probability is probability
    assert np.array_equal(probability, before)


MERGES = (Merge(3, 4, 0.9), Merge(0, 2, 0.6), Merge(2, 3, 0.6), Merge(0, 1, 0.1))
FIVE = Dendrogram(5, np.zeros(10), MERGES)


@pytest.mark.parametrize(
    ("merges", "expected"),
    [
        (0, [[0], [1], [2], [3], [4]]),
        (1, [[0], [1], [2], [3, 4]]),
        (2, [[0, 2], [1], [3, 4]]),
        (3, [[0, 2, 3, 4], [1]]),
        (4, [[0, 1, 2, 3, 4]]),
    ],
)
def test_clusters_after_the_first_merges(merges, expected):
    assert FIVE.clusters(merges) == expected


@pytest.mark.parametrize(
    ("threshold", "merges"), [(0, 4), (0.1, 4), (0.2, 3), (0.6, 3), (0.7, 1), (0.9, 1), (1, 0)]
)
def test_a_threshold_holds_the_merges_that_reach_it(threshold, merges):
    assert FIVE.kept_merges(threshold) == MERGES[:merges]
    assert FIVE.cut(threshold) == FIVE.clusters(merges)


@pytest.mark.parametrize(("size", "clusters"), [(0, []), (1, [[0]])])
def test_fewer_than_two_pages_of_dendrogram(size, clusters):
    tree = Dendrogram(size, np.zeros(0), ())
    assert tree.clusters(0) == tree.cut(0.5) == clusters
    assert list(tree.merged_pairs()) == []


def test_unions_tell_the_clusters_before_they_are_one():
    told = [tuple(map(sorted, parts)) for parts in FIVE.merged_pairs()]
    assert [set(map(tuple, parts)) for parts in told] == [
        {(3,), (4,)},
        {(0,), (2,)},
        {(0, 2), (3, 4)},
        {(0, 2, 3, 4), (1,)},
    ]
    assert all(len(larger) >= len(smaller) for larger, smaller in told)


def test_a_union_keeps_the_name_of_its_former_part():
    name_of = list(range(5))
    for former, latter in FIVE.merged_pairs():
        assert {name_of[row] for row in former} == {former[0]}
        assert {name_of[row] for row in latter} == {latter[0]}
        for row in latter:
            name_of[row] = former[0]


@pytest.mark.parametrize("size", [2, 3, 7])
def test_pairs_are_where_numpy_puts_them(size):
    rows, columns = np.triu_indices(size, k=1)
    positions = [pair_position(i, j, size) for i, j in zip(rows, columns, strict=True)]
    assert positions == list(range(size * (size - 1) // 2))


@given(st.permutations(range(8)), st.integers(1, 6), st.integers(7, 8))
@unhurried
def test_pairs_between_two_clusters(rows, first, last):
    ours, theirs = np.array(rows[:first]), np.array(rows[first:last])
    expected = [[pair_position(min(a, b), max(a, b), 8) for b in theirs] for a in ours]
    assert pairs_between(ours, theirs, 8).tolist() == expected


def test_a_row_for_each_set_a_column_for_each_document():
    found = membership_matrix([[2, 0], [], [1]], 4)
    assert found.dtype == np.int32
    assert found.toarray().tolist() == [[1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 0]]


def test_a_document_is_counted_once_in_a_set_and_may_be_in_several():
    assert membership_matrix([[1, 1], [1]], 2).toarray().tolist() == [[0, 1], [0, 1]]


def test_no_sets():
    assert membership_matrix([], 3).shape == (0, 3)


@pytest.mark.parametrize(("rows", "told"), [([3], "3"), ([0, -1], "-1")])
def test_a_document_that_is_not_there_is_told(rows, told):
    with pytest.raises(ValuesError, match=f"no document {told}") as caught:
        membership_matrix([rows], 3)
    assert "0 to 2" in caught.value.remedy
