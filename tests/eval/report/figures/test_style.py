import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.report.figures.style import Interval, darker, listed, look, percent, shortened, span, tidy


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


def _luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.1)."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_twelve_lines_differ_in_colour_and_dashes() -> None:
    assert len({(look(n).colour, look(n).dashes) for n in range(12)}) == 12


def test_those_of_one_colour_differ_in_dashes_and_marker() -> None:
    for first, second in ((n, n + 6) for n in range(6)):
        assert look(first).colour == look(second).colour
        assert look(first).dashes != look(second).dashes
        assert look(first).marker != look(second).marker


@pytest.mark.parametrize("number", range(6))
def test_labels_have_the_contrast_that_small_text_needs(number: int) -> None:
    assert 1.05 / (_luminance(darker(look(number).colour)) + 0.05) >= 4.5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dice(token)", "dice(token)"),
        ("  two\n\twords ", "two words"),
        ("a\0b\x1b", "a b"),
        ("turned\u202e", "turned"),
        ("\ud800", ""),
        ("$x$", "$x$"),
    ],
)
def test_tidy(text: str, expected: str) -> None:
    assert tidy(text) == expected


@pytest.mark.parametrize(
    ("longest", "expected"),
    [(6, "abcdef"), (5, "ab…ef"), (4, "ab…f"), (3, "a…f"), (2, "a…"), (1, "…")],
)
def test_shortened(longest: int, expected: str) -> None:
    assert shortened("abcdef", longest) == expected


@given(st.text(), st.integers(1, 50))
def test_labels_are_printable_and_not_too_long(text: str, longest: int) -> None:
    line = tidy(text, longest)
    assert line.isprintable()
    assert len(line) <= longest


@pytest.mark.parametrize(
    ("share", "expected"), [(0, "0 %"), (0.196, "20 %"), (1, "100 %"), (math.nan, "–")]
)
def test_percent(share: float, expected: str) -> None:
    assert percent(share) == expected


@pytest.mark.parametrize(
    ("labels", "expected"), [("a", "a"), ("ab", "a and b"), ("abc", "a, b and c")]
)
def test_listed(labels: str, expected: str) -> None:
    assert listed(labels) == expected
