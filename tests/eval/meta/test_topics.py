from itertools import chain, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from eval.meta.topics import topic_auc
from eval.ordering import auc
from weps.errors import ValuesError

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
