"""Tables of pages, and lists of search results, recognised by their content.

Tables have a row for each page, with its text or its mark-up in a cell. Read are CSV, TSV, JSON
Lines and Parquet with a column ``text`` or ``html`` beside some of ``url``, ``title`` and
``snippet``, and results of a search engine with the ``name``, ``title`` and ``snippet``. A column
``name`` has the name that was searched for, so that one table may hold the pages of many names. The
rows of data frames are read alike.

Lists have results without pages, in the forms that people and providers have: JSON of any shape
(answers of search engines and scrapers, bookmarks, CSL JSON as Zotero exports, rows of data
frames), one value or several; tables, also without a heading; bookmarks as browsers export them;
and text with one address a line. Of JSON, the list with most results is read, wherever it is
nested: its fields are recognised by :data:`_FIELDS`, and what providers answer besides results by
the names of :data:`_ASIDE`. All may be packed by gzip.
"""

from __future__ import annotations

import csv
import gzip
import html
import io
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, dropwhile, islice, zip_longest
from math import isnan
from pathlib import Path, PurePath
from threading import Lock
from typing import Any, Final

from weps._formatting import format_count, quote_text
from weps._lazy import import_library
from weps.errors import InputTypeError, SourceError, told_as
from weps.html.text import decode_page, fold_text, web_address
from weps.records import MAX_NUMBER, Page, SearchResult
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


def _holds_pages(columns: set[str]) -> bool:
    """Whether rows of these columns are pages, or results for a name that they state."""
    is_page = columns & {"html", "text"} and columns & {"url", "title", "name"}
    return bool(is_page) or columns >= {"name", "title", "snippet"}


def _rows(entry: Entry, form: str) -> Iterator[dict[str, Any]]:
    """The rows of a table, by the names of the columns in small letters.

    Raises:
        SourceError: pyarrow is not installed, or the table is too large.
    """
    content = entry.read(entry.size)
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
    markup = row.get("html")
    raw = markup if isinstance(markup, bytes) else None
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
    if not 0 <= whole <= MAX_NUMBER or whole != rank or isinstance(rank, bool):
        raise _wrong_type(rank, f"a whole number from 0 to {MAX_NUMBER:,}", "rank", number)
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


MAX_LIST_BYTES: Final = 16 * 1024 * 1024
"""The longest list that is read."""
MAX_RESULTS: Final = 10_000
"""The most results of one list."""
_MAX_TITLE: Final = 1_000
_MAX_SNIPPET: Final = 10_000
_MAX_CONTAINERS: Final = 300_000
"""Opening brackets in JSON, thirty a result: most take more memory than bytes."""
_MAX_VALUES: Final = 1_000_000
"""Values in JSON, cells of a table, a hundred a result: the same."""
_MAX_COLUMNS: Final = 200
_MAX_ABOVE: Final = 20
"""Lines of a table up to its heading; above it may stand a title."""
_SAMPLE: Final = 1_000
"""Rows by which columns without a heading are told."""

_FIELDS: Final = {
    "url": (
        "url", "link", "href", "uri", "address", "webaddress", "weburl", "pageurl", "resulturl",
        "sourceurl", "articleurl", "firsturl", "permalink", "webpage", "website", "site", "adresse",
        "lien", "enlace", "адрес", "ссылка", "网址", "链接",
    ),
    "title": (
        "title", "name", "headline", "heading", "pagetitle", "label", "titel", "titre", "título",
        "titolo", "заголовок", "название", "标题", "タイトル",
    ),
    "snippet": (
        "snippet", "snippets", "content", "description", "desc", "body", "abstract", "abstractnote",
        "text", "excerpt", "extract", "summary", "highlights", "extended", "note",
        "caption", "beschreibung", "descripción", "описание", "描述",
    ),
    "rank": ("rank", "position", "pos", "rankabsolute", "globalrank", "gsrank", "#"),
    "engine": ("engines", "engine", "source"),
}  # fmt: skip
"""Field of a result → how it is called, in small letters and digits alone; the first counts."""
_TEXT_OF: Final = ("value", "@value", "raw", "rendered", "text", "#text", "$t", "href")
"""Names of the text of a field that is an object."""


@lru_cache(maxsize=4_096)
def _words_of(name: str) -> frozenset[str]:
    """The words of a name of a field, ``organic_results`` or ``organicResults``, in one number."""
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)
    return frozenset(word.lower().rstrip("s") for word in words)


