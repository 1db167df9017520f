"""What a document holds. All text is plain: mark-up in it is shown as it was written.

Can the document be written? Keys become file names; tables must have one shape.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from weps.errors import OutputError

__all__ = ["Document", "Figure", "Picture", "Quote", "Section", "Table", "Tone", "check"]

Tone = Literal["yes", "no", "open"]
"""The colour of a badge; the badge's word says what it means."""


class Picture(Protocol):
    """A drawing, as vectors and as dots, and in words for those who cannot see it."""

    @property
    def svg(self) -> str:
        """An SVG file."""

    @property
    def png(self) -> bytes:
        """A PNG file."""

    @property
    def alt(self) -> str:
        """What the picture shows, in a sentence or two."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture with its title."""

    key: str
    """Name of its files, unique in the document: letters and digits, hyphens between them."""
    title: str
    picture: Picture | None
    """None if it could not be drawn."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells."""

    key: str
    """Name of its files, unique in the document: letters and digits, hyphens between them."""
    title: str
    rows: Sequence[Sequence[str]]
    """At least one, all of one length; the first is the heading."""
    note: str = ""
    left: int = 1
    """How many columns, from the first, are aligned left; the others are right."""
    marks: Mapping[str, Tone] = field(default_factory=dict)
    """Cells that are shown as badges: the whole cell, e.g. ``holds``, and its colour."""


@dataclass(frozen=True, slots=True)
class Quote:
    """What another work has, shown beside our own."""

    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Section:
    """One question: what we have on it, and what the other work has."""

    title: str
    paragraphs: Sequence[str] = ()
    figures: Sequence[Figure] = ()
    tables: Sequence[Table] = ()
    quotes: Sequence[Quote] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """All of it."""

    title: str
    summary: Sequence[str]
    """Paragraphs."""
    sections: Sequence[Section]
    signature: str
    """What the numbers were computed by, with every setting that changes them."""
    made: str
    """The command line that made the document."""

    def figures(self) -> Iterator[Figure]:
        """Every figure, in order."""
        return (figure for section in self.sections for figure in section.figures)

    def tables(self) -> Iterator[Table]:
        """Every table, in order."""
        return (table for section in self.sections for table in section.tables)


_KEY = re.compile(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*")
_TAKEN = "index"


def check(document: Document, folder: Path) -> None:
    """Refuse keys that are no file names or name two things, and tables of no shape.

    Raises:
        OutputError: for the first of these.
    """
    keys = [figure.key for figure in document.figures()]
    keys += [table.key for table in document.tables()]
    for key in keys:
        if not _KEY.fullmatch(key):
            remedy = "use letters and digits, with hyphens between them"
            raise OutputError(
                f"{key!r} is no key of a figure or table", where=folder, remedy=remedy
            )
    # Some file systems do not tell capitals from small letters.
    for key, times in Counter([_TAKEN, *map(str.lower, keys)]).items():
        if times > 1:
            what = f"two parts of the document have the key {key!r}"
            raise OutputError(what, where=folder, remedy="give each its own")
    for table in document.tables():
        _check_shape(table, folder)


def _check_shape(table: Table, folder: Path) -> None:
    widths = {len(row) for row in table.rows}
    if len(widths) != 1 or 0 in widths:
        what = f"the table {table.key!r} needs a heading, and rows as long as it"
        raise OutputError(what, where=folder, remedy="give every row one cell for each column")
