import pytest

from eval.figures.style import darker, look


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
