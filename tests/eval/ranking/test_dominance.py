"""Dominance, by small kernels and large."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.cases import each_case
from weps.errors import ValuesError
from weps_eval.ranking import dominance
from weps_eval.ranking.dominance import Comparisons, RankedInstances

Array = NDArray[np.float64]


Sides = tuple[Array, Array, NDArray[np.int64], NDArray[np.int64]]


@st.composite
def two_sides(draw: st.DrawFn) -> Sides:
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
        patch.setattr(dominance, "_BLOCK_SIZE", tile)
        patch.setattr(dominance, "_ROWS", 7)
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


def test_equal_values_of_both_sides_have_one_rank():
    ranked = RankedInstances.of(
        np.array([[0.5, 0.1], [1, 1]]), np.array([[0.1, 0.9, 0.5], [1, 1, 1]])
    )
    assert ranked.low.tolist() == [[1, 0], [0, 0]]
    assert ranked.high.tolist() == [[0, 2, 1], [0, 0, 0]]
    assert all(ranked.high.max(axis=1) < ranked.sizes)


Values = NDArray[np.float32]
BELOW, ABOVE = 4_700, 5_300


def ties_as_in_similarities(generator: np.random.Generator, size: int, shift: float) -> Values:
    """Three measures that agree: hardly a tie, mostly 0, true or false."""
    truth = generator.normal(shift, size=size)
    dense, sparse, flag = truth + generator.normal(size=(3, size))
    return np.array([dense.round(3), np.maximum(sparse - 1, 0).round(2), flag > 1], np.float32)


@pytest.fixture(scope="module")
def sides() -> tuple[Values, Values, NDArray[np.int64], NDArray[np.int64]]:
    generator = np.random.default_rng(0)
    low = ties_as_in_similarities(generator, BELOW, 0.8)
    high = ties_as_in_similarities(generator, ABOVE, 0)
    uneven = generator.choice(3, BELOW, p=[0.9, 0.09, 0.01])
    return low, high, uneven, generator.integers(0, 2, ABOVE)


@pytest.mark.parametrize("strict", [False, True])
def test_counts_are_those_of_comparing_all_with_all(sides, strict):
    low, high, low_groups, high_groups = sides
    assert np.bincount(low_groups).max() > 2 * dominance._BLOCK_SIZE
    assert ABOVE > dominance._ROWS

    def by_group(holds: NDArray[np.bool_]) -> list[list[int]]:
        each = [holds[low_groups == group] for group in range(3)]
        return [[int(part[:, high_groups == g].sum()) for g in range(2)] for part in each]

    compare = np.less if strict else np.less_equal
    first, second, third = (compare.outer(*pair) for pair in zip(low, high, strict=True))
    compared = Comparisons(low, high, low_groups, high_groups, strict=strict)
    assert compared.dominated().tolist() == by_group(first & second & third)
    assert compared.extended([1], [0, 2]).tolist() == [
        by_group(second & first),
        by_group(second & third),
    ]
    assert compared.all_but_one().tolist() == [
        by_group(~first & second & third),
        by_group(first & ~second & third),
        by_group(first & second & ~third),
    ]