_RESULTS: Final = _words_of(
    "results items web webpages organic hits value values data docs documents entries entry search "
    "response records rows list children"
)
"""Words of the names of fields that hold results."""
_ASIDE: Final = _words_of(
    "ad ads adverts advertisements paid sponsored related suggestions suggested questions ask "
    "queries corrections spelling news stories story images photos pictures thumbnails icons "
    "videos shopping products local map knowledge infobox infoboxes discussions forums tweets "
    "twitter perspectives carousel sitelinks links navigation pagination facets filters "
    "breadcrumbs authors creators tags categories comments references attachments media metatags "
    "sources"
)
"""Words of the names of what providers answer, or pages have, besides results."""

_KNOWN_FORMS: Final = (
    "give JSON, JSON Lines or a table with a column url (and title, snippet), exported bookmarks, "
    "or a text with one address per line"
)
_SUFFIXES: Final = frozenset({".json", *_LINES, *_DELIMITERS})
_BOOKMARKS = re.compile(r"\s*<!doctype\s+netscape-bookmark-file", re.IGNORECASE)
_JSON = re.compile(
    r"\s*+(?:\{|\[(?![^\[\]\n]*\]\())(?s:.*)\"(?:url|uri|link|href)\"\s*:\s*[\"{\[]",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"\"?sep=(.)\"?\n", re.IGNORECASE)
"""The line by which Excel knows what stands between cells."""
_NO_SPACE = re.compile(r"[^\s\x1e\ufeff]")
"""The start of a value in a sequence of JSON texts, which RFC 7464 divides by a control."""
_OWN_JSON = re.compile(rb'\s*+(?:\[\s*+)?\{\s*"name":\s*"[^"\n]*",\s*"people":\s*\[')
_OWN_CSV = re.compile(rb'"?name"?,"?person"?,"?label"?,"?confidence"?,')
_BOOKMARK = re.compile(
    r"<A\s[^<>]{0,200}?HREF\s*=\s*\"([^\"<>]*)\"[^<>]*>([^<]*)</A>(?:\s*<DD>([^<]*))?",
    re.IGNORECASE,
)
_ADDRESS_LINE = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_LINE = re.compile(
    r"\s*+(?:(?:[-*+•‣–]|\d{1,9}[.)]|\[[ xX]\])\s++)*+"
    r"(?:(?P<lead>\w.{0,300}?)\s{0,3}[:|,;–—-]\s++)??"
    r"(?:\[(?P<title>(?:[^\[\]]|\[[^\[\]]*+\])*+)\]"
    r"\(\s*<?(?P<linked>(?:https?://|www\.)(?:[^\s()<>]|\([^\s()]*+\))++)[^)]*+\)"
    r"|[<\"](?P<enclosed>https?://[^\s<>\"]++)[>\"]|(?P<bare>(?:https?://|www\.)\S*[^\s,;|]))"
    r"(?P<note>.*)",
    re.IGNORECASE,
)
"""A line with an address, with what people and Markdown put around it."""
_COMMENT = re.compile(r"\s*+(?:(?:#|//).*|[-=*_]*\s*)")
"""A line without one; also a heading of Markdown."""
_NO_NOTE = re.compile(r"(?<!\S)(?:#|//).*|^[\s:|,;.–—-]+")
"""What is no part of the text behind an address: signs before it, a comment after it."""
_WORDS = re.compile(r"(?<!\S)[^\W\d_]{2}")


def _is_list(head: bytes, name: str) -> bool:
    head, suffix = inflate_head(head), PurePath(name.lower().removesuffix(".gz")).suffix
    if suffix in _SUFFIXES:
        return True
    text = _one_line_end(decode_page(head))
    if suffix not in {".txt", ".md"}:
        return any(form.match(text) for form in (_BOOKMARKS, _JSON))
    lines = text.split("\n")[: -1 if len(head) >= HEAD_BYTES else None]
    return "://" in text and (
        _table_rows("\n".join(lines), "\t") is not None
        or all(_COMMENT.fullmatch(line) or _LINE.fullmatch(line) for line in lines)
        or _JSON.match(text) is not None
    )


