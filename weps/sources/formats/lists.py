"""Lists of search results in the forms that people and providers have, recognised by content.

Read are JSON (a list of results or of addresses, or an object that holds one, as SearXNG, Brave,
SerpApi, Tavily and others answer; CSL JSON, as Zotero exports), JSON Lines, tables with a heading
(comma, semicolon or tab), bookmarks as browsers export them, and text with one address a line.
"""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import PurePath
from typing import Any, Final

from weps._formatting import format_count, quote_text
from weps.errors import SourceError
from weps.html.text import decode_page, fold_text, web_address
from weps.records import Page, SearchResult
from weps.sources.formats import HEAD_BYTES, Format, register_format

MAX_LIST_BYTES: Final = 16 * 1024 * 1024
"""The longest list that is read."""
MAX_RESULTS: Final = 10_000
"""The most results of one list."""
_MAX_TITLE: Final = 1_000
_MAX_SNIPPET: Final = 10_000
_MAX_CONTAINERS: Final = 300_000
"""Opening brackets in JSON, thirty a result: an empty list is two bytes here, 56 in memory."""
_MAX_NESTING: Final = 4
"""Objects and lists around the results: pages of answers, ``{"web": {"results": [...]}}``."""

_ADDRESS_FIELDS: Final = ("url", "link", "href")
_SNIPPET_FIELDS: Final = (
    "snippet", "content", "description", "desc", "body", "abstract", "abstract note", "text",
)  # fmt: skip
_LIST_FIELDS: Final = (
    "results", "items", "web", "organic_results", "organic", "webpages", "value", "data", "search",
    "response", "hits",
)  # fmt: skip
"""Fields in which the answers of search engines have their results, in lower case."""

_KNOWN_FORMS: Final = (
    "give JSON, JSON Lines or a table with a column url (and title, snippet), exported bookmarks, "
    "or a text with one address per line"
)
_SUFFIXES: Final = frozenset({".csv", ".tsv", ".json", ".jsonl", ".ndjson"})
_BOOKMARKS = re.compile(rb"(?:\xef\xbb\xbf)?\s*<!doctype\s+netscape-bookmark-file", re.IGNORECASE)
_ADDRESS_OR_COMMENT = re.compile(rb"\s*+(?:#.*|https?://\S++)?\s*")
_OWN_JSON = re.compile(rb'\s*+(?:\[\s*+)?\{\s*"name":\s*"[^"\n]*",\s*"people":\s*\[')
_OWN_CSV = re.compile(rb'"?name"?,"?person"?,"?label"?,"?confidence"?,')
_BOOKMARK = re.compile(
    r"<A\s[^<>]{0,200}?HREF\s*=\s*\"([^\"<>]*)\"[^<>]*>([^<]*)</A>(?:\s*<DD>([^<]*))?",
    re.IGNORECASE,
)
_ADDRESS_LINE = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)


def _is_list(head: bytes, name: str) -> bool:
    suffix = PurePath(name).suffix.lower()
    if suffix in _SUFFIXES and not head.startswith(b"\x1f\x8b"):  # packed ones are not read
        return True
    lines = head.removeprefix(b"\xef\xbb\xbf").splitlines()
    if len(head) >= HEAD_BYTES:
        lines = lines[:-1]
    is_text = suffix == ".txt" and b"://" in head and all(map(_ADDRESS_OR_COMMENT.fullmatch, lines))
    return is_text or _BOOKMARKS.match(head) is not None


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
    if len(data) > MAX_LIST_BYTES:
        raise SourceError(
            f"a list of results over {MAX_LIST_BYTES >> 20} MB is not read",
            where=where,
            remedy="divide it",
        )
    try:
        results = tuple(islice(_results_of(decode_page(data)), MAX_RESULTS + 1))
    except (ValueError, RecursionError, csv.Error) as problem:
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
    lower = {str(field).strip().casefold(): value for field, value in fields.items()}
    address = _first_text(lower, _ADDRESS_FIELDS).strip()
    if len(address) > 8_192:  # no part of an address is an address
        address = f"an address of {format_count(len(address))} characters"
    title = _plain_text(_first_text(lower, ("title", "name")), _MAX_TITLE)
    if not address and not title:
        return None
    if address.casefold().startswith("www."):
        address = f"http://{address}"
    return SearchResult(
        web_address(address) or fold_text(address),
        title,
        _plain_text(_first_text(lower, _SNIPPET_FIELDS), _MAX_SNIPPET),
        _engine_names(lower),
    )


