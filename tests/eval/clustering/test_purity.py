"""Purity and inverse purity, by hand and by their definition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.clustering.membership import from_groups
from eval.clustering.purity import purity

GROUPS = st.lists(st.frozensets(st.integers(0, 9), min_size=1), max_size=5)


def by_definition(answer, key):
    size = sum(map(len, answer))
    best = sum(max((len(group & other) for other in key), default=0) for group in answer)
    return best / size if size else 0


@pytest.mark.parametrize(
    ("answer", "key", "expected"),
    [
        ([{1, 2, 3}], [{1, 2}, {3}], (2 / 3, 1)),
        ([{1}, {2}, {3}], [{1, 2}, {3}], (1, 2 / 3)),
        ([{1, 2}, {2, 3}], [{1, 2, 3}], (1, 2 / 3)),
        ([{1, 2, 8, 9}], [{1, 2}], (1 / 2, 1)),
        ([], [{1, 2}], (0, 0)),
        ([{3}], [{1, 2}], (0, 0)),
    ],
    ids=["one group", "single", "overlap", "unknown items", "no answer", "nothing in common"],
)
def test_worked_cases(answer, key, expected):
    assert purity(*from_groups(answer, key)) == pytest.approx(expected, abs=1e-15)


@given(GROUPS, GROUPS)
def test_agrees_with_the_definition_and_swaps(answer, key):
    found = purity(*from_groups(answer, key))
    assert found == (by_definition(answer, key), by_definition(key, answer))
    assert purity(*from_groups(key, answer)) == found[::-1]
    assert all(0 <= value <= 1 for value in found)
