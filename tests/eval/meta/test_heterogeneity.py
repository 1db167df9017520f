"""Heterogeneity of sets over pairs of instances, HBR, and measures topic by topic."""

from collections import Counter
from itertools import chain, combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import pearsonr

from tests.cases import each_case
from tests.eval.meta.made_up import heterogeneities
from weps.errors import ValuesError
from weps_eval.meta import heterogeneity

GROUPS = st.lists(st.integers(0, 4), min_size=1, max_size=25)


def listed(pairs: heterogeneity.Pairs) -> list[tuple[int, int]]:
    return list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))


@given(GROUPS)
def test_every_two_instances_of_one_group_are_a_pair_once(group):
    expected = [{i, j} for i, j in combinations(range(len(group)), 2) if group[i] == group[j]]
    found = [set(pair) for pair in listed(heterogeneity.sampled_pairs(len(group), group=group))]
    assert sorted(map(sorted, found)) == sorted(map(sorted, expected))


@given(GROUPS, st.integers(2, 30), st.integers(0, 3))
def test_a_sample_has_different_pairs_and_all_if_these_are_too_few(group, samples, seed):
    every = set(listed(heterogeneity.sampled_pairs(len(group), group=group)))
    found = listed(heterogeneity.sampled_pairs(len(group), samples, group, seed))
    assert len(set(found)) == len(found) == min(samples, len(every))
    assert set(found) <= every


@given(GROUPS, st.none() | st.integers(2, 30), st.integers(0, 3))
def test_rivals_are_the_same_for_all_of_a_group(group, most, seed):
    parts = heterogeneity.rival_pairs(len(group), most, group, seed)
    found = [pair for pairs in parts for pair in listed(pairs)]
    assert len(set(found)) == len(found)
    for number in set(group):
        members = [i for i, each in enumerate(group) if each == number]
        rivals = {j for i, j in found if i in members}
        assert rivals <= set(members)
        assert len(rivals) == min(most or 30, len(members)) or len(members) == 1
        expected = [(i, j) for i in members for j in sorted(rivals) if i != j]
        assert sorted(pair for pair in found if pair[0] in members) == sorted(expected)


def test_many_pairs_with_rivals_at_a_time():
    parts = list(heterogeneity.rival_pairs(3000, 1000))
    assert len(parts) == 12
    assert sum(len(each.first) for each in parts) == 3000 * 1000 - 1000


@pytest.mark.parametrize("rivals", [0, 1])
def test_there_must_be_two_rivals(rivals):
    with pytest.raises(ValuesError, match=f"{rivals} rivals are too few"):
        list(heterogeneity.rival_pairs(3, rivals))


def test_random_sets_are_different_and_of_the_sizes_asked_for():
    sets = heterogeneity.random_sets(30, sizes=[2, 5, 29, 30], each=40, seed=3)
    assert Counter(sets.sum(axis=1).tolist()) == {2: 40, 5: 40, 29: 30, 30: 1}
    assert len(np.unique(sets, axis=0)) == 111
    assert (
        heterogeneity.random_sets(30, [5], 40, seed=3)
        != heterogeneity.random_sets(30, [2, 5], 40, seed=3)[40:]
    ).any()
    assert (heterogeneity.random_sets(30, [2, 5, 29, 30], 40, seed=3) == sets).all()
    assert (heterogeneity.random_sets(30, [2, 5, 29, 30], 40, seed=4) != sets).any()


VALUES = st.sampled_from([-np.inf, 0.0, 0.5, 1.0, np.inf])
MATRIX = st.tuples(st.integers(1, 5), st.integers(2, 12)).flatmap(
    lambda shape: arrays(float, shape, elements=VALUES)
)


def distinct(size: int, group: list[int], text: list[int]) -> list[tuple[int, int]]:
    pairs = combinations(range(size), 2)
    return [(i, j) for i, j in pairs if group[i] == group[j] and text[i] != text[j]]


def by_looking(values: np.ndarray, pairs: list[tuple[int, int]]) -> float:
    found = [
        any(x[i] > x[j] and y[i] < y[j] for x, y in product(values.tolist(), repeat=2))
        for i, j in pairs
    ]
    return sum(found) / len(pairs) if pairs else np.nan


