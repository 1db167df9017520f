import math

import pytest

from eval.figures.interval import Interval, span


def test_span_is_wider_than_all_ends() -> None:
    low, high = span([Interval(0.5, 0.4, 0.6), Interval(0.7, math.nan, math.nan)])
    assert low == pytest.approx(0.4 - 0.024)
    assert high == pytest.approx(0.7 + 0.024)


def test_a_single_value_has_a_span() -> None:
    low, high = span([Interval(0.5, math.nan, math.nan)])
    assert low < 0.5 < high


@pytest.mark.parametrize(
    ("interval", "told"),
    [
        (Interval(0.5, 0.4, 0.6), "0.50 (0.40–0.60)"),
        (Interval(-0.1, -0.2, -0.001), "−0.10 (−0.20 to 0.00)"),
        (Interval(0.5, math.nan, math.nan), "0.50"),
    ],
)
def test_negative_ends_are_told_apart_from_dashes(interval, told):
    assert str(interval) == told
