from math import nan

import pytest

from eval.report.figures.intervals import (
    IntervalPair,
    IntervalRow,
    plot_intervals,
    plot_paired_intervals,
    plot_steps,
)
from eval.stats.estimate import Estimate

NONE = Estimate(0.25, nan, nan)


def _row(label: str, value: float, marked: bool = False) -> IntervalRow:
    return IntervalRow(label, Estimate(value, value - 0.1, value + 0.1), marked)


def _values(plotted) -> list[str]:
    return [text.get_text() for text in plotted.axes[0].texts]


GROUPS = [
    [_row("first", 0.5, marked=True), _row("second", 0.4)],
    [_row("a very long name of some measure that nobody can read in one line", 0.3)],
]


def test_every_row_has_its_label_its_interval_and_its_number(plotted) -> None:
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


def test_groups_are_apart_with_a_line_between_them(plotted) -> None:
    plot_intervals(GROUPS, "T", "KING")
    assert plotted.axes[0].get_yticks().tolist() == pytest.approx([0, 1, 2.6])
    assert plotted.axes[0].lines[-1].get_ydata() == pytest.approx([1.8, 1.8])
    low, high = plotted.axes[0].get_ylim()
    assert low > high  # the first row is on top


def test_the_axis_is_wider_than_all_ends(plotted) -> None:
    plot_intervals([[_row("a", 0.5), IntervalRow("b", Estimate(0.7, nan, nan))]], "T", "KING")
    assert plotted.axes[0].get_xlim() == pytest.approx((0.4 - 0.024, 0.7 + 0.024))
    plot_intervals([[IntervalRow("one", NONE)]], "T", "KING")
    assert plotted.axes[0].get_xlim() == pytest.approx((0.2, 0.3))
    assert _values(plotted) == ["0.25"]


def test_pairs_share_a_label_and_have_a_legend(plotted) -> None:
    rows = [IntervalPair("tokens", Estimate(0.81, 0.79, 0.834), NONE)]
    picture = plot_paired_intervals(rows, "T", ("upper bound", "tree"), "accuracy")
    assert [label.get_text() for label in plotted.axes[0].get_yticklabels()] == ["tokens"]
    assert _values(plotted) == ["0.81 (0.79–0.83)", "0.25"]
    assert plotted.legend() == ["upper bound", "tree"]
    places = [line.get_ydata()[0] for line in plotted.axes[0].lines]
    assert places == [-0.5, -0.5, 0.5, 0.5]
    assert not plotted.misplaced()
    assert picture.alt == "T. upper bound and tree: tokens 0.81 and 0.25."


def test_steps_are_joined_in_order(plotted) -> None:
    path = [_row("token", 0.7), _row("link", 0.75), IntervalRow("ngram", Estimate(0.8, nan, nan))]
    picture = plot_steps(path, "T", "MaxPWA")
    assert [label.get_text() for label in plotted.axes[0].get_yticklabels()] == [
        "token",
        "+ link",
        "+ ngram",
    ]
    assert plotted.axes[0].lines[0].get_xydata().tolist() == [[0.7, 0], [0.75, 1], [0.8, 2]]
    assert picture.alt == (
        "T. MaxPWA rises from 0.70 to 0.80 as the subset gains token, link and ngram."
    )
