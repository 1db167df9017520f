import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.report.figures.lines import (
    Line,
    Mark,
    Step,
    Trend,
    _lowest_curves,
    _steps,
    curves,
    steps,
    thinned,
    trends,
)
from eval.report.figures.style import Interval


def _line(recall: list[float], precision: list[float], label: str = "a") -> Line:
    return Line(label, np.array(recall), np.array(precision))


def _area(points: np.ndarray) -> float:
    return float(np.trapezoid(points[:, 1], points[:, 0]))


def test_the_area_below_is_the_average_precision() -> None:
    points = _steps(_line([0.2, 0.5, 1.0], [0.9, 0.6, 0.4]))
    assert _area(points) == pytest.approx(0.2 * 0.9 + 0.3 * 0.6 + 0.5 * 0.4)


def test_a_large_tie_is_a_step_not_a_slope() -> None:
    points = _steps(_line([0.3, 1.0], [0.9, 0.5]))
    assert points.tolist() == [[0, 0.9], [0.3, 0.9], [0.3, 0.5], [1, 0.5]]


def test_a_long_line_keeps_its_area() -> None:
    recall = np.linspace(1 / 60_000, 1, 60_000)
    precision = 0.5 + 0.5 * (1 - recall) ** 2
    points = _steps(Line("a", recall, precision))
    assert len(points) <= 800
    assert _area(points) == pytest.approx(0.5 + 0.5 / 3, abs=1e-4)


def test_the_leaps_of_the_first_pairs_are_left_out() -> None:
    points = _steps(_line([0.0001, 0.0002, 0.4], [0.0, 1.0, 0.8]))
    assert points[:, 1].min() == 0.8


def test_a_line_that_ends_at_once_is_still_drawn() -> None:
    assert _steps(_line([0.001], [0.7])).tolist() == [[0, 0.7], [0.001, 0.7]]


@pytest.mark.parametrize(
    ("lowest", "expected"), [(0.0, 0.0), (0.12, 0.0), (0.35, 0.3), (0.62, 0.5), (1.0, 0.9)]
)
def test_precision_starts_below_all_lines(lowest: float, expected: float) -> None:
    points = np.array([[0.0, lowest], [1.0, 1.0]])
    assert _lowest_curves([points]) == pytest.approx(expected)


def test_twelve_lines_that_coincide_have_labels_that_do_not(drawn) -> None:
    recall = np.linspace(0.001, 1, 2000)
    lines = [
        Line(f"entity(type=organisation, local=true, n={n})", recall, 1 - recall / 2, n == 3)
        for n in range(12)
    ]
    curves(lines, "Twelve")
    assert sum(key.startswith("label-") for key in drawn.texts) == 12
    assert not drawn.overlaps()
    assert not drawn.outside()


@pytest.mark.usefixtures("drawn")
def test_the_alternative_text_says_which_is_best() -> None:
    lines = [_line([0.2, 1], [1, 0.5], "low"), _line([0.2, 1], [0.9, 0.7], "high")]
    assert "at recall 0.5 high is best, with 0.70" in curves(lines, "T").alt
    assert "none reaches recall 0.5" in curves([_line([0.2], [1])], "T").alt


def test_a_line_needs_points() -> None:
    with pytest.raises(ValueError, match="points"):
        curves([_line([], [])], "T")


@pytest.mark.usefixtures("drawn")
def test_data_are_left_alone() -> None:
    line = _line([0.001, 0.5], [1, 0.5])
    line.recall.setflags(write=False)
    line.precision.setflags(write=False)
    curves([line], "T")


@pytest.mark.parametrize("growth", [0.0, 0.001, 0.02])
@pytest.mark.parametrize("width", [0.0, 0.05, math.nan])
def test_twenty_steps(growth: float, width: float, drawn) -> None:
    values = [0.5 + growth * n for n in range(20)]
    path = [
        Step(f"dice(entity(type=organisation, n={n}))", Interval(v, v - width, v + width))
        for n, v in enumerate(values)
    ]
    steps(path, "Twenty", "MaxPWA")
    assert not drawn.overlaps()
    assert not drawn.outside()
    assert sum(key.startswith("label-") for key in drawn.texts) == 20


def test_later_labels_are_higher_so_that_no_leader_crosses_one(drawn) -> None:
    steps([Step(str(n), Interval(1 - 0.5**n, 1 - 0.5**n, 1)) for n in range(8)], "T", "F")
    bottoms = [drawn.boxes[f"label-{n}"][1] for n in range(8)]
    assert bottoms == sorted(bottoms)


