"""Pages as programs record them while they are exchanged.

These are WARC (ISO 28500), its predecessor ARC, and HAR, as a browser's network panel has it.
Bodies are read as browsers read them: without their content codings, and as what they are where
headers say nothing or nonsense.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import io
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import redirect_stderr, suppress
from dataclasses import dataclass, field, replace
from email.message import Message
from importlib import import_module
from mimetypes import MimeTypes
from typing import IO, Any
from urllib.parse import urljoin, urlsplit

from weps._formatting import count_of
from weps.errors import SourceError
from weps.html.text import foreign_kind, inflate_readable
from weps.sources.base import listed_key
from weps.sources.formats import (
    DAMAGED,
    FRAMES,
    HTML_START,
    MAX_PAGE_BYTES,
    MAX_PDF_BYTES,
    PDF_TYPES,
    Collector,
    Entry,
    Format,
    inflate_head,
    register_format,
    web_url,
)

MAX_RECORDS = 200_000
"""Records of one archive."""
MAX_INFLATED = 16 << 30
"""Bytes of all records, pages or not."""
MAX_HAR_BYTES = 1 << 30
"""Bytes of a HAR file, inflated."""
MAX_HAR_VALUES = 10_000_000
"""Names and values of a HAR file."""
_MAX_HAR_TEXT = 48 << 20
"""Characters of one value in a HAR file, which are in memory several times."""
_LONG_NUMBER = re.compile(rb"\d{2000,}")
"""Digits that the library for JSON would crash on, two reads of which may make one number."""
_MOST_GROWTH = 250
"""Inflated size over compressed size, beyond which a file is not what it seems."""
_UNSUSPICIOUS = 64 << 20
"""Bytes that may be inflated whatever the growth."""
_MAX_HEADERS = 1 << 20
"""Bytes between the contents of two records."""
_LAST_BREAK = 16
"""Bytes that may follow the last record; more are one whose length is not known."""
_BLOCK = 65_536
"""Bytes read at a time, and those of a header at most."""
_WARC_START = re.compile(rb"WARC/\d\.\d{1,2}\r?\n|filedesc://")
_HAR_START = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"log"\s*:\s*\{')
_REFRESH = re.compile(
    rb"(?:<meta\s[^<>]{0,200}?\d\s*+[;,]\s*+url\s*+=\s*+['\"]?"
    rb"|\blocation\s*+(?:\.\s*+href\s*+)?=\s*+['\"]|\blocation\.(?:replace|assign)\(\s*+['\"])"
    rb"([^\s<>\"']{1,2000})",
    re.IGNORECASE,
)
"""An element or a script by which a page sends the browser on."""
_MEDIA_TYPE = re.compile(r"[\w.+!#$&^-]+/[\w.+!#$&^-]+", re.ASCII)
_TEXT = re.compile("[^\0-\b\x0e-\x1f\x7f\ufffd]*\ufffd?")
"""Characters of a text whose last one may be cut."""
_UNSTATED = frozenset(("", "application/unknown", "unknown/unknown", "text/xml", "application/xml"))
"""Media types that say nothing about a body, or not whether it is a page."""
_CODINGS: Mapping[str, Callable[[bytes], Callable[[bytes, int], bytes]]] = {
    **dict.fromkeys(("gzip", "x-gzip"), lambda _: zlib.decompressobj(31).decompress),
    "deflate": lambda body: zlib.decompressobj(15 if body[:1] == b"x" else -15).decompress,
    "br": lambda _: import_module("brotli").Decompressor().process,
    "zstd": lambda _: (
        import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
        .ZstdDecompressor()
        .decompress
    ),
}
"""Content coding of HTTP → for a body what decodes a part of it, up to a number of bytes."""


class _InflatingReader:
    """The bytes of a file, whose gzip members are inflated, within bounds.

    The archive library would read a line without end into memory, and takes an end in the middle
    of a member for the end of the archive.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._pending = file.read(_BLOCK)
        is_packed = self._pending.startswith(b"\x1f\x8b")
        self._inflater = zlib.decompressobj(wbits=31) if is_packed else None
        self.taken = len(self._pending)
        self.given = 0
        self.most_given = _MAX_HEADERS
        """Bytes given at which the next record must have begun; without limit within one."""

    def read(self, size: int = -1) -> bytes:
        """So many bytes, fewer at the end alone; size is always given."""
        found = bytearray()
        while (most := size - len(found)) and (self._pending or self._refill()):
            if self._inflater is None:
                found += self._pending[:most]
                self._pending = self._pending[most:]
            else:
                found += self._inflater.decompress(self._pending, most)
                self._pending = self._inflater.unconsumed_tail or self._inflater.unused_data
                if self._inflater.eof and (self._pending or self._refill()):
                    self._inflater = zlib.decompressobj(wbits=31)
        self.given += len(found)
        if self.given > self.most_given:
            raise ValueError("no header where one is expected")
        if self.given > max(_UNSUSPICIOUS, _MOST_GROWTH * self.taken) or self.given > MAX_INFLATED:
            raise ValueError(f"it inflates to more than {self.given >> 20} MB")
        return bytes(found)

    @property
    def is_at_end(self) -> bool:
        """Whether the whole file was read."""
        return not self._pending and not self._refill()

    @property
    def is_cut(self) -> bool:
        """Whether a gzip member has no end, once all was read."""
        return self._inflater is not None and not self._inflater.eof

    def _refill(self) -> bool:
        self._pending = self._file.read(_BLOCK)
        self.taken += len(self._pending)
        return bool(self._pending)


