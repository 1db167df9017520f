import math

from hypothesis import given, settings
from hypothesis import strategies as st

from eval.report.figures.style import (
    darken_colour,
    format_estimate,
    look_of,
    shorten_label,
    tidy_label,
)
from eval.stats.estimate import Estimate


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


def test_tidy_labels_are_printable_lines() -> None:
    texts = ["dice(token)", "  two\n\twords ", "a\0b\x1b", "turned\u202e", "\ud800", "$x$"]
    assert [*map(tidy_label, texts)] == ["dice(token)", "two words", "a b", "turned", "", "$x$"]


@settings(max_examples=30)
@given(st.text(), st.integers(1, 50))
def test_labels_are_printable_and_not_too_long(text: str, longest: int) -> None:
    line = tidy_label(text, longest)
    assert line.isprintable()
    assert len(line) <= longest


def test_long_labels_lose_their_middle() -> None:
    shortened = [shorten_label("abcdef", longest) for longest in (6, 5, 4, 2, 1)]
    assert shortened == ["abcdef", "ab…ef", "ab…f", "a…", "…"]


def test_format_estimate() -> None:
    assert format_estimate(Estimate(0.5, 0.4, 0.6)) == "0.50 (0.40–0.60)"
    assert format_estimate(Estimate(-0.1, -0.2, -0.001)) == "−0.10 (−0.20 to 0.00)"
    assert format_estimate(Estimate(0.5, math.nan, math.nan)) == "0.50"
