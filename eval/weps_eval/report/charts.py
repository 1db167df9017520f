"""Charts of a document as SVG and PNG, with alternative text.

matplotlib is optional: it is imported when a chart is drawn, never earlier; without it, and where
there is nothing to be drawn, a figure has no picture. The same data give the same bytes.
"""

from __future__ import annotations

import io
import textwrap
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from math import ceil, isnan, nan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from weps._formatting import (
    cut_middle,
    format_number,
    format_percentage,
    join_labels,
    tidy_label,
)
from weps_eval.stats import Estimate, Floats

if TYPE_CHECKING:
    from matplotlib import figure as plot
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

WIDTH = 450.0
"""Points, 72 to the inch: 600 CSS pixels, so that 9 pt is 12 pixels."""
_INCH = 72
_BODY, _SMALL = 9.0, 8.0
_LINE_HEIGHT = 13.0
_AROUND = 62.0
"""Height of what stands above and below axes: one line of title, ticks, and the label of x."""
_HEIGHT = 230.0
_TITLE_LETTERS, _ROW_LETTERS, _LEGEND_LETTERS, _AXIS_LETTERS = 60, 38, 90, 50
_INK, _PALE, _FAINT = "#222222", "#666666", "#bdbdbd"
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Okabe and Ito 2008, without black, which the reference has, and yellow, unseen on white."""
_DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 1.5)),
    (0, (1.2, 1.2)),
    (0, (7, 1.5, 1.2, 1.5)),
    (0, (3, 1.2)),
    (0, (10, 2)),
    (0, (5, 1.2, 1.2, 1.2, 1.2, 1.2)),
)
"""Styles of lines, which differ in grey, too; their number has no divisor in common with that of
the colours, so that 42 lines differ."""
_MARKERS = "osD^vPX*<>ph"
_SETTINGS: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": _PALE,
    "axes.grid": True,
    "axes.labelcolor": _INK,
    "axes.labelsize": _BODY,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "figure.titlesize": 11.0,
    "figure.titleweight": "bold",
    "font.family": ["DejaVu Sans"],
    "font.size": _BODY,
    "grid.color": "#e3e3e3",
    "grid.linewidth": 0.6,
    "legend.fontsize": _SMALL,
    "legend.frameon": False,
    "lines.solid_capstyle": "butt",
    "path.simplify_threshold": 0.5,
    "svg.fonttype": "path",
    "svg.hashsalt": "weps",
    "text.color": _INK,
    "text.parse_math": False,  # labels are columns of users' tables, in which a $ is a $
    "xtick.color": _PALE,
    "xtick.labelsize": _SMALL,
    "ytick.color": _PALE,
    "ytick.labelcolor": _INK,
    "ytick.labelsize": _SMALL,
}
"""Settings of matplotlib, applied over its own defaults, not over the user's."""
_NONE = "no value is known."
_UNSEEN = 0.005
"""Recall of the first pairs, two pixels in which precision leaps about; left out."""
_PARTS = {"non-redundant": "#D55E00", "redundant": "#9fb8cc", "non-informative": "#e6e6e6"}
"""Part → colour, in the order of drawing."""
_FEW = 20
"""Points of a line that are marked."""
_DISTANCES = (10.0, 20.0, 30.0, 40.0)
"""Points from a marker to the middle of its number."""
_ANGLES = np.linspace(0, 2 * np.pi, 16, endpoint=False)
_SIDES = np.concatenate(
    [each * np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1) for each in _DISTANCES]
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture with its title, in the two formats that documents need."""

    key: str
    """Name of its files, unique in the document: letters and digits, hyphens between them."""
    title: str
    note: str = ""
    alt: str = ""
    """One or two sentences for those who cannot see it."""
    svg: str = field(default="", repr=False)
    """600 CSS pixels wide, text as paths, no links; empty if it could not be drawn."""
    png: bytes = field(default=b"", repr=False)
    """Picture at 200 dpi."""


def has_matplotlib() -> bool:
    """Whether matplotlib is installed, without which nothing is drawn."""
    return find_spec("matplotlib") is not None


class IntervalRow(NamedTuple):
    """One thing measured."""

    label: str
    value: Estimate
    marked: bool = False
    """Whether it is drawn full, and its label bold."""


class Point(NamedTuple):
    """One thing measured twice; both values are finite."""

    label: str
    x: float
    y: float
    marked: bool = False
    """Whether it is drawn full and has a number, which the legend explains."""
    family: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """One line, over x that do not decrease; points whose y is NaN are left out."""

    label: str
    """Empty for one of many that need no name, which is drawn faintly."""
    x: Floats
    """Shape (points,)."""
    y: Floats
    """Shape (points,)."""
    band: tuple[Floats, Floats] | None = None
    """Lower and upper ends of the intervals of y, shape (points,) each."""
    reference: bool = False
    """Whether it is what the others are compared with; drawn dark and thick."""


class GuideLine(NamedTuple):
    """A thin straight line across the figure, named in the legend."""

    label: str
    at: float
    vertical: bool = False
    """At an x, not at a y."""


def draw_intervals(  # noqa: PLR0913 - what a figure says
    key: str,
    title: str,
    groups: Sequence[Sequence[IntervalRow]],
    axis: str,
    note: str = "",
    *,
    joined: bool = False,
    names: Sequence[str] = (),
    alt: str = "",
) -> Figure:
    """A value with its interval for every row, groups apart, in the order given.

    Values are dots, not bars: the axes do not start at 0, and a bar would suggest that they did.
    There may be some 70 rows; ``axis`` names the values, which a line may join. The legend has
    ``names`` of the rows that are marked, and of those that are not.
    """
    rows = [row for group in groups for row in group]
    if not alt:
        known = (row for row in rows if not isnan(row.value.value))
        best = max(known, key=lambda row: row.value.value, default=None)
        parts = f" in {len(groups)} groups" if len(groups) > 1 else ""
        alt = f"{title}. {tidy_label(axis)} of {len(rows)} rows{parts}, " + (
            f"the highest {tidy_label(best.label)} with {best.value.value:.2f}." if best else _NONE
        )
        marked = [row.label for row in rows if row.marked]
        alt += f" Marked: {join_labels(marked)}." if marked else ""
    gaps = [0.6 * number for number, group in enumerate(groups) for _ in group]

    def draw(figure: plot.Figure) -> None:
        places = np.arange(len(rows)) + gaps
        bold = [row.marked and not names for row in rows]
        axes = _row_axes(figure, [row.label for row in rows], places.tolist(), bold)
        axes.set_xlabel(_short(axis))
        dots: list[Line2D] = []
        for full in (False, True):
            chosen = np.array([row.marked == full for row in rows])
            value, low, high = np.array([row.value for row in rows], np.float64)[chosen].T
            colour = _COLOURS[full]
            axes.hlines(places[chosen], low, high, color=colour, linewidth=1.3)
            dots += axes.plot(
                value,
                places[chosen],
                "o",
                color=colour,
                markersize=5,
                markerfacecolor=colour if full else "white",
            )
        for place, row in zip(places, rows, strict=True):
            text, *ends = (format_number(each, 2) for each in row.value)
            between = (
                "–" if row.value.low >= 0 else " to "
            )  # a dash next to a minus is hard to read
            text += "" if isnan(row.value.low) else f" ({between.join(ends)})"
            axes.text(
                1.02, place, text, transform=axes.get_yaxis_transform(), va="center", size=_SMALL
            )
        if joined:
            axes.plot([row.value.value for row in rows], places, color=_PALE, linewidth=0.8)
        _add_legend(figure, dots[::-1] if names else [], names)

    lines = len(rows) + 0.6 * len(groups)
    return _render(Figure(key, title, note, alt), draw if rows else None, _LINE_HEIGHT * lines + 20)


def draw_pairs(  # noqa: PLR0913, PLR0917 - what a figure says
    key: str,
    title: str,
    rows: Sequence[tuple[str, Estimate, Estimate]],
    names: tuple[str, str],
    axis: str,
    note: str = "",
) -> Figure:
    """Two values with their intervals for each of a few rows: label, first and second value.

    The names are those of the first and of the second value; ``axis`` says what they are.
    """
    told = "; ".join(
        f"{tidy_label(label)} {first.value:.2f} and {second.value:.2f}"
        for label, first, second in rows
    )
    is_known = any(not isnan(each.value) for _, *both in rows for each in both)
    alt = f"{title}. {names[0]} and {names[1]}: " + (f"{told}." if is_known else _NONE)
    groups = [
        [IntervalRow(label, first, marked=True), IntervalRow("", second)]
        for label, first, second in rows
    ]
    return draw_intervals(key, title, groups, axis, note, names=names, alt=alt)


def draw_shares(
    key: str,
    title: str,
    groups: Mapping[str, Mapping[str, Sequence[float]]],
    limit: float | None = None,
    note: str = "",
) -> Figure:
    """One stacked bar below the other, up to 60, in the order given, groups below their headings.

    A line marks ``limit``, a share of non-redundant comparisons.

    Args:
        key: of the figure.
        title: of the figure.
        groups: heading, empty for none → measure → its shares of non-redundant, redundant and
            non-informative comparisons, which add up to 1; nan where there is nothing to share.
        limit: where the line is, if there is one.
        note: of the figure.
    """
    bars = [bar for group in groups.values() for bar in group.items()]
    rows: list[tuple[str, Sequence[float]]] = []
    for heading, group in groups.items():
        rows += [*[(heading, ())] * bool(heading), *group.items()]
    alt = f"{title}. Shares of {len(bars)} measures as stacked bars"
    if known := {label: shares[0] for label, shares in bars if not isnan(shares[0])}:
        most = max(known, key=known.__getitem__)
        share = format_percentage(known[most], 0)
        alt += f"; most non-redundant is {join_labels([most])} with {share}"
        if limit is not None:
            above = sum(share > limit for share in known.values())
            alt += f", and {above} are above {format_percentage(limit, 0)}"

    def draw(figure: plot.Figure) -> None:
        places = range(len(rows))
        headings = [not shares for _, shares in rows]
        axes = _row_axes(figure, [label for label, _ in rows], places, headings)
        axes.set_xlim(0, 1)
        axes.xaxis.set_major_formatter(lambda share, _: format_percentage(share, 0))
        widths = np.nan_to_num([shares or (nan, nan, nan) for _, shares in rows]).T
        starts = widths.cumsum(axis=0) - widths
        for width, start, (part, colour) in zip(widths, starts, _PARTS.items(), strict=True):
            axes.barh(places, width, 0.76, start, color=colour, label=part)
        for place, (_, shares) in zip(places, rows, strict=True):
            text = format_percentage(shares[0], 0) if shares else ""
            axes.text(1.02, place, text, va="center", size=_SMALL)
        if limit is not None:
            axes.axvline(limit, color=_INK, linewidth=0.8, dashes=(3, 2))
        _add_legend(figure, *axes.get_legend_handles_labels())

    height = _LINE_HEIGHT * len(rows) + 20
    return _render(Figure(key, title, note, f"{alt}."), draw if bars else None, height)


def draw_curves(key: str, title: str, lines: Sequence[Series], note: str = "") -> Figure:
    """Precision (y) against recall (x) of two to twelve rankings.

    Drawn in steps, since a tie enters as a whole: no threshold attains what is between two points,
    and a straight line promises too much (Davis and Goadrich 2006). The area below a line is its
    average precision.
    """
    shown = []
    for line in (line for line in lines if len(line.x)):
        seen = line.x >= min(_UNSEEN, line.x[-1] / 2)
        y = line.y[seen]
        shown.append(replace(line, x=np.append(0, line.x[seen]), y=np.append(y[0], y)))
    return draw_trends(key, title, shown, ("recall", "precision"), note, steps=True)


def draw_trends(  # noqa: PLR0913, PLR0917 - what a figure says
    key: str,
    title: str,
    lines: Sequence[Series],
    axes: tuple[str, str],
    note: str = "",
    guides: Sequence[GuideLine] = (),
    *,
    alt: str = "",
    steps: bool = False,
) -> Figure:
    """Up to twelve lines with labels, and any number without; guides are to compare with.

    Lines of which nothing is known are left out. A value in ``steps`` holds from the point before.
    """
    lines = [line for line in lines if not np.isnan(line.y).all()]
    named = [line for line in lines if line.label]
    x, y = map(tidy_label, axes)
    if named and not alt:
        ends = ((line.label, *line.y[~np.isnan(line.y)][[0, -1]]) for line in named)
        told = join_labels(f"{name} {first:.2f} to {last:.2f}" for name, first, last in ends)
        alt = f"{title}. {y} over {x}, from first to last: {told}."

    def draw(figure: plot.Figure) -> None:
        drawn = figure.add_subplot(xlabel=_short(x), ylabel=_short(y))
        drawn.margins(x=0.01)
        for line in (each for each in lines if not each.label):
            drawn.plot(line.x, line.y, color=_FAINT, linewidth=0.7)
        for number, line in enumerate(named):
            known = ~np.isnan(line.y)
            colour = _INK if line.reference else _COLOURS[number % len(_COLOURS)]
            drawn.plot(
                line.x[known],
                line.y[known],
                color=colour,
                linestyle="-" if line.reference else _DASHES[number % len(_DASHES)],
                linewidth=2.2 if line.reference else 1.3,
                marker="." if len(line.x) <= _FEW else "",
                drawstyle="steps-pre" if steps else "default",
                label=_short(line.label),
            )
            if line.band:
                low, high = (end[known] for end in line.band)
                drawn.fill_between(line.x[known], low, high, color=colour, alpha=0.13, linewidth=0)
        for guide in guides:
            across = drawn.axvline if guide.vertical else drawn.axhline
            dashes = (1.2, 1.6) if guide.vertical else (4, 3)
            across(guide.at, color=_PALE, linewidth=0.9, dashes=dashes, label=_short(guide.label))
        _add_legend(figure, *drawn.get_legend_handles_labels())

    return _render(Figure(key, title, note, alt), draw if named else None, _HEIGHT)


def draw_scatter(  # noqa: PLR0913, PLR0917 - what a figure says
    key: str,
    title: str,
    points: Sequence[Point],
    axes: tuple[str, str],
    note: str = "",
    correlation: str = "",
    *,
    alike: bool = False,
    equal_f: bool = False,
) -> Figure:
    """Points on two axes, families by colour and marker; numbers stand for those that are marked.

    There may be some 30 to 80 points; more, if most of them are not marked. The correlation is a
    remark above the axes. Values that are alike, of one kind, have one scale and the diagonal.
    Recall and precision have lines of equal F.
    """
    marked = [point.label for point in points if point.marked]
    named = f", among them {join_labels(marked)}" if marked else ""
    alt = f"{title}. {tidy_label(axes[1])} against {tidy_label(axes[0])} of {len(points)} points"
    alt += f"{named}." + (f" {tidy_label(correlation)}." if correlation else "")
    families = list(dict.fromkeys(point.family for point in points))

    def draw(figure: plot.Figure) -> None:
        drawn = figure.add_subplot(xlabel=_short(axes[0]), ylabel=_short(axes[1]))
        drawn.set_title(_short(correlation), size=_SMALL, color=_PALE)
        numbered: list[Line2D] = []
        for point in points:
            at = families.index(point.family)
            colour, marker = _COLOURS[at % len(_COLOURS)], _MARKERS[at % len(_MARKERS)]
            (dot,) = drawn.plot(
                point.x,
                point.y,
                marker,
                color=colour,
                markerfacecolor=colour if point.marked else "white",
                zorder=3 + point.marked,
            )
            numbered += [dot] * point.marked
            if point.family:
                dot.set_label(_short(point.family, 20))
        if alike:
            ends = [limit for pair in (drawn.get_xlim(), drawn.get_ylim()) for limit in pair]
            limits = min(ends), max(ends)
            drawn.plot(limits, limits, color=_PALE, linewidth=0.8, dashes=(2, 1.5), label="y = x")
            drawn.set(xlim=limits, ylim=limits, box_aspect=1)
        if equal_f:
            _draw_equal_f(drawn)
        _write_numbers(drawn, points)
        _add_legend(
            figure, numbered, [f"{at}: {label}" for at, label in enumerate(marked, start=1)]
        )
        by_label = dict(zip(*reversed(drawn.get_legend_handles_labels()), strict=True))
        if by_label:
            drawn.legend(by_label.values(), by_label, loc="upper left", bbox_to_anchor=(1.02, 1))

    return _render(Figure(key, title, note, alt), draw if points else None, 290)


def _draw_equal_f(axes: Axes) -> None:
    """Lines on which F, the harmonic mean of both axes, is the same; a bit more room for them."""
    ends = np.array([axes.get_xlim(), axes.get_ylim()]) + [[-0.03, 0.03]] * 2
    (left, right), (low, high) = ends = ends.clip(0.01, 1.02)
    x, y = np.meshgrid(np.linspace(left, right, 200), np.linspace(low, high, 200))
    step = 0.05 if np.ptp(ends, axis=1).max() < 0.5 else 0.1
    levels = np.arange(step, 1, step)
    lines = axes.contour(x, y, 2 * x * y / (x + y), levels, colors=_FAINT, linewidths=0.7)
    axes.clabel(lines, fmt="F %.2f", fontsize=_SMALL - 1, colors=_PALE)
    axes.set(xlim=(left, right), ylim=(low, high))


def _write_numbers(axes: Axes, points: Sequence[Point]) -> None:
    """Number the marked points near their markers, clear of other points and numbers.

    A number stands on the side where most room is; farther away, with a line to its marker, where
    points are crowded.
    """
    size = np.array([290.0, 270.0])  # points, about
    corners = np.array([axes.get_xlim(), axes.get_ylim()]).T
    places = (np.array([(each.x, each.y) for each in points]) - corners[0]) / np.ptp(
        corners, axis=0
    )
    taken = places = places * size
    marked = (at for at, point in enumerate(points) if point.marked)
    for number, at in enumerate(marked, start=1):
        sides = places[at] + _SIDES
        room = np.linalg.norm(sides[:, np.newaxis] - taken, axis=2).min(axis=1).clip(max=10)
        room -= 0.05 * np.linalg.norm(_SIDES, axis=1)
        room[((sides < 0) | (sides > size)).any(axis=1)] -= 10
        best = int(room.round(3).argmax())  # rounded, so that equal sides stay equal
        taken = np.concatenate([taken, sides[[best]]])
        leader = {"arrowstyle": "-", "linewidth": 0.5, "color": _PALE}
        axes.annotate(
            str(number),
            (points[at].x, points[at].y),
            tuple(_SIDES[best]),
            textcoords="offset points",
            ha="center",
            va="center",
            size=_SMALL,
            arrowprops=leader if best >= len(_ANGLES) else None,
        )


def _render(figure: Figure, draw: Callable[[plot.Figure], None] | None, height: float) -> Figure:
    """The figure with its picture, axes about that high; without one if there is none to draw."""
    if draw is None or not has_matplotlib():
        return figure
    import matplotlib.style  # noqa: PLC0415
    from matplotlib.figure import Figure as Plot  # noqa: PLC0415
    from matplotlib.layout_engine import ConstrainedLayoutEngine  # noqa: PLC0415

    title = textwrap.wrap(tidy_label(figure.title, 2 * _TITLE_LETTERS - 8), _TITLE_LETTERS)
    about = {"Date": None, "Creator": None, "Title": tidy_label(figure.title)}
    svg, png = io.BytesIO(), io.BytesIO()
    style = matplotlib.style.context(["default", _SETTINGS])
    with style, warnings.catch_warnings():
        # Labels may be in any script; what the font lacks is drawn as a box in any case.
        for message in ("Glyph .* missing from", "Matplotlib currently does not support"):
            warnings.filterwarnings("ignore", message, UserWarning)
        plotted = Plot(figsize=(WIDTH / _INCH, (height + _AROUND) / _INCH), dpi=_INCH)
        plotted.suptitle("\n".join(title), x=0.018, ha="left")
        draw(plotted)
        # Run by hand, once for both formats; a figure with an engine runs it whenever it is saved.
        ConstrainedLayoutEngine().execute(plotted)
        plotted.savefig(svg, format="svg", metadata=about)
        plotted.savefig(png, format="png", dpi=200, metadata={"Software": None})
    return replace(
        figure,
        alt=tidy_label(figure.alt, 2000),
        svg=svg.getvalue().decode(),
        png=png.getvalue(),
    )


def _short(label: str, letters: int = _AXIS_LETTERS) -> str:
    """The label tidied, and shortened in the middle if it is too long."""
    return cut_middle(tidy_label(label), letters)


def _add_legend(figure: plot.Figure, handles: Sequence[Any], labels: Sequence[str]) -> None:
    """Name what is drawn in a legend below the axes, in as many columns as there is room for."""
    if handles:
        fitted = [_short(label) for label in labels]
        columns = max(1, _LEGEND_LETTERS // (max(map(len, fitted)) + 8))
        figure.legend(handles, fitted, ncols=columns, loc="outside lower left")
        rows = ceil(len(fitted) / columns)
        figure.set_figheight(figure.get_figheight() + (rows * 11.5 + 6) / _INCH)


def _row_axes(
    figure: plot.Figure,
    labels: Sequence[str],
    places: Sequence[float],
    bold: Sequence[bool],
) -> Axes:
    """Axes of labelled rows, the first on top."""
    axes = figure.add_subplot(ylim=(places[-1] + 0.7, places[0] - 0.7))
    axes.set_yticks(places, [_short(label, _ROW_LETTERS) for label in labels])
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    axes.spines["left"].set_visible(False)
    for label, is_bold in zip(axes.get_yticklabels(), bold, strict=True):
        label.set_fontweight("bold" if is_bold else "normal")
    return axes
