"""The matplotlib figure behind a picture: what is on it, and where."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from weps_eval.report.figures import canvas


class PlottedFigure:
    """The last figure that was plotted."""

    figure: Any = None

    @property
    def axes(self) -> list[Any]:
        return list(self.figure.axes)

    def legend(self, *, beside: bool = False) -> list[str]:
        """Labels of the legend below, or beside the first axes."""
        legends = [self.axes[0].get_legend()] if beside else self.figure.legends
        return [text.get_text() for each in legends if each for text in each.get_texts()]

    def texts(self) -> list[Any]:
        """All that is written, without numbers of ticks beyond the axes, which are not drawn."""
        text_class = pytest.importorskip("matplotlib.text").Text
        hidden = set()
        for axis in (axis for axes in self.axes for axis in (axes.xaxis, axes.yaxis)):
            low, high = sorted(axis.get_view_interval())
            for tick in axis.get_major_ticks():
                if not low <= tick.get_loc() <= high:
                    hidden |= {tick.label1, tick.label2}
        return [
            text
            for text in self.figure.findobj(text_class)
            if text.get_text().strip() and text.get_visible() and text not in hidden
        ]

    def words(self) -> list[str]:
        return [text.get_text() for text in self.texts()]

    def misplaced(self) -> list[Any]:
        """Texts that cover others or leave the picture, and legends that cover the first axes."""
        self.figure.dpi = 72
        self.figure.draw_without_rendering()  # else texts of legends are not where they will be
        extent = pytest.importorskip("matplotlib.text").Text.get_window_extent  # without leaders
        boxes = {text: extent(text).extents for text in self.texts()}
        width, height = 72 * self.figure.get_size_inches()
        legends = [*self.figure.legends, *filter(None, [self.axes[0].get_legend()])]
        axes = self.axes[0].get_window_extent()
        return [
            *(pair for pair in combinations(boxes, 2) if _overlap(*map(boxes.get, pair))),
            *(text for text, box in boxes.items() if min(box) < 0),
            *(text for text, box in boxes.items() if box[2] > width or box[3] > height),
            *(legend for legend in legends if legend.get_window_extent().overlaps(axes)),
        ]


def _overlap(one: Any, other: Any) -> bool:
    """Whether two boxes have more in common than a border of half a point."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    return bool(across > 0.5 and min(one[3], other[3]) - max(one[1], other[1]) > 0.5)


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> PlottedFigure:
    """Holds the last figure."""
    pytest.importorskip("matplotlib")
    found, save = PlottedFigure(), canvas._save_figure

    def keep(figure: Any, **options: Any) -> bytes:
        found.figure = figure
        return save(figure, **options)

    monkeypatch.setattr(canvas, "_save_figure", keep)
    return found


@pytest.fixture
def plotted(saved: PlottedFigure, monkeypatch: pytest.MonkeyPatch) -> PlottedFigure:
    """Holds the last figure; nothing is saved, which takes longest."""
    monkeypatch.setattr("matplotlib.figure.Figure.savefig", lambda *_, **__: None)
    return saved
