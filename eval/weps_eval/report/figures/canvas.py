"""The style of all figures, and how one becomes SVG, PNG and alternative text.

The only module that imports matplotlib, and only when a figure is rendered. Lengths are in points,
72 to the inch.
"""

from __future__ import annotations

import io
import textwrap
import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from weps._formatting import cut_middle, tidy_label
from weps.errors import OutputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

WIDTH = 450.0
"""600 CSS pixels, so that 9 pt is 12 pixels."""
EDGE = 8.0
"""White between the edge of the picture and what is drawn."""
TITLE, BODY, SMALL = 11.0, 9.0, 8.0
LINE_HEIGHT = 13.0

INK, PALE, _GRID = "#222222", "#666666", "#e3e3e3"


_OKABE_ITO = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Okabe and Ito 2008, without black, which the reference has, and yellow, unseen on white."""
_DASHES: tuple[tuple[float, ...], ...] = (
    (),
    (5, 1.5),
    (1.2, 1.2),
    (7, 1.5, 1.2, 1.5),
    (3, 1.2),
    (10, 2),
    (5, 1.2, 1.2, 1.2, 1.2, 1.2),
)
_MARKERS = "osD^vPX*<>ph"

SETTINGS: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": PALE,
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.labelsize": BODY,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "font.family": ["DejaVu Sans"],
    "font.size": BODY,
    "grid.color": _GRID,
    "grid.linewidth": 0.6,
    "legend.borderpad": 0.0,
    "legend.fontsize": SMALL,
    "legend.frameon": False,
    "lines.solid_capstyle": "butt",
    "svg.fonttype": "path",
    "svg.hashsalt": "weps",
    "text.color": INK,
    "text.parse_math": False,  # labels are columns of users' tables, in which a $ is a $
    "xtick.color": PALE,
    "xtick.labelsize": SMALL,
    "xtick.major.size": 2.5,
    "xtick.major.width": 0.6,
    "ytick.color": PALE,
    "ytick.labelsize": SMALL,
    "ytick.major.size": 2.5,
    "ytick.major.width": 0.6,
}
"""Settings of matplotlib, applied over its own defaults, not over the user's."""

_INCH = 72.0
_TITLE_LETTERS = 60
_LONGEST_ALT = 2000
_AXIS_LABEL = 240.0
_ROW_LABEL = 190.0
_LINE_HANDLE, _MARKER_HANDLE = 26.0, 10.0
"""Widths of the handles of a legend; lines are long enough to show their dashes."""
_HANDLE_GAP, _COLUMN_GAP = 5.0, 14.0
_BESIDE = 110.0
"""Width of a legend right of the axes."""
_PAD = 5.0
"""Around axes and legends."""
_SPARE = 600.0
"""Room for title and legend in a figure before its height is fitted."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One figure in the two formats that documents need; the same data give the same bytes."""

    svg: str = field(repr=False)
    """450 pt (600 CSS pixels) wide, text as paths, no links."""
    png: bytes = field(repr=False)
    """Picture at 200 dpi."""
    alt: str
    """One or two sentences for those who cannot see it."""


def has_matplotlib() -> bool:
    """Whether matplotlib is installed, without which nothing is drawn."""
    return find_spec("matplotlib") is not None


def render_picture(
    draw: Callable[[Figure], object],
    title: str,
    height: float | None,
    alt: str,
    finish: Callable[[Figure], None] | None = None,
) -> Picture:
    """Draw a figure below its title and save it in both formats.

    Args:
        draw: adds axes and legends to the figure, which arranges them without overlap.
        title: of the figure, one or two lines.
        height: of the first axes, in points, or None to make them square; the figure is as high
            as that needs.
        alt: what the picture shows, in words.
        finish: adds what depends on where the axes are in the end.

    Raises:
        OutputError: if matplotlib is not installed.
    """
    if not has_matplotlib():
        what = "figures cannot be drawn without matplotlib"
        raise OutputError(what, remedy="pip install 'weps[plots]'")
    with _style_context():
        figure = _new_figure(title, height or WIDTH)
        draw(figure)
        _fit_height(figure, height)
        if finish is not None:
            finish(figure)
        about = {"Date": None, "Creator": None, "Title": tidy_label(title)}
        svg = _save_figure(figure, format="svg", metadata=about).decode()
        png = _save_figure(figure, format="png", dpi=200, metadata={"Software": None})
    return Picture(svg, png, tidy_label(alt, _LONGEST_ALT))


def fit_label(text: str, width: float, size: float = SMALL, weight: str = "normal") -> str:
    """The label tidied, and shortened until it is no wider than that many points."""
    line = tidy_label(text)
    if _text_width(line, size, weight) <= width:
        return line
    longest = bisect_right(
        range(1, len(line)),
        width,
        key=lambda length: _text_width(cut_middle(line, length), size, weight),
    )
    return cut_middle(line, max(longest, 1))


def fit_axis(text: str) -> str:
    """The label of an axis, shortened until it is no longer than the axis."""
    return fit_label(text, _AXIS_LABEL, BODY)


