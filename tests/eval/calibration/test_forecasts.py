from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tests.cases import each_case
from tests.eval.calibration.made_up import made_up
from weps_eval.calibration.forecasts import (
    as_forecasts,
    by_name,
    equal_count,
    equal_width,
    sum_by_bin,
)

probabilities = st.lists(
    st.one_of(st.floats(0, 1), st.sampled_from([0, 0.25, 0.5, 1])), min_size=1, max_size=60
).map(np.array)


@each_case(
    ("probability", "most", "expected"),
    [
        ([0.3], 10, [0]),
        ([0.4, 0.1, 0.3, 0.2], 2, [1, 0, 1, 0]),
        ([0.4, 0.1, 0.3, 0.2], 1, [0, 0, 0, 0]),
        ([0.4, 0.1, 0.3, 0.2], 9, [3, 0, 2, 1]),
        ([0, 0, 0, 0, 0, 0, 0.1, 0.2, 0.3, 0.4], 3, [0, 0, 0, 0, 0, 0, 1, 1, 2, 2]),
        ([0, 0.5, 0.5, 0.5, 1], 2, [0, 1, 1, 1, 1]),
        ([0, 0, 0.5, 1], 2, [0, 0, 1, 1]),
        ([1, 1, 1], 2, [0, 0, 0]),
    ],
)
def test_bins_hold_equally_many_as_far_as_ties_allow(probability, most, expected):
    assert_array_equal(equal_count(np.array(probability, dtype=float), most), expected)


@given(probabilities, st.integers(1, 12), st.randoms(use_true_random=False))
def test_bins_are_ordered_none_empty_ties_together_in_any_order(probability, most, random):
    place = equal_count(probability, most)
    used = np.unique(place)
    assert_array_equal(used, np.arange(len(used)))
    assert len(used) == min(most, len(np.unique(probability)))
    for low, high in pairwise(used):
        assert probability[place == low].max() < probability[place == high].min()
    order = list(range(len(probability)))
    random.shuffle(order)
    assert_array_equal(equal_count(probability[order], most), place[order])


@given(st.integers(1, 200), st.integers(1, 20))
def test_without_ties_bins_differ_by_one_at_most(size, most):
    counts = np.bincount(equal_count(np.arange(size) / size, most))
    assert counts.max() - counts.min() <= 1


@each_case(
    ("probability", "expected"),
    [(0, 0), (0.1, 1), (0.3, 3), (0.7, 7), (0.29999, 2), (0.95, 9), (1, 9)],
)
def test_bins_of_equal_width_have_their_lower_end(probability, expected):
    assert equal_width(np.array([probability])).tolist() == [expected]


def test_sums_are_those_of_the_forecasts_in_the_bin():
    forecasts = made_up(names=3, each=20)
    place = equal_width(forecasts.probability, 4)
    found = sum_by_bin(forecasts, place)
    for name in range(3):
        for each in range(4):
            inside = (forecasts.name == name) & (place == each)
            assert found.weight[name, each] == inside.sum()
            assert found.happened[name, each] == forecasts.happened[inside].sum()
            assert_allclose(found.forecast[name, each], forecasts.probability[inside].sum())


def test_names_are_numbered_without_gaps_and_weight_0_is_left_out():
    found = as_forecasts([0.1, 0.2, 0.3, 1], [True, False, True, True], [7, 9, 4, 7], [1, 0, 2, 3])
    assert_array_equal(found.probability, [0.1, 0.3, 1])
    assert_array_equal(found.happened, [True, True, True])
    assert_array_equal(found.name, [1, 0, 1])
    assert_array_equal(found.totals([1, 1, 1]), [2, 4])
    assert found.names == 2


def test_draws_have_every_name_once_and_then_as_many_names_as_there_are():
    drawn = as_forecasts([0.5] * 3, [True] * 3, [0, 1, 2]).bootstrap_weights(seed=3)
    assert drawn.shape == (10_001, 3)
    assert_array_equal(drawn[0], [1, 1, 1])
    assert_array_equal(drawn.sum(axis=1), 3)
    assert_array_equal(as_forecasts([0, 1], [True, False]).bootstrap_weights(), [[1]])


def test_every_name_weighs_the_same():
    group = np.array([5, 2, 5, 5, 5, 2])
    assert_array_equal(by_name(group), [0.25, 0.5, 0.25, 0.25, 0.25, 0.5])
    found = as_forecasts([0.5] * 6, [True] * 6, group, by_name(group))
    assert_array_equal(found.totals(np.ones(6)), [1, 1])
