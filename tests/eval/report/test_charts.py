"""Charts: what is drawn, what is told of it, and that hostile labels are text."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations
from math import nan
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from weps_eval.report import charts
from weps_eval.stats import Estimate

UNKNOWN = Estimate(nan, nan, nan)
X = np.linspace(0.002, 1, 60)
AXES = ("bound", "tree")


class PlottedFigure:
    """The last figure that was plotted: what is on it, and where."""

    figure: Any = None

    @property
    def axes(self) -> Any:
        return self.figure.axes[0]

    def legend(self) -> list[str]:
        return [text.get_text() for each in self.figure.legends for text in each.get_texts()]

    def values(self) -> list[str]:
        return [text.get_text() for text in self.axes.texts]

    def texts(self) -> list[Any]:
        """All that is written, without numbers of ticks beyond the axes, which are not drawn."""
        text_class = pytest.importorskip("matplotlib.text").Text
        hidden = set()
        for axis in (axis for axes in self.figure.axes for axis in (axes.xaxis, axes.yaxis)):
            low, high = sorted(axis.get_view_interval())
            for tick in axis.get_major_ticks():
                if not low <= tick.get_loc() <= high:
                    hidden |= {tick.label1, tick.label2}
        return [
            text
            for text in self.figure.findobj(text_class)
            if text.get_text().strip() and text.get_visible() and text not in hidden
        ]

    def misplaced(self) -> list[Any]:
        """Texts that cover others or leave the picture, and legends that cover the first axes."""
        self.figure.dpi = 72
        self.figure.draw_without_rendering()  # else texts of legends are not where they will be
        extent = pytest.importorskip("matplotlib.text").Text.get_window_extent  # without leaders
        boxes = {text: extent(text).extents for text in self.texts()}
        width, height = 72 * self.figure.get_size_inches()
        axes = self.axes.get_window_extent()
        return [
            *(pair for pair in combinations(boxes, 2) if _overlap(*map(boxes.get, pair))),
            *(text for text, box in boxes.items() if min(box) < -1),
            *(text for text, box in boxes.items() if box[2] > width + 1 or box[3] > height + 1),
            *(each for each in self.figure.legends if each.get_window_extent().overlaps(axes)),
        ]


def _overlap(one: Any, other: Any) -> bool:
    """Whether two boxes have more in common than a border of half a point."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    return bool(across > 0.5 and min(one[3], other[3]) - max(one[1], other[1]) > 0.5)


@pytest.fixture
def plotted(monkeypatch: pytest.MonkeyPatch) -> PlottedFigure:
    """Holds the last figure."""
    figure_class = pytest.importorskip("matplotlib.figure").Figure
    found, save = PlottedFigure(), figure_class.savefig

    def keep(self: Any, *args: Any, **options: Any) -> None:
        found.figure = self
        save(self, *args, **options)

    monkeypatch.setattr(figure_class, "savefig", keep)
    return found


def row(label: str, value: float, marked: bool = False) -> charts.IntervalRow:
    return charts.IntervalRow(label, Estimate(value, value - 0.1, value + 0.1), marked)


KINDS = {
    "intervals": lambda labels: charts.draw_intervals(
        "k", "Title", [[row(each, 0.9, not at) for at, each in enumerate(labels)]], "KING"
    ),
    "pairs": lambda labels: charts.draw_pairs(
        "k",
        "Title",
        [(each, Estimate(0.9, 0.8, 1), Estimate(0.7, nan, nan)) for each in labels],
        ("bound", "tree"),
        "accuracy",
    ),
    "shares": lambda labels: charts.draw_shares(
        "k",
        "Title",
        {each: {each: (0.02 * n, 0.5, 0.5 - 0.02 * n)} for n, each in enumerate(labels)},
        0.2,
    ),
    "curves": lambda labels: charts.draw_curves(
        "k",
        "Title",
        [charts.Series(each, X, 1 - X / (2 + n), reference=not n) for n, each in enumerate(labels)],
    ),
    "trends": lambda labels: charts.draw_trends(
        "k",
        "Title",
        [charts.Series(each or "-", X, n * X) for n, each in enumerate(labels)],
        ("noise", "recall"),
        guides=[charts.GuideLine("half", 0.5)],
    ),
    "scatter": lambda labels: charts.draw_scatter(
        "k",
        "Title",
        [
            charts.Point(each, 0.6 + 0.04 * n, 0.6 + 0.02 * n, n % 2 == 0)
            for n, each in enumerate(labels)
        ],
        AXES,
        correlation="r = 1.00",
        alike=True,
    ),
}
"""A figure of every kind, with any labels."""
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
every_kind = pytest.mark.parametrize("kind", KINDS)


