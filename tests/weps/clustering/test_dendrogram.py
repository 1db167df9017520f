"""Dendrograms, and how many of their merges are kept."""

from itertools import combinations
from math import exp, log, sqrt
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.builders import as_sets, dendrogram_of, square
from tests.weps.clustering.cases import (
    THRESHOLDS,
    cut,
    distinct_probabilities,
    tied_probabilities,
)
from weps.clustering.dendrogram import (
    LINKAGES,
    Constraints,
    Dendrogram,
    ExpectedF,
    ExpectedFByName,
    FlatLinkage,
    Merge,
    Threshold,
    average_linkage,
    calibrate_dendrogram,
    single_linkage,
)
from weps.coreference.base import Calibration
from weps.errors import ValuesError
from weps.similarity.columns import pair_position

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


expected_fs = st.builds(
    ExpectedF, slope=st.floats(0.2, 4), shift=st.floats(-3, 3), alpha=st.floats(0, 1)
)
EVEN = sqrt(2) - 1
"""The probability at which one person and two are equally good answers for two pages."""


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


LEVEL = {"single": np.max, "average": np.mean, "complete": np.min}
every_link = each_case("link", LINKAGES)


def preferences(pairs: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, 2), min_size=pairs, max_size=pairs)


@every_link
@given(case=tied_probabilities())
def test_every_merge_is_the_most_probable_there_is(link, case):
    size, probability = case
    tree, pairs = LINKAGES[link](probability, size), square(probability, size)
    assert len(tree.merges) == max(size - 1, 0)
    levels = [merge.probability for merge in tree.merges]
    assert levels == sorted(levels, reverse=True)
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
def test_the_pair_that_shows_best_stands_for_the_merge(link, case, data):
    size, probability = case
    preference = np.array(data.draw(preferences(len(probability))), dtype=np.float64)
    tree = LINKAGES[link](probability, size, preference)
    for merge, (larger, smaller) in zip(tree.merges, tree.merged_pairs(), strict=True):
        between = [pair_position(min(a, b), max(a, b), size) for a in larger for b in smaller]
        best = max(between, key=lambda pair: (probability[pair], preference[pair], -pair))
        assert merge.first < merge.second
        assert pair_position(merge.first, merge.second, size) == best


@every_link
@given(case=tied_probabilities(), data=st.data())
def test_preference_never_changes_who_is_with_whom(link, case, data):
    size, probability = case
    preference = np.array(data.draw(st.permutations(range(len(probability)))), dtype=np.float64)
    plain, preferring = (LINKAGES[link](probability, size, each) for each in (None, preference))
    assert [cut(plain, t) for t in THRESHOLDS] == [cut(preferring, t) for t in THRESHOLDS]


def test_preference_orders_equally_probable_merges_of_single_link():
    probability, preference = np.array([0.9, 0.9, 0.9]), np.array([0.1, 0.3, 0.2])
    merges = single_linkage(probability, 3, preference).merges
    assert merges == (Merge(0, 2, 0.9), Merge(1, 2, 0.9))
    merges = single_linkage(np.array([0.9, 0.8, 0.7]), 3, np.array([1.0, 2.0, 3.0])).merges
    assert merges == (Merge(0, 1, 0.9), Merge(0, 2, 0.8))  # the probability comes first


Pairs = list[tuple[int, int]]


def closed_constraints(
    size: int, same: Pairs, different: Pairs = (), right: tuple[int, ...] = ()
) -> Constraints:
    """The closure of the pairs, by going through it again and again."""
    number = list(range(size))
    for _ in range(size):
        for one, other in same:
            number[one] = number[other] = min(number[one], number[other])
    component = np.unique(number, return_inverse=True)[1]
    apart = np.zeros((component.max(initial=-1) + 1,) * 2, dtype=bool)
    for one, other in different:
        apart[component[one], component[other]] = apart[component[other], component[one]] = True
    return Constraints(component, apart, np.isin(np.arange(size), right))


def constrained_tree(
    link: str, size: int, probability: np.ndarray, same: Pairs, different: Pairs = ()
) -> Dendrogram:
    constraints = closed_constraints(size, same, different)
    return LINKAGES[link](probability, size, constraints=constraints)


