import numpy as np
import pytest

from eval.figures import Mark, Trend, trends

X = np.linspace(0, 10, 60)


def _line(label: str, slope: float, **more: object) -> Trend:
    return Trend(label, X, slope * X, **more)


def test_twelve_lines_have_labels_near_them(drawn) -> None:
    lines = [_line(f"weighting {n}", n / 12, reference=n == 3) for n in range(12)]
    trends(lines, "Twelve", x="noise", y="recall")
    assert sum(key.startswith("label-") for key in drawn.texts) == 12
    assert not drawn.overlaps()
    assert not drawn.outside()
    heights = [drawn.boxes[f"label-{n}"][1] for n in range(12)]
    assert np.corrcoef(heights, range(12))[0, 1] > 0.8


def test_marks_are_named_and_lines_without_a_label_are_not(drawn) -> None:
    lines = [_line("", 0.5), _line("", 0.7), _line("mean", 0.6, band=(0.5 * X, 0.7 * X))]
    marks = [Mark("average", 3.0), Mark("verb", 5.0, upright=True)]
    trends(lines, "Marks", x="distance", y="probability", marks=marks)
    named = [text for key, text in drawn.texts.items() if key.startswith("label-")]
    assert named == ["mean", "average", "verb"]
    assert not drawn.overlaps()


def test_the_words_tell_the_ends() -> None:
    pytest.importorskip("matplotlib")
    alt = trends([_line("tf", 0.1)], "Curves", x="noise", y="recall").alt
    assert alt == "Curves. recall over noise, from first to last: tf 0.00 to 1.00."


@pytest.mark.parametrize("lines", [[], [_line("", 1)], [Trend("a", X[:0], X[:0])]])
def test_nothing_to_be_drawn(lines: list[Trend]) -> None:
    with pytest.raises(ValueError, match="trends needs lines"):
        trends(lines, "None", x="x", y="y")


def test_the_same_data_give_the_same_bytes() -> None:
    pytest.importorskip("matplotlib")
    first, second = (trends([_line("a", 1)], "Same", x="x", y="y") for _ in range(2))
    assert (first.svg, first.png) == (second.svg, second.png)
