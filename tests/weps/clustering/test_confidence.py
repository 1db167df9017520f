import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.builders import dendrogram_of, square
from tests.weps.clustering.cases import distinct_probabilities
from weps.clustering.confidence import (
    ConfidenceExample,
    PageConfidence,
    PersonConfidence,
    correctly_placed,
    fit_page_confidence,
    fit_person_confidence,
    node_statistics,
    people_in,
)
from weps.clustering.dendrogram import Constraints, average_linkage, single_linkage
from weps.coreference.base import Calibration

Groups = list[set[int]]


def coreference(size: int, groups: Groups) -> tuple[np.ndarray, np.ndarray]:
    """Which rows share a person by a key of rows, and which it judges."""
    shared = np.zeros((size, size), dtype=bool)
    for group in groups:
        rows = sorted(group)
        shared[np.ix_(rows, rows)] = True
    return shared, shared.diagonal().copy()


def is_right(page: int, clusters: list[list[int]], groups: Groups) -> bool:
    """The definition, in plain Python, of a judged page."""
    judged = set().union(*groups)
    mates = {other for rows in clusters if page in rows for other in rows} - {page}
    kin = {other for group in groups if page in group for other in group} - {page}
    if mates & judged:
        return len(mates & kin) > len(mates & judged) / 2
    return not kin


@st.composite
def answered(draw: st.DrawFn) -> tuple[int, list[list[int]], Groups]:
    """Pages, their clusters, and a key that may overlap and leave pages out."""
    size = draw(st.integers(0, 8))
    cluster = draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
    clusters = [[row for row in range(size) if cluster[row] == each] for each in set(cluster)]
    group = st.sets(st.integers(0, max(size - 1, 0)), min_size=1)
    return size, clusters, draw(st.lists(group, max_size=4 if size else 0))


@given(answered())
def test_correct_pages_follow_the_definition(case):
    size, clusters, groups = case
    shared, judged = coreference(size, groups)
    found = correctly_placed(clusters, shared, judged)
    assert found.shape == (size,)
    pages = np.flatnonzero(judged).tolist()
    assert found[judged].tolist() == [is_right(page, clusters, groups) for page in pages]


@given(answered(), st.booleans(), st.data())
def test_neither_unjudged_pages_nor_the_diagonal_matter(case, diagonal, data):
    size, clusters, groups = case
    shared, judged = coreference(size, groups)
    kept = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    judged &= np.array(kept, dtype=bool)
    unknown = shared & judged & judged[:, np.newaxis]
    expected = correctly_placed(clusters, unknown, judged)[judged]
    np.fill_diagonal(shared, diagonal)
    assert correctly_placed(clusters, shared, judged)[judged].tolist() == expected.tolist()


def logit(probability: float) -> float:
    clipped = min(max(probability, 0.05), 0.95)
    return math.log(clipped / (1 - clipped))


ODDS = PageConfidence((0.0, 1.0, 0.0, 0.0), (0.0, 1.0))
"""The logit of a page's confidence is its first predictor."""
SIZED = PageConfidence((0.0, 0.0, 1.0, 0.0), (0.0, 0.0))
"""The logit of the confidence of a page of several is its second predictor."""
OF_CLUSTER = PageConfidence((0.0, 0.0, 0.0, 1.0), (0.0, 0.0))
"""The logit of the confidence of a page of several is its third predictor."""


@given(distinct_probabilities(), st.data())
def test_predictors_follow_their_definition(case, data):
    size, probability = case
    tree = average_linkage(probability, size)
    clusters = tree.clusters(data.draw(st.integers(0, max(size - 1, 0))))
    between = square(probability, size)
    found = [each.scores_of(tree, clusters) for each in (ODDS, SIZED, OF_CLUSTER)]
    for rows in clusters:
        inner = [between[pair] for pair in combinations(rows, 2)]
        cohesion = logit(np.mean(inner)) if inner else 0.0
        for page in rows:
            mates = [between[page, other] for other in rows if other != page]
            others = [between[page, other].mean() for other in clusters if other != rows]
            odds = logit(np.median(mates) if mates else max(others, default=0))
            sized = odds * math.log(len(rows))
            for scores, expected in zip(found, (odds, sized, cohesion), strict=True):
                assert scores[page] == pytest.approx(1 / (1 + math.exp(-expected)), abs=1e-6)


@each_case(
    ("unfamiliar", "expected"),
    [("000", [0.9, 0.9, 0.2]), ("111", [0.7, 0.7, 0.2]), ("010", [0.9, 0.7, 0.2])],
)
def test_the_confidence_of_unfamiliar_pages_is_bounded(unfamiliar, expected):
    confidence = PageConfidence((0.0, 1.0, 0.0, 0.0), (0.0, 1.0), (0.7, 0.6))
    flags = np.array([each == "1" for each in unfamiliar])
    tree = dendrogram_of(3, 0.9, 0.2, 0.2)
    assert confidence.scores_of(tree, [[0, 1], [2]], flags) == pytest.approx(expected)


