import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.figures.wording import listed, percent, shortened, tidy


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
