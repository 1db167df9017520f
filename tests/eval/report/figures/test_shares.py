import math

import pytest

from eval.report.figures.shares import ShareBar, plot_shares


def _bars(count: int) -> list[ShareBar]:
    return [
        ShareBar(f"measure {n}", 0.6, n / 300, 0.4 - n / 300, f"group {n // 20}")
        for n in range(count)
    ]


def test_sixty_bars_in_groups(plotted) -> None:
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


def test_parts_are_stacked_in_the_order_of_the_legend(plotted) -> None:
    plot_shares([ShareBar("a", 0.5, 0.3, 0.2)], "T")
    first, second, third = plotted.axes[0].patches
    assert [each.get_x() for each in (first, second, third)] == pytest.approx([0, 0.3, 0.8])
    assert [each.get_width() for each in (first, second, third)] == pytest.approx([0.3, 0.5, 0.2])
    assert plotted.legend() == ["non-redundant", "redundant", "non-informative"]
    assert [text.get_text() for text in plotted.axes[0].texts] == ["30 %"]


def test_no_shares_are_a_dash(plotted) -> None:
    picture = plot_shares([ShareBar("same everywhere", math.nan, math.nan, math.nan)], "T", 0.2)
    assert [text.get_text() for text in plotted.axes[0].texts] == ["–"]
    assert not plotted.axes[0].patches
    assert picture.alt == "T. Shares of 1 measures as stacked bars."


@pytest.mark.parametrize("limit", [0.0, 0.2, 0.95])
def test_the_limit_is_on_the_axis_and_its_number_clear_of_others(limit: float, plotted) -> None:
    plot_shares(_bars(3), "T", limit)
    assert f"{100 * limit:.0f} %" in plotted.words()
    assert plotted.axes[0].lines[0].get_xdata() == [limit, limit]
    assert not plotted.misplaced()
