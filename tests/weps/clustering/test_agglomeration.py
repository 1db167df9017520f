from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import as_sets, square, unhurried
from tests.weps.clustering.cases import (
    THRESHOLDS,
    distinct_probabilities,
    reordered,
    tied_probabilities,
)
from weps.clustering.agglomeration import (
    ClusterMerge,
    Constraints,
    agglomerate_clusters,
    average_update,
    complete_update,
    single_update,
)
from weps.clustering.dendrogram import Dendrogram, Merge, pair_position
from weps.clustering.linkage import LINKAGES, average_linkage
from weps.clustering.stopping import ExpectedF, Threshold

UNIONS = [single_update, complete_update, average_update]
probabilities = st.floats(0, 1)
pages = st.integers(1, 1000)


def matrix(*rows: list[float]) -> np.ndarray:
    nearness = np.array(rows)
    np.fill_diagonal(nearness, -np.inf)
    return nearness


@pytest.mark.parametrize(
    ("union", "nearness"),
    [
        (single_update, [3, 2, 1.5]),
        (average_update, [3, 2, 0.875]),
        (complete_update, [3, 2, 0.25]),
    ],
)
def test_joins_come_nearest_first(union, nearness):
    # The chain from row 0 leads to 1 and merges them first, but 2 and 3 are nearer.
    distances = matrix([0, 2, 1, 0.5], [2, 0, 0.25, 1.5], [1, 0.25, 0, 3], [0.5, 1.5, 3, 0])
    distances[0, 2] = distances[2, 0] = 1.25
    joins = agglomerate_clusters(distances, union)
    assert [join.nearness for join in joins] == nearness
    assert [(join.first, join.second) for join in joins] == [(2, 3), (0, 1), (0, 2)]


def test_the_first_of_the_nearest_wins():
    assert agglomerate_clusters(matrix(*[[1.0] * 3] * 3), average_update) == [
        ClusterMerge(1, 0, 1),
        ClusterMerge(1, 0, 2),
    ]


@pytest.mark.parametrize("size", [0, 1])
def test_nothing_to_join(size):
    assert agglomerate_clusters(np.full((size, size), -np.inf), average_update) == []


@pytest.mark.parametrize("union", UNIONS)
@given(probabilities, probabilities, pages, pages)
def test_a_union_is_as_near_as_its_parts_or_between(union, first, second, ours, theirs):
    (united,) = union(np.array([first]), np.array([second]), ours, theirs)
    (swapped,) = union(np.array([second]), np.array([first]), theirs, ours)
    assert min(first, second) <= united <= max(first, second)
    assert united == swapped


def test_the_mean_weighs_parts_by_their_pages():
    assert average_update(np.array([1.0]), np.array([0.5]), 1, 3) == np.array([0.625])


LEVEL = {"single": np.max, "average": np.mean, "complete": np.min}
every_link = pytest.mark.parametrize("link", LINKAGES)
Pairs = list[tuple[int, int]]


def ruling_of(
    size: int, same: Pairs, different: Pairs = (), right: tuple[int, ...] = ()
) -> Constraints:
    """The closure of what is said, by going through it again and again."""
    number = list(range(size))
    for _ in range(size):
        for one, other in same:
            number[one] = number[other] = min(number[one], number[other])
    component = np.unique(number, return_inverse=True)[1]
    apart = np.zeros((component.max(initial=-1) + 1,) * 2, dtype=bool)
    for one, other in different:
        apart[component[one], component[other]] = apart[component[other], component[one]] = True
    return Constraints(component, apart, np.isin(np.arange(size), right))


@st.composite
def ruled(draw: st.DrawFn, probabilities: st.SearchStrategy):
    """Size, probabilities, and pairs that are the same and different for some true people."""
    size, probability = draw(probabilities)
    person = draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
    pairs = list(combinations(range(size), 2))
    said = draw(st.lists(st.sampled_from(pairs), max_size=size))
    same = [(a, b) for a, b in said if person[a] == person[b]]
    return size, probability, same, [pair for pair in said if pair not in same]


