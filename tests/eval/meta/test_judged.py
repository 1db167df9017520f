"""Judged tables, similarities, ULC, and QUEEN and KING of labelled instances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.cases import each_case
from weps.errors import ValuesError
from weps_eval.meta.judged import (
    Scale,
    Similarities,
    as_human_scored,
    as_table,
    mean_of_measures,
)
from weps_eval.meta.labelled import LabelledConditions, compare_choices, mean_superiority
from weps_eval.ranking.pwa import max_pwa
from weps_eval.ranking.subsets import greedy_subsets


def test_a_table_has_a_cell_for_each_topic_and_system():
    values, topic, system = np.array([[1.0, 2, 3], [4, np.inf, 6]]), [0, 1, 1], [1, 0, 1]
    table = as_table(values, np.array(topic), np.array(system))
    expected = [[[np.nan, 1], [2, 3]], [[np.nan, 4], [np.inf, 6]]]
    assert np.array_equal(table, expected, equal_nan=True)


@each_case(
    ("values", "human", "message"),
    [
        ([[1, 2]], [1, 2, 3], r"of 2 and human scores of 3 instances cannot be paired"),
        ([[1, 2]], [1, np.nan], r"human: 1 values are NaN, the first is instance 1"),
        ([[1, 2], [1, np.nan]], [1, 2], r"values: .* instance 1 of measure 1"),
        ([[1, 2], [1, np.inf]], [1, 2], r"values: the value of instance 1 of measure 1 is inf"),
        ([[1, 2]], [-np.inf, 2], r"human: the value of instance 0 is infinite"),
        ([["a", "b"]], [1, 2], r"expected numbers"),
        ([[]], [], r"no instances given"),
    ],
)
def test_values_that_do_not_fit_are_refused(values, human, message):
    with pytest.raises(ValuesError, match=message):
        as_human_scored(values, human)  # type: ignore[arg-type]


PEERS, MODELS, AMONG = np.zeros((2, 3, 4)), np.zeros((2, 4, 4)), np.zeros((2, 3, 3))
JUDGED_NAN = np.zeros((2, 4, 4))
JUDGED_NAN[1, 2, 3] = np.nan


@each_case(
    ("peers", "models", "among", "message"),
    [
        (
            PEERS[0],
            MODELS,
            AMONG,
            r"peers: expected shape \(measures, peers, models\).*got \(3, 4\)",
        ),
        (PEERS[:, :0], MODELS, None, "none 0"),
        (PEERS, MODELS[:1], AMONG, r"models: shape \(1, 4, 4\) does not fit \(2, 4, 4\)"),
        (PEERS, MODELS, MODELS, "among peers: shape"),
        (PEERS, MODELS.astype(str), AMONG, "models: expected numbers"),
        (PEERS, JUDGED_NAN, AMONG, "models: .* measure 1 for text 2 and reference 3 is NaN"),
    ],
)
def test_what_does_not_fit_is_refused(peers, models, among, message):
    with pytest.raises(ValuesError, match=message):
        Similarities(peers, models, among)


VALUES = st.sampled_from([-np.inf, 0.0, 0.5, 1.0, np.inf])
BOTH = st.integers(1, 4).flatmap(
    lambda measures: st.tuples(
        arrays(float, st.tuples(st.just(measures), st.integers(2, 11)), elements=VALUES),
        arrays(float, st.tuples(st.just(measures), st.integers(1, 8)), elements=VALUES),
    )
)
Sides = tuple[np.ndarray, np.ndarray]


def queen(one: np.ndarray, models: list[np.ndarray]) -> float:
    return float(np.mean([(one >= each).all() for each in models]))


def by_looking(positives: np.ndarray, negatives: np.ndarray) -> float:
    """K, each positive left out of those that it and the negatives are compared with."""
    better = []
    for place, own in enumerate(positives.T):
        others = [each for k, each in enumerate(positives.T) if k != place]
        better.append([queen(own, others) > queen(each, others) for each in negatives.T])
    return float(np.mean(better))


@given(BOTH, st.data())
def test_groups_are_compared_each_for_itself(sides, data):
    values = np.concatenate(sides, axis=1)
    positive = np.arange(values.shape[1]) < sides[0].shape[1]
    groups = st.lists(st.integers(0, 2), min_size=len(positive), max_size=len(positive))
    group = np.array(data.draw(groups))
    conditions = LabelledConditions.of(values, positive, group)
    parts = [[values[:, own & (group == g)] for own in (positive, ~positive)] for g in range(3)]
    expected = [by_looking(*part) for part in parts if part[0].shape[1] > 1 and part[1].shape[1]]
    assert len(conditions.panels) == len(expected)
    if expected:
        found = mean_superiority(conditions, range(len(values)))
        assert found == pytest.approx(np.mean(expected))


@given(BOTH)
def test_each_step_adds_the_best_measure(sides):
    values = np.concatenate(sides, axis=1)
    positive, group = np.arange(values.shape[1]) < sides[0].shape[1], np.zeros(values.shape[1], int)
    conditions = LabelledConditions.of(values, positive, group)
    steps = compare_choices(values, positive, group, 10)
    by_king: list[int] = []
    for number, (step, greedy) in enumerate(zip(steps, greedy_subsets(*sides), strict=True), 1):
        rest = [each for each in range(len(values)) if each not in by_king]
        tried = [mean_superiority(conditions, [*by_king, each]) for each in rest]
        by_king.append(rest[int(np.argmax(tried))])
        assert (step.by_king, step.king) == (by_king[-1], max(tried))
        assert step.king_max_pwa == max_pwa(sides[0][by_king], sides[1][by_king])
        assert (step.by_max_pwa, step.max_pwa) == (greedy.measure, greedy.max_pwa)
        chosen = [each.by_max_pwa for each in steps[:number]]
        assert step.max_pwa_king == mean_superiority(conditions, chosen)


def test_no_group_with_two_positives_and_a_negative_has_no_choices():
    values, positive = np.array([[1.0, 2, 3]]), np.array([True, True, False])
    assert compare_choices(values, positive, np.array([0, 1, 0]), 5) == []


SCALED = np.array([[0.2, 0.4], [10, 30], [1, 1]])


@each_case(
    ("scale", "expected"),
    [
        (Scale.NONE, [11.2 / 3, 31.4 / 3]),
        (Scale.MAXIMUM, [(0.5 + 1 / 3 + 1) / 3, 1]),
        (Scale.DEVIATION, [-2 / 3, 2 / 3]),  # the constant says nothing
    ],
)
def test_worked_example(scale, expected):
    assert mean_of_measures(SCALED, scale=scale) == pytest.approx(expected)


def test_a_measure_without_a_value_above_zero_cannot_be_scaled():
    with pytest.raises(ValuesError, match="no value of measure 1 is above 0"):
        mean_of_measures(np.array([[1.0, 2], [-1, 0]]), scale=Scale.MAXIMUM)
