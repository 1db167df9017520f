import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.meta.regression.linear import multiple
from eval.meta.regression.subsets import Subsets
from weps.errors import ValuesError


def data(measures: int, size: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    values = generator.normal(3, 2, size=(measures, size))
    return values, values.sum(axis=0) + generator.normal(size=size)


@given(st.integers(1, 5), st.integers(7, 20), st.integers(0, 99))
def test_every_subset_is_fitted_as_on_its_own(measures: int, size: int, seed: int) -> None:
    values, human = data(measures, size, seed)
    found = Subsets.of(values, human)
    for subset in range(2**measures):
        members = [m for m in range(measures) if subset >> m & 1]
        model = multiple(values[members], human, np.zeros(size, dtype=np.int64))
        error = ((human - model(values[members])) ** 2).sum() / ((human - human.mean()) ** 2).sum()
        assert found.residual[subset] == pytest.approx(error, abs=1e-9)
        assert found.sizes[subset] == len(members)
        expected = np.zeros(measures)
        expected[members] = model.weights
        assert found.weights(np.array([subset])) == pytest.approx(expected)


def test_weights_are_means_over_the_chosen_subsets() -> None:
    found = Subsets.of(*data(4, 12, 0))
    chosen = np.array([5, 9, 1, 15])
    alone = [found.weights(chosen[[each]]) for each in range(4)]
    assert found.weights(chosen) == pytest.approx(np.mean(alone, axis=0))


def test_dependent_and_constant_measures_have_no_regression() -> None:
    values, human = data(2, 9, 1)
    found = Subsets.of(np.vstack([values, values[0] - values[1], np.full(9, 0.1)]), human)
    missing = np.flatnonzero(np.isnan(found.residual))
    assert missing.tolist() == [7, *range(8, 16)]


def test_equal_scores_leave_nothing() -> None:
    found = Subsets.of(data(2, 9, 2)[0], np.full(9, 0.1))
    assert found.residual.tolist() == [0, 0, 0, 0]
    assert found.weights(np.array([3])).tolist() == [0, 0]


def test_so_many_subsets_are_refused() -> None:
    with pytest.raises(ValuesError, match=r"21 measures have 2\^21 subsets; choose at most 20"):
        Subsets.of(np.zeros((21, 30)), np.zeros(30))