register_format(
    Format(
        "results of weps",
        lambda head, name: (
            PurePath(name).suffix.lower() in _SUFFIXES
            and (_OWN_JSON.match(head) or _OWN_CSV.match(head))
        ),
        lambda _, __: None,
        order=1,
        is_own=True,
    )
)
register_format(
    Format(
        "CSV, TSV, JSON, JSON Lines, bookmarks, text with one address a line",
        _is_list,
        # As pages that have an address, a title and a snippet alone.
        lambda entry, found: found.pages.extend(
            Page(0, each.url, each.title, each.snippet, file=entry.file)
            for each in parse_results(entry.read(entry.size))
        ),
        most=MAX_LIST_BYTES,
        order=1,
    )
)


def parse_results(data: bytes, name: str = "") -> tuple[SearchResult, ...]:
    """The results of a list, in its order; a result has an address or a title.

    Addresses are those of the list, which need not be of web pages: ``ftp:`` and ``javascript:``
    are told by who fetches them.

    Args:
        data: the file as it is, in any charset, at most :data:`MAX_LIST_BYTES`.
        name: the name of the file, for errors.

    Raises:
        SourceError: it is no list of results, is damaged, or is over the limits.
    """
    where = name or None
    try:
        if data.startswith(_GZIP):
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(MAX_LIST_BYTES + 1)
        if len(data) > MAX_LIST_BYTES:
            raise SourceError(
                f"a list of results over {MAX_LIST_BYTES >> 20} MB is not read",
                where=where,
                remedy="divide it",
            )
        results = _read_results(_one_line_end(decode_page(data)))
    except (RecursionError, csv.Error, OSError, *DAMAGED) as problem:
        reason = "too deeply nested" if isinstance(problem, RecursionError) else str(problem)
        raise SourceError(
            f"not a list of search results ({reason})", where=where, remedy=_KNOWN_FORMS
        ) from problem
    if len(results) > MAX_RESULTS:
        raise SourceError(
            f"more than {format_count(MAX_RESULTS)} results", where=where, remedy="divide the list"
        )
    if not any(result.url for result in results):
        raise SourceError(
            "not a list of search results (no address found)", where=where, remedy=_KNOWN_FORMS
        )
    return results


def result_of(fields: Mapping[str, Any]) -> SearchResult | None:
    """A search result from fields named in one of the usual ways; None without any content."""
    known = {_plain_name(name): value for name, value in fields.items()}
    addresses = [texts[0] for texts in _texts(known, "url")]
    # An address that is none of the web may be one of a house.
    address = next(filter(_ADDRESS_LINE.match, addresses), "") or "".join(addresses[:1])
    if len(address) > 8_192:  # no part of an address is an address
        address = f"an address of {format_count(len(address))} characters"
    title = _plain_text(next(_texts(known, "title"), [])[:1], _MAX_TITLE)
    if not address and not title:
        return None
    if address.casefold().startswith("www."):
        address = f"http://{address}"
    engines = [_plain_text([name], 100) for name in next(_texts(known, "engine"), [])]
    return SearchResult(
        web_address(address) or fold_text(address),
        title,
        _plain_text(next(_texts(known, "snippet"), []), _MAX_SNIPPET),
        tuple(dict.fromkeys(filter(None, engines))),
    )


def _plain_name(name: object) -> str:
    """The name of a field or column, as :data:`_FIELDS` has it."""
    text = str(name).strip().casefold()
    return "".join(filter(str.isalnum, text)) or text


def _texts(fields: Mapping[str, Any], kind: str) -> Iterator[list[str]]:
    """The texts of each field of a kind that has any: one, or a list of them.

    An object has a text of its own; of those that are links, only the page itself counts.
    """
    for value in filter(None, map(fields.get, _FIELDS[kind])):
        plain = chain.from_iterable(
            map(each.get, _TEXT_OF)
            if isinstance(each, dict) and each.get("rel", "alternate") == "alternate"
            else [each]
            for each in (value[:20] if isinstance(value, list) else [value])
        )
        if texts := [each.strip() for each in plain if isinstance(each, str) and each.strip()]:
            yield texts


def _plain_text(texts: Iterable[str], longest: int) -> str:
    """A title or snippet on one line, without the tags and entities that some engines leave."""
    untagged = re.sub(r"</?[a-zA-Z][^<>]{0,200}>", "", " ".join(texts)[: 2 * longest])
    return fold_text(html.unescape(untagged))[:longest]


