import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.meta.regression import relative_scores, win_rates
from weps.errors import ValuesError


def test_rates_count_ties_half_and_shared_topics_only() -> None:
    topic, system = [0, 0, 0, 1, 1, 2, 2, 3], [0, 1, 2, 0, 1, 0, 1, 2]
    found = win_rates([5, 3, 5, np.inf, np.inf, 1, 2, 9], topic, system)
    expected = [[0.5, 0.5, 0.5], [0.5, 0.5, 0], [0.5, 1, 0.5]]
    assert found == pytest.approx(np.array([expected]))


def test_systems_without_a_common_topic_have_no_rate() -> None:
    found = win_rates([[1, 2], [3, 4]], [0, 1], [0, 1])
    assert np.isnan(found[:, 0, 1]).all()
    assert found[:, 0, 0].tolist() == [0.5, 0.5]


@given(st.integers(0, 200))
def test_what_one_system_wins_the_other_loses(seed: int) -> None:
    topic, system = np.indices((6, 4)).reshape(2, -1)
    found = win_rates(np.random.default_rng(seed).integers(0, 3, (2, 24)), topic, system)
    assert found + found.swapaxes(1, 2) == pytest.approx(np.ones((2, 4, 4)))


def test_the_score_is_where_the_line_crosses_one_half() -> None:
    # the first system beats those of 1, 2, 4 on .9, .7, .3 of the topics: .5 at 3
    rates = np.full((4, 4), 0.5)
    rates[0, 1:] = 0.9, 0.7, 0.3
    assert relative_scores(rates, [0, 1, 2, 4])[0] == pytest.approx(3)
    rates[0, 1:] = 0.4, 0.3, 0.1
    assert relative_scores(rates, [0, 1, 2, 4])[0] == pytest.approx(0)  # below all others
    assert relative_scores(rates, [0, 1, 2, 4], (0.5, 5))[0] == 0.5  # moved into the range
    rates[0, 1:] = 1.0, 0.9, 0.7
    assert relative_scores(rates, [0, 1, 2, 4], (0.5, 5))[0] == 5


def test_the_best_two_systems_can_be_told_apart() -> None:
    quality = np.array([1.0, 2.0, 3.0, 4.0])
    rates = 0.5 + (quality[:, None] - quality) / 10
    assert relative_scores(rates, quality, (0, 5)) == pytest.approx(quality)


@given(st.integers(0, 100))
def test_it_is_a_regression_on_the_others(seed: int) -> None:
    generator = np.random.default_rng(seed)
    human, rates = generator.random(6), generator.random((6, 6))
    found = relative_scores(rates, human)
    for system in range(6):
        others = np.arange(6) != system
        slope, intercept = np.polyfit(human[others], rates[system, others], 1)
        assert found[system] == pytest.approx((0.5 - intercept) / slope)
    wild = human.copy()
    wild[2] = 50
    assert relative_scores(rates, wild)[2] == found[2]  # its own score is not seen


def test_level_lines_and_single_systems_say_nothing() -> None:
    assert np.isnan(relative_scores(np.full((3, 3), 0.5), [1, 2, 3])).all()
    assert np.isnan(relative_scores(np.random.default_rng(0).random((3, 3)), [2, 2, 2])).all()
    assert np.isnan(relative_scores([[0.5, 1], [0, 0.5]], [1, 2])).all()


def test_rates_of_other_systems_are_refused() -> None:
    with pytest.raises(ValuesError, match="do not fit 3 human scores"):
        relative_scores(np.full((2, 2), 0.5), [1, 2, 3])
