import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.figures.thinning import thinned


def _long(seed: int, points: int) -> tuple[np.ndarray, np.ndarray]:
    """Points with many equal x, as recall has where precision falls."""
    generator = np.random.default_rng(seed)
    return np.sort(generator.integers(0, points // 3, points) / points), generator.random(points)


@given(st.integers(0, 2**32), st.integers(401, 5000), st.sampled_from([4, 40, 400]))
def test_ends_and_extremes_stay(seed: int, points: int, most: int) -> None:
    x, y = _long(seed, points)
    few_x, few_y = thinned(x, y, most)
    assert len(few_x) <= most
    assert (few_x[0], few_y[0]) == (x[0], y[0])
    assert (few_x[-1], few_y[-1]) == (x[-1], y[-1])
    assert (few_y.min(), few_y.max()) == (y.min(), y.max())


@given(st.integers(0, 2**32), st.integers(401, 5000))
def test_points_are_chosen_in_order_and_not_made(seed: int, points: int) -> None:
    x, y = _long(seed, points)
    everything = list(zip(x.tolist(), y.tolist(), strict=True))
    rest = iter(everything)
    assert all(point in rest for point in zip(*map(np.ndarray.tolist, thinned(x, y)), strict=True))


def test_a_short_curve_stays_as_it_is() -> None:
    x, y = _long(0, 400)
    assert np.array_equal(thinned(x, y), (x, y))


@pytest.mark.parametrize("dip", [1, 31_234, 59_998])
def test_a_single_dip_is_seen(dip: int) -> None:
    x, y = np.linspace(0, 1, 60_000), np.full(60_000, 0.9)
    y[dip] = 0.1
    few_x, few_y = thinned(x, y)
    assert few_x[few_y.argmin()] == x[dip]


def test_one_x_for_all_points() -> None:
    few_x, few_y = thinned(np.ones(1000), np.arange(1000.0))
    assert set(few_x) == {1.0}
    assert (few_y[0], few_y[-1]) == (0, 999)
