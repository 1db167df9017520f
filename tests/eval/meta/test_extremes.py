from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.meta.extremes import PAPER_THRESHOLDS, Thresholds, counter_samples, equivalent_quality
from weps.errors import ValuesError

small = st.lists(st.tuples(st.integers(0, 3), st.integers(2, 10)), min_size=1, max_size=6)


def test_the_score_at_the_same_rank() -> None:
    human = [2.0, 10, 5, 7]
    assert equivalent_quality([0.4, 0.1, 0.2, 0.3], human).tolist() == [[10, 2, 5, 7]]
    assert equivalent_quality([1, 0, 1, 2], human).tolist() == [[6, 2, 6, 10]]  # 5 and 7 shared


def test_a_worked_example() -> None:
    human = [2, 3, 8, 9]
    measure = [0.9, 0.2, 0.1, 0.8]  # low: the second and third, high: the first and fourth
    found = counter_samples(measure, human)
    assert found.low.value.tolist() == [1 / 2]
    assert found.high.value.tolist() == [1 / 2]


@given(small)
def test_ties_are_broken_in_every_way(rows: list[tuple[int, int]]) -> None:
    measure, human = np.array(rows, dtype=float).T
    ordered, low, high = np.sort(human), [], []
    for order in permutations(range(len(rows))):
        if (np.diff(measure[list(order)]) >= 0).all():
            people = human[list(order)]
            low.append(((ordered <= 3) & (people >= 5)).sum())
            high.append(((ordered >= 7) & (people <= 4)).sum())
    found = counter_samples(measure, human)
    for ratio, errors, said in (
        (found.low.value[0], low, ordered <= 3),
        (found.high.value[0], high, ordered >= 7),
    ):
        expected = np.mean(errors) / said.sum() if said.any() else np.nan
        assert ratio == pytest.approx(expected, nan_ok=True)


@given(small, st.data())
def test_order_of_instances_and_scale_of_measures_do_not_matter(
    rows: list[tuple[int, int]], data: st.DataObject
) -> None:
    measure, human = np.array(rows, dtype=float).T
    order = data.draw(st.permutations(range(len(rows))))
    one, other = counter_samples(measure, human), counter_samples(measure[order] ** 3, human[order])
    assert other.low.value == pytest.approx(one.low.value, nan_ok=True)
    assert other.high.value == pytest.approx(one.high.value, nan_ok=True)


def test_perfect_constant_and_opposite_measures() -> None:
    human = np.array([2.0, 3, 4, 5, 7, 8, 9, 10])
    found = counter_samples([human, np.zeros(8), -human], human)
    assert found.low.value.tolist() == [0, 5 / 8, 1]  # by chance: the share of 5 and more
    assert found.high.value.tolist() == [0, 3 / 8, 0.75]


def test_intervals_are_over_topics() -> None:
    generator = np.random.default_rng(0)
    human = generator.integers(2, 11, 200).astype(float)
    measure = human + generator.normal(0, 3, 200)
    value, low, high = counter_samples(measure, human, np.arange(200) // 4).low.estimates[0]
    assert low < value < high
    assert np.isnan(counter_samples(measure, human).low.estimates[0][1:]).all()


def test_thresholds_on_other_scales() -> None:
    assert PAPER_THRESHOLDS.on_scale(2, 10) == PAPER_THRESHOLDS
    assert PAPER_THRESHOLDS.on_scale(0, 1) == Thresholds(1 / 8, 3 / 8, 5 / 8, 1 / 4)


def test_nan_is_refused() -> None:
    with pytest.raises(ValuesError, match="NaN"):
        counter_samples([[1, np.nan]], [1, 2])
