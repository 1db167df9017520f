import numpy as np
import pytest

from eval.report.figures.points import Point, plot_scatter


def _numbers(plotted) -> dict[str, tuple[float, float]]:
    """Number → the point that it belongs to."""
    return {each.get_text(): each.xy for each in plotted.axes[0].texts}


def test_only_marked_points_have_numbers_which_the_legend_explains(plotted) -> None:
    points = [Point(f"p{n}", n / 10, n / 20, n % 3 == 0) for n in range(9)]
    picture = plot_scatter(points, "T", x="bound", y="tree", correlation="r = 0.1")
    assert picture.alt == "T. tree against bound of 9 points, among them p0, p3 and p6. r = 0.1."
    assert plotted.legend() == ["1: p0", "2: p3", "3: p6"]
    assert _numbers(plotted) == {"1": (0, 0), "2": (0.3, 0.15), "3": (0.6, 0.3)}


@pytest.mark.parametrize("spread", [0.02, 0.2])
def test_crowded_numbers_are_apart_and_near_their_points(spread: float, plotted) -> None:
    points = [
        Point(f"combination of measures {n}", 0.9 + spread * n / 12, 0.8 + spread * n / 20, True)
        for n in range(9)
    ]
    points += [Point("", 0, 0)]
    plot_scatter(points, "T", x="bound", y="tree", correlation="Spearman 0.93")
    assert not plotted.misplaced()
    assert "Spearman 0.93" in plotted.words()
    assert max(np.hypot(*each.xyann) for each in plotted.axes[0].texts) < 41


def test_families_are_named_once_beside_the_axes(plotted) -> None:
    points = [Point("", n, n, family=f"family {n % 2}") for n in range(6)]
    points.insert(0, Point("", 1, 1))
    plot_scatter(points, "T", x="bound", y="tree", alike=False)
    assert plotted.legend(beside=True) == ["family 0", "family 1"]
    assert plotted.legend() == []
    markers = {line.get_marker() for line in plotted.axes[0].lines}
    assert len(markers) == 3


def test_values_of_one_kind_have_one_scale_and_the_diagonal(plotted) -> None:
    plot_scatter([Point("p", 0.2, 0.6), Point("q", 0.4, 0.9)], "T", x="bound", y="tree")
    (axes,) = plotted.axes
    limits = (pytest.approx(0.2 - 0.042), pytest.approx(0.9 + 0.042))
    assert axes.get_xlim() == axes.get_ylim() == limits
    box = axes.get_window_extent()
    assert box.width == pytest.approx(box.height, abs=1)
    assert plotted.legend(beside=True) == ["y = x"]
    diagonal = axes.lines[0].get_xydata()
    assert np.array_equal(diagonal[:, 0], diagonal[:, 1])


def test_values_of_two_kinds_have_two_scales_and_no_diagonal(plotted) -> None:
    points = [Point(f"p{n}", n / 10, 100 * n, n == 3) for n in range(9)]
    plot_scatter(points, "T", x="KING", y="words", alike=False)
    assert plotted.axes[0].get_legend() is None
    assert {"0.8", "800"} <= set(plotted.words())
    assert len(plotted.axes[0].lines) == 9