@st.composite
def constrained_case(draw: st.DrawFn, probabilities: st.SearchStrategy):
    """Size, probabilities, and pairs that are the same and different for some true people."""
    size, probability = draw(probabilities)
    person = draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
    pairs = list(combinations(range(size), 2))
    given_pairs = draw(st.lists(st.sampled_from(pairs), max_size=size))
    same = [(a, b) for a, b in given_pairs if person[a] == person[b]]
    return size, probability, same, [pair for pair in given_pairs if pair not in same]


def by_hand(
    link: str, probability: np.ndarray, constraints: Constraints
) -> tuple[list[set], list[float]]:
    """The clusterings from all required merges to all allowed ones, and how probable each is."""
    pairs, component = square(probability, len(constraints.components)), constraints.components
    for one, other in combinations(range(len(component)), 2):  # linked pages are equally near
        linked = np.ix_(component == component[one], component == component[other])
        pairs[one, other] = pairs[other, one] = pairs[linked].max()
    clusters = [
        frozenset(np.flatnonzero(constraints.components == number).tolist())
        for number in range(len(constraints.conflicts))
    ]
    found, levels = [set(clusters)], []
    while True:
        allowed = [
            (LEVEL[link](pairs[np.ix_(sorted(ours), sorted(theirs))]), ours, theirs)
            for ours, theirs in combinations(clusters, 2)
            if not constraints.conflicts[
                np.ix_(*(constraints.components[sorted(c)] for c in (ours, theirs)))
            ].any()
        ]
        if not allowed:
            return found, levels
        level, ours, theirs = max(allowed, key=lambda merge: merge[0])
        clusters = [each for each in clusters if each not in (ours, theirs)] + [ours | theirs]
        found.append(set(clusters))
        levels.append(level)


@every_link
@given(case=constrained_case(distinct_probabilities(least=2)))
def test_it_is_what_agglomeration_by_hand_gives(link, case):
    size, probability, *given_pairs = case
    constraints = closed_constraints(size, *given_pairs)
    tree = LINKAGES[link](probability, size, constraints=constraints)
    found, expected = by_hand(link, probability, constraints)
    required, forbidden = constraints.required_merges, size - 1 - tree.max_merges
    assert (tree.min_merges, tree.max_merges) == (required, required + len(expected))
    levels = [merge.probability for merge in tree.merges]
    assert levels[:required] == [1.0] * required
    assert levels[tree.max_merges :] == [0.0] * forbidden
    np.testing.assert_allclose(levels[required : tree.max_merges], expected, rtol=0, atol=1e-12)
    for merges, clusters in enumerate(found, start=tree.min_merges):
        assert as_sets(tree.clusters(merges)) == clusters


@every_link
@given(case=constrained_case(tied_probabilities(least=2)))
def test_no_allowed_cut_disobeys(link, case):
    size, probability, same, different = case
    tree = constrained_tree(link, size, probability, same, different)
    levels = [merge.probability for merge in tree.merges]
    assert levels == sorted(levels, reverse=True)
    cuts = [tree.clusters(merges) for merges in range(tree.min_merges, tree.max_merges + 1)]
    for clusters in cuts + [cut(tree, threshold) for threshold in THRESHOLDS]:
        person = {row: number for number, rows in enumerate(clusters) for row in rows}
        assert all(person[one] == person[other] for one, other in same)
        assert all(person[one] != person[other] for one, other in different)


@every_link
@given(case=constrained_case(tied_probabilities(least=2)))
def test_constrained_pairs_are_certain(link, case):
    size, probability, same, different = case
    constraints = closed_constraints(size, same, different)
    tree = LINKAGES[link](probability, size, constraints=constraints)
    probabilities = square(tree.probability, size)
    assert all(probabilities[pair] == 1 for pair in same)
    assert all(probabilities[pair] == 0 for pair in different)
    free = ~(constraints.must_link | constraints.cannot_link)
    assert (tree.probability[free] == probability[free]).all()


