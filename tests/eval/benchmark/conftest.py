"""Two invented names, and what two systems answer for them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eval.benchmark.corpus import open_corpus
from eval.benchmark.scoring import Outcome
from eval.benchmark.trials import Trial, systems_of
from eval.report.figures import canvas as sheet
from weps.page_forms import Form
from weps.records import Clustering
from weps.sources.xml import write_clustering
from weps.training.examples import Settings
from weps.training.fitting import Answered
from weps.training.reading import examples_of

KEY = Clustering((frozenset({1, 2, 3}), frozenset({4})))
RIGHT = Answered(KEY, np.array([0.9, 0.8, 0.2, 0.9, 0.2, 0.2]), np.array([0.9, 0.9, 0.9, 0.8]))
TOGETHER = Answered(Clustering((frozenset({1, 2, 3, 4}),)), np.full(6, 0.7), np.full(4, 0.6))
FIRST, SECOND = "paper", "paper:features=title,link=average"


@pytest.fixture
def outcome(tmp_path: Path) -> Outcome:
    """The first system puts all pages together, the second is right about one name."""
    for name in ("Ada", "Bea"):
        folder = tmp_path / "saved" / name
        folder.mkdir(parents=True)
        for rank in range(1, 5):
            (folder / f"{rank:03}.html").write_text(f"<title>{name}</title><p>Page {rank}.")
        write_clustering(KEY, folder / "key.xml")
    corpus, systems = open_corpus(tmp_path / "saved"), systems_of([FIRST, SECOND])
    examples = {
        name: examples_of(name, corpus.source, systems.union)[Form.PAGES] for name in corpus.names
    }
    trials = {
        FIRST: Trial(dict.fromkeys(corpus.names, TOGETHER), learning=1.25, answering=0.5),
        SECOND: Trial({"Ada": RIGHT, "Bea": TOGETHER}, learning=2.0, answering=0.25),
    }
    settings = Settings(seed=3)
    return Outcome(systems, trials, corpus, examples, "cv:2", "the other names", settings)


@dataclass
class Drawn:
    """Texts by their id, and their boxes (left, bottom, right, top) in points."""

    texts: dict[str, str]
    boxes: dict[str, tuple[float, float, float, float]]
    size: tuple[float, float] = (0.0, 0.0)

    def overlaps(self) -> list[tuple[str, str]]:
        return [
            pair
            for pair in combinations(self.boxes, 2)
            if _share(self.boxes[pair[0]], self.boxes[pair[1]])
        ]

    def outside(self) -> list[str]:
        width, height = self.size
        return [
            key
            for key, (left, bottom, right, top) in self.boxes.items()
            if left < 0 or bottom < 0 or right > width or top > height
        ]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    """Filled with all texts of the last figure, those of the axes too."""
    pytest.importorskip("matplotlib")
    found = Drawn({}, {})
    as_svg = sheet._as_svg

    def look(figure: Any, title: str) -> str:
        _measure(figure, found)
        return as_svg(figure, title)

    monkeypatch.setattr(sheet, "_as_svg", look)
    return found


def _measure(figure: Any, found: Drawn) -> None:
    canvas = pytest.importorskip("matplotlib.backends.backend_agg").FigureCanvasAgg(figure)
    text_class = pytest.importorskip("matplotlib.text").Text
    canvas.draw()
    found.texts.clear()
    found.boxes.clear()
    found.size = tuple(72 * figure.get_size_inches())
    hidden = _beyond_the_axes(figure)
    for number, text in enumerate(figure.findobj(text_class)):
        if text.get_text() and text.get_visible() and text not in hidden:
            key = text.get_gid() or f"axes-{number}"
            found.texts[key] = text.get_text()
            found.boxes[key] = text.get_window_extent(canvas.get_renderer()).extents


def _beyond_the_axes(figure: Any) -> set[Any]:
    """Numbers of ticks that matplotlib keeps but does not draw."""
    hidden = set()
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        low, high = sorted(axis.get_view_interval())
        for tick in axis.get_major_ticks():
            if not low <= tick.get_loc() <= high:
                hidden |= {tick.label1, tick.label2}
    return hidden


def _share(first: tuple[float, ...], second: tuple[float, ...]) -> bool:
    """Whether two boxes have more in common than a border of half a point."""
    across = min(first[2], second[2]) - max(first[0], second[0])
    up = min(first[3], second[3]) - max(first[1], second[1])
    return across > 0.5 and up > 0.5
