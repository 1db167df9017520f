"""Pages that a program has, as a search: dictionaries, a data frame, a folder.

Nothing is imported for data frames: whatever has columns by name is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import Any

from weps._formatting import join_items, quote_text
from weps.errors import SourceError
from weps.records import Page, Search
from weps.sources.base import Source, select_names
from weps.sources.opening import open_source

_TEXTS = ("url", "title", "snippet", "html", "text", "name")
_CONTENT = ("html", "text", "title", "snippet", "url")
"""Keys of which at least one page has one."""
_REMEDY = f"give dictionaries, or a data frame, with some of {', '.join(_CONTENT)} (and rank)"
_MISSING = {"NoneType", "NAType", "NaTType"}
"""Types of missing cells, those of pandas among them."""


@dataclass(frozen=True, slots=True)
class GivenPages:
    """A search, and where its pages are if they are saved."""

    search: Search
    source: Source | None = None
    """With this name alone; None for pages that are in memory."""

    @classmethod
    def of(cls, pages: Any, name: str = "") -> GivenPages:
        """Open a folder, or read what a program has.

        Args:
            pages: a path or a :class:`~weps.sources.base.Source` of one name or with the name; a
                :class:`~weps.records.Search`; or one item per page: a dictionary or a row of a
                data frame with any of ``url``, ``title``, ``snippet``, ``html`` (text or bytes),
                ``text`` and ``rank``, a :class:`~weps.records.Page`, or the text itself. Without
                ranks, pages are numbered from 1.
            name: the person's name; of pages in memory it may also stand in ``name`` of each.

        Raises:
            SourceError: if there are no pages, no name or several, or a value of another type.
        """
        if isinstance(pages, Search):
            return cls(pages)
        if isinstance(pages, str | Path):
            pages = open_source(pages, name or None)
        if isinstance(pages, Source):
            return cls._of_source(pages, name)
        rows = list(_rows(pages))
        if not any(isinstance(row, Page) or _has_content(row) for row in rows):
            raise SourceError("there are no pages", remedy=_REMEDY)
        found = [
            row if isinstance(row, Page) else _page(row, number)
            for number, row in enumerate(rows, start=1)
        ]
        return cls(Search(name or _name_of(rows), tuple(found)))

    @classmethod
    def _of_source(cls, source: Source, name: str) -> GivenPages:
        several = name and len(source.names) > 1
        names = select_names(source, [name] if several else [])
        if len(names) != 1:
            what = f"has {len(names):,} names ({join_items(names)})"
            raise SourceError(what, where=source.root, remedy="choose one: name=")
        only = source.only(names[0])
        return cls(only.search(names[0]), only)


def _rows(pages: Any) -> Iterator[Mapping[str, Any] | Page]:
    """The pages one by one; texts as dictionaries."""
    columns = getattr(pages, "column_names", None)  # those of Arrow
    columns = getattr(pages, "columns", None) if columns is None else columns
    if columns is not None:
        known = [each for each in columns if each in {*_TEXTS, "rank"}]
        cells = (_cells(pages[each]) for each in known)
        yield from (dict(zip(known, row, strict=True)) for row in zip(*cells, strict=True))
        return
    if not isinstance(pages, Iterable) or isinstance(pages, Mapping):
        raise SourceError(f"expected pages, got {type(pages).__name__}", remedy=_REMEDY)
    for row in pages:
        if not isinstance(row, Page | Mapping | str):
            what = f"expected a dictionary for each page, got {type(row).__name__}"
            raise SourceError(what, remedy=_REMEDY)
        yield {"text": row} if isinstance(row, str) else row


def _cells(column: Any) -> Iterable[Any]:
    as_list = getattr(column, "to_pylist", None)  # that of Arrow
    cells: Iterable[Any] = as_list() if as_list else column
    return cells


def _has_content(row: Mapping[str, Any]) -> bool:
    return any(not _is_missing(row.get(key)) for key in _CONTENT)


def _is_missing(value: Any) -> bool:
    return type(value).__name__ in _MISSING or (isinstance(value, float) and isnan(value))


def _page(row: Mapping[str, Any], number: int) -> Page:
    """The page of a row; ``html`` is read rather than ``text`` where both are given."""
    texts = {key: _text(row.get(key), key, number) for key in _TEXTS if key != "html"}
    html = row.get("html")
    content = html if isinstance(html, bytes) else _text(html, "html", number).encode(**_UTF8)
    content = content or texts["text"].encode(**_UTF8)
    return Page(
        _rank(row.get("rank"), number),
        texts["url"],
        texts["title"],
        texts["snippet"],
        content or None,
        charset="" if isinstance(html, bytes) else "utf-8",
    )


_UTF8 = {"encoding": "utf-8", "errors": "replace"}
"""A lone surrogate has no bytes; a question mark stands for it."""


def _text(value: Any, key: str, number: int) -> str:
    if isinstance(value, str):
        return value
    if not _is_missing(value):
        raise _wrong_type(value, "text", key, number)
    return ""


def _rank(value: Any, number: int) -> int:
    """A rank, which columns with missing cells hold as floats."""
    if _is_missing(value):
        return number
    try:
        rank = int(value)
    except (TypeError, ValueError, OverflowError):
        rank = -1
    if rank < 0 or rank != value or isinstance(value, bool):
        raise _wrong_type(value, "a whole number from 0", "rank", number)
    return rank


def _wrong_type(value: Any, expected: str, key: str, number: int) -> SourceError:
    what = f"expected {expected}, got {quote_text(str(value))} ({type(value).__name__})"
    return SourceError(what, where=f"{key} of page {number}")


def _name_of(rows: Iterable[Mapping[str, Any] | Page]) -> str:
    """The name that all rows state."""
    stated = {row.get("name") for row in rows if not isinstance(row, Page)}
    names = sorted({each for each in stated if isinstance(each, str) and each.strip()})
    if len(names) != 1:
        what = f"the pages state {len(names)} names ({join_items(names)})" if names else ""
        remedy = "give the name that was searched for: name='Ann Lee'"
        raise SourceError(what or "the name of the pages is unknown", remedy=remedy)
    return names[0]
