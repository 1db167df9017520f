import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.meta.qarla import Conditions, Linkage, Triples, agreement, clusters, kings
from eval.meta.similarities import Similarities
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
    found = agreement(Conditions.of(given_topics))
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
    found = clusters(conditions, number, linkage)
    assert [list(each.measures) for each in found] == by_looking(given_topics, number, linkage)
    quality = kings(conditions).mean(axis=1).round(12)
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
        found = clusters(Conditions.of([scaled]), 2, linkage)
        assert [each.measures for each in found] == [(0, 2), (1, 3)]


def test_as_many_clusters_as_measures_and_one() -> None:
    conditions = Conditions.of([random_topic(0, 3)])
    assert [each.measures for each in clusters(conditions, 3)] == [(0,), (1,), (2,)]
    assert [each.measures for each in clusters(conditions, 1)] == [(0, 1, 2)]


@pytest.mark.parametrize("number", [0, 3])
def test_numbers_that_cannot_be(number: int) -> None:
    with pytest.raises(ValuesError, match=f"2 measures do not make {number} clusters"):
        clusters(Conditions.of([random_topic(0)]), number)
