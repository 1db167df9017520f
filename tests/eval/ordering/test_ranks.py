import numpy as np
import pytest

from eval.ordering.ranks import dense_ranks, joint_ranks
from weps.errors import ValuesError


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.5, -1.0, 0.5, 2.0], [1, 0, 1, 2]),
        ([0.0, -0.0], [0, 0]),
        ([np.inf, 1e308, -np.inf], [2, 1, 0]),
        ([2**53 + 1, 2**53], [1, 0]),
        ([True, False], [1, 0]),
    ],
)
def test_ranks_compare_as_the_values(values: list[float], expected: list[int]) -> None:
    assert dense_ranks(values).tolist() == expected


def test_joint_ranks_are_by_the_first_and_then_by_the_second() -> None:
    ranks = joint_ranks(np.array([1, 0, 0, 1]), np.array([0, 3, 1, 0]))
    assert dense_ranks(ranks).tolist() == [2, 1, 0, 2]


def test_joint_ranks_need_as_many_of_both() -> None:
    with pytest.raises(ValuesError, match="2 and 3 instances"):
        joint_ranks(np.arange(2), np.arange(3))