def random_case(random: np.random.Generator, judged_share: float = 0.8) -> ConfidenceExample:
    """A name whose pairs are mostly judged right, cut where half of the merges are kept."""
    size = int(random.integers(4, 30))
    person = random.integers(0, 1 + size // 3, size)
    shared = person[:, np.newaxis] == person
    same = shared[np.triu_indices(size, k=1)]
    probability = (0.2 + 0.3 * same + 0.5 * random.random(len(same))).clip(0, 1)
    judged = random.random(size) < judged_share
    tree = average_linkage(probability, size)
    return ConfidenceExample(tree, size // 2, shared & judged & judged[:, np.newaxis], judged)


@pytest.fixture(scope="module")
def cases() -> list[ConfidenceExample]:
    random = np.random.default_rng(6)
    return [random_case(random) for _ in range(60)]


@pytest.fixture(scope="module")
def fitted(cases) -> PageConfidence:
    return fit_page_confidence(cases)


def alone_in(case: ConfidenceExample, merges: int) -> np.ndarray:
    clusters = case.dendrogram.clusters(merges)
    return np.array([[row] in clusters for row in range(case.dendrogram.size)])


def gaps(confidence: PageConfidence, case: ConfidenceExample, merges: int) -> np.ndarray:
    """What each page is believed to be, less what it is."""
    clusters = case.dendrogram.clusters(merges)
    outcome = correctly_placed(clusters, case.coreferent, case.judged)
    return confidence.scores_of(case.dendrogram, clusters) - outcome


@pytest.mark.parametrize("alone", [False, True])
def test_fitted_confidence_is_calibrated_each_name_counting_once(cases, fitted, alone):
    surplus = [
        weight
        * gaps(fitted, case, cut)[case.judged & (alone_in(case, cut) == alone)].sum()
        / case.judged.sum()
        for case in cases
        for cut, weight in case.cuts().items()
    ]
    assert np.mean(surplus) == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("alone", [False, True])
def test_fitted_confidence_distinguishes_pages(fitted, alone):
    """On fresh names they are off by less than the share of pages that are right."""
    random = np.random.default_rng(7)
    fresh = [random_case(random) for _ in range(60)]

    def off(believed: PageConfidence, shift: float = 0.0) -> np.ndarray:
        parts = [
            (gaps(believed, c, c.kept) + shift)[c.judged & (alone_in(c, c.kept) == alone)]
            for c in fresh
        ]
        return np.concatenate(parts)

    ignorant = off(PageConfidence())
    assert np.var(ignorant) > 0.05
    assert np.mean(off(fitted) ** 2) < 0.9 * np.var(ignorant)


@each_case(
    ("one_person", "two_people", "learnt"),
    [(10, 10, True), (9, 40, False), (40, 9, False), (40, 0, False), (0, 40, False)],
)
@each_case("kept", [0, 1])
def test_weights_are_learnt_from_twenty_pages_of_either_outcome(
    one_person, two_people, learnt, kept
):
    """Names of two pages: put together, one person is right, and apart, two people are."""
    names = [
        ConfidenceExample(dendrogram_of(2, level), kept, np.full((2, 2), same), np.ones(2, bool))
        for same, level, count in [(True, 0.8, one_person), (False, 0.4, two_people)]
        for _ in range(count)
    ]
    found, zero = fit_page_confidence(names), PageConfidence()
    assert (found.together != zero.together) is (found.alone != zero.alone) is learnt
    right = one_person if kept else two_people
    expected = (2 * right + 1) / (2 * len(names) + 2)
    assert found.usual[1 - kept] == pytest.approx(expected)
    assert found.usual[kept] == 0.5


def test_pages_that_the_key_does_not_judge_teach_nothing(cases, fitted):
    silent = [
        replace(each, coreferent=each.coreferent & False, judged=each.judged & False)
        for each in cases
    ]
    assert fit_page_confidence([*cases, *silent]) == fitted
    assert fit_page_confidence(silent) == fit_page_confidence([]) == PageConfidence()


WEIGHTS = st.builds(
    PersonConfidence,
    st.builds(Calibration, st.floats(0.1, 3), st.floats(-2, 2)),
    st.tuples(*[st.floats(-2, 2)] * 3),
)


@given(distinct_probabilities(least=1), WEIGHTS, st.sampled_from([average_linkage, single_linkage]))
def test_a_merge_never_makes_one_person_more_probable_nor_people_fewer(case, confidence, linkage):
    size, probability = case
    tree = linkage(probability, size)
    one, number = confidence.of_nodes(tree)
    pages, _ = node_statistics(tree)
    assert one[:size].tolist() == number[:size].tolist() == [1.0] * size
    assert ((one >= 0) & (one <= 1) & (number >= 2 - one - 1e-9) & (number <= pages)).all()
    for node, (first, second) in enumerate(tree.children(), start=size):
        assert one[node] <= min(one[first], one[second])
        assert max(number[first], number[second]) <= number[node]
        assert number[node] <= number[first] + number[second]


@each_case(("level", "expected"), [(0.99, (0.99, 1.01)), (0.5, (0.5, 1.5)), (0.01, (0.01, 1.99))])
def test_two_unlike_pages_are_hardly_one_person(level, expected):
    one, number = PersonConfidence().of_nodes(dendrogram_of(2, level))
    assert (one[-1], number[-1]) == pytest.approx(expected)


def test_numbers_by_hand():
    """Three pages merge at .9 and .3; the mean of the three pairs is .5."""
    confidence = PersonConfidence(Calibration(2.0, 0.5), (-4.0, -1.0, 0.25))
    tree = average_linkage(np.array([0.9, 0.4, 0.2]), 3)
    one, number = confidence.of_nodes(tree)
    odds = math.exp(0.5) * (0.3 / 0.7) ** 2
    further = 1 / (1 + math.exp(4.0) * 3**-0.25)
    assert one[-1] == pytest.approx(odds / (1 + odds))
    assert number[-1] == pytest.approx(one[-1] + (1 - one[-1]) * (2 + further))
    many = PersonConfidence(confidence.one_person, (4.0, -1.0, 0.25)).of_nodes(tree)[1]
    assert many[-1] == pytest.approx(many[-2] + 1)  # no more than the people of both parts
    pages, mean = node_statistics(tree)
    assert pages.tolist() == [1, 1, 1, 2, 3]
    assert mean == pytest.approx([1, 1, 1, 0.9, 0.5])


def test_corrections_settle_who_is_one_person():
    """0 and 1 must be together, 2 must not be with them."""
    apart = np.array([[False, True], [True, False]])
    constraints = Constraints(np.array([0, 0, 1]), apart, np.zeros(3, dtype=bool))
    tree = average_linkage(np.array([0.1, 0.6, 0.7]), 3, None, constraints)
    one, number = PersonConfidence().of_nodes(tree)
    assert one.tolist() == [1, 1, 1, 1, 0]
    assert number[:4].tolist() == [1, 1, 1, 1]
    assert number[4] == 2


@pytest.mark.parametrize("size", [0, 1])
def test_hardly_any_pages(size):
    one, number = PersonConfidence().of_nodes(dendrogram_of(size))
    assert one.tolist() == number.tolist() == [1.0] * size


@each_case(
    ("rows", "expected"),
    [
        ([0], (1, 1)),
        ([0, 1], (2, 1)),
        ([0, 2], (2, 2)),
        ([0, 1, 2], (3, 2)),
        ([0, 1, 2, 3], (3, 2)),  # the key does not judge 3
        ([3], (0, 0)),
    ],
)
def test_people_are_counted_by_the_key(rows, expected):
    shared = np.zeros((4, 4), dtype=bool)
    shared[:2, :2] = shared[2, 2] = True
    assert people_in(rows, shared, np.array([True, True, True, False])) == expected


def person_example(random: np.random.Generator) -> ConfidenceExample:
    size = int(random.integers(5, 30))
    person = random.integers(0, 1 + size // 4, size)
    shared = person[:, np.newaxis] == person
    same = shared[np.triu_indices(size, k=1)]
    pairs = (0.2 + 0.35 * same + 0.45 * random.random(len(same))).clip(0, 1)
    return ConfidenceExample(average_linkage(pairs, size), size // 2, shared, np.ones(size, bool))


def test_fitted_confidence_of_clusters_is_calibrated_on_fresh_names():
    random = np.random.default_rng(3)
    found = fit_person_confidence([person_example(random) for _ in range(80)])
    assert found != PersonConfidence()
    gaps, numbers = [], []
    for case in [person_example(random) for _ in range(80)]:
        one, number = found.of_nodes(case.dendrogram)
        for merges, weight in case.cuts().items():
            node_of = case.dendrogram.node_of_rows(merges)
            for node in set(node_of[node_of >= case.dendrogram.size].tolist()):
                _, people = people_in(
                    np.flatnonzero(node_of == node).tolist(), case.coreferent, case.judged
                )
                gaps.append((weight, one[node] - (people == 1)))
                numbers.append((number[node], people))
    weights, off = np.array(gaps).T
    assert abs(np.average(off, weights=weights)) < 0.06
    assert 0.8 < np.divide(*np.sum(numbers, axis=0)) < 1.25


def test_names_without_two_judged_pages_teach_nothing():
    lonely = ConfidenceExample(
        dendrogram_of(2, 0.9), 1, np.ones((2, 2), bool), np.array([True, False])
    )
    assert fit_person_confidence([lonely]) == fit_person_confidence([]) == PersonConfidence()
