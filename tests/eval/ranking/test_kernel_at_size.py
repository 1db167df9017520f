"""At sizes that fill several tiles and blocks, where the tests beside this one make them small."""

import numpy as np
import pytest
from numpy.typing import NDArray

from eval.ranking import dominance
from eval.ranking.dominance import Comparisons

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
def test_counts_are_those_of_comparing_all_with_all(
    sides: tuple[Values, Values, NDArray[np.int64], NDArray[np.int64]], strict: bool
) -> None:
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
