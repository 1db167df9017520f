"""Tables of pages: a row for each, with its text or its mark-up in a cell.

Read are CSV, TSV, JSON Lines and Parquet with a column ``text`` or ``html`` beside some of ``url``,
``title`` and ``snippet``, and results of a search engine with the ``name``, ``title`` and
``snippet``. A column ``name`` has the name that was searched for, so that one table
may hold the pages of many names. The rows of data frames are read alike.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import lru_cache
from math import isnan
from pathlib import Path, PurePath
from threading import Lock
from typing import Any, Final

from weps._formatting import quote_text
from weps._lazy import import_library
from weps.errors import InputTypeError, SourceError, told_as
from weps.html.text import decode_page
from weps.records import Page
from weps.sources.base import as_identifier, as_name
from weps.sources.formats import (
    DAMAGED,
    HEAD_BYTES,
    MAX_BYTES,
    MAX_PAGE_BYTES,
    Collector,
    Entry,
    Format,
    inflate_head,
    register_format,
)

CONTENT: Final = ("html", "text", "title", "snippet", "url")
"""Columns of which at least one page has one."""
COLUMNS: Final = frozenset({*CONTENT, "name", "rank"})
_PARQUET: Final = b"PAR1"
_GZIP: Final = b"\x1f\x8b"
_LINES: Final = frozenset({".jsonl", ".ndjson"})
_DELIMITERS: Final = {".csv": ",;\t|", ".tsv": "\t", ".tab": "\t"}
_KEY: Final = re.compile(rb"[{,]\s{0,9}\"(\w{1,20})\"\s{0,9}:")
_LIMIT: Final = Lock()
"""Held while the limit of cells, which the process has one of, is that of a page."""


def _form_of(head: bytes, name: str) -> str:
    """What stands between the cells of a table of pages, or its suffix; empty if it is none."""
    start, suffix = inflate_head(head), PurePath(name.lower().removesuffix(".gz")).suffix
    if start.startswith(_PARQUET):
        return ".parquet"
    if suffix in _LINES:
        line, end, _ = start.lstrip(b"\xef\xbb\xbf \r\n").partition(b"\n")
        keys = {key.decode().casefold() for key in _KEY.findall(line)}
        # A first row that is seen in part is none of a list of results.
        is_long = not end and len(start) >= HEAD_BYTES and not keys.isdisjoint(COLUMNS)
        return suffix if line[:1] == b"{" and (is_long or _holds_pages(keys)) else ""
    delimiters = _DELIMITERS.get(suffix, "")
    heading = next(iter(decode_page(start).splitlines()), "") if delimiters else ""
    for delimiter in delimiters:
        (cells,) = csv.reader([heading], delimiter=delimiter)
        if _holds_pages({cell.strip().casefold() for cell in cells}):
            return delimiter
    return ""


def _holds_pages(columns: AbstractSet[str]) -> bool:
    """Whether rows of these columns are pages, or results for a name that they state."""
    is_page = columns & {"html", "text"} and columns & {"url", "title", "name"}
    return bool(is_page) or columns >= {"name", "title", "snippet"}


def _rows(entry: Entry, form: str) -> Iterator[dict[str, Any]]:
    """The rows of a table, by the names of the columns in small letters.

    Raises:
        SourceError: pyarrow is not installed, or the table is too large.
    """
    with entry.open() as opened:
        content = opened.read()
    if content.startswith(_GZIP):
        content = gzip.GzipFile(fileobj=io.BytesIO(content)).read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise SourceError(f"larger than {MAX_BYTES >> 20} MB", where=entry.file)
    rows: Iterable[Any]
    if form == ".parquet":
        library = import_library("pyarrow.parquet", "tables", SourceError, entry.name)
        parquet = library.ParquetFile(io.BytesIO(content))
        wanted = [each for each in parquet.schema_arrow.names if each.casefold() in COLUMNS]
        batches = parquet.iter_batches(1_000, columns=wanted)
        rows = (row for batch in batches for row in batch.to_pylist())
    else:
        lines = io.StringIO(decode_page(content), newline="")
        if form in _LINES:
            rows = _json_rows(lines)
        else:
            with _LIMIT:
                usual = csv.field_size_limit(MAX_PAGE_BYTES)
                try:
                    rows = [*csv.DictReader(lines, delimiter=form)]
                finally:
                    csv.field_size_limit(usual)
    for row in rows:
        if isinstance(row, dict):
            yield {str(key).strip().casefold(): value for key, value in row.items()}


def _json_rows(lines: Iterable[str]) -> Iterator[Any]:
    for number, line in enumerate(lines, start=1):
        try:
            if line.strip():
                yield json.loads(line)
        except json.JSONDecodeError as problem:
            raise ValueError(f"line {number}: {problem.msg}") from problem


def _read_pages(entry: Entry) -> Iterator[tuple[str, Page]]:
    """The name that each row states, empty where it states none, and its page.

    Raises:
        SourceError: the table is damaged, or a cell is of another type.
    """
    form = _form_of(entry.read(HEAD_BYTES), entry.name)
    with told_as(
        *(SourceError, "damaged", entry.file, "write the table again"),
        kinds=(*DAMAGED, csv.Error, InputTypeError),
    ):
        for number, row in enumerate(_rows(entry, form), start=1):
            page = page_of_row({**row, "rank": None}, number)
            stated = row.get("name")
            yield as_name(stated) if isinstance(stated, str) else "", replace(page, file=entry.file)


@lru_cache(maxsize=1)
def _read_names(file: Path, _state: tuple[int, int]) -> dict[str, tuple[str, list[Page]]]:
    """Identifier of a name → the name, and its pages; the file is of that time and size."""
    names: dict[str, tuple[str, list[Page]]] = {}
    for name, page in _read_pages(Entry.of_file(file)):
        names.setdefault(as_identifier(name), (name, []))[1].append(page)
    return names


def names_of_table(file: Path) -> dict[str, tuple[str, list[Page]]]:
    """The names that the rows of a table state, each by its identifier, with its pages.

    Raises:
        SourceError: it cannot be read.
    """
    state = file.stat()
    if state.st_size > MAX_BYTES:
        raise SourceError(
            f"larger than {MAX_BYTES >> 20} MB", where=file, remedy="divide it by names"
        )
    names = _read_names(file, (state.st_mtime_ns, state.st_size))
    if not names:
        raise SourceError("has no rows", where=file, remedy="add a row for each page")
    return names


def _collect(entry: Entry, found: Collector, pages: Iterable[Page] | None = None) -> None:
    """Add the pages of a table, or those of one of its names; without text they are results."""
    for page in (page for _, page in _read_pages(entry)) if pages is None else pages:
        if page.content or not (page.url or page.title):
            found.add(page)
        else:
            found.pages.append(page)


TABLE = register_format(
    Format(
        "CSV, TSV, JSON Lines and Parquet with a column text or html",
        _form_of,
        _collect,
        noun="row",
        most=MAX_BYTES,
    )
)


@lru_cache(maxsize=1_000)
def only_name(identifier: str) -> Format:
    """The format of a table that has the pages of one of its names alone."""

    def read(entry: Entry, found: Collector) -> None:
        _collect(entry, found, names_of_table(Path(entry.file))[identifier][1])

    return replace(TABLE, read=read)


def is_missing(value: Any) -> bool:
    """Whether a cell has no value; pandas has types of such cells."""
    if isinstance(value, float):
        return isnan(value)
    return type(value).__name__ in {"NoneType", "NAType", "NaTType"}


def page_of_row(row: Mapping[str, Any], number: int) -> Page:
    """The page of a row; ``html`` is read rather than ``text`` where both are given.

    Args:
        row: with some of :data:`COLUMNS`; others are ignored.
        number: the rank, unless the row has one.

    Raises:
        InputTypeError: a cell is of another type.
    """
    html = row.get("html")
    raw = html if isinstance(html, bytes) else None
    texts: dict[str, str] = {}
    for key in (*CONTENT, "name"):
        value = None if key == "html" and raw is not None else row.get(key)
        if not (isinstance(value, str) or is_missing(value)):
            raise _wrong_type(value, "text", key, number)
        texts[key] = value if isinstance(value, str) else ""
    rank: Any = row.get("rank")
    if is_missing(rank):
        rank = number
    try:
        whole = int(rank)  # columns with missing cells hold floats
    except (TypeError, ValueError, OverflowError):
        whole = -1
    if whole < 0 or whole != rank or isinstance(rank, bool):
        raise _wrong_type(rank, "a whole number from 0", "rank", number)
    # A lone surrogate has no bytes; a question mark stands for it.
    content = raw or (texts["html"] or texts["text"]).encode("utf-8", "replace")
    return Page(
        *(whole, texts["url"], texts["title"], texts["snippet"], content or None),
        charset="utf-8" if raw is None else "",
    )


def _wrong_type(value: Any, expected: str, key: str, number: int) -> InputTypeError:
    return InputTypeError(
        f"expected {expected}, got {quote_text(str(value))} ({type(value).__name__})",
        where=f"{key} of page {number}",
    )