@dataclass(slots=True)
class _Context:
    """Destinations and redirects of the addresses of an archive, as its records state them."""

    destinations: dict[str, str] = field(default_factory=dict)
    """Address → what a browser wanted the response for, where it recorded its requests."""
    redirects: dict[str, str] = field(default_factory=dict)
    """Key of an address → that of the address to which it sent the browser."""

    def add_redirect(self, url: str, target: str) -> None:
        """Add a redirect to an address that may be relative; none if it is no address."""
        with suppress(ValueError):
            self.redirects.setdefault(listed_key(url), listed_key(urljoin(url, target)))


def read_warc(
    entries: Iterable[Entry], found: Collector, titles: Mapping[str, str] | None = None
) -> None:
    """Add the pages of archives to others; other records are counted.

    Args:
        entries: the archives, which belong together.
        found: takes the pages.
        titles: the titles of the pages that the archives are about by their addresses, if these
            are known; other pages are frames within them.
    """
    before, context = len(found.pages), _Context()
    with redirect_stderr(io.StringIO()):  # where the library would warn
        for entry in entries:
            with entry.open() as file:
                if problem := _read_records(_InflatingReader(file), found, context):
                    found.fail(problem)
    pages = found.pages[before:]
    del found.pages[before:]
    for page in pages:
        target = _REFRESH.search((page.read_content() or b"")[:_BLOCK])
        if target:
            context.add_redirect(page.url, target[1].decode("utf-8", "replace"))
    listed: dict[str, str] = {}
    for url, title in (titles or {}).items():
        key: str | None = listed_key(url)
        while key is not None and not listed.get(key):
            listed[key] = title
            key = context.redirects.pop(key, None)
    is_listed = any(listed_key(page.url) in listed for page in pages)
    for page in pages:
        destination, key = context.destinations.get(page.url, ""), listed_key(page.url)
        is_told = destination not in {"", "empty"}  # scripts ask for pages, too
        if key in listed or (destination == "document" if is_told else not is_listed):
            found.pages.append(replace(page, title=page.title or listed.get(key, "")))
        elif is_told and destination not in FRAMES:
            found.skip("not pages", destination)
        else:
            found.skip("frames of pages")


register_format(
    Format(
        "WARC, ARC",
        lambda head, _: _WARC_START.match(inflate_head(head)),
        read=lambda entry, found: read_warc([entry], found),
    )
)


def _read_records(reader: _InflatingReader, found: Collector, context: _Context) -> str:
    """Add the pages of all records; returns what is the matter with the file, if anything is."""
    from warcio.archiveiterator import ArchiveIterator  # noqa: PLC0415 - seldom needed
    from warcio.exceptions import ArchiveLoadFailed  # noqa: PLC0415

    records = ArchiveIterator(reader, arc2warc=True)
    number = end = missing = 0
    try:
        for number, record in enumerate(records, start=1):
            if number > MAX_RECORDS:
                return f"only the first {MAX_RECORDS:,} records were read"
            reader.most_given = sys.maxsize
            if record.rec_type == "request":
                headers = record.http_headers
                if destination := headers.get_header("Sec-Fetch-Dest") if headers else None:
                    url = record.rec_headers.get_header("WARC-Target-URI") or ""
                    if context.destinations.setdefault(url, destination) != "document":
                        context.destinations[url] = destination
            else:
                _add_record(record, found, context)
            while record.raw_stream.read(_BLOCK):
                pass
            stated = record.rec_headers.get_header("Content-Length") or ""
            missing = getattr(record.raw_stream, "limit", 0) if stated.isdecimal() else 1
            reader.most_given = reader.given + _MAX_HEADERS
            end = reader.given - (records.reader.rem_length() if records.reader else 0)
    except (ArchiveLoadFailed, AttributeError, *DAMAGED) as problem:
        if not reader.is_at_end:
            is_plain = isinstance(problem, ArchiveLoadFailed | ValueError | zlib.error)
            reason = " ".join(str(problem).split())[:100] if is_plain else "not a record"
            return f"damaged after record {number:,}: the rest was not read ({reason})"
        missing = 1
    if missing or reader.is_cut or reader.given - end > _LAST_BREAK:
        return f"is truncated after {count_of(number, 'record')}: the rest of the file is missing"
    return ""


