import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.report.figures.lines import (
    GuideLine,
    Series,
    plot_curves,
    plot_trends,
    step_curve,
    subsample_curve,
)

X = np.linspace(0, 10, 60)


def _curve(recall: list[float], precision: list[float], label: str = "a") -> Series:
    return Series(label, np.array(recall), np.array(precision))


def _trend(label: str, slope: float, **more: object) -> Series:
    return Series(label, X, slope * X, **more)


def _area(points: np.ndarray) -> float:
    return float(np.trapezoid(points[:, 1], points[:, 0]))


def test_ties_are_steps_and_the_area_below_is_the_average_precision() -> None:
    points = step_curve(_curve([0.3, 1.0], [0.9, 0.5]))
    assert points.tolist() == [[0, 0.9], [0.3, 0.9], [0.3, 0.5], [1, 0.5]]
    assert _area(points) == pytest.approx(0.3 * 0.9 + 0.7 * 0.5)


def test_a_long_curve_keeps_its_area() -> None:
    recall = np.linspace(1 / 60_000, 1, 60_000)
    points = step_curve(Series("a", recall, 0.5 + 0.5 * (1 - recall) ** 2))
    assert len(points) <= 800
    assert _area(points) == pytest.approx(0.5 + 0.5 / 3, abs=1e-4)


def test_the_first_pairs_are_left_out_unless_there_are_no_others() -> None:
    points = step_curve(_curve([0.0001, 0.0002, 0.4], [0.0, 1.0, 0.8]))
    assert points[:, 1].min() == 0.8
    assert step_curve(_curve([0.001], [0.7])).tolist() == [[0, 0.7], [0.001, 0.7]]


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.integers(401, 5000), st.sampled_from([4, 40, 400]))
def test_subsamples_keep_ends_and_extremes_in_order(seed: int, points: int, most: int) -> None:
    generator = np.random.default_rng(seed)
    x, y = np.sort(generator.integers(0, points // 3, points) / points), generator.random(points)
    few_x, few_y = subsample_curve(x, y, most)
    assert len(few_x) <= most
    assert (few_x[0], few_y[0], few_x[-1], few_y[-1]) == (x[0], y[0], x[-1], y[-1])
    assert (few_y.min(), few_y.max()) == (y.min(), y.max())
    rest = iter(zip(x.tolist(), y.tolist(), strict=True))
    assert all(point in rest for point in zip(few_x.tolist(), few_y.tolist(), strict=True))


def test_a_single_dip_is_kept_and_a_short_curve_as_it_is() -> None:
    x, y = np.linspace(0, 1, 60_000), np.full(60_000, 0.9)
    y[31_234] = 0.1
    few_x, few_y = subsample_curve(x, y)
    assert few_x[few_y.argmin()] == x[31_234]
    assert np.array_equal(subsample_curve(x[:400], y[:400]), (x[:400], y[:400]))


def test_curves_are_drawn_as_steps_with_their_ends_marked(plotted) -> None:
    early, whole = _curve([0.2, 0.6], [1, 0.8], "early"), _curve([0.3, 1.0], [0.9, 0.5], "whole")
    plot_curves([early, whole], "T")
    first, end, second = plotted.axes[0].lines
    assert first.get_xydata().tolist() == step_curve(early).tolist()
    assert end.get_xydata().tolist() == [[0.6, 0.8]]
    assert second.get_xydata().tolist() == step_curve(whole).tolist()
    assert plotted.legend() == ["early", "whole"]
    assert (plotted.axes[0].get_xlabel(), plotted.axes[0].get_ylabel()) == ("recall", "precision")


@pytest.mark.parametrize(
    ("lowest", "expected"), [(0.0, 0.0), (0.12, 0.0), (0.35, 0.3), (0.62, 0.5), (1.0, 0.9)]
)
def test_the_precision_axis_starts_below_all_curves(
    lowest: float, expected: float, plotted
) -> None:
    plot_curves([_curve([0.5, 1.0], [1.0, lowest])], "T")
    assert plotted.axes[0].get_xlim() == (0, 1)
    assert plotted.axes[0].get_ylim() == (pytest.approx(expected), 1)


@pytest.mark.usefixtures("plotted")
def test_the_alternative_text_of_curves_names_the_best() -> None:
    curves = [_curve([0.2, 1], [1, 0.5], "low"), _curve([0.2, 1], [0.9, 0.7], "high")]
    assert plot_curves(curves, "T").alt == (
        "T. Precision against recall of low and high; at recall 0.5 high is best, with 0.70."
    )
    assert "none reaches recall 0.5" in plot_curves([_curve([0.2], [1])], "T").alt


def test_trends_with_bands_guides_and_lines_without_a_label(plotted) -> None:
    lines = [_trend("", 0.5), _trend("", 0.7), _trend("mean", 0.6, band=(0.5 * X, 0.7 * X))]
    guides = [GuideLine("average", 3.0), GuideLine("verb", 5.0, vertical=True)]
    picture = plot_trends(lines, "T", x="distance", y="probability", guides=guides)
    (axes,) = plotted.axes
    assert plotted.legend() == ["mean", "average", "verb"]
    assert len(axes.lines) == 5
    assert axes.lines[2].get_color() != axes.lines[0].get_color()
    assert len(axes.collections) == 1
    assert axes.lines[-2].get_ydata() == [3.0, 3.0]
    assert axes.lines[-1].get_xdata() == [5.0, 5.0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("distance", "probability")
    assert picture.alt == "T. probability over distance, from first to last: mean 0.00 to 6.00."


@pytest.mark.parametrize("lines", [[], [_trend("", 1)], [Series("a", X[:0], X[:0])]])
def test_lines_need_labels_and_points(lines: list[Series]) -> None:
    with pytest.raises(ValueError, match="trends needs lines"):
        plot_trends(lines, "None", x="x", y="y")
    with pytest.raises(ValueError, match="points"):
        plot_curves([_curve([], [])], "T")
