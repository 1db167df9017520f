import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from eval.meta.correlation import williams, williams_against, williams_table


def test_a_worked_example() -> None:
    # r = .4 and .6 with people, .5 between them, 20 instances:
    # K = 1 - .16 - .36 - .25 + .24 = .47; t = -.2 √(19 · 1.5) / √(.94 · 19/17 + .25 · .125)
    t = -0.2 * np.sqrt(28.5) / np.sqrt(0.94 * 19 / 17 + 0.03125)
    assert williams(0.4, 0.6, 0.5, 20) == pytest.approx(stats.t.sf(t, 17))
    assert t == pytest.approx(-1.0266, abs=1e-4)


@given(st.integers(0, 1000))
def test_the_other_way_round_is_the_other_side(seed: int) -> None:
    human, *values = np.random.default_rng(seed).normal(size=(4, 12))
    table = williams_table(values, human)
    assert table + table.T == pytest.approx(np.ones((3, 3)))
    assert np.diag(table).tolist() == [0.5] * 3


def test_a_better_measure_is_found_better() -> None:
    generator = np.random.default_rng(0)
    human, noise, worse = generator.normal(size=(3, 100))
    table = williams_table([human + noise, human + 4 * worse], human)
    assert table[0, 1] < 0.01
    with_people = [np.corrcoef(each, human)[0, 1] for each in (human + noise, human + 4 * worse)]
    between = np.corrcoef(human + noise, human + 4 * worse)[0, 1]
    assert table[0, 1] == pytest.approx(float(williams(*with_people, between, 100)))


def test_under_the_hypothesis_small_p_are_as_rare_as_they_say() -> None:
    generator = np.random.default_rng(1)
    shared = generator.normal(size=(1000, 30))
    tables = [williams_table(each + generator.normal(size=(2, 30)), each)[0, 1] for each in shared]
    assert np.mean(np.array(tables) < 0.05) == pytest.approx(0.05, abs=0.02)


def test_measures_of_another_scale_are_not_told_apart() -> None:
    human, measure = np.random.default_rng(2).normal(size=(2, 9))
    assert williams_table([measure, 2 * measure + 1], human) == pytest.approx(np.full((2, 2), 0.5))


def test_what_cannot_be_tested_is_nan() -> None:
    assert np.isnan(williams(0.4, 0.6, 0.5, 3))
    table = williams_table([[1, 1, 1, 1, 1], [1, 2, 3, 5, 4]], [1, 2, 3, 4, 5])
    assert np.isnan([table[0, 0], table[0, 1], table[1, 0]]).all()
    assert table[1, 1] == 0.5


def test_a_perfect_measure_and_its_opposite() -> None:
    human = np.arange(6.0)
    assert williams_table([human, -human], human).tolist() == [[0.5, 0], [1, 0.5]]


@pytest.mark.parametrize("best", range(3))
def test_one_against_all_is_a_row_of_the_table(best: int) -> None:
    human = np.random.default_rng(0).normal(size=20)
    values = np.vstack([human + np.random.default_rng(1).normal(size=(2, 20)), np.ones(20)])
    found, row = williams_against(values, human, best), williams_table(values, human)[best]
    assert found == pytest.approx(row, nan_ok=True)
