import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.meta.correlation import weighted
from eval.meta.correlation.coefficients import Coefficient, row_coefficients
from eval.meta.correlation.weighted import drawn_coefficients

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
        patch.setattr(weighted, "_cost", lambda *_: 0 if by_cells else 10**12)
        patch.setattr(weighted, "_FEW", few)  # both ways of counting pairs by groups
        patch.setattr(weighted, "_CELLS", 20)  # some resamples at a time
        found = drawn_coefficients(first, second, group, np.array(drawn, dtype=float), kind)
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
    found = drawn_coefficients(values, values, np.zeros(4, dtype=np.int64), drawn, kind)
    assert np.isnan(found).all()


@pytest.mark.parametrize("kind", Coefficient)
def test_far_from_zero_nothing_is_lost(kind: Coefficient) -> None:
    generator = np.random.default_rng(0)
    first, second = generator.normal(size=(2, 60))
    group, once = np.arange(60) // 6, np.ones((1, 10))
    near = drawn_coefficients(first, second, group, once, kind)
    far = drawn_coefficients(first + 1e6, 1e-6 * second, group, once, kind)
    assert far == pytest.approx(near, abs=1e-9)


def test_all_ways_to_count_pairs_give_the_same_to_the_last_bit(monkeypatch) -> None:
    generator = np.random.default_rng(0)
    first, second = generator.normal(size=(2, 300)).round(1)
    group, drawn = np.arange(300) // 10, generator.multinomial(30, np.full(30, 1 / 30), 40) * 1.0
    found = []
    for cost, few in ((0, 0), (10**12, 0), (10**12, 2048)):
        monkeypatch.setattr(weighted, "_cost", lambda *_, cost=cost: cost)
        monkeypatch.setattr(weighted, "_FEW", few)
        found.append(drawn_coefficients(first, second, group, drawn, Coefficient.KENDALL))
    assert (found[0] == found[1]).all()
    assert (found[0] == found[2]).all()
