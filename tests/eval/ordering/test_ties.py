from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.ordering.ties import tied
from weps.errors import ValuesError

GROUPS = 4
INSTANCES = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, GROUPS - 1)),
    min_size=1,
    max_size=20,
)
Instances = list[tuple[int, int, int]]


def by_looking(instances: Instances, compared: int) -> list[list[int]]:
    counts = np.zeros((GROUPS, GROUPS), dtype=np.int64)
    for a, b in permutations(instances, 2):
        counts[a[-1], b[-1]] += a[:compared] == b[:compared]
    return counts.tolist()


def test_pairs_within_a_group_count_in_both_orders() -> None:
    found = tied([0.5, 0.5, 0.5, 0.1], [0, 0, 1, 1], groups=2)
    assert found.tolist() == [[2, 2], [2, 0]]
    assert found.dtype == np.int64


@given(INSTANCES)
def test_it_is_what_looking_at_every_pair_finds(instances: Instances) -> None:
    first, second, group = zip(*instances, strict=True)
    assert tied(first, group, GROUPS).tolist() == by_looking(instances, compared=1)
    assert tied(first, group, GROUPS, second).tolist() == by_looking(instances, compared=2)


@given(INSTANCES, st.permutations(range(GROUPS)))
def test_groups_may_be_numbered_otherwise(instances: Instances, order: list[int]) -> None:
    first, _, group = (np.array(column) for column in zip(*instances, strict=True))
    renumbered = tied(first, np.array(order)[group], GROUPS)
    assert renumbered[np.ix_(order, order)].tolist() == tied(first, group, GROUPS).tolist()


def test_counts_beyond_32_bits_are_exact() -> None:
    assert tied(np.zeros(100_000), np.zeros(100_000, int), 1).item() == 100_000 * 99_999


@pytest.mark.parametrize("second", [[1, 2, 3], [1, np.nan]])
def test_a_second_measure_must_fit(second: list[float]) -> None:
    with pytest.raises(ValuesError):
        tied([1, 2], [0, 0], 1, second)
