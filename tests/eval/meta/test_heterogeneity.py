from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.eval.meta.made_up import heterogeneity
from weps.errors import ValuesError
from weps_eval.meta.heterogeneity import (
    PairwisePreferences,
    as_sets,
    every_pair,
    set_heterogeneities,
)

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


def test_three_instances_by_hand():
    first, second, third = [1, 2, 3], [1, 3, 2], [5, 5, 5]
    assert heterogeneity([first, second]) == 1 / 3  # of the last two instances
    assert heterogeneity([first, third]) == 0  # a tie contradicts nothing
    assert heterogeneity([first, [-x for x in first]]) == 1


@given(MATRIX, st.data())
def test_every_set_is_counted_as_looking_at_every_pair_finds(values, data):
    size = values.shape[1]
    group = data.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    text = data.draw(st.none() | st.lists(st.integers(0, 5), min_size=size, max_size=size))
    if pairs := distinct(size, group, text or [*range(size)]):
        verdicts = PairwisePreferences.exact(values, group, text)
        chosen = subsets(len(values))
        found = set_heterogeneities(verdicts, as_sets(chosen, len(values)))
        sub = [by_looking(values[list(each)], pairs) for each in chosen]
        assert found.tolist() == pytest.approx(sub, abs=1e-12)


@given(MATRIX, st.randoms(use_true_random=False))
def test_neither_order_nor_scale_nor_repetition_nor_a_constant_matters(values, random):
    measures, instances = (random.sample(range(n), n) for n in values.shape)
    changed = np.vstack([np.arctan(values), 3 * values])[:, instances]
    changed = changed[random.sample(range(len(changed)), len(changed))]
    changed = np.vstack([changed, np.ones_like(changed[:1])])
    assert heterogeneity(changed) == heterogeneity(values[measures])


def test_many_measures_many_pairs():
    generator = np.random.default_rng(0)
    values = generator.integers(0, 4, (70, 150)) + generator.integers(0, 40, 150)
    sets = generator.random((5000, 70)) < np.linspace(0, 1, 5000)[:, np.newaxis]
    sets[-1] = True
    found = set_heterogeneities(PairwisePreferences.exact(values), sets)
    low, high = np.triu_indices(150, 1)
    signs = np.sign(values[:, low] - values[:, high])
    for row in (0, 17, 2500, 4097, 4999):
        own = signs[sets[row]]
        assert found[row] == ((own > 0).any(axis=0) & (own < 0).any(axis=0)).mean()


def test_a_sample_estimates_it():
    generator = np.random.default_rng(2)
    values = generator.random((3, 400)) + generator.random(400)
    verdicts = PairwisePreferences.sampled(values, 4000, seed=5)
    (found,) = set_heterogeneities(verdicts, np.ones((1, 3), dtype=bool))
    assert verdicts.pairs == 4000
    assert 0 < abs(found - heterogeneity(values)) < 0.03


def test_nothing_to_compare():
    with pytest.raises(ValuesError, match="no pairs of instances"):
        PairwisePreferences.exact([[1.0, 2.0]], group=[0, 1])
    with pytest.raises(ValuesError, match="1 values are NaN, the first is instance 1 of measure 0"):
        PairwisePreferences.exact([[1.0, np.nan]])
    with pytest.raises(ValuesError, match="not of these 2 instances"):
        PairwisePreferences.of([[1.0, 2.0]], every_pair(3))
    with pytest.raises(ValuesError, match=r"bool of shape \(sets, 2\)"):
        set_heterogeneities(
            PairwisePreferences.exact([[1.0, 2.0], [1, 2]]), np.ones((1, 3), dtype=bool)
        )
