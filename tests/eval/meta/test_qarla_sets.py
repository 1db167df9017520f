import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.meta.judged import Similarities
from eval.meta.qarla import Conditions, Triples, king, king_by_measure
from eval.meta.qarla_sets import (
    Linkage,
    Selection,
    acceptance_agreement,
    best_set,
    cluster_measures,
    every_set,
    greedy_sets,
)
from tests.eval.meta.made_up import random_topic, topics
from weps.errors import ValuesError


def accepted(topic: Similarities, measures: list[int]) -> np.ndarray:
    """Of every peer and triple whether all of the measures accept."""
    model, first, second = Triples.DISTINCT.of(topic.models.shape[1])
    passed = topic.peers[:, :, model] >= topic.models[:, first, second][:, None]
    return passed[measures].all(axis=0)


def close(given_topics: list[Similarities], one: list[int], other: list[int]) -> float:
    shares = [(accepted(e, one) == accepted(e, other)).mean() for e in given_topics]
    return float(np.mean(shares))


@given(topics())
def test_agreement_is_the_share_of_peers_and_triples(given_topics: list[Similarities]) -> None:
    found = acceptance_agreement(Conditions.of(given_topics))
    for one, row in enumerate(found):
        assert row[one] == 1
        for other, value in enumerate(row):
            assert value == pytest.approx(close(given_topics, [one], [other]))


def by_looking(given_topics: list[Similarities], number: int, linkage: Linkage) -> list[list[int]]:
    """Unite the two closest groups again and again."""
    groups = [[measure] for measure in range(len(given_topics[0].peers))]

    def proximity(one: list[int], other: list[int]) -> float:
        if linkage is Linkage.SET:
            return close(given_topics, one, other)
        values = [close(given_topics, [x], [y]) for x in one for y in other]
        combine = {Linkage.AVERAGE: np.mean, Linkage.COMPLETE: min, Linkage.SINGLE: max}
        return float(combine[linkage](values))

    while len(groups) > number:
        pairs = [(i, j) for i in range(len(groups)) for j in range(i + 1, len(groups))]
        i, j = max(pairs, key=lambda pair: round(proximity(groups[pair[0]], groups[pair[1]]), 12))
        groups[i] += groups.pop(j)
    return sorted(map(sorted, groups))


@given(st.integers(0, 50), st.integers(1, 6), st.sampled_from(Linkage))
def test_clusters_are_what_uniting_by_hand_gives(seed: int, number: int, linkage: Linkage) -> None:
    given_topics = [random_topic(seed + more, 6, 3, 4 + more) for more in (0, 1)]
    conditions = Conditions.of(given_topics)
    found = cluster_measures(conditions, number, linkage)
    assert [list(each.measures) for each in found] == by_looking(given_topics, number, linkage)
    quality = king_by_measure(conditions).mean(axis=1).round(12)
    for each in found:
        assert each.king == max(quality[list(each.measures)]) == quality[each.best]
        assert each.best == min(x for x in each.measures if quality[x] == each.king)


def test_the_same_measure_in_other_scales_is_one_cluster() -> None:
    base = random_topic(0, 2)
    scaled = Similarities(
        np.concatenate([base.peers, np.exp(base.peers)]),
        np.concatenate([base.models, np.exp(base.models)]),
    )
    for linkage in Linkage:
        found = cluster_measures(Conditions.of([scaled]), 2, linkage)
        assert [each.measures for each in found] == [(0, 2), (1, 3)]


def test_as_many_clusters_as_measures_and_one() -> None:
    conditions = Conditions.of([random_topic(0, 3)])
    assert [each.measures for each in cluster_measures(conditions, 3)] == [(0,), (1,), (2,)]
    assert [each.measures for each in cluster_measures(conditions, 1)] == [(0, 1, 2)]


