"""Sources opened by their path, and searches made of pages that a program has.

Nothing is imported for data frames: whatever has columns by name is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import isnan
from pathlib import Path
from typing import Any

from weps._files import first_existing, list_entries, real_path
from weps._formatting import error_reason, join_items, quote_text
from weps.errors import SourceError
from weps.records import Page, Search
from weps.sources.base import Source, select_names
from weps.sources.corpora import Corpus
from weps.sources.folder import Folder

_RESULT_FOLDERS = ("description_files", "metadata")
"""Folders of the files of results of WePS-1 and WePS-2, tried in this order."""
_CORPUS_FOLDERS = frozenset(
    (*_RESULT_FOLDERS, "attributes", "gold_standard", "tokens", "truth_files", "web_pages")
)
_KNOWN_KINDS = (
    "a source is a WePS-1 corpus: description_files, truth_files, web_pages, "
    "or a WePS-2 corpus: metadata, gold_standard, web_pages or tokens, "
    "or saved pages (HTML, text, PDF, MHTML, WARC, HAR, ZIP), directly or in one subfolder per name"
)


def open_source(path: Path | str, name: str | None = None) -> Source:
    """Open a folder of any kind: its names are listed, and pages are read later.

    Args:
        path: a WePS corpus, a folder of saved pages, a folder of such folders, or an archive.
        name: the person's name for saved pages; by default made from the name of the folder or
            file. Ignored for corpora and folders of folders, which define their names.

    Raises:
        SourceError: if the folder does not exist, is a file, or has no known content.
    """
    root = Path(path)
    try:
        if not (root.is_dir() or first_existing([root])):
            raise SourceError(
                "no such file or folder", where=root, remedy="check the spelling of the path"
            )
        root = root.absolute() if root.name.strip(".") else real_path(root)
        if not root.is_dir():
            return Folder.open_file(root, name)
        if root.name in _CORPUS_FOLDERS and _result_folder(root.parent):
            raise SourceError(
                "is a part of a WePS corpus", where=root, remedy=f"take {root.parent}"
            )
        if results := _result_folder(root):
            return Corpus.open(root, results)
        if source := Folder.open(root, name):
            return source
        corpora = [item for item in list_entries(root) if item.is_dir() and _result_folder(item)]
    except OSError as problem:
        raise SourceError(
            f"cannot be read ({error_reason(problem)})",
            where=problem.filename or root,
            remedy="check that you may read it",
        ) from problem
    raise SourceError(
        "contains neither saved pages nor a WePS corpus",
        where=root,
        remedy=f"take the corpus in {join_items(corpora, most=10)}" if corpora else _KNOWN_KINDS,
    )


def _result_folder(root: Path) -> str:
    """The subfolder with a corpus's files of results; empty if the folder is no corpus."""
    for name in _RESULT_FOLDERS:
        folder = root / name
        if folder.is_dir() and any(file.suffix == ".xml" for file in list_entries(folder)):
            return name
    return ""


_TEXTS = ("url", "title", "snippet", "text", "name", "html")
_CONTENT = ("html", "text", "title", "snippet", "url")
"""Keys of which at least one page has one."""
_REMEDY = f"give dictionaries, or a data frame, with some of {', '.join(_CONTENT)} (and rank)"
_MISSING = {"NoneType", "NAType", "NaTType"}
"""Types of missing cells, those of pandas among them."""


