"""Dominance, and search for subsets of measures."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.cases import each_case
from weps.errors import ValuesError
from weps_eval.ranking import subsets
from weps_eval.ranking.pwa import max_pwa
from weps_eval.ranking.subsets import Comparisons, best_subset, gain_counts, greedy_subsets

Array = NDArray[np.float64]
Sides = tuple[Array, Array]


@st.composite
def sides(draw: st.DrawFn) -> Sides:
    measures = draw(st.integers(1, 6))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    kinds = generator.integers(1, 7, (measures, 1))
    better = generator.integers(0, 3, (measures, 1))
    positives = generator.integers(0, kinds, (measures, draw(st.integers(1, 40)))) + better
    negatives = generator.integers(0, kinds, (measures, draw(st.integers(1, 40))))
    return positives.astype(float), negatives.astype(float)


def reached(both: Sides, measures: tuple[int, ...]) -> float:
    return max_pwa(both[0][list(measures)], both[1][list(measures)]) if measures else 0.0


@given(sides())
def test_each_greedy_step_is_the_best_next_one(both):
    chosen: tuple[int, ...] = ()
    for step in greedy_subsets(*both):
        rest = [measure for measure in range(len(both[0])) if measure not in chosen]
        tried = [reached(both, (*chosen, measure)) for measure in rest]
        assert step.measure == rest[int(np.argmax(tried))]  # the first of equally good ones
        assert step.max_pwa == pytest.approx(max(tried))
        assert step.gain == pytest.approx(max(tried) - reached(both, chosen))
        chosen = (*chosen, step.measure)


@given(sides())
def test_the_best_subset_is_the_best_of_all(both):
    measures = range(len(both[0]))
    for size in range(1, len(measures) + 1):
        best = best_subset(*both, size)
        assert best == tuple(sorted(best))
        highest = max(reached(both, each) for each in combinations(measures, size))
        assert reached(both, best) == pytest.approx(highest)


def test_greedy_search_can_miss_the_best_pair_and_exhaustive_search_does_not():
    # Each column a positive, compared with one negative at 0; the first measure is right on three
    # of five, the others on complementary parts.
    right = np.array([[1, 1, 1, 0, 0, 0], [1, 1, 0, 1, 0, 0], [0, 0, 1, 0, 1, 1]], dtype=float)
    negatives = np.zeros((3, 1))
    assert [step.measure for step in greedy_subsets(right, negatives, 2)] == [0, 2]
    assert best_subset(right, negatives, 2) == (1, 2)


@given(sides())
def test_gains_are_what_is_lost_without_the_measure(both):
    every = tuple(range(len(both[0])))
    groups = (np.arange(side.shape[1]) % number for side, number in zip(both, (3, 5), strict=True))
    alone, by_groups = gain_counts(*both), gain_counts(*both, *groups)
    for measure, counts in enumerate(alone):
        rest = tuple(other for other in every if other != measure)
        assert counts.pooled == pytest.approx(reached(both, every) - reached(both, rest))
        assert by_groups[measure].pooled == pytest.approx(counts.pooled)


Grouped = tuple[Array, Array, NDArray[np.int64], NDArray[np.int64]]


@st.composite
def two_sides(draw: st.DrawFn) -> Grouped:
    """Few distinct values, so that ties abound; some measures are constant."""
    measures, below, above = (draw(st.integers(1, most)) for most in (6, 90, 90))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    kinds = draw(st.lists(st.integers(1, 8), min_size=measures, max_size=measures))
    low, high = (
        np.array([generator.integers(0, kind, size) for kind in kinds]) / 7.0
        for size in (below, above)
    )
    return low, high, generator.integers(0, 3, below), generator.integers(0, 4, above)


def by_definition(
    holds: NDArray[np.bool_], low_groups: NDArray[np.int64], high_groups: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Count pairs, shape (below, above), by the groups of both sides."""
    counts = np.zeros((low_groups.max() + 1, high_groups.max() + 1), dtype=np.int64)
    for low, high in np.argwhere(holds):
        counts[low_groups[low], high_groups[high]] += 1
    return counts


@given(two_sides(), st.booleans(), st.sampled_from([3, 64, 70]))
def test_counts_are_those_of_looking_at_every_pair(sides, strict, tile):
    low, high, *groups = sides
    compare = np.less if strict else np.less_equal
    below = compare(low[:, :, np.newaxis], high[:, np.newaxis, :])
    with pytest.MonkeyPatch.context() as patch:  # several tiles and blocks even of few instances
        patch.setattr(subsets, "_BLOCK_SIZE", tile)
        patch.setattr(subsets, "_ROWS", 7)
        compared = Comparisons(low, high, *groups, strict=strict)
        together = compared.dominated()
        apart = compared.all_but_one()
        extended = compared.extended([0], range(len(low)))
    assert np.array_equal(together, by_definition(below.all(axis=0), *groups))
    for measure in range(len(low)):
        rest = np.delete(below, measure, axis=0).all(axis=0)
        assert np.array_equal(apart[measure], by_definition(rest & ~below[measure], *groups))
        both = below[0] & below[measure]
        assert np.array_equal(extended[measure], by_definition(both, *groups))


@each_case(
    ("low", "high", "at_most", "below"),
    [
        (np.array([[0.1]]), np.array([[0.1]], dtype=np.float32), 1, 1),  # float32(0.1) > 0.1
        (np.array([[0.1]], dtype=np.float32), np.array([[0.1]]), 0, 0),
        ([[-np.inf, 0.0, np.inf]], [[-np.inf, np.inf]], 1 + 3, 2),
        ([[-0.0]], [[0.0]], 1, 0),
    ],
)
def test_values_are_compared_as_they_are(low, high, at_most, below):
    assert Comparisons(low, high).dominated().item() == at_most
    assert Comparisons(low, high, strict=True).dominated().item() == below


@each_case(
    ("low", "high", "groups", "complaint"),
    [
        ([[np.nan, 1]], [[1.0]], None, "instances below: 1 values are NaN, the first is"),
        ([[1.0]], [[0, np.nan]], None, "instances above: 1 values are NaN"),
        ([[1.0], [2.0]], [[1.0]], None, "2 measures below and 1 above do not match"),
        ([[]], [[1.0]], None, "no instances given"),
        ([["a"]], [[1.0]], None, "expected numbers"),
        ([[1.0, 2.0]], [[1.0]], [0], "groups below: expected shape"),
        ([[1.0]], [[1.0]], [-1], "groups numbered from 0"),
        ([[1.0]], [[1.0]], [0.5], "groups numbered from 0"),
        ([[[1.0]]], [[1.0]], None, "expected measures × instances"),
    ],
)
def test_what_cannot_be_compared_is_refused(low, high, groups, complaint):
    with pytest.raises(ValuesError, match=complaint):
        Comparisons(low, high, groups)  # type: ignore[arg-type]