def _one_line_end(text: str) -> str:
    """The text with the line ends of Unix; those of old Macintosh programs are carriage returns."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _read_results(text: str) -> tuple[SearchResult, ...]:
    """The results of a text by their ranks, if each has one of its own, else as they come.

    They are at most one more than :data:`MAX_RESULTS`.

    Raises:
        ValueError, RecursionError, csv.Error: if the text is of none of the forms, or damaged.
    """
    entries = _entries_of(text.lstrip("\n \x1e\ufeff"))
    pairs = ((_rank_of(entry), each) for entry in entries if (each := result_of(entry)))
    found = [*islice(pairs, MAX_RESULTS + 1)]
    by_rank = {rank: result for rank, result in found if rank is not None}
    if len(by_rank) < len(found):
        return tuple(result for _, result in found)
    return tuple(by_rank[rank] for rank in sorted(by_rank))


def _rank_of(fields: Mapping[str, Any]) -> int | None:
    known = {_plain_name(name): value for name, value in fields.items()}
    stated = [value for name in _FIELDS["rank"] if isinstance(value := known.get(name), int | str)]
    ranks = (re.fullmatch(r"\s*(\d{1,9})\.?\s*", str(value)) for value in stated)
    return next((int(rank[1]) for rank in ranks if rank), None)


def _entries_of(text: str) -> Iterable[Mapping[str, Any]]:
    """The results of a text, as their fields by name."""
    if _BOOKMARKS.match(text):
        found = (each.groups("") for each in _BOOKMARK.finditer(text))
        return (
            {"url": html.unescape(url), "title": title, "note": note} for url, title, note in found
        )
    if text.startswith(("[", "{")) and not _LINE.match(text):
        return _longest_list(list(read_json(text)))
    lines, stated = text.split("\n"), _SEPARATOR.match(text)
    is_table = not all(  # where addresses hold the sign between cells
        _COMMENT.fullmatch(line) or (line.isascii() and _ADDRESS_LINE.fullmatch(line.strip()))
        for line in lines
    )
    table = (text[stated.end() :], stated[1]) if stated else (text, ",;\t|")
    return (is_table and _table_rows(*table)) or _address_lines(lines)


def read_json(text: str) -> Iterator[Any]:
    """The JSON values of a text, one after the other, on lines of their own or not.

    Raises:
        ValueError, RecursionError: it is damaged, or holds more than memory should.
    """
    if text.count("[") + text.count("{") > _MAX_CONTAINERS:
        raise ValueError(f"more than {format_count(_MAX_CONTAINERS)} lists and objects")
    if text.count(",") > _MAX_VALUES:
        raise ValueError(f"more than {format_count(_MAX_VALUES)} values")
    decoder, end = json.JSONDecoder(), 0
    while start := _NO_SPACE.search(text, end):
        value, end = decoder.raw_decode(text, start.start())
        yield value


def _longest_list(values: list[Any]) -> list[Mapping[str, Any]]:
    """The objects, with an address or else a title, of the list with most and best results.

    Lists under the same names are read as one, as those of several pages of answers, or of the
    folders of bookmarks; names that say nothing of results count only if they stand last.
    """
    entries: defaultdict[tuple[str, ...], list[Mapping[str, Any]]] = defaultdict(list)
    points: Counter[tuple[tuple[str, ...], int]] = Counter()

    def visit(value: object, path: tuple[str, ...], place: int, *, is_item: bool = False) -> int:
        """Note the results of a value within the list of that identity, and count addresses."""
        if isinstance(value, list):
            rows = value if all(isinstance(row, list) for row in value) else []
            items = _headed_rows(rows) or _told_rows(rows) or value
            return sum(visit(item, path, id(value), is_item=True) for item in items)
        if isinstance(value, str) and _ADDRESS_LINE.fullmatch(value.strip()):
            value = {"url": value}
        if not isinstance(value, dict):
            return 0
        kind = value.get("type")
        inner = (*path, kind) if isinstance(kind, str) and _words_of(kind) & _ASIDE else path
        count = sum(
            visit(each, _path_to(inner, name), place)
            for name, each in value.items()
            if isinstance(each, dict | list)
        )
        result = result_of(value)
        if not result or not (is_item or result.title):
            return count
        if result.url:
            points[path, place] += 1 + 2 * bool(result.title) + 3 * bool(result.snippet)
        if result.url or not count:  # others are folders
            entries[path].append(value)
        return count + bool(result.url)

    def worth(path: tuple[str, ...]) -> tuple[bool, int]:
        is_aside = any(_words_of(name) & _ASIDE for name in path)
        is_usual = not path or bool(_words_of(path[-1]) & _RESULTS)
        return not is_aside, longest[path] << is_usual

    visit(values, (), 0)
    longest: Counter[tuple[str, ...]] = Counter()
    for (path, _), count in points.items():
        longest[path] = max(longest[path], count)
    return entries[max(longest, key=worth)] if longest else []


def _path_to(path: tuple[str, ...], name: str) -> tuple[str, ...]:
    """The names that lead to a field: those that tell of results or others, and its own.

    Numbers are no names, and a name within itself is a branch of a tree.
    """
    if name.isdecimal():
        return path
    told = (each for each in path if each != name and _words_of(each) & (_RESULTS | _ASIDE))
    return (*told, name)


def _address_lines(lines: Iterable[str]) -> Iterator[Mapping[str, Any]]:
    for number, line in enumerate(lines, start=1):
        if _COMMENT.fullmatch(line):
            continue
        found = _LINE.fullmatch(line)
        if not found:
            raise ValueError(
                f"no column of addresses, and line {number} has none: {quote_text(line.strip())}"
            )
        lead, title, linked, enclosed, bare, note = found.groups()
        words = filter(None, (lead, title, _NO_NOTE.sub("", note)))
        yield dict(
            zip(("url", "title", "snippet"), (linked or enclosed or bare, *words), strict=False)
        )


def _table_rows(text: str, delimiters: str) -> Iterator[Mapping[str, Any]] | None:
    """The rows of a table with a heading, else with cells that tell columns; None if it is none."""

    def cells(delimiter: str) -> Iterator[list[str]]:
        if text.count(delimiter) > _MAX_VALUES:
            raise ValueError(f"more than {format_count(_MAX_VALUES)} cells")
        return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)

    headed = (_headed_rows(cells(each)) for each in delimiters)
    told = (_told_rows(cells(each)) for each in reversed(delimiters))  # texts have commas
    return next(filter(None, chain(headed, told)), None)


def _headed_rows(rows: Iterable[Sequence[Any]]) -> Iterator[Mapping[str, Any]] | None:
    """The rows below the first one that names a column of addresses; None if there is none."""
    rows = iter(rows)
    for row in islice(rows, _MAX_ABOVE):
        names = [str(name).strip() for name in row[: _MAX_COLUMNS + 1]]
        if (
            len(names) <= _MAX_COLUMNS
            and any(_plain_name(name) in _FIELDS["url"] for name in names)
            and not any(map(_ADDRESS_LINE.fullmatch, names))
        ):
            return (
                dict(zip(names, cells, strict=False))
                for cells in rows
                if any(map(_WORDS.search, map(str, cells)))  # else a line of Markdown
            )
    return None


def _told_rows(rows: Iterable[Sequence[Any]]) -> Iterator[Mapping[str, Any]] | None:
    """The rows from the first one with an address, by columns that their cells tell, if they do.

    Addresses are the column with most of them, in half the rows or more. The title and the snippet
    are the two columns with most words that are not the same in every row. What stands above is a
    title, or a heading in other words.
    """
    rows = iter(rows)
    sample = [*islice(rows, _SAMPLE)]
    columns = [
        [str(cell or "").strip() for cell in column]
        for column in zip_longest(*(row[:_MAX_COLUMNS] for row in sample))
    ]
    addresses = [sum(map(bool, map(_ADDRESS_LINE.fullmatch, column))) for column in columns]
    words = [
        0 if number or len({*each}) == 1 < len(each) else len(_WORDS.findall("\n".join(each)))
        for each, number in zip(columns, addresses, strict=True)
    ]
    texts = sorted(sorted(filter(words.__getitem__, range(len(words))), key=words.__getitem__)[-2:])
    if not texts or 2 * max(addresses) < sum(any(row) for row in sample):
        return None
    names = {addresses.index(max(addresses)): "url"}
    names |= zip(texts, ("title", "snippet"), strict=False)
    return dropwhile(
        lambda fields: not _ADDRESS_LINE.fullmatch(str(fields.get("url")).strip()),
        (
            {names.get(at, str(at)): cell for at, cell in enumerate(row)}
            for row in chain(sample, rows)
        ),
    )
