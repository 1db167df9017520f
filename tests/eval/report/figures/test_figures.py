"""One figure of each kind."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from math import nan
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import each_case
from tests.eval.report.figures.samples import KINDS, forecasts, pairs, reliability
from weps.errors import OutputError
from weps_eval.calibration.scores import Reliability
from weps_eval.report.figures import canvas
from weps_eval.report.figures.canvas import Picture, look_of
from weps_eval.report.figures.intervals import (
    IntervalPair,
    IntervalRow,
    ShareBar,
    _darken_colour,
    plot_intervals,
    plot_paired_intervals,
    plot_shares,
    plot_steps,
)
from weps_eval.report.figures.lines import (
    GuideLine,
    Series,
    plot_curves,
    plot_trends,
    step_curve,
    subsample_curve,
)
from weps_eval.report.figures.points import Point, plot_scatter
from weps_eval.report.figures.reliability import plot_reliability
from weps_eval.stats.estimate import Estimate

NONE = Estimate(0.25, nan, nan)


def _row(label: str, value: float, marked: bool = False) -> IntervalRow:
    return IntervalRow(label, Estimate(value, value - 0.1, value + 0.1), marked)


def _values(plotted) -> list[str]:
    return [text.get_text() for text in plotted.axes[0].texts]


GROUPS = [
    [_row("first", 0.5, marked=True), _row("second", 0.4)],
    [_row("a very long name of some measure that nobody can read in one line", 0.3)],
]


def test_every_row_has_its_label_its_interval_and_its_number(plotted):
    picture = plot_intervals(GROUPS, "T", "KING")
    first, second, long = plotted.axes[0].get_yticklabels()
    assert (first.get_text(), first.get_fontweight()) == ("first", "bold")
    assert (second.get_text(), second.get_fontweight()) == ("second", "normal")
    assert "…" in long.get_text()
    assert _values(plotted) == ["0.50 (0.40–0.60)", "0.40 (0.30–0.50)", "0.30 (0.20–0.40)"]
    whisker, dot = plotted.axes[0].lines[:2]
    assert whisker.get_xydata().tolist() == [[0.4, 0], [0.6, 0]]
    assert dot.get_xydata().tolist() == [[0.5, 0]]
    assert plotted.axes[0].get_xlabel() == "KING"
    assert picture.alt == (
        "T. KING of 3 rows in 2 groups, the highest first with 0.50. Marked: first."
    )
    assert plotted.axes[0].get_yticks().tolist() == pytest.approx([0, 1, 2.6])
    assert plotted.axes[0].lines[-1].get_ydata() == pytest.approx([1.8, 1.8])
    low, high = plotted.axes[0].get_ylim()
    assert low > high  # the first row is on top


def test_values_that_are_all_unknown_make_an_empty_figure_that_says_so(plotted):
    unknown = Estimate(nan, nan, nan)
    row, pair = IntervalRow("a", unknown), IntervalPair("a", unknown, unknown)
    pictures = [
        plot_intervals([[row]], "T", "KING"),
        plot_paired_intervals([pair], "T", ("one", "other"), "KING"),
    ]
    assert [each.alt for each in pictures] == [
        "T. KING of 1 rows, no value is known.",
        "T. one and other: no value is known.",
    ]
    assert _values(plotted)[0] == "no value is known"
    assert not plotted.misplaced()
    plot_steps([row], "T", "KING")
    assert _values(plotted)[0] == "no value is known"


def test_pairs_share_a_label_and_have_a_legend(plotted):
    rows = [IntervalPair("tokens", Estimate(0.81, 0.79, 0.834), NONE)]
    picture = plot_paired_intervals(rows, "T", ("upper bound", "tree"), "accuracy")
    assert [label.get_text() for label in plotted.axes[0].get_yticklabels()] == ["tokens"]
    assert _values(plotted) == ["0.81 (0.79–0.83)", "0.25"]
    assert plotted.legend() == ["upper bound", "tree"]
    places = [line.get_ydata()[0] for line in plotted.axes[0].lines]
    assert places == [-0.5, -0.5, 0.5, 0.5]
    assert not plotted.misplaced()
    assert picture.alt == "T. upper bound and tree: tokens 0.81 and 0.25."


def test_steps_are_joined_in_order(plotted):
    path = [_row("token", 0.7), _row("link", 0.75), IntervalRow("ngram", Estimate(0.8, nan, nan))]
    picture = plot_steps(path, "T", "MaxPWA")
    labels = [label.get_text() for label in plotted.axes[0].get_yticklabels()]
    assert labels == ["token", "+ link", "+ ngram"]
    assert plotted.axes[0].lines[0].get_xydata().tolist() == [[0.7, 0], [0.75, 1], [0.8, 2]]
    assert picture.alt == (
        "T. MaxPWA rises from 0.70 to 0.80 as the subset gains token, link and ngram."
    )


X = np.linspace(0, 10, 60)


def _curve(recall: list[float], precision: list[float], label: str = "a") -> Series:
    return Series(label, np.array(recall), np.array(precision))


def _trend(label: str, slope: float, **more: object) -> Series:
    return Series(label, X, slope * X, **more)


def _area(points: np.ndarray) -> float:
    return float(np.trapezoid(points[:, 1], points[:, 0]))


def test_ties_are_steps_and_the_area_below_is_the_average_precision():
    points = step_curve(_curve([0.3, 1.0], [0.9, 0.5]))
    assert points.tolist() == [[0, 0.9], [0.3, 0.9], [0.3, 0.5], [1, 0.5]]
    assert _area(points) == pytest.approx(0.3 * 0.9 + 0.7 * 0.5)


def test_the_first_pairs_are_left_out_unless_there_are_no_others():
    points = step_curve(_curve([0.0001, 0.0002, 0.4], [0.0, 1.0, 0.8]))
    assert points[:, 1].min() == 0.8
    assert step_curve(_curve([0.001], [0.7])).tolist() == [[0, 0.7], [0.001, 0.7]]


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.integers(401, 5000), st.sampled_from([4, 40, 400]))
def test_subsamples_keep_ends_and_extremes_in_order(seed, points, most):
    generator = np.random.default_rng(seed)
    x, y = np.sort(generator.integers(0, points // 3, points) / points), generator.random(points)
    few_x, few_y = subsample_curve(x, y, most)
    assert len(few_x) <= most
    assert (few_x[0], few_y[0], few_x[-1], few_y[-1]) == (x[0], y[0], x[-1], y[-1])
    assert (few_y.min(), few_y.max()) == (y.min(), y.max())
    rest = iter(zip(x.tolist(), y.tolist(), strict=True))
    assert all(point in rest for point in zip(few_x.tolist(), few_y.tolist(), strict=True))


def test_a_single_dip_is_kept_and_a_short_curve_as_it_is():
    x, y = np.linspace(0, 1, 60_000), np.full(60_000, 0.9)
    y[31_234] = 0.1
    few_x, few_y = subsample_curve(x, y)
    assert few_x[few_y.argmin()] == x[31_234]
    assert np.array_equal(subsample_curve(x[:400], y[:400]), (x[:400], y[:400]))


def test_curves_are_drawn_as_steps_with_their_ends_marked(plotted):
    early, whole = _curve([0.2, 0.6], [1, 0.8], "early"), _curve([0.3, 1.0], [0.9, 0.5], "whole")
    plot_curves([early, whole], "T")
    first, end, second = plotted.axes[0].lines
    assert first.get_xydata().tolist() == step_curve(early).tolist()
    assert end.get_xydata().tolist() == [[0.6, 0.8]]
    assert second.get_xydata().tolist() == step_curve(whole).tolist()
    assert plotted.legend() == ["early", "whole"]
    assert (plotted.axes[0].get_xlabel(), plotted.axes[0].get_ylabel()) == ("recall", "precision")


def test_trends_with_bands_guides_and_lines_without_a_label(plotted):
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


@each_case("lines", [[], [_trend("", 1)], [Series("a", X[:0], X[:0])]])
def test_lines_need_labels_and_points(lines):
    with pytest.raises(ValueError, match="trends needs lines"):
        plot_trends(lines, "None", x="x", y="y")
    with pytest.raises(ValueError, match="points"):
        plot_curves([_curve([], [])], "T")


def _numbers(plotted) -> dict[str, tuple[float, float]]:
    """Number → the point that it belongs to."""
    return {each.get_text(): each.xy for each in plotted.axes[0].texts}


def test_only_marked_points_have_numbers_which_the_legend_explains(plotted):
    points = [Point(f"p{n}", n / 10, n / 20, n % 3 == 0) for n in range(9)]
    picture = plot_scatter(points, "T", x="bound", y="tree", correlation="r = 0.1")
    assert picture.alt == "T. tree against bound of 9 points, among them p0, p3 and p6. r = 0.1."
    assert plotted.legend() == ["1: p0", "2: p3", "3: p6"]
    assert _numbers(plotted) == {"1": (0, 0), "2": (0.3, 0.15), "3": (0.6, 0.3)}


@pytest.mark.parametrize("spread", [0.02, 0.2])
def test_crowded_numbers_are_apart_and_near_their_points(spread, plotted):
    points = [
        Point(f"combination of measures {n}", 0.9 + spread * n / 12, 0.8 + spread * n / 20, True)
        for n in range(9)
    ]
    points += [Point("", 0, 0)]
    plot_scatter(points, "T", x="bound", y="tree", correlation="Spearman 0.93")
    assert not plotted.misplaced()
    assert "Spearman 0.93" in plotted.words()
    assert max(np.hypot(*each.xyann) for each in plotted.axes[0].texts) < 41


def _bars(count: int) -> list[ShareBar]:
    return [
        ShareBar(f"measure {n}", 0.6, n / 300, 0.4 - n / 300, f"group {n // 20}")
        for n in range(count)
    ]


def test_sixty_bars_in_groups(plotted):
    picture = plot_shares(_bars(60), "Sixty", 0.15)
    labels = plotted.axes[0].get_yticklabels()
    bold = [label.get_text() for label in labels if label.get_fontweight() == "bold"]
    assert bold == ["group 0", "group 1", "group 2"]
    assert len(labels) == 63
    assert not plotted.misplaced()
    assert picture.alt == (
        "Sixty. Shares of 60 measures as stacked bars; most non-redundant is measure 59 with 20 %, "
        "and 14 are above 15 %."
    )


def test_parts_are_stacked_in_the_order_of_the_legend(plotted):
    unknown = plot_shares([ShareBar("same everywhere", nan, nan, nan)], "T", 0.2)
    assert _values(plotted) == ["–"]
    assert not plotted.axes[0].patches
    assert unknown.alt == "T. Shares of 1 measures as stacked bars."
    plot_shares([ShareBar("a", 0.5, 0.3, 0.2)], "T")
    first, second, third = plotted.axes[0].patches
    assert [each.get_x() for each in (first, second, third)] == pytest.approx([0, 0.3, 0.8])
    assert [each.get_width() for each in (first, second, third)] == pytest.approx([0.3, 0.5, 0.2])
    assert plotted.legend() == ["non-redundant", "redundant", "non-informative"]
    assert _values(plotted) == ["30 %"]


@pytest.mark.parametrize("number", [1, 2, 5])
def test_every_system_has_a_square_panel_with_a_histogram(number, plotted):
    labels = [f"system {n}" for n in range(number)]
    plot_reliability(dict.fromkeys(labels, forecasts()), "T " * 40)
    assert len(plotted.axes) == 2 * number
    assert not plotted.misplaced()
    assert set(labels) <= set(plotted.words())
    boxes = [each.get_window_extent() for each in plotted.axes]
    wide = [box for box in boxes if box.height > 50]
    assert len(wide) == number
    for box in wide:
        assert box.width == pytest.approx(box.height, abs=1)
    for at, first in enumerate(boxes):
        assert not any(first.overlaps(other) for other in boxes[at + 1 :])


def test_marks_and_intervals_are_where_they_belong(plotted):
    plot_reliability({"trees": forecasts()}, "T")
    diagonal, *whiskers, marks = plotted.axes[0].lines
    assert diagonal.get_xydata().tolist() == [[0, 0], [1, 1]]
    assert [each.get_xydata().tolist() for each in whiskers] == [
        [[0.05, 0], [0.05, 0.2]],
        [[0.5, 0.5], [0.5, 0.7]],
        [[0.95, 0.7], [0.95, 0.9]],
    ]
    assert marks.get_xydata().tolist() == [[0.05, 0.1], [0.5, 0.6], [0.95, 0.8]]
    assert plotted.axes[0].get_xlim() == plotted.axes[0].get_ylim() == (-0.03, 1.03)
    assert plotted.axes[0].get_ylabel() == "share that happened"
    assert plotted.axes[1].get_xlabel() == "forecast probability"


@pytest.mark.usefixtures("plotted")
def test_the_alternative_text_says_where_a_system_is_farthest_off():
    with pytest.raises(ValueError, match="a system bins"):
        plot_reliability({"a": Reliability((), np.zeros(20))}, "T")
    assert plot_reliability({"trees": forecasts()}, "T").alt == (
        "T. Against the forecast probability, in bins, the share that happened: trees: forecasts "
        "from 0.05 to 0.95, shares from 0.10 to 0.80, farthest off at 0.95, of which 0.80 happened."
    )


def test_text_has_the_contrast_that_small_text_needs():
    for number in range(6):
        colour = _darken_colour(look_of(number).colour)
        parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]  # WCAG 2.1
        assert 1.05 / (luminance + 0.05) >= 4.5


HOSTILE = [
    "<script>alert(1)</script>--><g>",
    r"$\frac{1}{$ & 5 $",
    "W" * 300,
    "a\0b\x1b[31m\r\nc\u202e\ud800",
    "",
    "姓名" * 40,
    "_hidden",
]
LONG = [f"dice(entity(type=organisation, local=true, n={n}))" for n in range(7)]
Kind = Callable[[Sequence[str]], Picture]
every_kind = pytest.mark.parametrize("kind", KINDS)


@pytest.mark.filterwarnings("ignore:Glyph .* missing")  # the test draws them once more
@every_kind
def test_hostile_labels_are_safe(kind, saved):
    picture = kind(HOSTILE)
    assert not saved.misplaced()
    root = ElementTree.fromstring(picture.svg)  # noqa: S314 - our own
    assert root.get("width") == "450pt"
    assert int.from_bytes(picture.png[16:20]) == 1250
    assert picture.png.startswith(b"\x89PNG")
    assert "<script" not in picture.svg
    attributes = [each for element in root.iter() for each in element.items()]
    assert all(value.startswith("#") for name, value in attributes if name.endswith("href"))
    alt = picture.alt
    assert (alt[:6], alt[-1], alt.isprintable()) == ("Title.", ".", True)


@every_kind
def test_long_labels_are_all_shown_and_cover_nothing(kind, plotted):
    labels = LONG[:3] if kind is reliability else LONG
    kind(labels)
    assert not plotted.misplaced()
    ends = {word[-4:] for word in plotted.words()}
    assert {label[-4:] for label in labels} <= ends


@every_kind
def test_nothing_to_draw_is_an_error(kind):
    with pytest.raises(ValueError, match="needs"):
        kind([])


def test_matplotlib_is_loaded_only_to_draw():
    program = "import sys, weps_eval.report.figures; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setattr(canvas, "find_spec", lambda _: None)
    with pytest.raises(OutputError, match=r"weps\[plots\]"):
        pairs(["a"])