@every_kind
def test_hostile_labels_are_safe(kind):
    pytest.importorskip("matplotlib")
    figure = KINDS[kind](HOSTILE)
    root = ElementTree.fromstring(figure.svg)  # noqa: S314 - our own
    assert root.get("width") == "450pt"
    assert int.from_bytes(figure.png[16:20]) == 1250
    assert figure.png.startswith(b"\x89PNG")
    assert "<script" not in figure.svg
    attributes = [each for element in root.iter() for each in element.items()]
    assert all(value.startswith("#") for name, value in attributes if name.endswith("href"))
    alt = figure.alt
    assert (alt[:6], alt[-1], alt.isprintable()) == ("Title.", ".", True)
    assert figure == KINDS[kind](HOSTILE), "the same data give the same bytes"


@every_kind
def test_long_labels_are_all_shown_and_cover_nothing(kind, plotted):
    KINDS[kind](LONG)
    assert not plotted.misplaced()
    ends = {text.get_text()[-4:] for text in plotted.texts()}
    marked = LONG[::2] if kind == "scatter" else LONG
    assert {label[-4:] for label in marked} <= ends


@every_kind
def test_without_data_or_matplotlib_there_is_no_picture(kind, monkeypatch):
    assert KINDS[kind]([]).svg == ""
    monkeypatch.setattr(charts, "find_spec", lambda _: None)
    figure = KINDS[kind](LONG)
    assert (figure.key, figure.svg, figure.png) == ("k", "", b"")


def test_matplotlib_is_loaded_only_to_draw():
    program = "import sys, weps_eval.report.charts; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_every_row_has_its_label_its_interval_and_its_number(plotted):
    groups = [[row("first", 0.5, marked=True), row("second", 0.4)], [row("x" * 90, 0.3)]]
    figure = charts.draw_intervals("k", "T", groups, "KING", "A note.")
    first, second, long = plotted.axes.get_yticklabels()
    assert (first.get_text(), first.get_fontweight()) == ("first", "bold")
    assert (second.get_text(), second.get_fontweight()) == ("second", "normal")
    assert "…" in long.get_text()
    assert sorted(plotted.values()) == ["0.30 (0.20–0.40)", "0.40 (0.30–0.50)", "0.50 (0.40–0.60)"]
    whiskers = [each.get_segments() for each in plotted.axes.collections]
    assert np.round(np.concatenate(whiskers)[0], 9).tolist() == [[0.3, 1], [0.5, 1]]
    assert plotted.axes.get_xlabel() == "KING"
    assert figure.note == "A note."
    assert figure.alt == (
        "T. KING of 3 rows in 2 groups, the highest first with 0.50. Marked: first."
    )
    assert plotted.axes.get_yticks().tolist() == pytest.approx([0, 1, 2.6])
    low, high = plotted.axes.get_ylim()
    assert low > high  # the first row is on top


def test_values_that_are_all_unknown_say_so(plotted):
    rows = charts.draw_intervals("k", "T", [[charts.IntervalRow("a", UNKNOWN)]], "KING")
    assert rows.alt == "T. KING of 1 rows, no value is known."
    pairs = charts.draw_pairs("k", "T", [("a", UNKNOWN, UNKNOWN)], ("one", "other"), "KING")
    assert pairs.alt == "T. one and other: no value is known."
    assert plotted.values() == ["–", "–"]


def test_pairs_share_a_label_and_have_a_legend(plotted):
    rows = [("tokens", Estimate(0.81, 0.79, 0.834), Estimate(0.25, nan, nan))]
    figure = charts.draw_pairs("k", "T", rows, ("upper bound", "tree"), "accuracy")
    assert [label.get_text() for label in plotted.axes.get_yticklabels()] == ["tokens", ""]
    assert plotted.values() == ["0.81 (0.79–0.83)", "0.25"]
    assert plotted.legend() == ["upper bound", "tree"]
    assert figure.alt == "T. upper bound and tree: tokens 0.81 and 0.25."