def _add_record(record: Any, found: Collector, context: _Context) -> None:
    """Add the page of a record; records about others are not counted."""
    from warcio.bufferedreaders import BufferedReader, ChunkedDataReader  # noqa: PLC0415

    headers, http = record.rec_headers, record.http_headers
    if record.rec_type == "revisit":
        found.skip("unchanged since an earlier record")
    if record.rec_type not in {"response", "resource", "conversion"}:
        return
    url = web_url(headers.get_header("WARC-Target-URI"))
    status = (http.get_statuscode() or "") if http else "200"
    if http and (target := http.get_header("Location")):
        context.add_redirect(url, target)
    names = ("content-encoding", "transfer-encoding")
    codings = ",".join(_values(http, name) for name in names) if http else ""
    is_chunked = "chunked" in codings.lower()
    _add_response(
        *(found, url, status),
        content_type=_values(http or headers, "content-type"),
        codings=codings,
        read=(ChunkedDataReader if is_chunked else BufferedReader)(record.raw_stream).read,
        fetched=headers.get_header("WARC-Date") or "",
    )


def _values(headers: Any, name: str) -> str:
    """The values of all headers of a name in lower case, divided by commas."""
    return ",".join(value for each, value in headers.headers if each.lower() == name)


def _add_response(  # noqa: PLR0913 - what is known about a response
    found: Collector,
    url: str,
    status: str,
    *,
    content_type: str,
    codings: str,
    read: Callable[[int], bytes],
    fetched: str,
    destination: str = "",
    charset: str = "",
) -> None:
    """Add the page of a response, or count it.

    Args:
        found: takes the page.
        url: its address; empty if it is none of the web.
        status: the code of HTTP, as it is written.
        content_type: the values of its headers ``Content-Type``.
        codings: those that its content has, in their order.
        read: reads its first bytes, once.
        fetched: time of the response.
        destination: what the browser wanted it for.
        charset: that of the content, if it is not as the headers say.
    """
    media_type, stated = _media_type_of(content_type)
    content: bytes | None = None
    code = int(status[:9]) if status.isdecimal() else 0
    try:
        if media_type in _UNSTATED and 200 <= code < 300:
            content = _decode_body(read(MAX_PDF_BYTES), codings, MAX_PDF_BYTES)
            media_type = _sniff_type(content, url, media_type)
        if not found.may_add(code, media_type, url, destination):
            return
        most = MAX_PDF_BYTES if media_type in PDF_TYPES else MAX_PAGE_BYTES
        content = content or _decode_body(read(most), codings, most)
    except ImportError as missing:
        found.skip("pages in a compression that needs another library", str(missing.name))
        return
    if not content:
        found.skip("pages whose content was not saved")
        return
    found.add_page(url, content[:most], charset or stated, fetched)


def _media_type_of(stated: str) -> tuple[str, str]:
    """Media type and charset of the values of ``Content-Type``, in lower case; empty without any.

    The last one that is valid counts, with the charset that an earlier one states for it ("extract
    a MIME type" of the WHATWG Fetch standard).
    """
    media_type = charset = ""
    for value in stated[:2_000].split(","):
        found = value.partition(";")[0].strip().lower()
        if _MEDIA_TYPE.fullmatch(found):
            header = Message()
            header["Content-Type"] = " ".join(value.split())
            charset = header.get_content_charset() or (charset if found == media_type else "")
            media_type = found
    return media_type, charset


def _sniff_type(content: bytes, url: str, stated: str) -> str:
    """The media type of a body whose headers do not tell whether it is a page.

    As browsers guess it, and by the name of the file where they would show any text.
    """
    if HTML_START.match(content):
        return "text/html"
    if content.lstrip().startswith(b"%PDF-"):
        return "application/pdf"
    named, _ = MimeTypes().guess_type(urlsplit(url).path)  # the same on every system
    return stated or named or foreign_kind(content) or "text/plain"


def _decode_body(body: bytes, codings: str, most: int) -> bytes:
    """A body without its codings, of which the last one was applied last.

    A coding that nobody knows is none, and one that the body does not have was removed before, as
    browsers have it.

    Raises:
        ImportError: the library for a coding is missing.
    """
    for coding in reversed([each.strip().lower() for each in codings.split(",")]):
        if coding in _CODINGS and not _TEXT.fullmatch(body[:1_000].decode(errors="replace")):
            body = inflate_readable(_CODINGS[coding](body), body, most) or body
    return body


