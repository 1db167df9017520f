import math

import numpy as np
import pytest

from eval.ordering.tally import Estimate, Tally, difference, estimate, multiplicities


def tally(shares: list[float], comparisons: float = 100.0) -> Tally:
    """Groups that are compared with themselves only."""
    total = np.diag([comparisons] * len(shares))
    return Tally(total * np.diag(shares), total)


def test_pooled_counts_comparisons_and_the_mean_counts_groups() -> None:
    uneven = Tally(np.diag([10.0, 0.0]), np.diag([10.0, 90.0]))
    assert uneven.pooled == pytest.approx(0.1)
    assert uneven.mean == pytest.approx(0.5)


def test_comparisons_between_groups_are_pooled_but_not_averaged() -> None:
    across = Tally(np.array([[1.0, 4.0], [0.0, 0.0]]), np.array([[2.0, 4.0], [4.0, 0.0]]))
    assert across.pooled == pytest.approx(0.5)
    assert across.mean == 0.5  # the second group has no comparison of its own
    assert np.isnan(across.by_group[1])


def test_nothing_compared_is_not_a_number() -> None:
    empty = Tally(np.zeros((2, 2)), np.zeros((2, 2)))
    assert math.isnan(empty.pooled)
    assert math.isnan(empty.mean)
    assert all(map(math.isnan, estimate(empty)))


def test_sides_with_fewer_groups_are_filled_up() -> None:
    filled = Tally.of(np.ones((1, 3)), np.full((1, 3), 2))
    assert filled.held.shape == filled.total.shape == (3, 3)
    assert filled.pooled == 0.5


def test_the_interval_of_a_mean_is_four_standard_errors_wide() -> None:
    shares = np.random.default_rng(1).uniform(0.4, 0.9, 30)
    found = estimate(tally(shares.tolist()), per_group=True)
    standard_error = shares.std() / math.sqrt(len(shares))
    assert found.value == pytest.approx(shares.mean())
    assert found.low < found.value < found.high
    assert found.high - found.low == pytest.approx(2 * 1.96 * standard_error, rel=0.1)


def test_resampling_weighs_comparisons_between_groups_by_both() -> None:
    generator = np.random.default_rng(2)
    total = generator.integers(1, 50, (6, 6)).astype(float)
    held = np.floor(total * generator.random((6, 6)))
    low, high = estimate(Tally(held, total))[1:]
    drawn = multiplicities(6, seed=0)
    by_hand = [
        (np.outer(times, times) * held).sum() / (np.outer(times, times) * total).sum()
        for times in drawn
    ]
    assert (low, high) == pytest.approx(tuple(np.percentile(by_hand, [2.5, 97.5])))


def test_a_single_group_has_no_interval() -> None:
    value, low, high = estimate(tally([0.7]))
    assert value == pytest.approx(0.7)
    assert math.isnan(low)
    assert math.isnan(high)


def test_a_difference_is_paired() -> None:
    shares = np.random.default_rng(3).uniform(0.2, 0.8, 25)
    first, second = tally(shares.tolist()), tally((shares + 0.05).tolist())
    assert difference(first, second) == pytest.approx(Estimate(0.05, 0.05, 0.05))
    assert difference(second, first, per_group=True).high == pytest.approx(-0.05)


def test_intervals_repeat_with_the_seed() -> None:
    some = tally(np.linspace(0.1, 0.9, 20).tolist())
    assert estimate(some, seed=4) == estimate(some, seed=4)
    assert estimate(some, seed=4) != estimate(some, seed=5)
