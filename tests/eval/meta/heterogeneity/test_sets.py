from collections import Counter
from math import comb

import numpy as np
import pytest

from eval.meta.heterogeneity.sets import as_sets, members, packed, random_sets, two_by_two
from weps.errors import ValuesError


def test_sets_are_rows_of_truth_values() -> None:
    sets = as_sets([(0, 2), (), (1,)], measures=3)
    assert sets.tolist() == [[True, False, True], [False] * 3, [False, True, False]]
    assert members(sets) == [(0, 2), (), (1,)]


def test_two_by_two() -> None:
    assert members(two_by_two(4)) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert two_by_two(1).shape == (0, 1)


def test_random_sets_are_different_and_of_the_sizes_asked_for() -> None:
    sets = random_sets(30, sizes=[2, 5, 29, 30], each=40, seed=3)
    assert Counter(sets.sum(axis=1).tolist()) == {2: 40, 5: 40, 29: 30, 30: 1}
    assert len(set(members(sets))) == 111
    assert (random_sets(30, [2, 5, 29, 30], 40, seed=3) == sets).all()
    assert (random_sets(30, [2, 5, 29, 30], 40, seed=4) != sets).any()


def test_every_set_is_as_likely() -> None:
    found = [members(random_sets(5, [2], 3, seed=seed)) for seed in range(2000)]
    counts = Counter(each for sets in found for each in sets)
    assert len(counts) == comb(5, 2)
    assert list(counts.values()) == pytest.approx([600] * 10, rel=0.2)


def test_bits_are_little_endian() -> None:
    assert packed(as_sets([(0, 3), (8,)], 9), 9).tolist() == [[9, 0], [0, 1]]


@pytest.mark.parametrize(
    ("sets", "message"),
    [
        (np.ones((2, 4), dtype=bool), r"shape \(2, 4\) and type bool are no sets of 3"),
        (np.ones((2, 3)), "float64 are no sets of 3 measures"),
        (np.ones(3, dtype=bool), r"shape \(3,\)"),
    ],
)
def test_what_are_no_sets(sets: np.ndarray, message: str) -> None:
    with pytest.raises(ValuesError, match=message):
        packed(sets, 3)


def test_measures_that_are_not_there() -> None:
    with pytest.raises(ValuesError, match="no measure 3 among 3"):
        as_sets([(0, 3)], 3)
    with pytest.raises(ValuesError, match="no measure -1 among 3"):
        as_sets([(-1,)], 3)
    with pytest.raises(ValuesError, match="no set of 4 among 3"):
        random_sets(3, [4], 1)
