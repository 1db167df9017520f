"""Dendrograms, and how many of their merges are kept."""

from math import exp, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.builders import dendrogram_of, square
from tests.weps.clustering.cases import cut, distinct_probabilities, tied_probabilities
from weps.clustering.dendrogram import (
    LINKAGES,
    Dendrogram,
    ExpectedF,
    ExpectedFByName,
    Merge,
    Threshold,
    average_linkage,
    calibrate_dendrogram,
    expected_bcubed,
)
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


def by_definition(clusters: list[list[int]], together: np.ndarray) -> tuple[float, float]:
    """Precision and recall from a square of probabilities, page by page."""
    own = {row: rows for rows in clusters for row in rows}
    precision = [together[row, own[row]].mean() for row in own]
    recall = [together[row, own[row]].sum() / together[row].sum() for row in own]
    return float(np.mean(precision)), float(np.mean(recall))


def sharpened(p: float, slope: float, shift: float) -> float:
    p = min(max(p, 1e-5), 1 - 1e-5)
    return 1 / (1 + exp(-(slope * log(p / (1 - p)) + shift)))


def f_by_definition(clusters: list[list[int]], together: np.ndarray, alpha: float) -> float:
    precision, recall = by_definition(clusters, together)
    return 1 / (alpha / precision + (1 - alpha) / recall)


@pytest.mark.parametrize("link", LINKAGES)
@given(case=tied_probabilities(least=1), data=st.data())
def test_it_is_what_the_definition_says_after_every_merge(link, case, data):
    size, probability = case
    together = np.array(
        data.draw(st.lists(st.floats(0, 1), min_size=len(probability), max_size=len(probability))),
        dtype=np.float64,
    )
    tree = LINKAGES[link](probability, size)
    found = np.transpose(expected_bcubed(tree, together))
    whole = square(together, size) + np.eye(size)
    expected = [by_definition(tree.clusters(merges), whole) for merges in range(size)]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


expected_fs = st.builds(
    ExpectedF, slope=st.floats(0.2, 4), shift=st.floats(-3, 3), alpha=st.floats(0, 1)
)
EVEN = sqrt(2) - 1
"""The probability at which one person and two are equally good answers for two pages."""


@each_case(
    ("level", "merges"), [(-1, 3), (0.1, 3), (0.2, 2), (0.8, 2), (0.85, 1), (0.9, 1), (0.95, 0)]
)
def test_a_threshold_keeps_what_is_probable_enough(level, merges):
    tree = dendrogram_of(4, 0.3, 0.9, 0.1, 0.8, 0.0, 0.05)
    assert Threshold(level).merges(tree) == merges


@given(distinct_probabilities(least=1), expected_fs)
def test_the_curve_is_what_the_definition_says(case, stopping):
    size, probability = case
    tree = average_linkage(probability, size)
    together = np.eye(size) + square(
        [sharpened(p, stopping.slope, stopping.shift) for p in probability], size
    )
    expected = [
        f_by_definition(tree.clusters(merges), together, stopping.alpha) for merges in range(size)
    ]
    np.testing.assert_allclose(stopping.curve(tree), expected, rtol=0, atol=1e-10)
    assert expected[stopping.merges(tree)] == pytest.approx(max(expected), abs=1e-10)


@each_case("shift", np.linspace(-3, 3, 25))
def test_of_equally_good_numbers_the_fewest_are_kept(shift):
    probability = sharpened(EVEN, 1, -shift)  # EVEN again but for rounding
    assert ExpectedF(1, shift).merges(dendrogram_of(2, probability)) == 0


@pytest.mark.parametrize(("size", "curve"), [(0, []), (1, [1.0])])
def test_of_fewer_than_two_pages_nothing_is_kept(size, curve):
    tree = Dendrogram(size, np.zeros(0), ())
    assert ExpectedF(1, 0).curve(tree).tolist() == curve
    for stopping in (ExpectedF(1, 0), ExpectedFByName(1, 0, 1, 1), Threshold(0.5)):
        assert stopping.merges(tree) == 0


@given(distinct_probabilities(least=1), st.floats(-3, 3), st.floats(-3, 3), st.floats(-3, 3))
def test_the_prior_of_a_name_shifts_its_log_odds(case, intercept, people, odds):
    size, probability = case
    tree, slope = average_linkage(probability, size), 3.0
    clusters = size - ExpectedF(slope, 0).merges(tree)
    mean = np.clip(probability.mean() if size > 1 else 0.5, 1e-3, 1 - 1e-3)
    shift = intercept + people * np.log(clusters) + odds * np.log(mean / (1 - mean))
    shift = np.clip(shift, -1, 1)
    stopping = ExpectedFByName(slope, intercept, people, odds)
    assert stopping.shift(tree) == pytest.approx(shift)
    assert stopping.merges(tree) == ExpectedF(slope, slope * stopping.shift(tree)).merges(tree)


def test_the_boldest_numbers_that_are_read_overflow_nothing():
    stopping = ExpectedF.from_data({"slope": 1e6, "shift": -1e6, "alpha": 0})
    assert np.isfinite(stopping.curve(dendrogram_of(3, 0.0, 0.5, 1.0))).all()
