import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from eval.text.synthesis.closeness import closeness, distance, of_empty

Floats = NDArray[np.float64]

DISTANCES = st.fractions(0, 100, max_denominator=1000).map(float)


@pytest.mark.parametrize(("apart", "expected"), [(0, 1), (1, 0.5), (3, 0.25), (0.25, 0.8)])
def test_the_inverse_of_one_more(apart: float, expected: float) -> None:
    assert closeness(apart) == expected


@given(DISTANCES.filter(bool), DISTANCES.filter(bool))
def test_the_order_of_pairs_is_that_of_the_inverse_of_the_papers(one: float, other: float) -> None:
    assert (closeness(one) < closeness(other)) == (1 / one < 1 / other)


@given(DISTANCES)
def test_one_is_kept_for_no_distance(apart: float) -> None:
    assert 0 < closeness(apart) <= 1
    assert (closeness(apart) == 1) == (apart == 0)


def test_distances() -> None:
    assert distance(np.array([1.0, 2, 5]), np.array([3.0, 2, 4])) == 5**0.5
    assert distance(np.array([]), np.array([])) == 0


VECTORS = arrays(np.float64, (9, 2), elements=st.floats(0, 1))


@given(VECTORS, st.permutations(range(9)))
def test_the_order_of_dimensions_changes_no_digit(vectors: Floats, order: list[int]) -> None:
    first, second = vectors.T
    assert distance(first[order], second[order]) == distance(first, second)


def test_empty_texts_are_like_each_other_alone() -> None:
    assert (of_empty((), ()), of_empty((), "a"), of_empty("a", ())) == (1, 0, 0)