def test_ties_are_steps_and_the_first_pairs_are_left_out(plotted):
    early = charts.Series("early", np.array([0.0001, 0.2, 0.6]), np.array([0.0, 1, 0.8]))
    whole = charts.Series("whole", np.array([0.3, 1.0]), np.array([0.9, 0.5]))
    figure = charts.draw_curves("k", "T", [early, whole, charts.Series("none", X[:0], X[:0])])
    first, second = plotted.axes.lines
    assert first.get_xydata().tolist() == [[0, 1], [0.2, 1], [0.6, 0.8]]
    assert second.get_drawstyle() == "steps-pre"
    assert plotted.legend() == ["early", "whole"]
    assert (plotted.axes.get_xlabel(), plotted.axes.get_ylabel()) == ("recall", "precision")
    assert figure.alt == (
        "T. precision over recall, from first to last: early 1.00 to 0.80 and whole 0.90 to 0.50."
    )


def test_trends_with_bands_guides_and_lines_without_a_label(plotted):
    x = np.linspace(0, 10, 60)
    y = np.where(x > 9, nan, 0.6 * x)
    lines = [charts.Series("", x, 0.5 * x), charts.Series("mean", x, y, (0.5 * x, 0.7 * x))]
    lines.append(charts.Series("unknown", x, np.full(60, nan)))
    guides = [charts.GuideLine("average", 3.0), charts.GuideLine("verb", 5.0, vertical=True)]
    figure = charts.draw_trends("k", "T", lines, ("distance", "probability"), guides=guides)
    assert plotted.legend() == ["mean", "average", "verb"]
    faint, mean, across, up = plotted.axes.lines
    assert faint.get_color() != mean.get_color()
    assert np.isfinite(mean.get_ydata()).all()
    assert (across.get_ydata(), up.get_xdata()) == ([3.0, 3.0], [5.0, 5.0])
    assert len(plotted.axes.collections) == 1
    assert figure.alt.startswith("T. probability over distance, from first to last: mean 0.00 to 5")


@pytest.mark.parametrize("spread", [0.02, 0.2])
def test_numbers_are_apart_near_their_points_and_explained(spread, plotted):
    points = [
        charts.Point(f"p{n}", 0.9 + spread * n / 12, 0.8 + spread * n / 20, n % 2 == 0, f"f{n % 3}")
        for n in range(18)
    ]
    points += [charts.Point("", 0, 0)]
    figure = charts.draw_scatter("k", "T", points, AXES, correlation="r = 0.1", alike=True)
    assert not plotted.misplaced()
    marked = [point for point in points if point.marked]
    assert plotted.legend() == [f"{at}: {each.label}" for at, each in enumerate(marked, start=1)]
    numbers = {each.get_text(): each.xy for each in plotted.axes.texts}
    assert numbers == {str(at): (p.x, p.y) for at, p in enumerate(marked, start=1)}
    assert max(np.hypot(*each.xyann) for each in plotted.axes.texts) < 41
    assert figure.alt.startswith("T. tree against bound of 19 points, among them p0, p2, p4")
    families = [text.get_text() for text in plotted.axes.get_legend().get_texts()]
    assert families == ["f0", "f1", "f2", "y = x"]


def test_parts_are_stacked_in_the_order_of_the_legend(plotted):
    unknown = charts.draw_shares("k", "T", {"": {"same everywhere": (nan, nan, nan)}}, 0.2)
    assert plotted.values() == ["–"]
    assert unknown.alt == "T. Shares of 1 measures as stacked bars."
    charts.draw_shares("k", "T", {"": {"a": (0.3, 0.5, 0.2)}})
    patches = plotted.axes.patches
    assert [each.get_x() for each in patches] == pytest.approx([0, 0.3, 0.8])
    assert [each.get_width() for each in patches] == pytest.approx([0.3, 0.5, 0.2])
    assert plotted.legend() == ["non-redundant", "redundant", "non-informative"]
    assert plotted.values() == ["30 %"]