@pytest.mark.usefixtures("drawn")
def test_the_alternative_text_names_the_measures_in_order() -> None:
    path = [Step("token", Interval(0.7, 0.6, 0.8)), Step("link", Interval(0.75, 0.7, 0.8))]
    assert steps(path, "T", "MaxPWA").alt == (
        "T. MaxPWA rises from 0.70 to 0.75 as the subset gains token and link."
    )


def _long(seed: int, points: int) -> tuple[np.ndarray, np.ndarray]:
    """Points with many equal x, as recall has where precision falls."""
    generator = np.random.default_rng(seed)
    return np.sort(generator.integers(0, points // 3, points) / points), generator.random(points)


@given(st.integers(0, 2**32), st.integers(401, 5000), st.sampled_from([4, 40, 400]))
def test_ends_and_extremes_stay(seed: int, points: int, most: int) -> None:
    x, y = _long(seed, points)
    few_x, few_y = thinned(x, y, most)
    assert len(few_x) <= most
    assert (few_x[0], few_y[0]) == (x[0], y[0])
    assert (few_x[-1], few_y[-1]) == (x[-1], y[-1])
    assert (few_y.min(), few_y.max()) == (y.min(), y.max())


@given(st.integers(0, 2**32), st.integers(401, 5000))
def test_points_are_chosen_in_order_and_not_made(seed: int, points: int) -> None:
    x, y = _long(seed, points)
    everything = list(zip(x.tolist(), y.tolist(), strict=True))
    rest = iter(everything)
    assert all(point in rest for point in zip(*map(np.ndarray.tolist, thinned(x, y)), strict=True))


def test_a_short_curve_stays_as_it_is() -> None:
    x, y = _long(0, 400)
    assert np.array_equal(thinned(x, y), (x, y))


@pytest.mark.parametrize("dip", [1, 31_234, 59_998])
def test_a_single_dip_is_seen(dip: int) -> None:
    x, y = np.linspace(0, 1, 60_000), np.full(60_000, 0.9)
    y[dip] = 0.1
    few_x, few_y = thinned(x, y)
    assert few_x[few_y.argmin()] == x[dip]


def test_one_x_for_all_points() -> None:
    few_x, few_y = thinned(np.ones(1000), np.arange(1000.0))
    assert set(few_x) == {1.0}
    assert (few_y[0], few_y[-1]) == (0, 999)


X = np.linspace(0, 10, 60)


def _line_trends(label: str, slope: float, **more: object) -> Trend:
    return Trend(label, X, slope * X, **more)


def test_twelve_lines_have_labels_near_them(drawn) -> None:
    lines = [_line_trends(f"weighting {n}", n / 12, reference=n == 3) for n in range(12)]
    trends(lines, "Twelve", x="noise", y="recall")
    assert sum(key.startswith("label-") for key in drawn.texts) == 12
    assert not drawn.overlaps()
    assert not drawn.outside()
    heights = [drawn.boxes[f"label-{n}"][1] for n in range(12)]
    assert np.corrcoef(heights, range(12))[0, 1] > 0.8


def test_marks_are_named_and_lines_without_a_label_are_not(drawn) -> None:
    lines = [
        _line_trends("", 0.5),
        _line_trends("", 0.7),
        _line_trends("mean", 0.6, band=(0.5 * X, 0.7 * X)),
    ]
    marks = [Mark("average", 3.0), Mark("verb", 5.0, upright=True)]
    trends(lines, "Marks", x="distance", y="probability", marks=marks)
    named = [text for key, text in drawn.texts.items() if key.startswith("label-")]
    assert named == ["mean", "average", "verb"]
    assert not drawn.overlaps()


def test_the_words_tell_the_ends() -> None:
    pytest.importorskip("matplotlib")
    alt = trends([_line_trends("tf", 0.1)], "Curves", x="noise", y="recall").alt
    assert alt == "Curves. recall over noise, from first to last: tf 0.00 to 1.00."


@pytest.mark.parametrize("lines", [[], [_line_trends("", 1)], [Trend("a", X[:0], X[:0])]])
def test_nothing_to_be_drawn(lines: list[Trend]) -> None:
    with pytest.raises(ValueError, match="trends needs lines"):
        trends(lines, "None", x="x", y="y")


def test_the_same_data_give_the_same_bytes() -> None:
    pytest.importorskip("matplotlib")
    first, second = (trends([_line_trends("a", 1)], "Same", x="x", y="y") for _ in range(2))
    assert (first.svg, first.png) == (second.svg, second.png)
