import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from eval.meta import correlation
from eval.meta.correlation import Coefficient, bootstrap_coefficients, row_coefficients

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


instances = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(0, 3)), min_size=1, max_size=14
)
draws = st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=4)


@pytest.mark.parametrize(("by_cells", "few"), [(True, 0), (False, 0), (False, 2048)])
@pytest.mark.parametrize("kind", Coefficient)
@given(rows=instances, drawn=draws)
def test_drawn_groups_are_as_good_as_copied_instances(
    kind: Coefficient,
    by_cells: bool,
    few: int,
    rows: list[tuple[int, int, int]],
    drawn: list[list[int]],
) -> None:
    first, second = np.array(rows, dtype=float)[:, :2].T
    group = np.array(rows)[:, 2]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(correlation, "_cost", lambda *_: 0 if by_cells else 10**12)
        patch.setattr(correlation, "_FEW", few)  # both ways of counting pairs by groups
        patch.setattr(correlation, "_CELLS", 20)  # some resamples at a time
        found = bootstrap_coefficients(first, second, group, np.array(drawn, dtype=float), kind)
    for value, times in zip(found, drawn, strict=True):
        copies = np.repeat(np.arange(len(rows)), np.array(times)[group])
        expected = np.nan
        if len(copies):
            expected = row_coefficients(first[None, copies], second[None, copies], kind)[0]
        assert value == pytest.approx(expected, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("kind", Coefficient)
def test_without_draws_there_is_no_coefficient(kind: Coefficient) -> None:
    values = np.arange(4.0)
    drawn = np.full((2, 1), np.nan)
    found = bootstrap_coefficients(values, values, np.zeros(4, dtype=np.int64), drawn, kind)
    assert np.isnan(found).all()


@pytest.mark.parametrize("kind", Coefficient)
def test_far_from_zero_nothing_is_lost(kind: Coefficient) -> None:
    generator = np.random.default_rng(0)
    first, second = generator.normal(size=(2, 60))
    group, once = np.arange(60) // 6, np.ones((1, 10))
    near = bootstrap_coefficients(first, second, group, once, kind)
    far = bootstrap_coefficients(first + 1e6, 1e-6 * second, group, once, kind)
    assert far == pytest.approx(near, abs=1e-9)


def test_all_ways_to_count_pairs_give_the_same_to_the_last_bit(monkeypatch) -> None:
    generator = np.random.default_rng(0)
    first, second = generator.normal(size=(2, 300)).round(1)
    group, drawn = np.arange(300) // 10, generator.multinomial(30, np.full(30, 1 / 30), 40) * 1.0
    found = []
    for cost, few in ((0, 0), (10**12, 0), (10**12, 2048)):
        monkeypatch.setattr(correlation, "_cost", lambda *_, cost=cost: cost)
        monkeypatch.setattr(correlation, "_FEW", few)
        found.append(bootstrap_coefficients(first, second, group, drawn, Coefficient.KENDALL))
    assert (found[0] == found[1]).all()
    assert (found[0] == found[2]).all()
