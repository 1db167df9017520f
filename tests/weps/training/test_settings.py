import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import unhurried
from weps.training.settings import folds


@given(st.integers(0, 40), st.integers(1, 7), st.integers(0, 99))
@unhurried
def test_folds_partition(size, parts, seed):
    made = folds(size, parts, seed)
    assert sorted(index for part in made for index in part) == list(range(size))
    assert all(part == sorted(part) for part in made)
    assert len(made) == min(size, parts)
    assert max(map(len, made), default=0) - min(map(len, made), default=0) <= 1


@pytest.mark.parametrize("seed", [0, 1])
def test_folds_depend_on_the_seed_alone(seed):
    assert folds(20, 5, seed) == folds(20, 5, seed)
    assert folds(20, 5, seed) != folds(20, 5, seed + 1)
