import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.builders import dendrogram_of
from tests.weps.clustering.cases import cut, distinct_probabilities
from weps.clustering.dendrogram import Dendrogram, Merge, Threshold, calibrate_dendrogram
from weps.clustering.linkage import average_linkage
from weps.coreference.base import Calibration

calibrations = st.builds(Calibration, st.floats(0.01, 5), st.floats(-4, 4))

MERGES = (Merge(3, 4, 0.9), Merge(0, 2, 0.6), Merge(2, 3, 0.6), Merge(0, 1, 0.1))
FIVE = Dendrogram(5, np.zeros(10), MERGES)


@each_case(
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


@each_case(
    ("threshold", "merges"), [(0, 4), (0.1, 4), (0.2, 3), (0.6, 3), (0.7, 1), (0.9, 1), (1, 0)]
)
def test_a_threshold_holds_the_merges_that_reach_it(threshold, merges):
    assert Threshold(threshold).merges(FIVE) == merges


@pytest.mark.parametrize(("size", "clusters"), [(0, []), (1, [[0]])])
def test_fewer_than_two_pages(size, clusters):
    tree = Dendrogram(size, np.zeros(0), ())
    assert tree.clusters(0) == cut(tree, 0.5) == clusters
    assert list(tree.merged_pairs()) == []


def test_merged_pairs_are_the_clusters_before_each_merge():
    parts = [tuple(map(sorted, each)) for each in FIVE.merged_pairs()]
    assert parts == [([4], [3]), ([2], [0]), ([3, 4], [0, 2]), ([0, 2, 3, 4], [1])]


@each_case("least", range(5))
@each_case("most", range(5))
def test_nodes_of_cuts_are_the_clusters_after_so_many_merges(least, most):
    wanted = {int(node) for merges in range(least, most + 1) for node in FIVE.node_of_rows(merges)}
    if least <= most:
        assert FIVE.nodes_of_cuts(least, most) == sorted(wanted)


@each_case(("wished", "given"), [(0, 1), (1, 1), (2, 2), (3, 2)])
def test_as_many_merges_as_are_allowed(wished, given):
    bounded = Dendrogram(5, np.zeros(10), MERGES, min_merges=1, max_merges=2)
    assert bounded.bounded_count(wished) == given
    assert FIVE.bounded_count(wished + 2) == min(wished + 2, 4)


@given(distinct_probabilities(), calibrations)
def test_a_calibrated_dendrogram_merges_the_same(case, calibration):
    size, probability = case
    before = average_linkage(probability, size)
    after = calibrate_dendrogram(before, calibration)
    assert after.size == size
    assert [(each.first, each.second) for each in after.merges] == [
        (each.first, each.second) for each in before.merges
    ]
    np.testing.assert_array_equal(after.probability, calibration(probability))
    levels = np.array([each.probability for each in before.merges])
    assert [each.probability for each in after.merges] == calibration(levels).tolist()


def test_a_calibrated_dendrogram_is_worth_its_numbers():
    after = calibrate_dendrogram(dendrogram_of(3, 3 / 4, 1 / 4, 1 / 2), Calibration(slope=2))
    assert after.probability == pytest.approx([9 / 10, 1 / 10, 1 / 2])
    assert [each.probability for each in after.merges] == pytest.approx([9 / 10, 1 / 2])