class _HarText:
    """The text of a HAR file in UTF-8: unpacked, within bounds, with long values cut."""

    def __init__(self, file: IO[bytes]) -> None:
        packed = _InflatingReader(file)
        packed.most_given = MAX_HAR_BYTES
        self._text = codecs.EncodedFile(packed, "utf-8", "utf-8-sig", "replace")  # type: ignore[arg-type]
        self._run = 0
        """Characters since the last quotation mark."""

    def read(self, size: int = -1) -> bytes:
        """At most so many bytes, none at the end."""
        while data := _LONG_NUMBER.sub(b" ", self._text.read(size)):
            first, last = data.find(b'"'), data.rfind(b'"')
            end = first if first >= 0 else len(data)
            kept = data[: max(0, min(end, _MAX_HAR_TEXT - self._run))] + data[end:]
            self._run = len(data) - 1 - last if last >= 0 else self._run + len(data)
            if kept:
                return kept
        return b""


_ENTRY = ["log", "entries", "item"]
_HAR_FIELDS = frozenset(
    "startedDateTime _resourceType request.url request.headers.item.sec-fetch-dest response.status "
    "response.headers.item.content-encoding response.content.mimeType response.content.text "
    "response.content.encoding response.content._file".split()
)
"""What is kept of an exchange; headers by their names."""


def _read_exchanges(file: IO[bytes]) -> Iterator[dict[str, str]]:
    """The fields of each exchange of a HAR file by the last parts of their names, one at a time.

    Raises:
        SourceError: it is nested too deeply, or has too many values.
        JSONError, ValueError: it is damaged or truncated.
    """
    import ijson  # noqa: PLC0415 - seldom needed

    exchange, header, path = dict[str, str](), "", list[str]()
    # The library's own paths would fill the memory where names are long.
    for number, (event, value) in enumerate(ijson.basic_parse(_HarText(file), buf_size=_BLOCK)):
        if number > MAX_HAR_VALUES or len(path) > 100:
            raise SourceError("a HAR file that is nested too deeply, or has too many values")
        match event:
            case "start_map" | "start_array":
                path.append("item")
            case "map_key":
                path[-1] = value[:100]
            case "end_map" | "end_array":
                path.pop()
                if path == _ENTRY and event == "end_map":
                    yield exchange
                    exchange = {}
            case "string" | "number" if path[:3] == _ENTRY:
                *parents, name = path[3:] or [""]
                if name == "name":
                    header = str(value).lower()
                name = header if name == "value" else name
                if ".".join((*parents, name)) in _HAR_FIELDS:
                    exchange[name] = str(value)


def _read_har(entry: Entry, found: Collector) -> None:
    """Read the pages of a HAR file (version 1.2); other responses are counted."""
    from ijson import JSONError  # noqa: PLC0415 - seldom needed

    number = 0
    with entry.open() as file:
        try:
            for exchange in _read_exchanges(file):
                if number == MAX_RECORDS:
                    raise SourceError("a HAR file with too many responses")
                _add_exchange(exchange, entry, found)
                number += 1
        except (JSONError, SourceError, ArithmeticError, *DAMAGED) as error:
            problem = "a HAR file that is damaged or truncated"
            problem = error.what if isinstance(error, SourceError) else problem
            if not number:
                raise SourceError(problem) from None
            found.fail(f"{problem}: only the first {count_of(number, 'response')} could be read")


register_format(
    Format(
        "HAR",
        recognises=lambda head, _: _HAR_START.match(inflate_head(head)),
        read=_read_har,
        noun="response",
        most=MAX_HAR_BYTES,
    )
)


def _add_exchange(known: Mapping[str, str], entry: Entry, found: Collector) -> None:
    """Add the page of an exchange, or count it; Playwright writes bodies as files beside it."""
    text, status = known.get("text", ""), known.get("status", "")
    attached = entry.beside(known.get("_file", ""))
    is_coded = attached is not None or known.get("encoding", "").lower() == "base64"
    if attached:
        found.attached.add(attached.name)
    if status == "304" and (attached or text):
        status = "200"  # the content is that of the browser's cache

    def read(most: int) -> bytes:
        if attached:
            return attached.read(most)
        data = text[: most // 3 * 4 + 4].encode("utf-8", "replace")
        return base64.b64decode(data + b"==") if is_coded else data

    try:
        _add_response(
            *(found, web_url(known.get("url")), status),
            content_type=known.get("mimeType", ""),
            codings=known.get("content-encoding", ""),
            read=read,
            fetched=known.get("startedDateTime", "")[:40],
            destination=known.get("sec-fetch-dest") or known.get("_resourceType", ""),
            charset="" if is_coded else "utf-8",  # the browser has decoded it
        )
    except (binascii.Error, OSError):
        found.skip("damaged")
