"""Subsets of measures and curves."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score

from tests.cases import each_case
from weps.errors import ValuesError
from weps_eval.ranking.curves import (
    Curve,
    average_precisions,
    precision_at,
    precision_recall,
)
from weps_eval.ranking.pwa import max_pwa
from weps_eval.ranking.subsets import best_subset, gain_counts, greedy_subsets

Sides = tuple[NDArray[np.float64], NDArray[np.float64]]


@st.composite
def sides(draw: st.DrawFn) -> Sides:
    measures = draw(st.integers(1, 6))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    kinds = generator.integers(1, 7, (measures, 1))
    better = generator.integers(0, 3, (measures, 1))
    positives = generator.integers(0, kinds, (measures, draw(st.integers(1, 40)))) + better
    negatives = generator.integers(0, kinds, (measures, draw(st.integers(1, 40))))
    return positives.astype(float), negatives.astype(float)


def reached(both: Sides, measures: tuple[int, ...]) -> float:
    return max_pwa(both[0][list(measures)], both[1][list(measures)]) if measures else 0.0


@given(sides())
def test_each_greedy_step_is_the_best_next_one(both):
    chosen: tuple[int, ...] = ()
    for step in greedy_subsets(*both):
        rest = [measure for measure in range(len(both[0])) if measure not in chosen]
        tried = [reached(both, (*chosen, measure)) for measure in rest]
        assert step.measure == rest[int(np.argmax(tried))]  # the first of equally good ones
        assert step.max_pwa == pytest.approx(max(tried))
        assert step.gain == pytest.approx(max(tried) - reached(both, chosen))
        chosen = (*chosen, step.measure)


@given(sides())
def test_the_best_subset_is_the_best_of_all(both):
    measures = range(len(both[0]))
    for size in range(1, len(measures) + 1):
        best = best_subset(*both, size)
        assert best.measures == tuple(sorted(best.measures))
        assert best.max_pwa == pytest.approx(reached(both, best.measures))
        assert best.max_pwa == pytest.approx(
            max(reached(both, s) for s in combinations(measures, size))
        )


def test_greedy_search_can_miss_the_best_pair_and_exhaustive_search_does_not():
    # Each column a positive, compared with one negative at 0; the first measure is right on three
    # of five, the others on complementary parts.
    right = np.array([[1, 1, 1, 0, 0, 0], [1, 1, 0, 1, 0, 0], [0, 0, 1, 0, 1, 1]], dtype=float)
    negatives = np.zeros((3, 1))
    assert [step.measure for step in greedy_subsets(right, negatives, 2)] == [0, 2]
    assert best_subset(right, negatives, 2) == ((1, 2), 1.0)


@given(sides())
def test_gains_are_what_is_lost_without_the_measure(both):
    every = tuple(range(len(both[0])))
    groups = (np.arange(side.shape[1]) % number for side, number in zip(both, (3, 5), strict=True))
    alone, by_groups = gain_counts(*both), gain_counts(*both, *groups)
    for measure, counts in enumerate(alone):
        rest = tuple(other for other in every if other != measure)
        assert counts.pooled == pytest.approx(reached(both, every) - reached(both, rest))
        assert by_groups[measure].pooled == pytest.approx(counts.pooled)


@each_case("size", [0, -1, 3])
@each_case("search", [greedy_subsets, best_subset])
def test_a_size_that_cannot_be_is_refused(search, size):
    with pytest.raises(ValuesError, match=f"no subset of {size} can be chosen from 2 measures"):
        search([[1.0], [1.0]], [[0.0], [0.0]], size)  # type: ignore[operator]


VALUES = [0.9, 0.7, 0.7, 0.2, 0.0, 0.0]
POSITIVE = [True, False, True, False, True, True]
INSTANCES = st.lists(
    st.tuples(st.sampled_from([0.0, 0.2, 0.5, 1.0]), st.booleans()), min_size=1, max_size=25
).filter(lambda instances: any(positive for _, positive in instances))


def points(curve: Curve) -> list[list[float]]:
    return [each.tolist() for each in (curve.recall, curve.precision, curve.threshold)]


def test_the_points_of_six_instances():
    curve = precision_recall(VALUES, POSITIVE)
    assert_array_equal(curve.threshold, [0.9, 0.7, 0.2, 0.0])
    assert_array_equal(curve.recall, [1 / 4, 2 / 4, 2 / 4, 4 / 4])
    assert_array_equal(curve.precision, [1 / 1, 2 / 3, 2 / 4, 4 / 6])


def test_pairs_with_nothing_in_common_can_be_left_off():
    ranked = precision_recall(VALUES, POSITIVE).above(0)
    assert_array_equal(ranked.threshold, [0.9, 0.7, 0.2])
    assert_array_equal(precision_at(ranked, [0.5, 0.51]), [2 / 3, np.nan])
    nothing = precision_recall([0, 0], [True, False]).above(0)
    assert_array_equal(precision_at(nothing, [0.0, 1.0]), [np.nan, np.nan])


@each_case(
    ("recall", "expected"),
    [(0.0, 1.0), (0.25, 1.0), (0.26, 2 / 3), (0.5, 2 / 3), (1.0, 2 / 3), (1.1, np.nan)],
)
def test_interpolated_precision_is_the_best_from_there_on(recall, expected):
    curve = precision_recall(VALUES, POSITIVE)
    assert_array_equal(precision_at(curve, recall), expected)


def test_a_recall_is_found_however_it_was_computed():
    curve = precision_recall(np.arange(10), np.ones(10, dtype=bool)).above(6)
    assert curve.recall[-1] < 0.1 + 0.2
    assert precision_at(curve, 0.1 + 0.2) == 1


@given(INSTANCES)
def test_every_point_counts_all_instances_with_its_value_or_more(instances):
    values, labels = zip(*instances, strict=True)
    curve = precision_recall(values, labels)
    assert curve.threshold.tolist() == sorted(set(values))[::-1]
    for recall, precision, threshold in zip(*points(curve), strict=True):
        taken = [positive for value, positive in instances if value >= threshold]
        assert recall == sum(taken) / sum(labels)
        assert precision == sum(taken) / len(taken)
    interpolated = precision_at(curve, np.linspace(0, 1, 11))
    assert (np.diff(interpolated) <= 0).all()


def expected(values: Any, positive: Any, group: Any, counts: Any) -> float:
    weights = np.asarray(counts)[group]
    if not weights[positive].any():
        return np.nan
    return float(average_precision_score(positive, values, sample_weight=weights))


@given(st.integers(0, 2**32 - 1), st.sampled_from([3, 50, 2000]), st.sampled_from([1, 2, 7]))
def test_each_is_the_average_precision_with_weights(seed, levels, groups):
    generator = np.random.default_rng(seed)
    values, group = generator.integers(levels, size=300), generator.integers(groups, size=300)
    positive = generator.random(300) < generator.choice([0.01, 0.5, 0.99])
    positive[0] = True
    drawn = generator.multinomial(groups, np.full(groups, 1 / groups), size=5)
    found = average_precisions(values, positive, group, drawn)
    assert_allclose(found, [expected(values, positive, group, counts) for counts in drawn])


def test_a_resample_without_a_positive_has_none():
    found = average_precisions(
        [0.9, 0.5, 0.1], [False, True, False], [0, 1, 0], [[1, 1], [2, 0], [0, 2], [0, 0]]
    )
    assert_array_equal(found, [1 / 2, np.nan, 1, np.nan])


@each_case(
    ("positive", "group", "drawn", "message"),
    [
        ([False, False], [0, 1], [[1, 1]], "no instance is positive"),
        ([True, False], [0, 2], [[1, 1]], "weights: no column for group 2"),
        ([True, False], [0], [[1, 1]], "group: expected shape"),
        ([True, False], [0, 1], [[1, np.nan]], "weights: .*NaN"),
    ],
)
def test_what_does_not_fit_is_refused(positive, group, drawn, message):
    with pytest.raises(ValuesError, match=message):
        average_precisions([0.5, 0.1], positive, group, drawn)