def subsets(measures: int) -> list[tuple[int, ...]]:
    return [each for size in range(measures + 1) for each in combinations(range(measures), size)]


@given(MATRIX, st.data())
def test_every_set_is_counted_as_looking_at_every_pair_finds(values, data):
    size = values.shape[1]
    group = data.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    text = data.draw(st.none() | st.lists(st.integers(0, 5), min_size=size, max_size=size))
    if pairs := distinct(size, group, text or [*range(size)]):
        numbers = None if text is None else np.array(text)
        verdicts = heterogeneity.PairwisePreferences.sampled(values, 0, group, text=numbers)
        chosen = subsets(len(values))
        found = heterogeneities(verdicts, heterogeneity._as_sets(chosen, len(values)))
        sub = [by_looking(values[list(each)], pairs) for each in chosen]
        assert found.tolist() == pytest.approx(sub, abs=1e-12)


def test_many_measures_many_pairs():
    generator = np.random.default_rng(0)
    values = generator.integers(0, 4, (70, 150)) + generator.integers(0, 40, 150)
    sets = generator.random((5000, 70)) < np.linspace(0, 1, 5000)[:, np.newaxis]
    sets[-1] = True
    found = heterogeneities(heterogeneity.PairwisePreferences.sampled(values, 0), sets)
    low, high = np.triu_indices(150, 1)
    signs = np.sign(values[:, low] - values[:, high])
    for row in (0, 17, 2500, 4097, 4999):
        own = signs[sets[row]]
        assert found[row] == ((own > 0).any(axis=0) & (own < 0).any(axis=0)).mean()


def test_nothing_to_compare():
    with pytest.raises(ValuesError, match="no pairs of instances"):
        heterogeneity.PairwisePreferences.sampled([[1.0, 2.0]], group=[0, 1])
    with pytest.raises(ValuesError, match="values: the rows have several lengths"):
        heterogeneity.hbr([[0.1], [1, 2]])
    with pytest.raises(ValuesError, match="1 values are NaN, the first is instance 1 of measure 0"):
        heterogeneity.PairwisePreferences.sampled([[1.0, np.nan]])


# HBR


Group = list[int] | None


def exactly(values: np.ndarray, group: Group = None) -> list[float]:
    return heterogeneity.hbr(
        values, heterogeneity.PairwisePreferences.sampled(values, 0, group), group
    ).tolist()


def by_looking_at_rivals(values: np.ndarray, group: list[int]) -> list[float]:
    size, preferences = values.shape[1], heterogeneity.PairwisePreferences.sampled(values, 0, group)

    def one(i: int, j: int) -> float:
        corroborating = values[:, i] >= values[:, j]
        return float(heterogeneities(preferences, corroborating[None])[0])

    rivals = [[j for j in range(size) if j != i and group[j] == group[i]] for i in range(size)]
    return [
        sum(one(i, j) for j in others) / len(others) if others else np.nan
        for i, others in enumerate(rivals)
    ]


@given(MATRIX, st.data())
def test_it_is_what_looking_at_every_rival_finds(values, data):
    size = values.shape[1]
    group = data.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    if len(set(group)) < size:
        expected = pytest.approx(by_looking_at_rivals(values, group), nan_ok=True)
        assert exactly(values, group) == expected
        preferences = heterogeneity.PairwisePreferences.sampled(values, 0, group)
        assert heterogeneity.hbr(values, preferences, group, rivals=size).tolist() == expected


def test_more_than_64_measures():
    generator = np.random.default_rng(1)
    values = generator.integers(0, 5, (70, 9)) + 2 * generator.integers(0, 5, 9)
    assert exactly(values) == pytest.approx(by_looking_at_rivals(values, [0] * 9))


def test_preferences_of_other_measures():
    with pytest.raises(ValuesError, match="2 measures do not match the preferences of 1"):
        heterogeneity.hbr([[1, 2], [2, 1]], heterogeneity.PairwisePreferences.sampled([[1, 2]]))


