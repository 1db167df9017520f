"""Provenance: where the pages of a result came from, and how to cluster them again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from weps._cache import content_digest
from weps.records import HtmlReader, Page

FINGERPRINT_PATTERN = r"[0-9a-f]{12}"
"""The pattern of a fingerprint, a regular expression."""


def page_fingerprint(page: Page) -> str:
    """12 hex digits of the page's content, text, address, title and snippet, not of its rank.

    A page is recognised by it at another rank. Two different pages of one name share one by chance
    about once in 10¹⁴ pairs.
    """
    content = None
    with suppress(OSError):  # its file is gone
        content = page.read_content()
    kind, body = ("html", content) if content is not None else ("text", page.text or "")
    return content_digest(page.url, page.title, page.snippet, kind, body)[:12]


@dataclass(frozen=True, slots=True)
class Collection:
    """A source of pages, and which of its pages the result has."""

    path: str
    """As the result writes it, see :func:`portable_path`; slashes on every system."""
    name: str
    """The identifier of the name within the source."""
    ranks: Mapping[int, int] | None = None
    """Rank in the source to rank in the result; None where they are the same."""

    def within(self, folder: Path) -> Path:
        """Where the source is, given the folder of the result."""
        return Path(os.path.normpath(folder.absolute() / self.path))


@dataclass(frozen=True, slots=True)
class Provenance:
    """Sources and settings of a result."""

    collections: tuple[Collection, ...] = ()
    """In the order in which their pages were added."""
    system: str = ""
    """The value of ``--system``; empty if not given."""
    model: str = ""
    """The model file given with ``--model``, absolute; empty for the pretrained model."""
    threshold: float | None = None
    """The value of ``--threshold``; None if the model chose."""
    language: str = ""
    """The value of ``--language``; empty for the pipeline of the model."""
    embeddings: str = ""
    """The value of ``--embeddings``; empty if not given."""
    html: HtmlReader = HtmlReader.FAST
    """What read the mark-up of the pages."""
    keep_all: bool = False
    """Whether ``--keep-all`` was given: no page is set aside."""
    digest: str = ""
    """32 hex digits of all that the result depends on, see :mod:`weps.results.making`; empty if
    it was not made by ``weps cluster``, or was changed since."""
    last_id: int = 0
    """The greatest id that any person of the result has had, so that none is reused; 0
    where that is the greatest current one."""


def source_collection(pages: Path, name: str, folder: Path) -> Collection:
    """The source of ``pages``, whose ranks are those of the result in ``folder``."""
    return Collection(portable_path(folder, pages), name)


def portable_path(folder: Path, path: Path) -> str:
    """The path of the pages as written in a result.

    Relative if both lie below one folder besides the root, so that they can be moved together.
    """
    start, end = folder.absolute(), path.absolute()
    try:
        apart = os.path.commonpath([start, end]) == start.anchor
    except ValueError:  # two drives
        apart = True
    return end.as_posix() if apart else Path(os.path.relpath(end, start)).as_posix()
