import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.builders import dendrogram_of
from tests.weps.clustering.cases import distinct_probabilities
from weps.clustering.confidence import ConfidenceExample
from weps.clustering.linkage import Constraints, average_linkage, single_linkage
from weps.clustering.person_confidence import (
    PersonConfidence,
    fit_person_confidence,
    node_statistics,
    people_in,
)
from weps.coreference.base import Calibration
from weps.errors import ModelError

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


def example(random: np.random.Generator) -> ConfidenceExample:
    size = int(random.integers(5, 30))
    person = random.integers(0, 1 + size // 4, size)
    shared = person[:, np.newaxis] == person
    same = shared[np.triu_indices(size, k=1)]
    pairs = (0.2 + 0.35 * same + 0.45 * random.random(len(same))).clip(0, 1)
    return ConfidenceExample(average_linkage(pairs, size), size // 2, shared, np.ones(size, bool))


def test_fitted_confidence_is_calibrated_on_fresh_names():
    random = np.random.default_rng(3)
    found = fit_person_confidence([example(random) for _ in range(80)])
    assert found != PersonConfidence()
    gaps, numbers = [], []
    for case in [example(random) for _ in range(80)]:
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


DATA = PersonConfidence().to_data()


@each_case(
    ("data", "message"),
    [
        *((each, "cannot be read") for each in (None, 7, [], {}, DATA | {"more": 1})),
        (DATA | {"further_people": [0, 0]}, "damaged"),
        (DATA | {"further_people": [0, 0, math.nan]}, "damaged"),
        (DATA | {"one_person": {"slope": -1, "shift": 0}}, "calibration is damaged"),
    ],
)
def test_damaged_weights_are_refused(data, message):
    with pytest.raises(ModelError, match=message):
        PersonConfidence.from_data(data)