def read_pages(pages: Any, name: str = "") -> tuple[Search, Source | None]:
    """Open a folder, or read what a program has.

    Args:
        pages: a path or a :class:`~weps.sources.base.Source` of one name or with the name; a
            :class:`~weps.records.Search`; or one item per page: a dictionary or a row of a data
            frame with any of ``url``, ``title``, ``snippet``, ``html`` (text or bytes), ``text``
            and ``rank``, a :class:`~weps.records.Page`, or the text itself. Without ranks, pages
            are numbered from 1.
        name: the person's name; of pages in memory it may also stand in ``name`` of each.

    Returns:
        The search, and the source with this name alone; None for pages that are in memory.

    Raises:
        SourceError: if there are no pages, no name or several, or a value of another type.
    """
    if isinstance(pages, Search):
        return pages, None
    if isinstance(pages, str | Path):
        pages = open_source(pages, name or None)
    if isinstance(pages, Source):
        names = select_names(pages, [name] if name and len(pages.names) > 1 else [])
        if len(names) != 1:
            raise SourceError(
                f"has {len(names):,} names ({join_items(names)})",
                where=pages.root,
                remedy="choose one: name=",
            )
        only = pages.only(names[0])
        return only.search(names[0]), only
    rows = list(_rows(pages))
    if not any(
        isinstance(row, Page) or not all(_is_missing(row.get(key)) for key in _CONTENT)
        for row in rows
    ):
        raise SourceError("there are no pages", remedy=_REMEDY)
    found = [
        row if isinstance(row, Page) else _page(row, number)
        for number, row in enumerate(rows, start=1)
    ]
    return Search(name or _name_of(rows), tuple(found)), None


def _rows(pages: Any) -> Iterator[Mapping[str, Any] | Page]:
    """The pages one by one; texts as dictionaries."""
    columns = getattr(pages, "column_names", None)  # those of Arrow
    columns = getattr(pages, "columns", None) if columns is None else columns
    if columns is not None:
        known = [each for each in columns if each in {*_TEXTS, "rank"}]
        cells = [pages[each] for each in known]
        lists = (getattr(each, "to_pylist", each.__iter__)() for each in cells)  # those of Arrow
        yield from (dict(zip(known, row, strict=True)) for row in zip(*lists, strict=True))
        return
    if not isinstance(pages, Iterable) or isinstance(pages, Mapping):
        raise SourceError(f"expected pages, got {type(pages).__name__}", remedy=_REMEDY)
    for row in pages:
        if not isinstance(row, Page | Mapping | str):
            raise SourceError(
                f"expected a dictionary for each page, got {type(row).__name__}", remedy=_REMEDY
            )
        yield {"text": row} if isinstance(row, str) else row


def _is_missing(value: Any) -> bool:
    return type(value).__name__ in _MISSING or (isinstance(value, float) and isnan(value))


def _page(row: Mapping[str, Any], number: int) -> Page:
    """The page of a row; ``html`` is read rather than ``text`` where both are given."""
    html = row.get("html")
    raw = html if isinstance(html, bytes) else None
    texts: dict[str, str] = {}
    for key in _TEXTS:
        value = None if key == "html" and raw is not None else row.get(key)
        if not (isinstance(value, str) or _is_missing(value)):
            raise _wrong_type(value, "text", key, number)
        texts[key] = value if isinstance(value, str) else ""
    rank: Any = row.get("rank")
    if _is_missing(rank):
        rank = number
    try:
        whole = int(rank)  # columns with missing cells hold floats
    except (TypeError, ValueError, OverflowError):
        whole = -1
    if whole < 0 or whole != rank or isinstance(rank, bool):
        raise _wrong_type(rank, "a whole number from 0", "rank", number)
    # A lone surrogate has no bytes; a question mark stands for it.
    content = raw or (texts["html"] or texts["text"]).encode("utf-8", "replace")
    charset = "utf-8" if raw is None else ""
    return Page(
        whole, texts["url"], texts["title"], texts["snippet"], content or None, charset=charset
    )


def _wrong_type(value: Any, expected: str, key: str, number: int) -> SourceError:
    what = f"expected {expected}, got {quote_text(str(value))} ({type(value).__name__})"
    return SourceError(what, where=f"{key} of page {number}")


def _name_of(rows: Iterable[Mapping[str, Any] | Page]) -> str:
    """The name that all rows state."""
    stated = {row.get("name") for row in rows if not isinstance(row, Page)}
    names = sorted({each for each in stated if isinstance(each, str) and each.strip()})
    if len(names) != 1:
        raise SourceError(
            (f"the pages state {len(names)} names ({join_items(names)})" if names else "")
            or "the name of the pages is unknown",
            remedy="give the name that was searched for: name='Ann Lee'",
        )
    return names[0]
