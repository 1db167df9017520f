import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.ordering.agreement import agreement
from eval.ordering.concordance import redundancy
from weps.errors import ValuesError

instances = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 2)), min_size=2, max_size=40
)


@given(instances)
def test_pooled_shares_are_those_of_all_pairs(rows: list[tuple[int, int, int]]) -> None:
    base, other, group = np.array(rows).T
    found, whole = agreement(base, other, group), redundancy(base, other)
    shares = [tally.pooled for tally in found]
    expected = [whole.redundant, whole.non_redundant, whole.non_informative]
    assert shares == pytest.approx(expected, nan_ok=True)


@given(instances)
def test_the_share_of_a_group_is_that_of_its_instances(rows: list[tuple[int, int, int]]) -> None:
    base, other, group = np.array(rows).T
    found = agreement(base, other, group)
    for number in np.unique(group):
        alone = redundancy(base[group == number], other[group == number])
        assert found.redundant.by_group[number] == pytest.approx(alone.redundant, nan_ok=True)
        assert found.non_informative.by_group[number] == pytest.approx(
            alone.non_informative, nan_ok=True
        )


def test_tallies_between_groups_are_symmetric() -> None:
    generator = np.random.default_rng(0)
    base, other = generator.integers(0, 9, (2, 60))
    for tally in agreement(base, other, generator.integers(0, 4, 60)):
        assert np.array_equal(tally.held, tally.held.T)
        assert np.array_equal(tally.total, tally.total.T)


def test_measures_of_different_length_are_refused() -> None:
    with pytest.raises(ValuesError, match="cannot be paired"):
        agreement([1, 2], [1, 2, 3])
