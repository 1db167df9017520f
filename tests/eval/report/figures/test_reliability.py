from typing import Any

import numpy as np
import pytest

from eval.report.figures import canvas
from eval.report.figures.reliability import Forecaster, reliability_diagrams
from eval.report.figures.style import Interval


def _system(label: str = "trees", spread: float = 0.05, remark: str = "") -> Forecaster:
    happened = [Interval(0.1, 0, 0.2), Interval(0.6, 0.5, 0.7), Interval(0.8, 0.7, 0.9)]
    return Forecaster(label, [0.05, 0.5, 0.95], happened, np.full(20, spread), remark)


@pytest.fixture
def panels(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The axes of the last figure: diagram and histogram of every system in turn."""
    pytest.importorskip("matplotlib")
    found: list[Any] = []
    as_svg = canvas._as_svg

    def look(figure: Any, title: str) -> str:
        found[:] = figure.axes
        return as_svg(figure, title)

    monkeypatch.setattr(canvas, "_as_svg", look)
    return found


@pytest.mark.parametrize("number", [1, 2, 4, 9])
@pytest.mark.parametrize("remark", ["", "ECE 0.012 (0.010 to 0.014), slope 0.9"])
def test_as_many_panels_as_systems_and_no_text_on_another(
    number: int, remark: str, drawn, panels
) -> None:
    reliability_diagrams([_system(f"system {n}", remark=remark) for n in range(number)], "T " * 40)
    assert len(panels) == 2 * number
    assert not drawn.overlaps()
    assert not drawn.outside()
    assert {f"label-{n}" for n in range(number)} <= set(drawn.texts)


def test_panels_are_square_and_do_not_meet(panels) -> None:
    reliability_diagrams([_system() for _ in range(5)], "T")
    boxes = [each.get_window_extent() for each in panels]
    for diagram in boxes[::2]:
        assert diagram.width == pytest.approx(diagram.height)
    for number, first in enumerate(boxes):
        assert not any(first.overlaps(other) for other in boxes[number + 1 :])


def test_marks_and_intervals_are_where_they_belong(panels) -> None:
    reliability_diagrams([_system()], "T")
    diagonal, *whiskers, marks = panels[0].lines
    assert diagonal.get_xydata().tolist() == [[0, 0], [1, 1]]
    assert [each.get_xydata().tolist() for each in whiskers] == [
        [[0.05, 0], [0.05, 0.2]],
        [[0.5, 0.5], [0.5, 0.7]],
        [[0.95, 0.7], [0.95, 0.9]],
    ]
    assert marks.get_xydata().tolist() == [[0.05, 0.1], [0.5, 0.6], [0.95, 0.8]]


def test_histograms_have_one_scale(panels) -> None:
    reliability_diagrams([_system(spread=0.05), _system(spread=0.04)], "T")
    assert panels[1].get_ylim() == panels[3].get_ylim() == (0, 0.05)
    assert [each.get_height() for each in panels[3].patches] == [0.04] * 20


@pytest.mark.usefixtures("drawn")
def test_the_alternative_text_says_where_a_system_is_off_most() -> None:
    assert reliability_diagrams([_system()], "T", "probability", "share").alt == (
        "T. Against the probability, in bins, the share: trees: forecasts from 0.05 to 0.95, "
        "shares from 0.10 to 0.80, farthest off at 0.95, of which 0.80 happened."
    )


def test_a_system_without_bins_is_an_error() -> None:
    with pytest.raises(ValueError, match="needs systems"):
        reliability_diagrams([Forecaster("a", [], [], np.zeros(20))], "T")
