from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import square, unhurried
from tests.weps.clustering.cases import reordered, tied_probabilities
from weps.profiles import profile


def by_definition(similarity: np.ndarray, size: int) -> list[float]:
    rows = square(similarity, size)
    for row in range(size):
        rows[row, row] = rows[row].max()
    found = []
    for first in range(size):
        for second in range(first + 1, size):
            norms = np.linalg.norm(rows[first]) * np.linalg.norm(rows[second])
            found.append(rows[first] @ rows[second] / norms if norms else 0.0)
    return found


@pytest.mark.parametrize(
    ("size", "similarity", "expected"),
    [
        (0, [], []),
        (1, [], []),
        (2, [0.3], [1]),
        (2, [0.0], [0]),
        (3, [0.5, 0.0, 0.5], [2 / sqrt(6), 1 / 2, 2 / sqrt(6)]),
        (3, [0.5, 0.0, 0.0], [1, 0, 0]),
        # 0 and 3 share nothing, but both resemble 1 and 2.
        (4, [1, 1, 0, 0, 1, 1], [2 / 3] * 6),
    ],
)
def test_profile(size, similarity, expected):
    assert profile(np.array(similarity), size) == pytest.approx(expected)


@given(tied_probabilities())
@unhurried
def test_a_profile_is_the_cosine_of_rows(case):
    size, similarity = case
    np.testing.assert_allclose(
        profile(similarity, size), by_definition(similarity, size), atol=1e-12
    )


@given(tied_probabilities())
@unhurried
def test_profiles_are_bounded(case):
    size, similarity = case
    found = profile(similarity * 1000, size)
    assert found.shape == similarity.shape
    assert ((found >= 0) & (found <= 1)).all()


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("similarity", [0.7, 0.9])
def test_rounding_makes_no_profile_larger_than_one(size, similarity):
    """The cosines of these rows with themselves are 1 + 2⁻⁵² before they are bounded."""
    found = profile(np.full(size * (size - 1) // 2, similarity), size)
    assert (found <= 1).all()
    assert found == pytest.approx(np.ones(len(found)))


@given(tied_probabilities(), st.randoms(use_true_random=False))
@unhurried
def test_profiles_move_with_the_pages(case, random):
    size, similarity = case
    order = random.sample(range(size), size)
    moved = profile(reordered(similarity, order), size)
    np.testing.assert_allclose(moved, reordered(profile(similarity, size), order), atol=1e-12)


@given(tied_probabilities(), st.floats(1e-3, 1e3))
@unhurried
def test_a_profile_does_not_depend_on_the_unit(case, unit):
    size, similarity = case
    expected = profile(similarity, size)
    np.testing.assert_allclose(profile(similarity * unit, size), expected, atol=1e-12)


@given(tied_probabilities(least=1), st.floats(1, 3))
@unhurried
def test_pages_that_resemble_the_same_pages_and_each_other_are_fully_alike(case, closeness):
    """A twin of page 0, as close to it as its nearest neighbour or closer."""
    size, similarity = case
    rows = square(similarity, size)
    grown = np.zeros((size + 1, size + 1))
    grown[:size, :size] = rows
    grown[size, :size] = grown[:size, size] = rows[0]
    grown[0, size] = grown[size, 0] = closeness * rows[0].max()
    found = profile(grown[np.triu_indices(size + 1, k=1)], size + 1)
    assert found[size - 1] == pytest.approx(1.0 if rows[0].any() else 0.0)


def test_the_input_is_left_alone_and_single_precision_is_enough():
    similarity = np.array([0.5, 0.25, 1.0], dtype=np.float32)
    found = profile(similarity, 3)
    assert similarity.tolist() == [0.5, 0.25, 1.0]
    assert found.dtype == np.float64
    assert found == pytest.approx(by_definition(similarity, 3))
