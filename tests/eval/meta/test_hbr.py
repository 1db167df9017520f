from itertools import chain, permutations, product
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import pearsonr

from tests.cases import each_case
from weps.errors import ValuesError
from weps_eval.meta.hbr import (
    hbr,
    lowest_mean,
    predict_quality,
    topic_auc,
    topic_ranks,
)
from weps_eval.meta.heterogeneity import PairwisePreferences, set_heterogeneities

GENERATOR = np.random.default_rng(0)
QUALITY = GENERATOR.random(120)
NOISE = np.linspace(0.1, 3, 12)
VALUES = QUALITY + NOISE[:, np.newaxis] * GENERATOR.random((12, 120))
GROUP = np.arange(120) % 3


def test_each_figure_is_pearsons_correlation_in_a_group():
    ranking = VALUES.mean(axis=0)
    found = predict_quality(VALUES, ranking, QUALITY, GROUP)
    assert found.predicted.shape == found.actual.shape == (12, 3)
    for measure, group in ((0, 0), (5, 1), (11, 2)):
        part = group == GROUP
        for each, target in ((found.predicted, ranking), (found.actual, QUALITY)):
            expected = pearsonr(VALUES[measure][part], target[part]).statistic
            assert each[measure, group] == pytest.approx(expected)


def test_summaries_are_correlations_over_measures():
    found = predict_quality(VALUES, VALUES.mean(axis=0), QUALITY, GROUP)
    means = found.predicted.mean(axis=1), found.actual.mean(axis=1)
    assert found.correlation == pytest.approx(pearsonr(*means).statistic)
    by_group = [pearsonr(found.predicted[:, g], found.actual[:, g]).statistic for g in range(3)]
    assert found.by_group.tolist() == pytest.approx(by_group)
    expected = pearsonr(found.actual[:, :2].mean(axis=1), found.actual[:, 2]).statistic
    assert found.by_others[2] == pytest.approx(expected)


def test_scale_does_not_matter_nor_how_large():
    found, scaled = (
        predict_quality(factor * VALUES + shift, QUALITY, QUALITY).actual
        for factor, shift in ((1, 0), (1e300, 7))
    )
    assert scaled == pytest.approx(found)


def test_what_is_constant_says_nothing():
    constant = np.vstack([VALUES[:3], np.ones(120)])
    found = predict_quality(constant, QUALITY, QUALITY, np.where(GROUP == 2, 4, GROUP))
    assert np.isnan(found.actual[3]).all()
    assert np.isnan(found.actual[:, 2:4]).all()  # groups of nobody
    assert found.correlation == pytest.approx(1)  # of the other three measures
    assert isnan(predict_quality([[1, 1]], [1, 2], [1, 2]).correlation)


@each_case(
    ("values", "ranking", "message"),
    [
        ([[1, np.inf]], [1, 2], "values: .* is infinite"),
        ([[1, 2]], [1, np.inf], "ranking: .* is infinite"),
        ([[1, 2]], [1, 2, 3], "ranking: 3 values do not match 2 instances"),
    ],
)
def test_values_without_correlation(values, ranking, message):
    with pytest.raises(ValuesError, match=message):
        predict_quality(values, ranking, [1, 2])


MATRIX = st.tuples(st.integers(1, 5), st.integers(2, 9)).flatmap(
    lambda shape: arrays(float, shape, elements=st.sampled_from([-np.inf, 0.0, 0.5, 1.0, np.inf]))
)
Group = list[int] | None


def exactly(values: np.ndarray, group: Group = None) -> list[float]:
    return hbr(values, PairwisePreferences.exact(values, group), group).tolist()


def by_looking(values: np.ndarray, group: list[int]) -> list[float]:
    size, preferences = values.shape[1], PairwisePreferences.exact(values, group)

    def one(i: int, j: int) -> float:
        corroborating = values[:, i] >= values[:, j]
        return float(set_heterogeneities(preferences, corroborating[None])[0])

    rivals = [[j for j in range(size) if j != i and group[j] == group[i]] for i in range(size)]
    return [
        sum(one(i, j) for j in others) / len(others) if others else np.nan
        for i, others in enumerate(rivals)
    ]


def test_three_instances_by_hand():
    values = np.array([[1, 2, 3], [1, 3, 2]])  # H of both is 1/3, that of either alone 0
    assert exactly(values) == pytest.approx([0, 1 / 6, 1 / 6])


@given(MATRIX, st.data())
def test_it_is_what_looking_at_every_pair_finds(values, data):
    size = values.shape[1]
    group = data.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    if len(set(group)) < size:
        assert exactly(values, group) == pytest.approx(by_looking(values, group), nan_ok=True)


@given(MATRIX)
def test_neither_scale_nor_repetition_matters(values):
    stretched = np.vstack([values, values[-1:]])
    stretched[-1] = np.exp(np.arctan(values[-1]))
    assert exactly(stretched) == exactly(values)