def add_legend(
    figure: Figure, handles: Sequence[Line2D], labels: Sequence[str], *, beside: bool = False
) -> None:
    """Name what is drawn in a legend outside the axes, so that it covers no data.

    It stands right of the first axes in one column, or below in as many as there is room for;
    labels may be shortened.
    """
    if not handles:
        return
    has_lines = any(each.get_linestyle() != "None" for each in handles)
    handle = _LINE_HANDLE if has_lines and not beside else _MARKER_HANDLE
    widest = _BESIDE if beside else (WIDTH - 2 * EDGE - _COLUMN_GAP) / 2
    fitted = [fit_label(label, widest - handle - _HANDLE_GAP) for label in labels]
    column = max(map(_text_width, fitted)) + handle + _HANDLE_GAP + _COLUMN_GAP
    options: dict[str, Any] = {
        "handlelength": handle / SMALL,
        "handletextpad": _HANDLE_GAP / SMALL,
        "columnspacing": _COLUMN_GAP / SMALL,
    }
    if beside:
        options |= {"loc": "upper left", "bbox_to_anchor": (1.02, 1)}
        figure.axes[0].legend(handles, fitted, **options)
    else:
        columns = int((WIDTH - 2 * EDGE + _COLUMN_GAP) / column)
        options |= {"loc": "outside lower left", "borderaxespad": EDGE / SMALL}
        figure.legend(handles, fitted, ncols=columns, **options)


def add_rows(
    axes: Axes,
    labels: Sequence[str],
    places: Sequence[float],
    bold: Sequence[bool] = (),
    space: float = 0.7,
) -> None:
    """Label rows at the left of the axes, the first on top.

    Labels may be shortened; places are those of the rows on the vertical axis, rising downward, and
    ``space`` is left above the first and below the last. None is bold by default.
    """
    weights = ["bold" if each else "normal" for each in bold or [False] * len(labels)]
    fitted = [
        fit_label(label, _ROW_LABEL, SMALL, weight)
        for label, weight in zip(labels, weights, strict=True)
    ]
    axes.set_ylim(places[-1] + space, places[0] - space)
    axes.set_yticks(places, fitted)
    axes.tick_params(axis="y", length=0, labelcolor=INK)
    axes.grid(visible=False, axis="y")
    axes.spines["left"].set_visible(False)
    for label, weight in zip(axes.get_yticklabels(), weights, strict=True):
        label.set_fontweight(weight)


def _text_width(text: str, size: float = SMALL, weight: str = "normal") -> float:
    from matplotlib.font_manager import FontProperties  # noqa: PLC0415
    from matplotlib.textpath import text_to_path  # noqa: PLC0415

    font = FontProperties(size=size, weight=weight)
    return float(text_to_path.get_text_width_height_descent(text, font, ismath=False)[0])


def _new_figure(title: str, height: float) -> Figure:
    """An empty figure, higher than axes of that height and their legend need."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    wrapped = textwrap.wrap(tidy_label(title, 2 * _TITLE_LETTERS - 8), _TITLE_LETTERS)
    lines = [fit_label(line, WIDTH - 2 * EDGE, TITLE, "bold") for line in wrapped[:2]]
    size = WIDTH / _INCH, (height + _SPARE) / _INCH
    figure = Figure(figsize=size, dpi=_INCH, facecolor="white")
    figure.suptitle("\n".join(lines), x=EDGE / WIDTH, ha="left", size=TITLE, weight="bold")
    return figure


def _fit_height(figure: Figure, height: float | None) -> None:
    """Arrange the figure, and make it as high as its axes need to have that height."""
    from matplotlib.layout_engine import ConstrainedLayoutEngine  # noqa: PLC0415

    # Run by hand, once for both formats; a figure with an engine runs it whenever it is saved.
    layout = ConstrainedLayoutEngine(h_pad=_PAD / _INCH, w_pad=_PAD / _INCH)
    layout.execute(figure)
    axes = figure.axes[0]
    grid = axes.get_gridspec()
    ratios = np.asarray(grid.get_height_ratios() if grid else [1.0], dtype=np.float64)
    for _ in range(3):  # what stands around the axes depends a little on their height
        box, whole = axes.get_position(original=True), figure.get_figheight()
        excess = box.height * whole - (box.width * WIDTH if height is None else height) / _INCH
        if abs(excess) < 0.005:
            break
        figure.set_figheight(whole - excess * float(ratios.sum() / ratios[0]))
        layout.execute(figure)


@contextmanager
def _style_context() -> Iterator[None]:
    """Our settings over matplotlib's own, for as long as a picture is drawn."""
    import matplotlib.style  # noqa: PLC0415

    ours = matplotlib.rc_context(SETTINGS)
    with matplotlib.style.context("default"), ours, warnings.catch_warnings():
        # Labels may be in any script; what the font lacks is drawn as a box in any case.
        for message in ("Glyph .* missing from", "Matplotlib currently does not support"):
            warnings.filterwarnings("ignore", message, UserWarning)
        yield


def _save_figure(figure: Figure, **options: Any) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, **options)
    return buffer.getvalue()


@dataclass(frozen=True, slots=True)
class Look:
    """How one line or family differs from the others, in colour and in grey."""

    colour: str
    dashes: tuple[float, ...]
    marker: str


REFERENCE = Look(INK, (), "o")
"""Colour of what the others are compared with."""


def look_of(number: int) -> Look:
    """Look of the line or family of that number; 84 differ, neighbours in all respects."""
    return Look(
        _OKABE_ITO[number % len(_OKABE_ITO)],
        _DASHES[number % len(_DASHES)],
        _MARKERS[number % len(_MARKERS)],
    )
