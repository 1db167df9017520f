import math
from math import nan

import pytest

from eval.report.numbers import (
    NAME_WIDTH,
    count,
    format_chance,
    format_interval,
    format_p_value,
    format_two_decimals,
    format_with_interval,
    measure_name_cell,
    percent,
    percent_between,
    share,
    share_between,
    signed,
    signed_between,
)
from eval.report.numbers import format_signed_decimals as signed_of_wording
from eval.report.numbers import format_three_decimals as share_of_wording
from eval.stats.estimate import Estimate
from eval.stats.significance import Difference

SOME = Estimate(-0.1234, -0.25, 0.0625)
ALONE = Estimate(0.5, nan, nan)
UNKNOWN = Estimate(nan, nan, nan)


@pytest.mark.parametrize(
    ("write", "value", "text"),
    [
        (share, 0.12349, "0.123"),
        (share, 0.9996, "1.000"),
        (share, nan, "–"),
        (signed, 0.0004, "+0.000"),
        (signed, 0.0, "+0.000"),
        (signed, -0.0, "+0.000"),
        (signed, -0.0001, "+0.000"),
        (signed, -0.0006, "−0.001"),
        (share, -0.0001, "0.000"),
        (share, -0.25, "−0.250"),
        (signed, -0.1236, "−0.124"),
        (signed, 0.1, "+0.100"),
        (signed, nan, "–"),
        (percent, 0.12349, "12.3 %"),
        (percent, 1.0, "100.0 %"),
        (percent, nan, "–"),
        (percent, -0.12349, "−12.3 %"),
        (percent, -0.0001, "0.0 %"),
        (count, 0, "0"),
        (count, 293_914, "293,914"),
        (share_between, SOME._replace(value=0.5, low=0.25), "0.500 (0.250 to 0.062)"),
        (share_between, ALONE, "0.500"),
        (share_between, UNKNOWN, "–"),
        (signed_between, SOME, "−0.123 (−0.250 to +0.062)"),
        (signed_between, ALONE, "+0.500"),
        (signed_between, UNKNOWN, "–"),
        (percent_between, Estimate(0.5, 0.25, 0.75), "50.0 % (25.0 to 75.0)"),
        (percent_between, SOME, "−12.3 % (−25.0 to 6.2)"),
        (percent_between, ALONE, "50.0 %"),
        (percent_between, UNKNOWN, "–"),
    ],
)
def test_figures_are_written(write, value, text: str) -> None:
    assert write(value) == text


@pytest.mark.parametrize(
    ("value", "told"), [(0.256, "0.26"), (-0.256, "−0.26"), (-0.001, "0.00"), (math.nan, "–")]
)
def test_two_decimals(value, told):
    assert format_two_decimals(value) == told


def test_intervals():
    assert format_with_interval(Estimate(0.5, 0.4, 0.6)) == "0.50 (0.40 to 0.60)"
    assert format_with_interval(Estimate(0.5, math.nan, math.nan)) == "0.50"


@pytest.mark.parametrize(
    ("value", "told"), [(0.0004, "<.001"), (0.0316, ".032"), (1.0, "1.000"), (math.nan, "–")]
)
def test_chances(value, told):
    assert format_chance(value) == told


def test_names_are_cut():
    assert measure_name_cell("rouge") == "rouge"
    assert len(measure_name_cell("rouge" * 20)) == NAME_WIDTH


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (share_of_wording(0.12345), "0.123"),
        (share_of_wording(nan), "–"),
        (signed_of_wording(-0.0001), "+0.000"),
        (signed_of_wording(-0.0125), "-0.013"),
        (format_p_value(0.05), "0.050"),
        (format_p_value(0.00099), "< 0.001"),
        (format_interval(Difference(0.0, -0.01, 0.01, 1.0, 1, 1, 0)), "-0.010 to +0.010"),
        (format_interval(Difference(0.0, nan, nan, 1.0, 1, 0, 0)), "–"),
    ],
)
def test_figures_are_short_and_exact(shown: str, expected: str) -> None:
    assert shown == expected
