import math

from eval.report.figures.style import darken_colour, format_estimate, look_of
from eval.stats.estimate import Estimate
from weps._formatting import cut_middle


def _luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.1)."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_twelve_lines_differ_in_colour_or_in_all_else() -> None:
    assert len({(look_of(n).colour, look_of(n).dashes) for n in range(12)}) == 12
    assert len({(look_of(n).colour, look_of(n).marker) for n in range(12)}) == 12


def test_text_has_the_contrast_that_small_text_needs() -> None:
    for number in range(6):
        assert 1.05 / (_luminance(darken_colour(look_of(number).colour)) + 0.05) >= 4.5


def test_long_labels_lose_their_middle() -> None:
    shortened = [cut_middle("abcdef", longest) for longest in (6, 5, 4, 2, 1)]
    assert shortened == ["abcdef", "ab…ef", "ab…f", "a…", "…"]


def test_format_estimate() -> None:
    assert format_estimate(Estimate(0.5, 0.4, 0.6)) == "0.50 (0.40–0.60)"
    assert format_estimate(Estimate(-0.1, -0.2, -0.001)) == "−0.10 (−0.20 to 0.00)"
    assert format_estimate(Estimate(0.5, math.nan, math.nan)) == "0.50"