@given(MATRIX)
def test_an_instance_is_never_below_one_that_it_dominates(values):
    found = exactly(values)
    for i, j in product(range(len(found)), repeat=2):
        if (values[:, i] >= values[:, j]).all():
            assert found[i] >= found[j] - 1e-12


def test_more_than_64_measures():
    generator = np.random.default_rng(1)
    values = generator.integers(0, 5, (70, 9)) + 2 * generator.integers(0, 5, 9)
    assert exactly(values) == pytest.approx(by_looking(values, [0] * 9))


def test_measures_that_contradict_each_other_always():
    assert exactly(np.array([[1, 2, 3], [3, 2, 1]])) == [0, 0, 0]
    assert exactly(np.array([[1, 2, 3, 3], [3, 2, 1, 1]])) == pytest.approx([0, 0, 5 / 18, 5 / 18])


def test_a_sample_comes_near():
    generator = np.random.default_rng(2)
    values = generator.random((8, 120)) + generator.random(120)
    found = hbr(values, PairwisePreferences.sampled(values, 1000, seed=1))
    assert found == pytest.approx(np.array(exactly(values)), abs=0.05)
    assert (found != exactly(values)).any()


def test_verdicts_of_other_measures():
    with pytest.raises(ValuesError, match="2 measures do not match the preferences of 1"):
        hbr([[1, 2], [2, 1]], PairwisePreferences.exact([[1, 2]]))


@given(MATRIX, st.data())
def test_with_enough_rivals_it_is_exact(values, data):
    size = values.shape[1]
    group = data.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    if len(set(group)) < size:
        verdicts = PairwisePreferences.exact(values, group)
        found = hbr(values, verdicts, group, rivals=size)
        assert found.tolist() == pytest.approx(exactly(values, group), nan_ok=True)


SCORES = arrays(
    float,
    st.tuples(st.integers(2, 5), st.integers(1, 25)),
    elements=st.sampled_from([0.0, 0.5, 1.0, np.inf]),
)


def test_ranks_are_shares_of_the_others():
    scores = [[0.9, 0.5], [0.7, 0.5], [0.8, 0.1]]
    assert topic_ranks(scores).tolist() == [[1, 0.75], [0, 0.75], [0.5, 0]]


@given(SCORES)
def test_topic_ranks_are_what_counting_finds(scores):
    for m, row in enumerate(topic_ranks(scores)):
        others = np.delete(scores, m, axis=0)
        expected = ((others < scores[m]) + (others == scores[m]) / 2).mean(axis=0)
        assert row == pytest.approx(expected)


@each_case(("topics", "lowest"), [(100, 10), (101, 11), (5, 1), (30, 3), (1, 1)])
def test_the_worst_topics_of_each_measure(topics, lowest):
    scores = np.random.default_rng(0).random((7, topics))
    expected = [sorted(ranks)[:lowest] for ranks in topic_ranks(scores).tolist()]
    found = lowest_mean(topic_ranks(scores))
    assert found.tolist() == pytest.approx([np.mean(e) for e in expected])


def test_scores_without_ranks():
    with pytest.raises(ValuesError, match="a single measure has no rank"):
        topic_ranks([[0.5, 0.6]])
    with pytest.raises(ValuesError, match="NaN, the first is instance 1 of measure 0"):
        topic_ranks([[0.5, np.nan], [0.5, 0.6]])


STUDY = st.tuples(st.integers(1, 3), st.integers(1, 12)).flatmap(
    lambda shape: st.tuples(
        arrays(float, shape, elements=st.sampled_from([-np.inf, 0.0, 1.0, 2.0])),
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
def test_auc_is_what_looking_at_every_pair_finds(study):
    values, quality, group = study
    found = topic_auc(values, quality, group)
    topics = [pairs_of(quality, group, topic) for topic in range(group.max() + 1)]
    expected = np.array([[share(x, pairs) for pairs in topics] for x in values])
    assert found.by_topic == pytest.approx(expected, nan_ok=True)
    pooled = [share(x, list(chain(*topics))) for x in values]
    assert found.pooled.tolist() == pytest.approx(pooled, nan_ok=True)
    assert found.ranked.tolist() == [bool(pairs) for pairs in topics]
    assert found.consistent.tolist() == (expected >= 0.5).all(axis=0).tolist()


def test_large_topics_are_counted_as_small_ones():
    generator = np.random.default_rng(2)
    values, quality = generator.integers(0, 30, (3, 400)), generator.integers(0, 5, 400)
    pairs = pairs_of(quality, np.zeros(400), topic=0)
    found = topic_auc(values, quality)
    assert found.pooled.tolist() == pytest.approx([share(x, pairs) for x in values.tolist()])
    assert found.total.tolist() == [len(pairs)]