GENERATOR = np.random.default_rng(0)
QUALITY = GENERATOR.random(120)
SCORED = QUALITY + np.linspace(0.1, 3, 12)[:, np.newaxis] * GENERATOR.random((12, 120))
GROUP = np.arange(120) % 3


@each_case("factor", [1, 1e300])
def test_each_figure_is_pearsons_correlation_in_a_group(factor):
    group = np.where(GROUP == 2, 4, GROUP)
    found = heterogeneity.group_correlations(factor * SCORED, QUALITY, group)
    assert np.isnan(found[:, 2:4]).all()  # groups of nobody
    for measure, number in product(range(12), (0, 1, 4)):
        part = group == number
        expected = pearsonr(SCORED[measure, part], QUALITY[part]).statistic
        assert found[measure, number] == pytest.approx(expected)
    assert np.isnan(heterogeneity.group_correlations(np.ones((1, 120)), QUALITY, GROUP)).all()


def test_prediction_by_hbr_against_people_elsewhere():
    predicted = heterogeneity.group_correlations(SCORED, SCORED.mean(axis=0), GROUP)
    actual = heterogeneity.group_correlations(SCORED, QUALITY, GROUP)
    expected = []
    for number in range(3):
        others = np.delete(actual, number, axis=1).mean(axis=1)
        by_ranking, by_people = (
            pearsonr(each, actual[:, number]).statistic for each in (predicted[:, number], others)
        )
        expected.append(by_ranking - by_people)
    assert heterogeneity.ahead_of_other_groups(predicted, actual).value == pytest.approx(
        np.mean(expected)
    )
    assert np.isnan(heterogeneity.ahead_of_other_groups(predicted[:, :1], actual[:, :1])).all()


@given(
    arrays(
        float,
        st.tuples(st.integers(2, 5), st.integers(1, 25)),
        elements=st.sampled_from([0.0, 0.5, 1.0, np.inf]),
    )
)
def test_lowest_ranks_are_what_counting_finds(scores):
    found = heterogeneity.bootstrap_lowest(scores).value
    for measure, value in enumerate(found):
        others = np.delete(scores, measure, axis=0)
        ranks = ((others < scores[measure]) + (others == scores[measure]) / 2).mean(axis=0)
        assert value == pytest.approx(
            np.sort(ranks)[: heterogeneity.lowest_size(scores.shape[1])].mean()
        )


@each_case(("topics", "lowest"), [(100, 10), (101, 11), (5, 1), (30, 3), (1, 1)])
def test_a_tenth_is_rounded_up(topics, lowest):
    assert heterogeneity.lowest_size(topics) == lowest


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


def share(x: np.ndarray, pairs: list[tuple[int, int]], ties: float = 0.5) -> float:
    points = [(x[i] > x[j]) + ties * (x[i] == x[j]) for i, j in pairs]
    return sum(points) / len(points) if points else np.nan


@given(STUDY, st.sampled_from([0.0, 0.5]))
def test_auc_is_what_looking_at_every_pair_finds(study, ties):
    values, quality, group = study
    found = heterogeneity.topic_auc(values, quality, group, ties=ties)
    topics = [pairs_of(quality, group, topic) for topic in range(group.max() + 1)]
    expected = np.array([[share(x, pairs, ties) for pairs in topics] for x in values])
    pooled = [share(x, [*chain(*topics)], ties) for x in values]
    assert found.by_topic == pytest.approx(expected, nan_ok=True)
    assert found.bootstrap().value == pytest.approx(pooled, nan_ok=True)
    assert found.ranked.tolist() == [bool(pairs) for pairs in topics]
    assert found.consistent.tolist() == (expected >= 0.5).all(axis=0).tolist()


def test_large_topics_are_counted_as_small_ones():
    generator = np.random.default_rng(2)
    values, quality = generator.integers(0, 30, (3, 400)), generator.integers(0, 5, 400)
    pairs = pairs_of(quality, np.zeros(400), topic=0)
    found = heterogeneity.topic_auc(values, quality, np.zeros(400, dtype=int))
    assert found.by_topic[:, 0].tolist() == pytest.approx([share(x, pairs) for x in values])
    assert found.total.tolist() == [len(pairs)]