def by_hand(
    link: str, probability: np.ndarray, ruling: Constraints
) -> tuple[list[set], list[float]]:
    """The clusterings from all demanded merges to all allowed ones, and how probable each is."""
    pairs = square(probability, len(ruling.components))
    clusters = [
        frozenset(np.flatnonzero(ruling.components == number).tolist())
        for number in range(len(ruling.conflicts))
    ]
    found, levels = [set(clusters)], []
    while True:
        allowed = [
            (LEVEL[link](pairs[np.ix_(sorted(ours), sorted(theirs))]), ours, theirs)
            for ours, theirs in combinations(clusters, 2)
            if not ruling.conflicts[
                np.ix_(*(ruling.components[sorted(c)] for c in (ours, theirs)))
            ].any()
        ]
        if not allowed:
            return found, levels
        level, ours, theirs = max(allowed, key=lambda merge: merge[0])
        clusters = [each for each in clusters if each not in (ours, theirs)] + [ours | theirs]
        found.append(set(clusters))
        levels.append(level)


@every_link
@given(case=ruled(distinct_probabilities(least=2)))
@unhurried
def test_it_is_what_agglomeration_by_hand_gives(link, case):
    size, probability, *said = case
    ruling = ruling_of(size, *said)
    tree = LINKAGES[link](probability, size, constraints=ruling)
    found, levels = by_hand(link, probability, ruling)
    assert (tree.min_merges, tree.max_merges) == (
        ruling.required_merges,
        ruling.required_merges + len(levels),
    )
    told = [merge.probability for merge in tree.merges]
    assert told[: tree.min_merges] == [1.0] * tree.min_merges
    assert told[tree.max_merges :] == [0.0] * (size - 1 - tree.max_merges)
    np.testing.assert_allclose(told[tree.min_merges : tree.max_merges], levels, rtol=0, atol=1e-12)
    for merges, clusters in enumerate(found, start=tree.min_merges):
        assert as_sets(tree.clusters(merges)) == clusters


@every_link
@given(case=ruled(tied_probabilities(least=2)))
@unhurried
def test_no_allowed_cut_disobeys(link, case):
    size, probability, same, different = case
    tree = LINKAGES[link](probability, size, constraints=ruling_of(size, same, different))
    levels = [merge.probability for merge in tree.merges]
    assert levels == sorted(levels, reverse=True)
    cuts = [tree.clusters(merges) for merges in range(tree.min_merges, tree.max_merges + 1)]
    for clusters in cuts + [tree.cut(threshold) for threshold in THRESHOLDS]:
        person = {row: number for number, rows in enumerate(clusters) for row in rows}
        assert all(person[one] == person[other] for one, other in same)
        assert all(person[one] != person[other] for one, other in different)


@every_link
@given(case=ruled(tied_probabilities(least=2)))
@unhurried
def test_pairs_are_as_probable_as_was_said(link, case):
    size, probability, same, different = case
    ruling = ruling_of(size, same, different)
    tree = LINKAGES[link](probability, size, constraints=ruling)
    told = square(tree.probability, size)
    assert all(told[pair] == 1 for pair in same)
    assert all(told[pair] == 0 for pair in different)
    free = ~(ruling.must_link | ruling.cannot_link)
    assert (tree.probability[free] == probability[free]).all()


@every_link
@given(case=ruled(distinct_probabilities(least=2)), data=st.data())
@unhurried
def test_the_order_of_the_pages_does_not_matter(link, case, data):
    size, probability, same, different = case
    order = data.draw(st.permutations(range(size)))
    place = {row: number for number, row in enumerate(order)}
    moved = [[(place[a], place[b]) for a, b in pairs] for pairs in (same, different)]
    tree = LINKAGES[link](probability, size, constraints=ruling_of(size, same, different))
    other = LINKAGES[link](reordered(probability, order), size, constraints=ruling_of(size, *moved))
    assert (tree.min_merges, tree.max_merges) == (other.min_merges, other.max_merges)
    for merges in range(tree.min_merges, tree.max_merges + 1):
        back = [[order[row] for row in rows] for rows in other.clusters(merges)]
        assert as_sets(back) == as_sets(tree.clusters(merges))


