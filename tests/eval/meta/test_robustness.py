import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from eval.meta.robustness import lowest_mean, topic_ranks, worst_ranks
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
        with pytest.raises(ValuesError, match="is no share of the topics"):
            worst_ranks([[0.5], [0.6]], share)


def test_the_lowest_ranks_of_a_share_of_the_topics() -> None:
    ranks = np.array([[0.5, 0.1, 1.0, 0.3], [1.0, 1.0, 0.0, 1.0]])
    assert lowest_mean(ranks, 0.5).tolist() == pytest.approx([0.2, 0.5])
    assert lowest_mean(ranks).tolist() == pytest.approx([0.1, 0.0])
    with pytest.raises(ValuesError, match="no share"):
        lowest_mean(ranks, 0)


def test_a_tenth_is_rounded_up() -> None:
    assert lowest_mean(np.arange(15.0)[None]).tolist() == [0.5]
    assert lowest_mean(np.arange(20.0)[None]).tolist() == [0.5]
