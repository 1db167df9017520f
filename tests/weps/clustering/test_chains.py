import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weps.clustering.chains import Join, agglomerate, maximum, mean, minimum

UNIONS = [maximum, minimum, mean]
probabilities = st.floats(0, 1)
pages = st.integers(1, 1000)


def matrix(*rows: list[float]) -> np.ndarray:
    nearness = np.array(rows)
    np.fill_diagonal(nearness, -np.inf)
    return nearness


@pytest.mark.parametrize(
    ("union", "nearness"), [(maximum, [3, 2, 1.5]), (mean, [3, 2, 0.875]), (minimum, [3, 2, 0.25])]
)
def test_joins_come_nearest_first(union, nearness):
    # The chain from row 0 leads to 1 and merges them first, but 2 and 3 are nearer.
    distances = matrix([0, 2, 1, 0.5], [2, 0, 0.25, 1.5], [1, 0.25, 0, 3], [0.5, 1.5, 3, 0])
    distances[0, 2] = distances[2, 0] = 1.25
    joins = agglomerate(distances, union)
    assert [join.nearness for join in joins] == nearness
    assert [(join.first, join.second) for join in joins] == [(2, 3), (0, 1), (0, 2)]


def test_the_first_of_the_nearest_wins():
    assert agglomerate(matrix(*[[1.0] * 3] * 3), mean) == [Join(1, 0, 1), Join(1, 0, 2)]


@pytest.mark.parametrize("size", [0, 1])
def test_nothing_to_join(size):
    assert agglomerate(np.full((size, size), -np.inf), mean) == []


@pytest.mark.parametrize("union", UNIONS)
@given(probabilities, probabilities, pages, pages)
def test_a_union_is_as_near_as_its_parts_or_between(union, first, second, ours, theirs):
    (united,) = union(np.array([first]), np.array([second]), ours, theirs)
    (swapped,) = union(np.array([second]), np.array([first]), theirs, ours)
    assert min(first, second) <= united <= max(first, second)
    assert united == swapped


def test_the_mean_weighs_parts_by_their_pages():
    assert mean(np.array([1.0]), np.array([0.5]), 1, 3) == np.array([0.625])
