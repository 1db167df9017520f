from math import nan

import pytest

from eval.comparison import Difference
from eval.runs.wording import interval, probability, share, signed


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (share(0.12345), "0.123"),
        (share(nan), "–"),
        (signed(-0.0001), "+0.000"),
        (signed(-0.0125), "-0.013"),
        (probability(0.05), "0.050"),
        (probability(0.00099), "< 0.001"),
        (interval(Difference(0.0, -0.01, 0.01, 1.0, 1, 1, 0)), "-0.010 to +0.010"),
        (interval(Difference(0.0, nan, nan, 1.0, 1, 0, 0)), "–"),
    ],
)
def test_figures_are_short_and_exact(shown: str, expected: str) -> None:
    assert shown == expected