def _plain_text(text: str, longest: int = _MAX_SNIPPET) -> str:
    """A title or snippet on one line, without the tags and entities that some engines leave."""
    untagged = re.sub(r"</?[a-zA-Z][^<>]{0,200}>", "", text[: 2 * longest])
    return fold_text(html.unescape(untagged))[:longest]


def _first_text(fields: Mapping[str, Any], names: Iterable[str]) -> str:
    return next(
        (each for each in map(fields.get, names) if isinstance(each, str) and each.strip()), ""
    )


def _engine_names(fields: Mapping[str, Any]) -> tuple[str, ...]:
    for value in map(fields.get, ("engines", "engine", "source")):
        names = value if isinstance(value, list) else [value]
        found = [_plain_text(each, 100) for each in names[:20] if isinstance(each, str)]
        if any(found):
            return tuple(dict.fromkeys(filter(None, found)))
    return ()


def _results_of(text: str) -> Iterator[SearchResult]:
    """The results of a text, one after the other.

    Raises:
        ValueError, RecursionError, csv.Error: if the text is of none of the forms, or damaged.
    """
    entries: Iterator[Mapping[str, Any]]
    start = text[:1_000].lstrip()
    if _BOOKMARKS.match(start.encode(errors="replace")):
        entries = (
            {"url": html.unescape(address), "title": title, "snippet": note}
            for address, title, note in (found.groups("") for found in _BOOKMARK.finditer(text))
        )
    elif start.startswith(("[", "{")):
        if text.count("[") + text.count("{") > _MAX_CONTAINERS:
            raise ValueError(f"more than {format_count(_MAX_CONTAINERS)} lists and objects")
        try:
            value = json.loads(text)
        except json.JSONDecodeError as problem:
            if problem.msg != "Extra data":
                raise
            value = [json.loads(line) for line in text.split("\n") if line.strip()]
        entries = _nested_entries(value, _MAX_NESTING)
    elif start.startswith("#") or _ADDRESS_LINE.match(start):
        entries = _address_lines(text)
    else:
        entries = _table_rows(text)
    return filter(None, map(result_of, entries))


def _nested_entries(value: object, depth: int) -> Iterator[Mapping[str, Any]]:
    """The results in lists, and in the fields of objects that hold lists of results."""
    if isinstance(value, str) and _ADDRESS_LINE.fullmatch(value.strip()):
        yield {"url": value}
    elif isinstance(value, list) and depth:
        for item in value:
            yield from _nested_entries(item, depth - 1)
    elif isinstance(value, dict):
        fields = {field.casefold(): each for field, each in value.items()}
        held = [fields[name] for name in _LIST_FIELDS if isinstance(fields.get(name), list | dict)]
        if _first_text(fields, _ADDRESS_FIELDS) or not held:
            yield fields
        elif depth:
            for each in held:
                yield from _nested_entries(each, depth - 1)


def _address_lines(text: str) -> Iterator[Mapping[str, Any]]:
    for number, line in enumerate(text.splitlines(), start=1):
        address = line.strip()
        if not address or address.startswith("#"):
            continue
        if not _ADDRESS_LINE.fullmatch(address):
            raise ValueError(f"line {number} is not an address: {quote_text(address)}")
        yield {"url": address}


def _table_rows(text: str) -> Iterator[Mapping[str, Any]]:
    heading = text.lstrip().split("\n", 1)[0]
    for delimiter in ",;\t":
        names = [
            name.strip().casefold() for name in next(csv.reader([heading], delimiter=delimiter))
        ]
        if len(names) <= 200 and any(name in names for name in _ADDRESS_FIELDS):
            lines = io.StringIO(text.lstrip(), newline="")
            return iter(csv.DictReader(lines, delimiter=delimiter, restkey="further cells"))
    raise ValueError("no heading with a column url")