@pytest.mark.parametrize("number", [0, 3])
def test_numbers_that_cannot_be(number: int) -> None:
    with pytest.raises(ValuesError, match=f"2 measures do not make {number} clusters"):
        cluster_measures(Conditions.of([random_topic(0)]), number)


def mean_king(conditions: Conditions, measures: tuple[int, ...]) -> float:
    return round(float(king(conditions, measures).mean()), 12)


def crowded(seed: int, measures: int = 5) -> Conditions:
    """Models a little closer to one another than to peers, in every measure by its own luck."""
    generator = np.random.default_rng(seed)
    shapes = [(measures, 4, 5), (measures, 5, 5)]
    return Conditions.of(
        [
            Similarities(
                *(
                    generator.integers(0, 5, shape) + shift * 1.0
                    for shape, shift in zip(shapes, (0, 1), strict=True)
                )
            )
            for _ in range(4)
        ]
    )


seeds = st.integers(0, 500)


@given(seeds, st.sampled_from([None, 1, 2, 3]))
def test_the_best_set_is_what_trying_everything_finds(seed: int, size: int | None) -> None:
    conditions = crowded(seed)
    tried = [
        Selection(measures, mean_king(conditions, measures))
        for length in range(1, (size or 5) + 1)
        for measures in itertools.combinations(range(5), length)
    ]
    first_of_best = max(tried, key=lambda each: each.king)  # the smaller come first
    assert best_set(conditions, size) == first_of_best
    assert sorted(every_set(conditions, size)) == sorted(tried)


@given(seeds)
def test_greedy_adds_the_best_next(seed: int) -> None:
    conditions = crowded(seed)
    chosen: tuple[int, ...] = ()
    for step in greedy_sets(conditions):
        rest = [each for each in range(5) if each not in chosen]
        values = [mean_king(conditions, (*chosen, each)) for each in rest]
        chosen = (*chosen, rest[int(np.argmax(values))])
        assert step == Selection(chosen, max(values))
    assert sorted(chosen) == list(range(5))
    assert greedy_sets(conditions, 2) == greedy_sets(conditions)[:2]


def test_measures_that_correct_one_another_are_better_together() -> None:
    models = np.ones((2, 4, 4))
    peers = np.zeros((2, 2, 4))
    peers[0, 0] = peers[1, 1] = 1  # each measure takes one of the two peers for a model
    conditions = Conditions.of([Similarities(peers, models)])
    assert [each.king for each in greedy_sets(conditions)] == [0, 1]
    assert best_set(conditions) == ((0, 1), 1)
    assert best_set(conditions, 1) == ((0,), 0)


def test_equally_good_sets_are_equal_whatever_the_topics() -> None:
    def topic(first: int, second: int) -> Similarities:
        models = np.full((2, 10, 10), -1.0)
        for measure, ahead in enumerate((first, second)):
            models[measure, :ahead] = 1
        return Similarities(np.zeros((2, 1, 10)), models)

    conditions = Conditions.of([topic(2, 6), topic(4, 0), topic(0, 0)])
    assert king_by_measure(conditions).tolist() == [[0.2, 0.4, 0], [0.6, 0, 0]]
    assert 0.2 + 0.4 > 0.6
    assert [each.king for each in every_set(conditions, 1)] == [0.2, 0.2]
    reordered = Conditions.of([topic(6, 2), topic(0, 4), topic(0, 0)])
    for each in (conditions, reordered):
        assert best_set(each, 1).measures == greedy_sets(each, 1)[0].measures == (0,)


@given(seeds)
def test_sets_come_before_those_that_extend_them(seed: int) -> None:
    found = [each.measures for each in every_set(crowded(seed))]
    assert found == sorted(found)
    assert len(found) == 31


def test_sizes_that_cannot_be() -> None:
    conditions = Conditions.of([random_topic(0)])
    for search in (greedy_sets, best_set, every_set):
        for size in (0, 3):
            with pytest.raises(ValuesError, match=f"no set of {size} among 2"):
                search(conditions, size)
