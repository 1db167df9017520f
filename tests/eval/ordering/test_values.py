"""Numbers that are equal but for rounding."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from eval.ordering.values import rounded


def test_sums_of_the_same_numbers_are_equal_in_any_order() -> None:
    sums = np.array([sum(each) / 3 for each in permutations((0.1, 0.2, 0.3))])
    assert len(set(sums.tolist())) > 1
    assert len(set(rounded(sums).tolist())) == 1


@pytest.mark.parametrize("value", [0.0, 1.0, -2.5, 3e-200, 1e308, 1 / 3])
def test_little_changes(value: float) -> None:
    assert rounded(np.array([value]))[0] == pytest.approx(value, rel=1e-9)
    assert rounded(np.array([value * (1 + 1e-7)]))[0] != rounded(np.array([value]))[0] or not value


def test_what_is_no_finite_number_stays() -> None:
    odd = np.array([np.inf, -np.inf, np.nan])
    assert np.array_equal(rounded(odd), odd, equal_nan=True)
