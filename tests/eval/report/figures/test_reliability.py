import numpy as np
import pytest

from eval.calibration.reliability import Reliability
from eval.report.figures.reliability import plot_reliability
from tests.eval.report.figures.samples import forecasts

_REMARK = "ECE 0.012 (0.010 to 0.014), slope 0.9"


@pytest.mark.parametrize(("number", "remark"), [(1, ""), (2, _REMARK), (5, _REMARK)])
def test_every_system_has_a_square_panel_with_a_histogram(
    number: int, remark: str, plotted
) -> None:
    labels = [f"system {n}" for n in range(number)]
    plot_reliability(dict.fromkeys(labels, forecasts()), "T " * 40, dict.fromkeys(labels, remark))
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


def test_marks_and_intervals_are_where_they_belong(plotted) -> None:
    plot_reliability({"trees": forecasts()}, "T", x="probability", y="share")
    diagonal, *whiskers, marks = plotted.axes[0].lines
    assert diagonal.get_xydata().tolist() == [[0, 0], [1, 1]]
    assert [each.get_xydata().tolist() for each in whiskers] == [
        [[0.05, 0], [0.05, 0.2]],
        [[0.5, 0.5], [0.5, 0.7]],
        [[0.95, 0.7], [0.95, 0.9]],
    ]
    assert marks.get_xydata().tolist() == [[0.05, 0.1], [0.5, 0.6], [0.95, 0.8]]
    assert plotted.axes[0].get_xlim() == plotted.axes[0].get_ylim() == (-0.03, 1.03)
    assert plotted.axes[0].get_ylabel() == "share"
    assert plotted.axes[1].get_xlabel() == "probability"


def test_histograms_have_one_scale(plotted) -> None:
    plot_reliability({"a": forecasts(0.05), "b": forecasts(0.04)}, "T")
    histograms = [axes for axes in plotted.axes if axes.patches]
    assert [axes.get_ylim() for axes in histograms] == [(0, 0.05)] * 2
    assert [each.get_height() for each in histograms[1].patches] == [0.04] * 20
    assert "5 %" in plotted.words()


@pytest.mark.usefixtures("plotted")
def test_the_alternative_text_says_where_a_system_is_farthest_off() -> None:
    with pytest.raises(ValueError, match="a system bins"):
        plot_reliability({"a": Reliability((), np.zeros(20))}, "T")
    assert plot_reliability({"trees": forecasts()}, "T", x="probability", y="share").alt == (
        "T. Against the probability, in bins, the share: trees: forecasts from 0.05 to 0.95, "
        "shares from 0.10 to 0.80, farthest off at 0.95, of which 0.80 happened."
    )
