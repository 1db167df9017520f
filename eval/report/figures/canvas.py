"""The sheet on which a figure is drawn; the only module that loads matplotlib, and only to draw."""

from __future__ import annotations

import io
import math
import textwrap
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eval.report.figures.label_placement import Place
from eval.report.figures.style import (
    EDGE,
    INK,
    SETTINGS,
    SMALL,
    TITLE,
    WIDTH,
    Picture,
    available,
    shortened,
    tidy,
)
from weps.errors import OutputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Sheet", "fitted", "picture", "width_of"]

_INCH = 72.0
_TITLE_LETTERS = 60
_LONGEST_ALT = 2000
_SHORTEST = 8.0
"""A leader that is shorter says nothing."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A figure with coordinates in points from its lower left corner."""

    figure: Figure
    top: float
    """Where the title ends and drawing may begin."""

    def panel(self, left: float, bottom: float, right: float, top: float) -> Axes:
        """Axes that fill this rectangle."""
        height = self.figure.get_figheight() * _INCH
        return self.figure.add_axes(
            (left / WIDTH, bottom / height, (right - left) / WIDTH, (top - bottom) / height)
        )

    def write(  # noqa: PLR0913 - a text has a place, a size, a colour and an alignment
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = SMALL,
        colour: str = INK,
        across: str = "left",
        up: str = "center",
        bold: bool = False,
        key: str = "",
    ) -> None:
        """Write a text; with a key it is a label, which is found in the SVG by that id."""
        written = self.figure.text(
            x / _INCH,
            y / _INCH,
            text,
            transform=self.figure.dpi_scale_trans,
            size=size,
            color=colour,
            horizontalalignment=across,
            verticalalignment=up,
            weight="bold" if bold else "normal",
        )
        if key:
            written.set_gid(key)

    def label(self, place: Place, text: str, colour: str, key: str, radius: float = 0) -> None:
        """Write a label where it was placed, with its leader if it stands apart.

        The leader starts at the edge of a marker of that radius.
        """
        length = math.dist(place.anchor, place.near)
        if length > _SHORTEST:
            (x, y), (end_x, end_y) = place.anchor, place.near
            part = radius / length
            self.stroke((x + part * (end_x - x), y + part * (end_y - y)), place.near, colour)
        middle = place.bottom + place.height / 2
        self.write(place.left, middle, text, colour=colour, key=key)

    def square(self, x: float, y: float, side: float, colour: str) -> None:
        """Fill a square whose left side has its middle at this point."""
        from matplotlib.patches import Rectangle  # noqa: PLC0415

        corner = x / _INCH, (y - side / 2) / _INCH
        inches = side / _INCH
        transform = self.figure.dpi_scale_trans
        self.figure.add_artist(
            Rectangle(corner, inches, inches, transform=transform, color=colour, linewidth=0)
        )

    def stroke(self, start: tuple[float, float], end: tuple[float, float], colour: str) -> None:
        """Draw a thin straight line."""
        from matplotlib.lines import Line2D  # noqa: PLC0415

        self.figure.add_artist(
            Line2D(
                [start[0] / _INCH, end[0] / _INCH],
                [start[1] / _INCH, end[1] / _INCH],
                transform=self.figure.dpi_scale_trans,
                color=colour,
                linewidth=0.5,
            )
        )


def width_of(text: str, size: float = SMALL, weight: str = "normal") -> float:
    """How wide a text is."""
    from matplotlib.font_manager import FontProperties  # noqa: PLC0415
    from matplotlib.textpath import text_to_path  # noqa: PLC0415

    font = FontProperties(size=size, weight=weight)
    return float(text_to_path.get_text_width_height_descent(text, font, ismath=False)[0])


def fitted(text: str, width: float, size: float = SMALL, weight: str = "normal") -> str:
    """The label tidied, and shortened until it is no wider than that."""
    line = tidy(text)
    longest = len(line)
    while longest > 1 and width_of(shortened(line, longest), size, weight) > width:
        longest -= 1
    return shortened(line, longest)


def picture(draw: Callable[[Sheet], None], title: str, height: float, alt: str) -> Picture:
    """Draw on a new sheet.

    Args:
        draw: what to draw.
        title: of one or two lines; they are added to the height.
        height: of what is drawn below the title, in points.
        alt: what the picture shows, in words.

    Raises:
        OutputError: if matplotlib is not installed.
    """
    if not available():
        raise OutputError(
            "figures cannot be drawn without matplotlib", remedy="pip install 'weps[plots]'"
        )
    with _styled():
        sheet = _sheet(title, height)
        draw(sheet)
        svg, png = _as_svg(sheet.figure, title), _as_png(sheet.figure)
    return Picture(svg, png, tidy(alt, _LONGEST_ALT))


def _sheet(title: str, height: float) -> Sheet:
    from matplotlib.figure import Figure  # noqa: PLC0415

    wrapped = textwrap.wrap(tidy(title, 2 * _TITLE_LETTERS - 8), _TITLE_LETTERS)
    lines = [fitted(line, WIDTH - 2 * EDGE, TITLE, "bold") for line in wrapped[:2]]
    whole = height + EDGE + TITLE * 1.4 * len(lines)
    figure = Figure(figsize=(WIDTH / _INCH, whole / _INCH), dpi=_INCH, facecolor="white")
    sheet = Sheet(figure, height)
    sheet.write(EDGE, whole - EDGE, "\n".join(lines), size=TITLE, bold=True, up="top", key="title")
    return sheet


@contextmanager
def _styled() -> Iterator[None]:
    """Our settings over matplotlib's own, for as long as a picture is drawn."""
    import matplotlib.style  # noqa: PLC0415

    ours = matplotlib.rc_context(SETTINGS)
    with matplotlib.style.context("default"), ours, warnings.catch_warnings():
        # Labels may be in any script; what the font lacks is drawn as a box in any case.
        for message in ("Glyph .* missing from", "Matplotlib currently does not support"):
            warnings.filterwarnings("ignore", message, UserWarning)
        yield


def _as_svg(figure: Figure, title: str) -> str:
    buffer = io.StringIO()
    about = {"Date": None, "Creator": None, "Title": tidy(title)}
    figure.savefig(buffer, format="svg", metadata=about)
    return buffer.getvalue()


def _as_png(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=200, metadata={"Software": None})
    return buffer.getvalue()
