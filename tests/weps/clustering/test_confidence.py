import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import dendrogram_of, square, unhurried
from tests.weps.clustering.cases import distinct_probabilities, reordered
from weps.clustering.confidence import (
    PREDICTORS,
    ConfidenceExample,
    PageConfidence,
    correctly_placed,
    fit_page_confidence,
)
from weps.clustering.dendrogram import Dendrogram
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


@pytest.mark.parametrize(
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
@unhurried
def test_correct_pages_follow_the_definition(case):
    size, clusters, groups = case
    shared, judged = coreference(size, groups)
    found = correctly_placed(clusters, shared, judged)
    assert found.shape == (size,)
    pages = np.flatnonzero(judged).tolist()
    assert found[judged].tolist() == [is_right(page, clusters, groups) for page in pages]


@given(answered(), st.booleans(), st.data())
@unhurried
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
    return math.log(probability / (1 - probability))


NONE = logit(1e-4)
"""The logit of a mean of 0, or of one with no other cluster."""


def only(number: int) -> PageConfidence:
    """A confidence whose logit is one of the predictors."""
    weights = tuple(float(each == number) for each in range(-1, len(PREDICTORS)))
    return PageConfidence(weights, weights)


def predictors_of(tree: Dendrogram, clusters: list[list[int]]) -> list[list[float]]:
    """The signs of each page, as the confidence show them."""
    columns = [only(number).scores_of(tree, clusters) for number in range(len(PREDICTORS))]
    return [[logit(belief) for belief in page] for page in np.transpose(columns).tolist()]


@pytest.mark.parametrize(
    ("clusters", "expected"),
    [
        (
            [[0, 1], [2], [3]],
            [
                [logit(0.9), logit(0.3), math.log(2), 3 / 4],
                [logit(0.9), logit(0.5), math.log(2), 3 / 4],
                [0, logit(0.6), 0, 3 / 4],  # 2 is tied to 0 and 1 by .4 only
                [0, logit(0.6), 0, 3 / 4],
            ],
        ),
        (
            [[0, 1, 2], [3]],
            [
                [logit((0.9 + 0.3) / 2), logit(0.1), math.log(3), 2 / 4],
                [logit((0.9 + 0.5) / 2), logit(0.2), math.log(3), 2 / 4],
                [logit((0.3 + 0.5) / 2), logit(0.6), math.log(3), 2 / 4],
                [0, logit((0.1 + 0.2 + 0.6) / 3), 0, 2 / 4],
            ],
        ),
        (
            [[3, 1, 0, 2]],
            [
                [logit((0.9 + 0.3 + 0.1) / 3), NONE, math.log(4), 1 / 4],
                [logit((0.9 + 0.5 + 0.2) / 3), NONE, math.log(4), 1 / 4],
                [logit((0.3 + 0.5 + 0.6) / 3), NONE, math.log(4), 1 / 4],
                [logit((0.1 + 0.2 + 0.6) / 3), NONE, math.log(4), 1 / 4],
            ],
        ),
    ],
)
def test_predictors_by_hand(clusters, expected):
    found = predictors_of(dendrogram_of(4, 0.9, 0.3, 0.1, 0.5, 0.2, 0.6), clusters)
    np.testing.assert_allclose(found, expected, atol=1e-9)


@given(distinct_probabilities(), st.data())
@unhurried
def test_predictors_follow_their_definition(case, data):
    size, probability = case
    tree = average_linkage(probability, size)
    clusters = tree.clusters(data.draw(st.integers(0, max(size - 1, 0))))
    between = square(probability, size)
    found = predictors_of(tree, clusters)
    assert len(found) == size
    for rows in clusters:
        for page in rows:
            mates = [between[page, other] for other in rows if other != page]
            others = [between[page, other].mean() for other in clusters if other != rows]
            expected = [
                logit(np.mean(mates)) if mates else 0,
                logit(max(others)) if others else NONE,
                math.log(len(rows)),
                len(clusters) / size,
            ]
            np.testing.assert_allclose(found[page], expected, atol=1e-6)


LEARNT = PageConfidence((1.0, 2.0, -0.5, 0.25, 1.5), (-1.0, 3.0, -0.75, 7.0, 0.5))


@given(distinct_probabilities(least=1), st.randoms(use_true_random=False))
@unhurried
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
    """Odds: e, times 9² for the tie, 3 for no other, 2 ** .25 for the size, e² for the share."""
    confidence = PageConfidence(together=(1.0, 2.0, -0.5, 0.25, 3.0))
    found = confidence.scores_of(dendrogram_of(3, 9 / 10, 1 / 10, 1 / 10), [[0, 1], [2]])
    odds = math.e * 9**2 * 3 * 2**0.25 * math.exp(2)
    assert found == pytest.approx([odds / (1 + odds)] * 2 + [1 / 2])


def random_case(random: np.random.Generator, judged_share: float = 0.8) -> ConfidenceExample:
    """A name whose pairs are mostly judged right, cut where half of the merges are kept."""
    size = int(random.integers(4, 30))
    person = random.integers(0, 1 + size // 3, size)
    shared = person[:, np.newaxis] == person
    same = shared[np.triu_indices(size, k=1)]
    probability = (0.2 + 0.3 * same + 0.5 * random.random(len(same))).clip(0, 1)
    judged = random.random(size) < judged_share
    tree = average_linkage(probability, size)
    return ConfidenceExample(
        tree.clusters(size // 2), tree, shared & judged & judged[:, np.newaxis], judged
    )


@pytest.fixture(scope="module")
def cases() -> list[ConfidenceExample]:
    random = np.random.default_rng(6)
    return [random_case(random) for _ in range(60)]


def alone_in(case: ConfidenceExample) -> np.ndarray:
    return np.array([[row] in case.clusters for row in range(case.dendrogram.size)])


def gaps(confidence: PageConfidence, case: ConfidenceExample) -> np.ndarray:
    """What each page is believed to be, less what it is."""
    outcome = correctly_placed(case.clusters, case.coreferent, case.judged)
    return confidence.scores_of(case.dendrogram, case.clusters) - outcome


@pytest.mark.parametrize("alone", [False, True])
def test_fitted_confidence_is_calibrated_each_name_counting_once(cases, alone):
    confidence = fit_page_confidence(cases)
    surplus = [
        gaps(confidence, case)[case.judged & (alone_in(case) == alone)].sum() / case.judged.sum()
        for case in cases
    ]
    assert np.mean(surplus) == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("alone", [False, True])
def test_fitted_confidence_distinguishes_pages(cases, alone):
    """On fresh names they are off by less than the share of pages that are right."""
    random = np.random.default_rng(7)
    fresh = [random_case(random) for _ in range(60)]
    confidence = fit_page_confidence(cases)

    def off(believed: PageConfidence, shift: float = 0.0) -> np.ndarray:
        parts = [(gaps(believed, c) + shift)[c.judged & (alone_in(c) == alone)] for c in fresh]
        return np.concatenate(parts)

    ignorant = off(PageConfidence())
    assert np.var(ignorant) > 0.05
    assert np.mean(off(confidence) ** 2) < 0.9 * np.var(ignorant)


def pairs_of_pages(right_names: int, wrong_names: int, together: bool) -> list[ConfidenceExample]:
    """Names of two pages, put together or not; both pages are right or both are wrong."""
    clusters = [[0, 1]] if together else [[0], [1]]
    judged = np.ones(2, dtype=bool)
    return [
        ConfidenceExample(
            clusters, dendrogram_of(2, level), np.full((2, 2), so == together), judged
        )
        for so, level, count in [(True, 0.8, right_names), (False, 0.4, wrong_names)]
        for _ in range(count)
    ]


@pytest.mark.parametrize(
    ("right_names", "wrong_names", "learnt"),
    [(10, 10, True), (9, 40, False), (40, 9, False), (40, 0, False), (0, 40, False)],
)
@pytest.mark.parametrize("together", [False, True])
def test_weights_are_learnt_from_twenty_pages_of_either_outcome(
    right_names, wrong_names, learnt, together
):
    confidence = fit_page_confidence(pairs_of_pages(right_names, wrong_names, together))
    assert (confidence != PageConfidence()) is learnt
    untaught = confidence.alone if together else confidence.together
    assert untaught == PageConfidence().together


def test_pages_that_the_key_does_not_judge_teach_nothing(cases):
    silent = [
        ConfidenceExample(
            each.clusters, each.dendrogram, each.coreferent & False, each.judged & False
        )
        for each in cases
    ]
    assert fit_page_confidence([*cases, *silent]) == fit_page_confidence(cases)
    assert fit_page_confidence(silent) == fit_page_confidence([]) == PageConfidence()


@pytest.mark.parametrize("key", ["together", "alone"])
@pytest.mark.parametrize(
    "weights",
    [
        [],
        [0.0] * len(PREDICTORS),
        [0.0] * (len(PREDICTORS) + 2),
        "0" * (1 + len(PREDICTORS)),
        dict.fromkeys("01234", 0.0),
        [[0.0]] * (1 + len(PREDICTORS)),
        [[0.0] * (1 + len(PREDICTORS))],
        None,
        7,
        *(
            [0.0, 0.0, wrong, 0.0, 0.0]
            for wrong in (math.nan, math.inf, -math.inf, 1001, 10**400, "1", "steep", None, True)
        ),
    ],
)
def test_damaged_weights_are_refused(key, weights):
    data = PageConfidence().to_data() | {key: weights}
    with pytest.raises(ModelError, match="page confidence is damaged"):
        PageConfidence.from_data(data)


ZERO = PageConfidence().to_data()


@pytest.mark.parametrize(
    "data",
    [
        *(None, 7, [], ["together", "alone"], "together"),
        {"together": ZERO["together"]},
        {"alone": ZERO["alone"]},
        ZERO | {"apart": ZERO["alone"]},
    ],
)
def test_what_is_no_page_confidence_is_refused(data):
    with pytest.raises(ModelError, match="page confidence cannot be read"):
        PageConfidence.from_data(data)
