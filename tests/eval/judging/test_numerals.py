from math import nan

import pytest

from eval.judging.numerals import (
    count,
    percent,
    percent_between,
    share,
    share_between,
    signed,
    signed_between,
)
from eval.ordering import Estimate

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
