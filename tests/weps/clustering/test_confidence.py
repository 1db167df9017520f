import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.builders import dendrogram_of, square
from tests.weps.clustering.cases import distinct_probabilities, reordered
from weps.clustering.confidence import (
    ConfidenceExample,
    PageConfidence,
    correctly_placed,
    fit_page_confidence,
)
from weps.clustering.linkage import average_linkage
from weps.errors import ModelError

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


@each_case(
    ("clusters", "groups", "expected"),
    [
        ([[0, 1, 2]], [{0, 1, 2}], "111"),
        ([[0, 1, 2]], [{0}, {1}, {2}], "000"),
        ([[0, 1, 2]], [{0, 1}, {2}], "000"),  # one of two others is no more than half
        ([[0, 1, 2, 3]], [{0, 1, 2}, {3}], "1110"),
        ([[0], [1], [2]], [{0}, {1}, {2}], "111"),
        ([[0], [1], [2]], [{0, 1}, {2}], "001"),
        ([[0, 1], [2]], [{0, 1, 2}], "110"),
        ([[0, 1], [2]], [{0}, {1, 2}], "000"),
        ([[0, 1, 2]], [{0, 1}], "11-"),  # 2 is not judged and no reproach to the others
        ([[0, 1], [2]], [{0}, {2}], "1-1"),
        ([[0, 1], [2]], [{0, 2}], "0-0"),
        ([[0, 1], [2]], [], "---"),
        ([[0, 1, 2]], [{0, 1}, {1, 2}], "010"),  # 1 is about two people
    ],
)
def test_correct_pages_by_hand(clusters, groups, expected):
    shared, judged = coreference(len(expected), groups)
    found = correctly_placed(clusters, shared, judged)
    outcome = np.where(judged, np.where(found, "1", "0"), "-")
    assert "".join(outcome.tolist()) == expected


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


@each_case(
    ("clusters", "expected"),
    [
        ([[0, 1], [2], [3]], [0.9, 0.9, 0.6, 0.6]),  # 2 is tied to 0 and 1 by .4 only
        ([[0, 1, 2], [3]], [0.6, 0.7, 0.4, 0.3]),
        ([[3, 1, 0, 2]], [0.3, 0.5, 0.5, 0.2]),
        ([[0], [1], [2], [3]], [0.9, 0.9, 0.6, 0.6]),
    ],
)
def test_predictors_by_hand(clusters, expected):
    """The median in the cluster; of a page alone, the greatest mean with another cluster."""
    tree = dendrogram_of(4, 0.9, 0.3, 0.1, 0.5, 0.2, 0.6)
    np.testing.assert_allclose(ODDS.scores_of(tree, clusters), expected, atol=1e-9)


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


LEARNT = PageConfidence((1.0, 2.0, -0.5, 0.7), (-1.0, 3.0))


@given(distinct_probabilities(least=1), st.randoms(use_true_random=False))
def test_confidence_moves_with_the_pages(case, random):
    size, probability = case
    order = random.sample(range(size), size)
    tree = average_linkage(probability, size)
    moved = average_linkage(reordered(probability, order), size)
    merges = size // 2
    before = LEARNT.scores_of(tree, tree.clusters(merges))
    after = LEARNT.scores_of(moved, moved.clusters(merges))
    np.testing.assert_allclose(after, before[order], atol=1e-12)


def test_weights_count_together():
    """Odds: e, times 9² for the pair, 9 ** log(2), and 3 for the cluster."""
    confidence = PageConfidence(together=(1.0, 2.0, 1.0, 0.5))
    found = confidence.scores_of(dendrogram_of(3, 9 / 10, 1 / 10, 1 / 10), [[0, 1], [2]])
    odds = math.e * 9**2 * 9 ** math.log(2) * 3
    assert found == pytest.approx([odds / (1 + odds)] * 2 + [1 / 2])


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


@each_case("key", ["together", "alone", "usual"])
@each_case(
    "weights",
    [
        *([], [0.0], [0.0] * 5, "000", dict.fromkeys("012", 0.0), [[0.0]] * 3, None, 7),
        *(
            [0.0, wrong, 0.0][: 2 + (key_length == 3)]
            for wrong in (math.nan, math.inf, -math.inf, 1001, 10**400, "1", "steep", None, True)
            for key_length in (2, 3)
        ),
    ],
)
def test_damaged_weights_are_refused(key, weights):
    data = PageConfidence().to_data() | {key: weights}
    with pytest.raises(ModelError, match="page confidence is damaged"):
        PageConfidence.from_data(data)


ZERO = PageConfidence().to_data()


@each_case(
    "data",
    [
        *(None, 7, [], ["together", "alone"], "together"),
        {"together": ZERO["together"], "alone": ZERO["alone"]},
        ZERO | {"apart": ZERO["alone"]},
    ],
)
def test_what_is_no_page_confidence_is_refused(data):
    with pytest.raises(ModelError, match="page confidence cannot be read"):
        PageConfidence.from_data(data)
