from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from eval.meta.heterogeneity.increase import levels_by_group, quality_increase
from eval.meta.heterogeneity.pairs import Pairs
from eval.meta.heterogeneity.ranking import contradicting
from eval.meta.heterogeneity.verdicts import Verdicts
from weps.errors import ValuesError

VALUES = st.integers(0, 3).map(float)
STUDY = st.tuples(st.integers(1, 4), st.integers(2, 8)).flatmap(
    lambda shape: st.tuples(
        arrays(float, shape, elements=VALUES), arrays(float, shape[1], elements=VALUES)
    )
)
Study = tuple[np.ndarray, np.ndarray]


def by_looking(study: Study) -> list[tuple[float, float]]:
    """Heterogeneity and truth of every comparison, sorted, equal heterogeneity equally true."""
    values, quality = study
    verdicts = Verdicts.exact(values)
    found = []
    for i, j in permutations(range(len(quality)), 2):
        (count,) = contradicting(values, verdicts, Pairs(np.array([i]), np.array([j])))
        found.append((count / verdicts.pairs, quality[i] >= quality[j]))
    means = {h: np.mean([t for level, t in found if level == h]) for h, _ in found}
    return [(h, means[h]) for h, _ in sorted(found)]


@given(STUDY)
def test_an_interval_for_each_comparison(study: Study) -> None:
    expected = np.array(by_looking(study))
    found = quality_increase(*study, Verdicts.exact(study[0]), intervals=len(expected))
    assert np.stack(found, axis=1) == pytest.approx(expected)


@given(STUDY)
def test_one_interval_is_the_mean_of_all(study: Study) -> None:
    found = quality_increase(*study, Verdicts.exact(study[0]), intervals=1)
    assert np.stack(found).ravel() == pytest.approx(np.mean(by_looking(study), axis=0))


@given(STUDY, st.integers(1, 20), st.randoms(use_true_random=False))
def test_heterogeneity_rises_and_the_order_of_instances_does_not_matter(
    study: Study, intervals: int, random
) -> None:
    values, quality = study
    verdicts = Verdicts.exact(values)
    order = random.sample(range(len(quality)), len(quality))
    found = quality_increase(values, quality, verdicts, intervals=intervals)
    again = quality_increase(values[:, order], quality[order], verdicts, intervals=intervals)
    assert np.stack(found).tolist() == np.stack(again).tolist()
    assert (np.diff(found.heterogeneity) >= -1e-12).all()
    assert len(found.probability) == intervals


def test_the_more_aspects_agree_the_surer_is_the_increase() -> None:
    aspects = np.random.default_rng(0).random((6, 200))
    group = np.arange(200) % 4
    verdicts = Verdicts.exact(aspects, group)
    found = quality_increase(aspects, aspects.sum(axis=0), verdicts, group, intervals=20)
    assert found.probability[0] < 0.1
    assert found.probability[-1] > 0.9
    assert np.corrcoef(found.heterogeneity, found.probability)[0, 1] > 0.8


def test_what_cannot_be_compared() -> None:
    verdicts = Verdicts.exact([[1, 2, 3]])
    for quality, group, intervals, message in (
        ([1, 2], None, 1, "values of 3 and human scores of 2"),
        ([1, 2, 3], [0, 1, 2], 1, "no group has two instances"),
        ([1, 2, 3], None, 0, "0 intervals are none"),
    ):
        with pytest.raises(ValuesError, match=message):
            quality_increase([[1, 2, 3]], quality, verdicts, group, intervals)


def test_groups_count_as_often_as_they_are_drawn() -> None:
    generator = np.random.default_rng(0)
    values, quality = generator.normal(size=(4, 24)), generator.integers(0, 3, 24)
    group = np.repeat([0, 1, 2], 8)
    verdicts = Verdicts.exact(values, group)
    levels = levels_by_group(values, quality, verdicts, group)
    assert levels.total.sum(axis=1).tolist() == [56, 56, 56]
    once = levels.cut(7)
    assert np.array_equal(once, quality_increase(values, quality, verdicts, group, 7))
    part = group == 1
    alone = quality_increase(values[:, part], quality[part], verdicts, intervals=7)
    assert np.allclose(levels.cut(7, [0, 2, 0]), alone)
