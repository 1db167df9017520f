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
    as_finite,
    as_human_scored,
    as_table,
    checked_measures,
    checked_topics,
    mean_of_measures,
)
from weps_eval.meta.labelled import LabelledConditions, greedy_features, mean_superiority


def test_a_table_has_a_cell_for_each_topic_and_system():
    table = as_table([[1, 2, 3], [4, np.inf, 6]], topic=[0, 1, 1], system=[1, 0, 1])
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
        as_human_scored(values, human, finite=True)  # type: ignore[arg-type]


def test_measures_may_be_infinite_where_only_order_counts():
    measures, _ = as_human_scored([1, np.inf], [1, 2])
    assert measures.tolist() == [[1, np.inf]]
    with pytest.raises(ValuesError, match="finite value"):
        as_finite(measures, "values")


def test_a_system_answers_a_topic_once():
    with pytest.raises(ValuesError, match="system 2 answers topic 1 more than once"):
        as_table([1, 2, 3], topic=[0, 1, 1], system=[2, 2, 2])


PEERS, MODELS, AMONG = np.zeros((2, 3, 4)), np.zeros((2, 4, 4)), np.zeros((2, 3, 3))
JUDGED_NAN = np.zeros((2, 4, 4))
JUDGED_NAN[1, 2, 3] = np.nan


def test_some_of_the_measures_in_another_order():
    rising = (np.arange(each.size).reshape(each.shape) for each in (PEERS, MODELS, AMONG))
    topic = Similarities(*rising)
    chosen = topic.only([1, 0])
    assert np.array_equal(chosen.peers, topic.peers[::-1])
    assert np.array_equal(chosen.models, topic.models[::-1])
    assert np.array_equal(chosen.among_peers, topic.among_peers[::-1])
    assert Similarities(topic.peers, topic.models).only([1]).among_peers is None


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


def test_topics_have_the_same_measures():
    one, two = Similarities(PEERS, MODELS), Similarities(PEERS[:1], MODELS[:1])
    with pytest.raises(ValuesError, match="topic 1: there are 1 measures, and 2 on the first"):
        checked_topics([one, two])
    with pytest.raises(ValuesError, match="no topics given"):
        checked_topics([])


def test_a_set_has_measures_that_are_there():
    assert checked_measures(None, 3) == [0, 1, 2]
    assert checked_measures((2, 0), 3) == [2, 0]
    with pytest.raises(ValuesError, match="holds one at least"):
        checked_measures([], 3)
    for absent in (3, -1):
        with pytest.raises(ValuesError, match=f"measure {absent} is out of range: expected 0 to 2"):
            checked_measures([absent], 3)


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


def test_by_hand():
    passing = LabelledConditions.of([[3, 2, 2], [1, 1, 0]], [[2, 9], [0, 0]])
    ((ours, theirs),) = passing.counts()
    assert ours.tolist() == [2, 1, 0]  # the first is as high as both others in both measures
    assert theirs.tolist() == [1, 1]
    found = [mean_superiority(passing, measures) for measures in (None, [0], [1])]
    assert found == [1 / 3, 0, 2 / 3]


@given(BOTH)
def test_it_is_what_leaving_out_and_looking_finds(sides):
    assert mean_superiority(LabelledConditions.of(*sides)) == pytest.approx(by_looking(*sides))


@given(BOTH, st.data())
def test_groups_are_compared_each_for_itself(sides, data):
    groups = [
        np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
        for n in (side.shape[1] for side in sides)
    ]
    parts = [[side[:, own == g] for side, own in zip(sides, groups, strict=True)] for g in range(3)]
    expected = [by_looking(*part) for part in parts if part[0].shape[1] > 1 and part[1].shape[1]]
    if expected:
        found = mean_superiority(LabelledConditions.of(*sides, *groups))
        assert found == pytest.approx(np.mean(expected))


@given(BOTH)
def test_each_step_adds_the_best_measure(sides):
    passing = LabelledConditions.of(*sides)
    before: tuple[int, ...] = ()
    for step in greedy_features(passing):
        tried = {m: mean_superiority(passing, (*before, m)) for m in range(len(sides[0]))}
        best = max(value for m, value in tried.items() if m not in before)
        first = next(m for m, value in tried.items() if m not in before and value == best)
        assert step == ((*before, first), best)
        before = step.measures


def test_what_cannot_be_compared():
    with pytest.raises(ValuesError, match="no group has two positives and a negative"):
        LabelledConditions.of([[1, 2]], [[3]], [0, 1], [0])
    with pytest.raises(ValuesError, match="1 measures of positives and 2 of negatives"):
        LabelledConditions.of([[1, 2]], [[3], [4]])
    passing = LabelledConditions.of([[1, 2]], [[0]])
    with pytest.raises(ValuesError, match="measure 1 is out of range"):
        mean_superiority(passing, [1])
    with pytest.raises(ValuesError, match="no set of 2 can be chosen from 1"):
        greedy_features(passing, 2)


SCALED = [[0.2, 0.4], [10, 30], [1, 1]]


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


@each_case(
    ("values", "scale", "message"),
    [
        ([[1, np.inf]], Scale.NONE, "instance 1 of measure 0 is infinite"),
        ([[1, 2], [-1, 0]], Scale.MAXIMUM, "no value of measure 1 is above 0"),
        ([[1, np.nan]], Scale.NONE, "NaN"),
    ],
)
def test_what_has_no_mean_is_refused(values, scale, message):
    with pytest.raises(ValuesError, match=message):
        mean_of_measures(values, scale=scale)  # type: ignore[arg-type]
