"""What a document holds. All text is plain: mark-up in it is shown as it was written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

__all__ = ["Document", "Figure", "Picture", "Quote", "Section", "Table", "Tone"]

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
