"""What holds for every kind of figure."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from xml.etree import ElementTree

import pytest

from eval.report.figures import canvas
from eval.report.figures.canvas import Picture, available
from tests.eval.report.figures.samples import KINDS, intervals, pairs, reliability
from weps.errors import OutputError

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
def test_hostile_labels_are_safe(kind: Kind, saved) -> None:
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
def test_the_same_data_give_the_same_bytes(kind: Kind) -> None:
    pytest.importorskip("matplotlib")
    assert kind(["a"]) == kind(["a"])


@every_kind
def test_long_labels_are_all_shown_and_cover_nothing(kind: Kind, plotted) -> None:
    labels = LONG[:3] if kind is reliability else LONG
    kind(labels)
    assert not plotted.misplaced()
    ends = {word[-4:] for word in plotted.words()}
    assert {label[-4:] for label in labels} <= ends


@every_kind
def test_nothing_to_draw_is_an_error(kind: Kind) -> None:
    with pytest.raises(ValueError, match="needs"):
        kind([])


def test_settings_of_the_user_neither_matter_nor_change() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    expected = pairs(["a"])
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.hashsalt": None}):
        before = dict(matplotlib.rcParams)
        assert pairs(["a"]) == expected
        assert dict(matplotlib.rcParams) == before


def test_long_titles_take_two_lines_at_most(plotted) -> None:
    canvas.render_picture(lambda figure: figure.add_subplot(), "W " * 300, 50, "alt")
    assert [word.count("\n") for word in plotted.words() if word.startswith("W")] == [1]
    assert not plotted.misplaced()


@pytest.mark.parametrize("rows", [1, 70])
def test_axes_are_as_high_as_asked_for(rows: int, plotted) -> None:
    intervals([f"measure {n}" for n in range(rows)])
    (axes,) = plotted.axes
    gap = 0.6 if rows > 1 else 0
    assert axes.get_window_extent().height == pytest.approx(13 * (rows + gap + 0.4), abs=0.5)


def test_matplotlib_is_loaded_only_to_draw() -> None:
    program = "import sys, eval.report.figures; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch) -> None:
    monkeypatch.setattr(canvas, "available", lambda: False)
    with pytest.raises(OutputError, match=r"weps\[plots\]"):
        pairs(["a"])


def test_available_is_whether_it_can_be_imported(monkeypatch) -> None:
    for module, expected in (("numpy", True), ("no_such_module", False)):
        monkeypatch.setattr(canvas, "find_spec", lambda _, module=module: find_spec(module))
        assert available() is expected