@every_link
@given(case=tied_probabilities(), data=st.data())
@unhurried
def test_nothing_settled_changes_nothing(link, case, data):
    size, probability = case
    preference = np.array(
        data.draw(
            st.lists(st.integers(0, 2), min_size=len(probability), max_size=len(probability))
        ),
        dtype=np.float64,
    )
    free = LINKAGES[link](probability, size, preference)
    tree = LINKAGES[link](probability, size, preference, Constraints.unconstrained(size))
    assert tree.merges == free.merges
    assert tree.probability.tolist() == probability.tolist()
    assert [tree.bounded_count(merges) for merges in (0, size)] == [0, max(size - 1, 0)]


@every_link
@given(case=ruled(tied_probabilities(least=2)))
@unhurried
def test_what_forbids_a_merge_is_shown_for_it(link, case):
    size, probability, *said = case
    ruling = ruling_of(size, *said)
    tree = LINKAGES[link](probability, size, constraints=ruling)
    forbidden = [ruling.cannot_link[pair_position(m.first, m.second, size)] for m in tree.merges]
    assert forbidden == [number >= tree.max_merges for number in range(size - 1)]


def test_a_union_remembers_whom_its_parts_must_not_join():
    # 0 and 1 are nearly certain, 1 and 2 as well, but 0 is not 2.
    tree = LINKAGES["single"](np.array([0.9, 0.8, 0.7]), 3, constraints=ruling_of(3, [], [(0, 1)]))
    assert tree.merges == (Merge(0, 2, 0.8), Merge(0, 1, 0.0))
    assert tree.cut(0) == [[0, 2], [1]]


def test_demanded_merges_leave_the_link_to_weigh_all_pairs():
    # 0 and 1 must be one; 2 is tied to them by 0.75 and 0.25.
    tree = average_linkage(np.array([0.1, 0.75, 0.25]), 3, constraints=ruling_of(3, [(0, 1)]))
    assert tree.merges == (Merge(0, 1, 1.0), Merge(0, 2, 0.5))
    assert tree.cut(2) == [[0, 1], [2]]


@pytest.mark.parametrize(
    ("stopping", "merges"),
    [(Threshold(2), 1), (Threshold(-1), 2), (ExpectedF(1, -9), 1), (ExpectedF(1, 9, alpha=0), 2)],
)
def test_stopping_decisions_stay_within_what_is_allowed(stopping, merges):
    ruling = ruling_of(4, [(0, 1)], [(1, 2)])
    tree = average_linkage(np.full(6, 0.5), 4, constraints=ruling)
    assert stopping.merges(tree) == merges


@pytest.mark.parametrize(("wished", "given"), [(0, 1), (1, 1), (2, 2), (3, 2)])
def test_as_many_merges_as_are_allowed(wished, given):
    merges = tuple(Merge(0, row, 0.5) for row in (1, 2, 3))
    assert (
        Dendrogram(4, np.zeros(6), merges, min_merges=1, max_merges=2).bounded_count(wished)
        == given
    )
    assert Dendrogram(4, np.zeros(6), merges).bounded_count(wished + 2) == min(wished + 2, 3)


@pytest.mark.parametrize(
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
    ruling = ruling_of(size, same, different, right)
    assert set(np.flatnonzero(ruling.confirmed_in(clusters)).tolist()) == expected


def test_of_no_pages_nothing_is_settled():
    ruling = Constraints.unconstrained(0)
    assert ruling.confirmed_in([]).tolist() == []
    assert average_linkage(np.zeros(0), 0, constraints=ruling).merges == ()