@every_link
@given(case=constrained_case(tied_probabilities(least=2)))
def test_what_forbids_a_merge_is_shown_for_it(link, case):
    size, probability, *given_pairs = case
    constraints = closed_constraints(size, *given_pairs)
    tree = LINKAGES[link](probability, size, constraints=constraints)
    pairs = [pair_position(merge.first, merge.second, size) for merge in tree.merges]
    forbidden = constraints.cannot_link[pairs].tolist()
    assert forbidden == [number >= tree.max_merges for number in range(size - 1)]


@given(case=constrained_case(tied_probabilities(least=2)), data=st.data())
def test_a_clusterer_decides_where_constraints_do_not(case, data):
    size, probability, same, different = case
    labels = data.draw(st.lists(st.integers(-1, 3), min_size=size, max_size=size))
    wanted = [
        {other for other in range(size) if other == row or labels[other] == labels[row] >= 0}
        for row in range(size)
    ]
    clusterer = Mock(fit_predict=Mock(return_value=labels))
    free = FlatLinkage(clusterer)(probability, size)
    (distances,) = clusterer.fit_predict.call_args.args
    np.testing.assert_array_equal(distances, 1 - square(probability, size) - np.eye(size))
    for stopping in (Threshold(0), Threshold(2), ExpectedF(1, 0)):
        assert as_sets(free.clusters(stopping.merges(free))) == set(map(frozenset, wanted))
    np.testing.assert_array_equal(free.probability, probability)
    bound = FlatLinkage(clusterer)(
        probability, size, constraints=closed_constraints(size, same, different)
    )
    person = {row: at for at, rows in enumerate(bound.clusters(bound.fixed_merges)) for row in rows}
    assert all(person[one] == person[other] for one, other in same)
    assert all(person[one] != person[other] for one, other in different)


@pytest.mark.parametrize("labels", [[0, 0, 0], ["a", "b"], [0, np.nan]])
def test_a_clusterer_that_gives_no_number_for_each_page_is_refused(labels):
    with pytest.raises(ValuesError, match=r"expected numbers of shape \(2,\), none of them NaN"):
        FlatLinkage(Mock(fit_predict=Mock(return_value=labels)))(np.ones(1), 2)


@each_case(
    ("stopping", "merges"),
    [(Threshold(2), 1), (Threshold(-1), 2), (ExpectedF(1, -9), 1), (ExpectedF(1, 9, alpha=0), 2)],
)
def test_stopping_decisions_stay_within_what_is_allowed(stopping, merges):
    constraints = closed_constraints(4, [(0, 1)], [(1, 2)])
    tree = average_linkage(np.full(6, 0.5), 4, constraints=constraints)
    assert stopping.merges(tree) == merges


@each_case(
    ("clusters", "same", "different", "right", "expected"),
    [
        ([[0, 1], [2]], [], [], (), set()),
        ([[0, 1], [2]], [(0, 1)], [], (), {0, 1}),
        ([[0, 1, 2, 3]], [(0, 1)], [], (), set()),
        ([[0, 1, 2, 3]], [(0, 1), (1, 2)], [], (), {0, 1, 2}),
        ([[0, 1], [2]], [], [(2, 0)], (), set()),
        ([[0, 1], [2]], [], [(2, 0), (1, 2)], (), {2}),
        ([[0, 1], [2]], [(0, 1)], [(2, 0)], (), {0, 1, 2}),
        ([[0, 1], [2]], [], [], (1,), {1}),
        ([[0]], [], [], (), set()),
    ],
)
def test_pages_that_are_certain_to_stand_right(clusters, same, different, right, expected):
    size = sum(map(len, clusters))
    constraints = closed_constraints(size, same, different, right)
    assert set(np.flatnonzero(constraints.confirmed_in(clusters)).tolist()) == expected


def test_linked_pages_are_as_sure_as_the_surest_of_them_and_no_others():
    constraints = closed_constraints(4, [(0, 2)], [])
    scores = np.array([0.2, 0.6, 0.9, 0.4])
    assert constraints.equalise(scores).tolist() == [0.9, 0.6, 0.9, 0.4]
