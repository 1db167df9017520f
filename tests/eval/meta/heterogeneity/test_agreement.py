from itertools import combinations, product
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from eval.meta.heterogeneity.agreement import (
    PairwisePreferences,
    heterogeneity_counts,
    set_heterogeneities,
    set_heterogeneity,
)
from eval.meta.heterogeneity.pairs import as_sets, every_pair
from weps.errors import ValuesError

VALUES = st.sampled_from([-np.inf, 0.0, 0.5, 1.0, np.inf])
MATRIX = st.tuples(st.integers(1, 5), st.integers(2, 12)).flatmap(
    lambda shape: arrays(float, shape, elements=VALUES)
)


def by_looking(values: np.ndarray, group: list[int] | None = None) -> float:
    size = values.shape[1]
    groups = [0] * size if group is None else group
    pairs = [(i, j) for i, j in combinations(range(size), 2) if groups[i] == groups[j]]
    found = [
        any(x[i] > x[j] and y[i] < y[j] for x, y in product(values.tolist(), repeat=2))
        for i, j in pairs
    ]
    return sum(found) / len(pairs) if pairs else np.nan


def subsets(measures: int) -> list[tuple[int, ...]]:
    return [each for size in range(measures + 1) for each in combinations(range(measures), size)]


def test_three_instances_by_hand() -> None:
    first, second, third = [1, 2, 3], [1, 3, 2], [5, 5, 5]
    assert set_heterogeneity([first, second]) == 1 / 3  # of the last two instances
    assert set_heterogeneity([first, third]) == 0  # a tie contradicts nothing
    assert set_heterogeneity([first, [-x for x in first]]) == 1


@given(MATRIX, st.data())
def test_both_ways_of_counting_are_what_looking_at_every_pair_finds(
    values: np.ndarray, data: st.DataObject
) -> None:
    size = values.shape[1]
    group = data.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    expected = by_looking(values, group)
    assert set_heterogeneity(values, group) == pytest.approx(expected, nan_ok=True, abs=1e-12)
    if not isnan(expected):
        verdicts = PairwisePreferences.exact(values, group)
        chosen = subsets(len(values))
        found = set_heterogeneities(verdicts, as_sets(chosen, len(values)))
        sub = [by_looking(values[list(each)], group) for each in chosen]
        assert found.tolist() == pytest.approx(sub, abs=1e-12)


@given(MATRIX)
def test_more_measures_are_never_less_heterogeneous(values: np.ndarray) -> None:
    grown = [set_heterogeneity(values[:k]) for k in range(1, len(values) + 1)]
    assert grown[0] == 0
    assert grown == sorted(grown)
    assert grown[-1] <= 1


@given(MATRIX, st.randoms(use_true_random=False))
def test_neither_order_nor_scale_nor_repetition_matters(values: np.ndarray, random) -> None:
    measures, instances = (random.sample(range(n), n) for n in values.shape)
    changed = np.vstack([np.arctan(values), 3 * values])[:, instances]
    changed = changed[random.sample(range(len(changed)), len(changed))]
    assert set_heterogeneity(changed) == set_heterogeneity(values[measures])


@given(MATRIX)
def test_a_constant_measure_changes_nothing_and_a_reversal_contradicts_all(
    values: np.ndarray,
) -> None:
    constant = np.ones_like(values[:1])
    assert set_heterogeneity(np.vstack([values, constant])) == set_heterogeneity(values)
    distinct = np.unique(values, axis=1)
    if distinct.shape[1] > 1:
        assert set_heterogeneity(np.vstack([distinct, -distinct])) == 1


def test_many_measures_many_pairs() -> None:
    generator = np.random.default_rng(0)
    values = generator.integers(0, 4, (70, 150)) + generator.integers(0, 40, 150)
    sets = generator.random((5000, 70)) < np.linspace(0, 1, 5000)[:, np.newaxis]
    sets[-1] = True
    found = set_heterogeneities(PairwisePreferences.exact(values), sets)
    assert found[-1] == set_heterogeneity(values)
    for row in (0, 17, 2500, 4097):
        expected = set_heterogeneity(values[sets[row]]) if sets[row].any() else 0
        assert found[row] == expected


def test_a_random_measure_settles_half_of_what_is_agreed() -> None:
    generator = np.random.default_rng(1)
    values = generator.random((4, 1500)) + generator.random(1500)
    alone = set_heterogeneity(values)
    joined = set_heterogeneity(np.vstack([values, generator.random(1500)]))
    assert joined == pytest.approx((alone + 1) / 2, abs=0.01)


def test_a_sample_estimates_it() -> None:
    generator = np.random.default_rng(2)
    values = generator.random((3, 400)) + generator.random(400)
    verdicts = PairwisePreferences.sampled(values, 4000, seed=5)
    (found,) = set_heterogeneities(verdicts, np.ones((1, 3), dtype=bool))
    assert verdicts.pairs == 4000
    assert 0 < abs(found - set_heterogeneity(values)) < 0.03


@given(MATRIX, st.data())
def test_the_tally_has_the_pairs_between_groups_too(
    values: np.ndarray, data: st.DataObject
) -> None:
    size = values.shape[1]
    group = data.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    tally = heterogeneity_counts(values, group)
    assert tally.pooled == pytest.approx(by_looking(values))
    assert (tally.hits == tally.hits.T).all()
    for number in range(max(group) + 1):
        own = [i for i in range(size) if group[i] == number]
        share = by_looking(values[:, own]) if own else np.nan
        assert tally.by_group[number] == pytest.approx(share, nan_ok=True)


def test_nothing_to_compare() -> None:
    assert isnan(set_heterogeneity([[1.0], [2.0]]))
    assert isnan(set_heterogeneity([[1.0, 2.0]], group=[0, 1]))
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
