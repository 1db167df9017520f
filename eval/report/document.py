"""The content of a document. All text is plain: mark-up in it is displayed verbatim."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from eval.report.tables import Table
from weps.errors import OutputError

__all__ = ["Document", "Figure", "Picture", "Quote", "Section"]

_KEY = re.compile(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*")
_TAKEN = "index"


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

    def check_keys(self, folder: Path) -> None:
        """Check that keys can be file names, and that each is used once.

        Args:
            folder: where the files will be, for the message.

        Raises:
            OutputError: for the first key that cannot.
        """
        keys = [each.key for each in self.figures()] + [each.key for each in self.tables()]
        for key in keys:
            if not _KEY.fullmatch(key):
                remedy = "use letters and digits, with hyphens between them"
                what = f"{key!r} is not a key of a figure or table"
                raise OutputError(what, where=folder, remedy=remedy)
        # Some file systems do not distinguish capitals from small letters.
        for key, times in Counter([_TAKEN, *map(str.lower, keys)]).items():
            if times > 1:
                what = f"two parts of the document have the key {key!r}"
                raise OutputError(what, where=folder, remedy="give each its own")
