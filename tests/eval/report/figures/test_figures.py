"""What holds for every kind of figure."""

import math
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from xml.etree import ElementTree

import numpy as np
import pytest

from eval.report.figures import canvas, style
from eval.report.figures.intervals import Row, pairs_of_bars
from eval.report.figures.lines import Line, Step, curves, steps
from eval.report.figures.points import Point, scatter
from eval.report.figures.reliability import Forecaster, reliability_diagrams
from eval.report.figures.style import Interval, Picture, available
from eval.studies.features.tables import Bar, shares
from weps.errors import OutputError

LABELS = [
    "dice(token)",
    "linked",
    "dice(ngram(n=2))",
    "dice(entity(type=organisation, local=true))",
    "dice(capitalised(local=true))",
    "overlap(email)",
]
HOSTILE = [
    r"$\frac{1}{$ & 5 $",
    "<script>alert(1)</script>",
    "--><g>",
    "a\0b\x1b[31m\r\nc\u202e",
    "\ud800",
    "姓名" * 40,
    "",
    "W" * 300,
    "مرحبا",
    "\\n %s {0}",
]


def _curves(labels: Sequence[str]) -> Picture:
    recall = np.linspace(0.002, 1, 500)
    lines = [
        Line(label, recall[: 500 - 40 * n], (1 - recall / (2 + n))[: 500 - 40 * n], n == 0)
        for n, label in enumerate(labels)
    ]
    return curves(lines, "Curves")


def _shares(labels: Sequence[str]) -> Picture:
    bars = [Bar(label, 0.5, 0.05 * n, 0.5 - 0.05 * n, label) for n, label in enumerate(labels)]
    return shares(bars, "Shares", 0.2)


def _scatter(labels: Sequence[str]) -> Picture:
    points = [
        Point(label, 0.6 + 0.04 * n, 0.6 + 0.02 * n, True, label) for n, label in enumerate(labels)
    ]
    return scatter(points, "Scatter", x="MaxPWA", y="PWA", correlation="r = 1.00")


def _pairs(labels: Sequence[str]) -> Picture:
    rows = [Row(label, Interval(0.9, 0.8, 1), Interval(0.7, 0.6, 0.8)) for label in labels]
    return pairs_of_bars(rows, "Pairs", ("bound", "tree"), "accuracy")


def _steps(labels: Sequence[str]) -> Picture:
    path = [
        Step(label, Interval(0.9 - 0.2 / (n + 1), 0.88 - 0.2 / (n + 1), 0.93))
        for n, label in enumerate(labels)
    ]
    return steps(path, "Steps", "MaxPWA")


def _reliability(labels: Sequence[str]) -> Picture:
    happened = [Interval(0.0, math.nan, math.nan), Interval(0.4, 0.3, 0.6), Interval(1, 0.9, 1)]
    spread = np.full(20, 0.05)
    systems = [Forecaster(label, [0.0, 0.5, 1.0], happened, spread, label) for label in labels]
    return reliability_diagrams(systems, "Reliability")


Kind = Callable[[Sequence[str]], Picture]
every_kind = pytest.mark.parametrize(
    "kind", [_curves, _shares, _scatter, _pairs, _steps, _reliability]
)


@every_kind
def test_no_text_is_on_another_or_outside_the_picture(kind: Kind, drawn) -> None:
    kind(LABELS)
    assert not drawn.overlaps()
    assert not drawn.outside()


@every_kind
def test_every_label_can_be_found_in_the_svg(kind: Kind, drawn) -> None:
    svg = kind(LABELS).svg
    for key, text in drawn.texts.items():
        assert f"<!-- {text} -->" in svg
        assert key.startswith("axes-") or f'id="{key}"' in svg
    assert {"linked", "dice(token)", "overlap(email)"} <= set(drawn.texts.values())


@every_kind
@pytest.mark.usefixtures("drawn")
def test_the_same_data_give_the_same_bytes(kind: Kind) -> None:
    assert kind(LABELS) == kind(LABELS)


@every_kind
def test_hostile_labels_are_drawn_as_they_are(kind: Kind, drawn) -> None:
    made = kind(HOSTILE)
    assert not drawn.outside()
    assert not [pair for pair in drawn.overlaps() if not {"", " "} & {drawn.texts[k] for k in pair}]
    ElementTree.fromstring(made.svg)  # noqa: S314 - our own
    assert made.svg.encode()
    assert "<script" not in made.svg
    assert any("$" in text for text in drawn.texts.values())
    assert made.alt.isprintable()


@every_kind
@pytest.mark.usefixtures("drawn")
def test_a_picture_links_to_nothing_and_is_600_pixels_wide(kind: Kind) -> None:
    made = kind(LABELS)
    root = ElementTree.fromstring(made.svg)  # noqa: S314 - our own
    links = [
        value
        for element in root.iter()
        for name, value in element.items()
        if name.endswith("href") and not value.startswith("#")
    ]
    assert links == []
    assert root.get("width") == "450pt"
    assert made.png.startswith(b"\x89PNG")
    assert int.from_bytes(made.png[16:20]) == 1250


@every_kind
@pytest.mark.usefixtures("drawn")
def test_the_alternative_text_starts_with_the_title(kind: Kind) -> None:
    alt = kind(LABELS).alt
    assert alt.split(".")[0] in {"Curves", "Shares", "Scatter", "Pairs", "Steps", "Reliability"}
    assert alt.endswith(".")


@every_kind
def test_nothing_to_draw_is_an_error(kind: Kind) -> None:
    with pytest.raises(ValueError, match="needs"):
        kind([])


@pytest.mark.usefixtures("drawn")
def test_settings_of_the_user_neither_matter_nor_change() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    expected = _pairs(LABELS)
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.hashsalt": None}):
        before = dict(matplotlib.rcParams)
        assert _pairs(LABELS) == expected
        assert dict(matplotlib.rcParams) == before


def test_long_titles_take_two_lines_at_most(drawn) -> None:
    curves([Line("a", np.array([1.0]), np.array([0.5]))], "W " * 300)
    assert drawn.texts["title"].count("\n") == 1
    assert not drawn.outside()


def test_matplotlib_is_loaded_only_to_draw() -> None:
    program = (
        "import sys, eval.report.figures, eval.studies.features.tables; "
        "sys.exit('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch) -> None:
    monkeypatch.setattr(canvas, "available", lambda: False)
    with pytest.raises(OutputError, match=r"weps\[plots\]"):
        _pairs(LABELS)


@pytest.mark.parametrize(("module", "expected"), [("numpy", True), ("no_such_module", False)])
def test_available_is_whether_it_can_be_imported(module, expected, monkeypatch) -> None:
    monkeypatch.setattr(style, "find_spec", lambda _: find_spec(module))
    assert available() is expected
