from itertools import chain, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from eval.meta.topics import lowest_mean, topic_auc, topic_ranks, worst_ranks
from eval.ranking.pwa import auc
from weps.errors import ValuesError

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


VALUES = st.sampled_from([-np.inf, 0.0, 1.0, 2.0])
STUDY = st.tuples(st.integers(1, 3), st.integers(1, 12)).flatmap(
    lambda shape: st.tuples(
        arrays(float, shape, elements=VALUES),
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
