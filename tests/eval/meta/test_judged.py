"""Judged tables, their labels and topics."""

from itertools import chain, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from eval.meta.judged import (
    Similarities,
    as_finite,
    as_human_scored,
    as_table,
    checked_measures,
    checked_topics,
)
from eval.meta.labelled import LabelledConditions, greedy_features, king, mean_superiority
from eval.meta.topics import lowest_mean, topic_auc, topic_ranks, worst_ranks
from eval.ranking.pwa import auc
from weps.errors import ValuesError


def test_a_table_has_a_cell_for_each_topic_and_system() -> None:
    table = as_table([[1, 2, 3], [4, np.inf, 6]], topic=[0, 1, 1], system=[1, 0, 1])
    expected = [[[np.nan, 1], [2, 3]], [[np.nan, 4], [np.inf, 6]]]
    assert np.array_equal(table, expected, equal_nan=True)


@pytest.mark.parametrize(
    ("values", "human", "told"),
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
def test_values_that_do_not_fit_are_refused(values: object, human: object, told: str) -> None:
    with pytest.raises(ValuesError, match=told):
        as_human_scored(values, human, finite=True)  # type: ignore[arg-type]


def test_measures_may_be_infinite_where_only_order_counts() -> None:
    measures, _ = as_human_scored([1, np.inf], [1, 2])
    assert measures.tolist() == [[1, np.inf]]
    with pytest.raises(ValuesError, match="finite value"):
        as_finite(measures, "values")


def test_a_system_answers_a_topic_once() -> None:
    with pytest.raises(ValuesError, match="system 2 answers topic 1 more than once"):
        as_table([1, 2, 3], topic=[0, 1, 1], system=[2, 2, 2])


PEERS, MODELS, AMONG = np.zeros((2, 3, 4)), np.zeros((2, 4, 4)), np.zeros((2, 3, 3))
JUDGED_NAN = np.zeros((2, 4, 4))
JUDGED_NAN[1, 2, 3] = np.nan


def test_some_of_the_measures_in_another_order() -> None:
    rising = (np.arange(each.size).reshape(each.shape) for each in (PEERS, MODELS, AMONG))
    topic = Similarities(*rising)
    chosen = topic.only([1, 0])
    assert np.array_equal(chosen.peers, topic.peers[::-1])
    assert np.array_equal(chosen.models, topic.models[::-1])
    assert np.array_equal(chosen.among_peers, topic.among_peers[::-1])
    assert Similarities(topic.peers, topic.models).only([1]).among_peers is None


def test_infinite_values_are_values() -> None:
    assert checked_topics([Similarities(PEERS + np.inf, MODELS - np.inf)]) == 2


@pytest.mark.parametrize(
    ("peers", "models", "among", "message"),
    [
        (
            PEERS[0],
            MODELS,
            AMONG,
            r"peers: expected shape \(measures, peers, models\).*got \(3, 4\)",
        ),
        (PEERS[:, :0], MODELS, None, "none of them 0"),
        (PEERS, MODELS[:1], AMONG, r"models: shape \(1, 4, 4\) does not fit \(2, 4, 4\)"),
        (PEERS, MODELS, MODELS, "among peers: shape"),
        (PEERS, MODELS.astype(str), AMONG, "models: expected numbers"),
        (PEERS, JUDGED_NAN, AMONG, "models: .* measure 1 for text 2 and reference 3 is NaN"),
    ],
)
def test_what_does_not_fit_is_refused(
    peers: np.ndarray, models: np.ndarray, among: np.ndarray, message: str
) -> None:
    with pytest.raises(ValuesError, match=message):
        Similarities(peers, models, among)


def test_topics_have_the_same_measures() -> None:
    one, two = Similarities(PEERS, MODELS), Similarities(PEERS[:1], MODELS[:1])
    with pytest.raises(ValuesError, match="topic 1: there are 1 measures, and 2 on the first"):
        checked_topics([one, two])
    with pytest.raises(ValuesError, match="no topics given"):
        checked_topics([])


def test_a_set_has_measures_that_are_there() -> None:
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


def by_looking(positives: np.ndarray, negatives: np.ndarray) -> tuple[float, float]:
    """K and KING, each positive left out of those that it and the negatives are compared with."""
    better = []
    for place, own in enumerate(positives.T):
        others = [each for k, each in enumerate(positives.T) if k != place]
        better.append([queen(own, others) > queen(each, others) for each in negatives.T])
    return float(np.mean(better)), float(np.mean(np.all(better, axis=1)))


def test_by_hand() -> None:
    passing = LabelledConditions.of([[3, 2, 2], [1, 1, 0]], [[2, 9], [0, 0]])
    ((ours, theirs),) = passing.counts()
    assert ours.tolist() == [2, 1, 0]  # the first is as high as both others in both measures
    assert theirs.tolist() == [1, 1]
    assert (mean_superiority(passing), king(passing)) == (1 / 3, 1 / 3)
    assert (mean_superiority(passing, [0]), mean_superiority(passing, [1])) == (0, 2 / 3)


@given(BOTH)
def test_it_is_what_leaving_out_and_looking_finds(sides: Sides) -> None:
    passing = LabelledConditions.of(*sides)
    assert (mean_superiority(passing), king(passing)) == pytest.approx(by_looking(*sides))
    assert king(passing) <= mean_superiority(passing)


@given(BOTH, st.data())
def test_groups_are_compared_each_for_itself(sides: Sides, data: st.DataObject) -> None:
    groups = [
        np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
        for n in (side.shape[1] for side in sides)
    ]
    parts = [[side[:, own == g] for side, own in zip(sides, groups, strict=True)] for g in range(3)]
    expected = [by_looking(*part) for part in parts if part[0].shape[1] > 1 and part[1].shape[1]]
    if expected:
        passing = LabelledConditions.of(*sides, *groups)
        found = mean_superiority(passing), king(passing)
        assert found == pytest.approx(tuple(np.mean(expected, axis=0)))


@given(BOTH)
def test_neither_scale_nor_repetition_matters(sides: Sides) -> None:
    changed = [np.vstack([np.arctan(side), 2 * side]) for side in sides]
    assert mean_superiority(LabelledConditions.of(*changed)) == mean_superiority(
        LabelledConditions.of(*sides)
    )


@given(BOTH)
def test_each_step_adds_the_best_measure(sides: Sides) -> None:
    passing = LabelledConditions.of(*sides)
    for quality in (mean_superiority, king):
        before: tuple[int, ...] = ()
        for step in greedy_features(passing, quality=quality):
            tried = {m: quality(passing, (*before, m)) for m in range(len(sides[0]))}
            best = max(value for m, value in tried.items() if m not in before)
            first = next(m for m, value in tried.items() if m not in before and value == best)
            assert step == ((*before, first), best)
            before = step.measures


def test_a_random_feature_tells_nothing_and_two_aspects_more_than_one() -> None:
    generator = np.random.default_rng(0)
    positives, negatives = generator.random((3, 150)), generator.random((3, 400))
    positives[:2] += 0.3
    passing = LabelledConditions.of(positives, negatives)
    assert mean_superiority(passing, [2]) == pytest.approx(0.5, abs=0.05)
    steps = greedy_features(passing, 2)
    assert set(steps[1].measures) == {0, 1}
    assert steps[1].quality > steps[0].quality + 0.05


def test_what_cannot_be_compared() -> None:
    with pytest.raises(ValuesError, match="no group has two positives and a negative"):
        LabelledConditions.of([[1, 2]], [[3]], [0, 1], [0])
    with pytest.raises(ValuesError, match="1 measures of positives and 2 of negatives"):
        LabelledConditions.of([[1, 2]], [[3], [4]])
    passing = LabelledConditions.of([[1, 2]], [[0]])
    for measures in ([], [1], [-1]):
        with pytest.raises(ValuesError, match="expected indices of the 1 measures"):
            king(passing, measures)
    with pytest.raises(ValuesError, match="no set of 2 can be chosen from 1"):
        greedy_features(passing, 2)


SCORES = arrays(
    float,
    st.tuples(st.integers(2, 5), st.integers(1, 25)),
    elements=st.sampled_from([0.0, 0.5, 1.0, np.inf]),
)


def test_ranks_are_shares_of_the_others() -> None:
    scores = [[0.9, 0.5], [0.7, 0.5], [0.8, 0.1]]
    assert topic_ranks(scores).tolist() == [[1, 0.75], [0, 0.75], [0.5, 0]]


@given(SCORES)
def test_it_is_what_counting_finds(scores: np.ndarray) -> None:
    for m, row in enumerate(topic_ranks(scores)):
        others = np.delete(scores, m, axis=0)
        expected = ((others < scores[m]) + (others == scores[m]) / 2).mean(axis=0)
        assert row == pytest.approx(expected)


@pytest.mark.parametrize(
    ("topics", "share", "lowest"),
    [(100, 0.1, 10), (101, 0.1, 11), (5, 0.1, 1), (30, 0.1, 3), (4, 1, 4), (3, 1e-12, 1)],
)
def test_the_worst_topics_of_each_measure(topics: int, share: float, lowest: int) -> None:
    scores = np.random.default_rng(0).random((7, topics))
    expected = [sorted(ranks)[:lowest] for ranks in topic_ranks(scores).tolist()]
    assert worst_ranks(scores, share).tolist() == pytest.approx([np.mean(e) for e in expected])


def test_steady_is_more_robust_than_good_on_average() -> None:
    steady = np.full(20, 0.6)
    often = np.where(np.arange(20) < 2, 0.3, 0.9)
    poor = np.full(20, 0.5)
    assert worst_ranks([steady, often, poor]).tolist() == [0.5, 0, 0]


@given(SCORES, st.randoms(use_true_random=False))
def test_neither_the_order_of_topics_nor_scale_matters(scores: np.ndarray, random) -> None:
    order = random.sample(range(scores.shape[1]), scores.shape[1])
    assert worst_ranks(np.arctan(scores[:, order])).tolist() == worst_ranks(scores).tolist()


def test_scores_without_ranks() -> None:
    with pytest.raises(ValuesError, match="a single measure has no rank"):
        worst_ranks([[0.5, 0.6]])
    with pytest.raises(ValuesError, match="NaN, the first is instance 1 of measure 0"):
        worst_ranks([[0.5, np.nan], [0.5, 0.6]])
    for share in (0, 1.5, -1):
        with pytest.raises(ValuesError, match="expected a share of the topics"):
            worst_ranks([[0.5], [0.6]], share)


def test_the_lowest_ranks_of_a_share_of_the_topics() -> None:
    ranks = np.array([[0.5, 0.1, 1.0, 0.3], [1.0, 1.0, 0.0, 1.0]])
    assert lowest_mean(ranks, 0.5).tolist() == pytest.approx([0.2, 0.5])
    assert lowest_mean(ranks).tolist() == pytest.approx([0.1, 0.0])
    with pytest.raises(ValuesError, match="expected a share"):
        lowest_mean(ranks, 0)


def test_a_tenth_is_rounded_up() -> None:
    assert lowest_mean(np.arange(15.0)[None]).tolist() == [0.5]
    assert lowest_mean(np.arange(20.0)[None]).tolist() == [0.5]


TOPICS_VALUES = st.sampled_from([-np.inf, 0.0, 1.0, 2.0])
STUDY = st.tuples(st.integers(1, 3), st.integers(1, 12)).flatmap(
    lambda shape: st.tuples(
        arrays(float, shape, elements=TOPICS_VALUES),
        arrays(float, shape[1], elements=st.sampled_from([0.0, 1.0, 2.5])),
        arrays(int, shape[1], elements=st.integers(0, 2)),
    )
)


def pairs_of(quality: np.ndarray, group: np.ndarray, topic: int) -> list[tuple[int, int]]:
    members = np.flatnonzero(group == topic).tolist()
    return [(i, j) for i, j in permutations(members, 2) if quality[i] > quality[j]]


def share(x: np.ndarray, pairs: list[tuple[int, int]]) -> float:
    points = [(x[i] > x[j]) + (x[i] == x[j]) / 2 for i, j in pairs]
    return sum(points) / len(points) if points else np.nan


@given(STUDY)
def test_it_is_what_looking_at_every_pair_finds(study) -> None:
    values, quality, group = study
    found = topic_auc(values, quality, group)
    topics = [pairs_of(quality, group, topic) for topic in range(group.max() + 1)]
    expected = np.array([[share(x, pairs) for pairs in topics] for x in values])
    assert found.by_topic == pytest.approx(expected, nan_ok=True)
    pooled = [share(x, list(chain(*topics))) for x in values]
    assert found.pooled.tolist() == pytest.approx(pooled, nan_ok=True)
    assert found.ranked.tolist() == [bool(pairs) for pairs in topics]
    assert found.inconsistent.tolist() == (expected < 0.5).any(axis=0).tolist()
    assert found.consistent.tolist() == (expected >= 0.5).all(axis=0).tolist()


def test_large_topics_are_counted_as_small_ones() -> None:
    generator = np.random.default_rng(2)
    values, quality = generator.integers(0, 30, (3, 400)), generator.integers(0, 5, 400)
    pairs = pairs_of(quality, np.zeros(400), topic=0)
    found = topic_auc(values, quality)
    assert found.pooled.tolist() == pytest.approx([share(x, pairs) for x in values.tolist()])
    assert found.total.tolist() == [len(pairs)]


def test_of_two_levels_it_is_the_area_under_the_curve() -> None:
    values = np.random.default_rng(0).integers(0, 9, 60)
    good = np.arange(60) % 3 == 0
    found = topic_auc(values, good.astype(int)).pooled[0]
    assert found == pytest.approx(auc(values[good], values[~good]))


def test_a_reversed_measure_has_the_complement() -> None:
    generator = np.random.default_rng(1)
    values, quality = generator.integers(0, 4, 30), generator.integers(0, 3, 30)
    there, back, constant = topic_auc(np.stack([values, -values, 0 * values]), quality).pooled
    assert there == pytest.approx(1 - back)
    assert constant == 0.5


def test_judgements_that_do_not_fit() -> None:
    with pytest.raises(ValuesError, match="values of 3 and human scores of 2"):
        topic_auc([[1, 2, 3]], [1, 2])
    with pytest.raises(ValuesError, match="human: 1 values are NaN"):
        topic_auc([[1, 2]], [1, np.nan])
