"""Lists of search results in the forms that people and providers have, recognised by content.

Read are JSON of any shape (answers of search engines and scrapers, bookmarks, CSL JSON as Zotero
exports, rows of data frames), one value or several; tables, also without a heading; bookmarks as
browsers export them; and text with one address a line. All may be packed by gzip.

Of JSON, the list with most results is read, wherever it is nested: its fields are
recognised by :data:`_FIELDS`, and what providers answer besides results by the names of
:data:`_ASIDE`.
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
from functools import lru_cache
from itertools import chain, dropwhile, islice, zip_longest
from pathlib import PurePath
from typing import Any, Final

from weps._formatting import format_count, quote_text
from weps.errors import SourceError
from weps.html.text import decode_page, fold_text, web_address
from weps.records import Page, SearchResult
from weps.sources.formats import DAMAGED, HEAD_BYTES, Format, inflate_head, register_format

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
_SUFFIXES: Final = frozenset({".csv", ".tsv", ".tab", ".json", ".jsonl", ".ndjson"})
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
    if head.startswith(b"\x1f\x8b"):
        head, name = inflate_head(head), name.lower().removesuffix(".gz")
    suffix = PurePath(name).suffix.lower()
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
        if data.startswith(b"\x1f\x8b"):
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
        held = value[:20] if isinstance(value, list) else [value]
        plain = chain.from_iterable(
            map(each.get, _TEXT_OF)
            if isinstance(each, dict) and each.get("rel", "alternate") == "alternate"
            else [each]
            for each in held
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
