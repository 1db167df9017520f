"""The interface of sources, saved pages on disk, and the names of people as text and file names."""

from __future__ import annotations

import difflib
import errno
import hashlib
import json
import re
import unicodedata
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from weps._files import LINK_OUT, first_existing, leads_out, open_file
from weps._formatting import count_of, error_reason, join_items, short_repr
from weps.errors import SourceError
from weps.records import Clustering, Page, Search

MAX_PAGE_BYTES = 32 * 1024 * 1024
"""Bytes read of one page; cleaning uses far fewer."""


@dataclass(frozen=True, slots=True)
class SavedContent:
    """Reads the content of a page from its file, each time that it is called."""

    file: Path
    folder: Path
    """Links that lead out of it are not followed."""

    def __call__(self) -> bytes:
        """The first :data:`MAX_PAGE_BYTES`; raises an OSError if they cannot be read."""
        return self.read(MAX_PAGE_BYTES)

    def read(self, most: int) -> bytes:
        """The first bytes; raises an OSError if they cannot be read."""
        if leads_out(self.file, self.folder):
            raise OSError(errno.EPERM, LINK_OUT, self.file)
        with open_file(self.file) as opened:
            return opened.read(most)


def load_page(page: Page, places: Iterable[Path], folder: Path) -> Page:
    """Add the file at the first place that exists and what reads it, or why it cannot be read.

    Links that lead out of the folder are not followed. Where no place exists, the page stays as it
    is: the search result is all there is.
    """
    file = first_existing(places)
    if file is None:
        return page
    content = SavedContent(file, folder)
    try:
        content.read(1)
    except OSError as problem:
        reason = error_reason(problem)
        shown = reason if reason == LINK_OUT else f"cannot be read ({reason})"
        return replace(page, problem=f"{file}: {shown}")
    return replace(page, content=content, file=str(file))


_UNFIT_FOR_FILES = re.compile(r'[\s_/\\:*?"<>|\x00-\x1f\x7f]+')
_QUOTES = "\"'“”„«»"


class KnownNames(NamedTuple):
    """Names that are no source, such as those of stored results."""

    root: Path
    names: tuple[str, ...]


def select_names(source: Source | KnownNames, names: Sequence[str]) -> tuple[str, ...]:
    """Turn names as typed (``Thomas Baker``, ``thomas_baker``) into identifiers of a source.

    The order given is kept, a repeated name counts once, and no names at all means every name.

    Raises:
        SourceError: names that the source does not hold, all of them at once.
    """
    if not names:
        return source.names
    if len(names) == 1:
        at = bisect_left(source.names, names[0])
        if source.names[at : at + 1] == (names[0],):  # quick, as names are sorted mostly
            return (names[0],)
    known, exact = {_fold_name(name): name for name in source.names}, set(source.names)
    found = {name: name if name in exact else known.get(_fold_name(name)) for name in names}
    hints = []
    for typed in (typed for typed, name in found.items() if name is None):
        near = [known[each] for each in difflib.get_close_matches(_fold_name(typed), known)]
        hints.append(repr(typed) + (f" (did you mean {' or '.join(near)}?)" if near else ""))
    if hints:
        raise SourceError(
            f"no results for {'; '.join(hints)}",
            where=source.root,
            remedy=f"the names here are {join_items(source.names, most=10)}",
        )
    return tuple(dict.fromkeys(name for name in found.values() if name is not None))


def as_identifier(name: str) -> str:
    """Make a file name of a person's name: ``Thomas Baker`` becomes ``Thomas_Baker``."""
    return _UNFIT_FOR_FILES.sub("_", unicodedata.normalize("NFC", name)).strip("_. ")


def as_name(text: str) -> str:
    """Write a name as a person would: without underscores or the quotes of a search string."""
    return " ".join(text.replace("_", " ").strip(_QUOTES + " \t\r\n").split())


def _fold_name(name: str) -> str:
    return unicodedata.normalize("NFKC", as_identifier(as_name(name))).casefold()


@dataclass(frozen=True, repr=False)
class Source(ABC):
    """Search results for one or more names, which are read one name at a time.

    Methods accept names as :func:`select_names` does, and raise ``SourceError`` for unknown ones.
    """

    root: Path
    names: tuple[str, ...]
    """Sorted identifiers, fit for file names: ``Thomas_Baker``."""

    def __repr__(self) -> str:
        return short_repr(self, str(self.root), self.layout, count_of(len(self.names), "name"))

    @property
    @abstractmethod
    def layout(self) -> str:
        """The kind of source: ``weps-1``, ``weps-2`` or ``folder``."""

    @abstractmethod
    def search(self, name: str) -> Search:
        """Read the pages of one name; ``Page.problem`` states why a page cannot be read.

        Raises:
            SourceError: the list of results is missing or malformed.
        """

    @abstractmethod
    def ranks(self, name: str) -> tuple[int, ...]:
        """Ranks of the results of one name, ascending, without reading their pages."""

    @abstractmethod
    def key(self, name: str) -> Clustering | None:
        """Read the gold standard of one name; None where there is none.

        Raises:
            KeyFileError: the key is malformed.
        """

    def only(self, name: str) -> Source:
        """This source with one name alone, small enough to be sent with each task."""
        return replace(self, names=select_names(self, [name]))

    def has_pages(self, name: str) -> bool:
        """Whether there are pages to read; names may be listed without this being checked."""
        return bool(select_names(self, [name]))

    def component_names(self, name: str) -> frozenset[str]:
        """The names whose pages these are: the name itself, unless it is a mixed name."""
        return frozenset(select_names(self, [name]))

    @abstractmethod
    def warnings(self, name: str) -> tuple[str, ...]:
        """Faults of the data that do not prevent clustering, one sentence each."""

    def digest(self, names: Sequence[str] = ()) -> str:
        """Twelve hexadecimal digits that identify the data of a score.

        They change with the names (default: all), the ranks of their results and their keys, from
        which scores are computed; not with the order of groups in a key or the bytes of the pages.
        """
        facts = []
        for name in sorted(select_names(self, names)):
            key = self.key(name)
            groups = key and [*sorted(map(sorted, key.groups)), sorted(key.discarded)]
            facts.append((name, self.ranks(name), groups))
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:12]


def ranks_without_result(key: Clustering | None, ranks: Iterable[int]) -> tuple[int, ...]:
    """Ranks that a key, if there is one, names though the search did not return them, ascending."""
    return tuple(sorted((key.ranks | key.discarded) - set(ranks))) if key else ()
