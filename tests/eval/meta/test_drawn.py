import numpy as np
import pytest

from eval.meta.drawn import drawn_shares, over_topics, times_drawn


def test_the_first_draw_has_every_topic_once() -> None:
    times = times_drawn(4, 50, seed=0)
    assert times.shape == (51, 4)
    assert times[0].tolist() == [1, 1, 1, 1]
    assert (times.sum(axis=1) == 4).all()


def test_means_leave_out_topics_that_say_nothing() -> None:
    found = over_topics(np.array([[1.0, 2, 3], [np.nan, 5, 7], [np.nan] * 3]))
    assert found.value[:2].tolist() == [2, 6]
    assert np.isnan(found.value[2])
    assert np.isnan(found.estimates[2]).all()


def test_resamples_are_those_of_plain_python() -> None:
    held, total = np.array([[1.0, 0, 2]]), np.array([[2.0, 3, 4]])
    found = drawn_shares(held, total, resamples=20, seed=3)
    for share, times in zip(found.drawn[0], times_drawn(3, 20, seed=3)[1:], strict=True):
        drawn = [topic for topic in range(3) for _ in range(int(times[topic]))]
        expected = sum(held[0, each] for each in drawn) / sum(total[0, each] for each in drawn)
        assert share == pytest.approx(expected)


def test_measures_are_drawn_alike() -> None:
    values = np.random.default_rng(0).normal(size=(1, 30))
    found = over_topics(np.vstack([values, values + 1]))
    assert found.difference(0, 1) == pytest.approx((1, 1, 1))
    low, high = found.estimates[0][1:]
    assert low < found.value[0] < high


def test_one_topic_has_no_interval() -> None:
    value, low, high = over_topics(np.array([[3.0]])).estimates[0]
    assert value == 3
    assert np.isnan([low, high]).all()
