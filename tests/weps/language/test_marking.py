import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weps.language.marking import _nearest_sentences


@pytest.mark.parametrize(
    ("mentions", "most", "expected"),
    [
        ([0, 0, 0, 1, 0, 0], 30, [0, 0, 1, 1, 1, 0]),
        ([1, 0, 0, 0, 0, 1], 40, [1, 1, 0, 0, 1, 1]),
        ([0, 0, 0, 0, 0, 0], 20, [1, 1, 0, 0, 0, 0]),
        ([0, 0, 1, 0, 0, 0], 60, [1, 1, 1, 1, 1, 1]),
        ([0, 0, 1, 0, 0, 0], 5, [0, 0, 0, 0, 0, 0]),
    ],
)
def test_the_sentences_nearest_to_a_mention(mentions, most, expected):
    chosen = _nearest_sentences(np.full(6, 10), np.array(mentions, dtype=bool), most)
    assert chosen.astype(int).tolist() == expected


@given(
    st.lists(st.tuples(st.integers(1, 9), st.booleans()), min_size=1, max_size=30),
    st.integers(0, 100),
)
def test_never_more_than_the_limit_and_never_farther_before_nearer(sentences, most):
    sizes, mentions = map(np.array, zip(*sentences, strict=True))
    chosen = _nearest_sentences(sizes, mentions, most)
    assert sizes[chosen].sum() <= most or sizes.sum() <= most
    places = np.flatnonzero(mentions) if mentions.any() else np.array([0])
    distance = abs(np.arange(len(sizes))[:, None] - places).min(axis=1)
    passed_over = ~chosen & (sizes <= most)
    if passed_over.any():
        assert (distance[chosen].max(initial=0)) <= distance[passed_over].min()


def test_a_sentence_longer_than_the_limit_costs_no_other_sentence():
    sizes, mentions = np.array([5, 150, 5, 5]), np.array([0, 1, 0, 0], dtype=bool)
    assert _nearest_sentences(sizes, mentions, 100).tolist() == [True, False, True, True]
