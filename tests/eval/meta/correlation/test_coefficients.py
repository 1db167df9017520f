import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from eval.meta.correlation.coefficients import Coefficient, row_coefficients

OF_SCIPY = {
    Coefficient.PEARSON: stats.pearsonr,
    Coefficient.SPEARMAN: stats.spearmanr,
    Coefficient.KENDALL: stats.kendalltau,
}
tables = st.integers(1, 9).flatmap(
    lambda size: arrays(float, (2, 3, size), elements=st.integers(-3, 3).map(float))
)


@pytest.mark.parametrize("kind", Coefficient)
@given(tables)
def test_each_row_has_the_coefficient_of_scipy(kind: Coefficient, pair: np.ndarray) -> None:
    found = row_coefficients(*pair, kind)
    for value, first, second in zip(found, *pair, strict=True):
        if np.ptp(first) and np.ptp(second):
            assert value == pytest.approx(OF_SCIPY[kind](first, second).statistic, abs=1e-12)
        else:
            assert np.isnan(value)


@pytest.mark.parametrize("kind", Coefficient)
def test_perfect_agreement_and_its_opposite(kind: Coefficient) -> None:
    row = np.array([[1.0, 5, 2, 4]])
    found = [row_coefficients(row, other, kind)[0] for other in (2 * row + 1, -row)]
    assert found == pytest.approx([1, -1])


@pytest.mark.parametrize("kind", Coefficient)
@pytest.mark.parametrize("factor", [1e-200, 1e200])
def test_no_scale_is_too_small_or_too_great(kind: Coefficient, factor: float) -> None:
    first, second = np.array([[1.0, 2, 4]]), np.array([[1.0, 3, 2]])
    expected = row_coefficients(first, second, kind)
    assert row_coefficients(factor * first, second, kind) == pytest.approx(expected)


def test_a_constant_that_is_no_binary_fraction_has_no_coefficient() -> None:
    constant, other = np.full((1, 7), 0.1), np.arange(7.0)[None]
    for kind in Coefficient:
        assert np.isnan(row_coefficients(constant, other, kind)).all()


@pytest.mark.parametrize("kind", Coefficient)
def test_one_row_may_be_held_against_all(kind: Coefficient) -> None:
    first = np.random.default_rng(0).integers(0, 5, (4, 30)).astype(float)
    second = np.random.default_rng(1).integers(0, 5, (1, 30)).astype(float)
    expected = row_coefficients(first, np.repeat(second, 4, axis=0), kind)
    assert (row_coefficients(first, second, kind) == expected).all()
