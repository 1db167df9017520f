"""What a file is, by its first bytes; its name decides only between kinds of text."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from pathlib import PurePath

from weps.html.decoding import foreign_kind

HEAD_BYTES = 8_192
"""Bytes that suffice for recognition."""
PLAIN_SUFFIXES = frozenset({".html", ".htm", ".txt"})
"""Of pages as they are; their content may still be an archive under a wrong name."""
INPUT_SUFFIXES = PLAIN_SUFFIXES | frozenset(
    ".csv .gz .har .json .jsonl .mht .mhtml .pdf .tsv .wacz .warc .webarchive .xhtml .zip".split()
)
"""Of everything that is offered for choice; what a file is, its content decides."""
_RESULT_SUFFIXES = frozenset({".csv", ".tsv", ".json", ".jsonl", ".ndjson"})


class Form(StrEnum):
    """The form of a file with pages."""

    PAGE = "page"
    """HTML or plain text, possibly as a browser or an extension saves it."""
    PDF = "pdf"
    MHTML = "mhtml"
    WEBARCHIVE = "webarchive"
    WARC = "warc"
    """WARC or ARC, compressed or not."""
    HAR = "har"
    ZIP = "zip"
    """A ZIP archive with pages, or WACZ, which is one with a WARC."""
    RESULTS = "results"
    """A list of results or addresses."""
    OWN = "own"
    """A result of weps."""


_HTML = re.compile(
    rb"(?:\xef\xbb\xbf|\s|<\?xml[^>]*>|<!--(?s:.*?)-->)*+"
    rb"<(?:!doctype\s+html|html|head|body|title|meta)\b",
    re.IGNORECASE,
)
_BOOKMARKS = re.compile(rb"(?:\xef\xbb\xbf)?\s*<!doctype netscape-bookmark-file-1>", re.IGNORECASE)
_MAIL_FIELD = re.compile(rb"[!-9;-~]{1,70}:|[ \t]")
_MULTIPART = re.compile(
    rb"^content-type:\s*(?:multipart/related|text/html)\b", re.IGNORECASE | re.MULTILINE
)
_HAR = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"log"\s*:\s*\{')
_WARC = re.compile(rb"WARC/\d\.\d{1,2}\r?\n|filedesc://")
_ADDRESS_LINE = re.compile(rb"\s*+(?:#.*|https?://\S++)?\s*")
_OWN_JSON = re.compile(rb'\s*+(?:\[\s*+)?\{\s*"name":\s*"[^"\n]*",\s*"people":\s*\[')
_OWN_CSV = re.compile(rb'"?name"?,"?person"?,"?label"?,"?confidence"?,')


def recognise(head: bytes, name: str) -> Form | None:
    """The form of a file, None if it is none that can be read.

    Args:
        head: its first :data:`HEAD_BYTES` bytes.
        name: of the file, with any folder.
    """
    suffix = PurePath(name).suffix.lower()
    if head.startswith(b"\x1f\x8b"):
        return _recognise_gzip(head, suffix)
    for form, recognised in _BY_CONTENT.items():
        if recognised(head):
            return form
    if suffix in _RESULT_SUFFIXES:
        return Form.OWN if _OWN_JSON.match(head) or _OWN_CSV.match(head) else Form.RESULTS
    if _BOOKMARKS.match(head) or (suffix == ".txt" and _lists_addresses(head)):
        return Form.RESULTS
    return Form.PAGE if suffix in PLAIN_SUFFIXES or _HTML.match(head) else None


def unknown_kind(head: bytes, name: str) -> str:
    """What a file of no known form is, as far as its first bytes and its name tell."""
    if not head:
        return "empty"
    return foreign_kind(head) or PurePath(name).suffix.lower() or "no suffix"


def _recognise_gzip(head: bytes, suffix: str) -> Form | None:
    inner = b""
    with suppress(zlib.error):
        inner = zlib.decompressobj(wbits=31).decompress(head, HEAD_BYTES)
    if _WARC.match(inner):
        return Form.WARC
    return Form.PAGE if suffix in PLAIN_SUFFIXES or _HTML.match(inner) else None


def _is_mhtml(head: bytes) -> bool:
    """Whether the file begins with the header of an e-mail that holds a page."""
    header = re.split(rb"\r?\n\r?\n", head.lstrip(), maxsplit=1)[0]
    lines = header.splitlines()
    return (
        len(lines) > 1
        and all(map(_MAIL_FIELD.match, lines[:-1]))  # the last one may be cut
        and _MULTIPART.search(header) is not None
    )


def _lists_addresses(head: bytes) -> bool:
    lines = head.removeprefix(b"\xef\xbb\xbf").splitlines()
    if len(head) >= HEAD_BYTES:
        lines = lines[:-1]
    return b"://" in head and all(map(_ADDRESS_LINE.fullmatch, lines))


_BY_CONTENT: dict[Form, Callable[[bytes], object]] = {
    Form.PDF: lambda head: head.lstrip().startswith(b"%PDF-"),
    Form.WARC: _WARC.match,
    Form.ZIP: lambda head: head.startswith((b"PK\x03\x04", b"PK\x05\x06")),
    Form.HAR: _HAR.match,
    Form.MHTML: _is_mhtml,
    Form.WEBARCHIVE: lambda head: head.startswith(b"bplist00") and b"WebMainResource" in head,
}
"""Form → whether the first bytes are of it."""
