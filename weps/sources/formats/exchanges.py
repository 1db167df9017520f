"""Pages among recorded exchanges: WARC (ISO 28500), its predecessor ARC, and HAR.

HAR is what a browser's network panel saves.
"""

from __future__ import annotations

import base64
import binascii
import io
import json
import re
import zlib
from collections.abc import Mapping
from contextlib import redirect_stderr
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any

from weps._formatting import count_of
from weps.errors import SourceError
from weps.records import Page
from weps.sources.formats import (
    DAMAGED,
    FRAMES,
    MAX_PAGE_BYTES,
    MAX_PDF_BYTES,
    PDF_TYPES,
    Collector,
    Entry,
    Format,
    inflate_head,
    media_type_of,
    page_title,
    register_format,
    web_url,
)

if TYPE_CHECKING:
    from warcio.recordloader import ArcWarcRecord

MAX_RECORDS = 200_000
"""Records of one archive."""
MAX_INFLATED = 16 << 30
"""Bytes of all records, pages or not."""
_MOST_GROWTH = 250
"""Inflated size over compressed size, beyond which a file is not what it seems."""
_UNSUSPICIOUS = 64 << 20
"""Bytes that may be inflated whatever the growth."""
_MAX_HEADERS = 1 << 20
"""Bytes between the contents of two records."""
_LAST_BREAK = 16
"""Bytes that may follow the last record; more are one whose length is not known."""
_BLOCK = 65_536
_WARC_START = re.compile(rb"WARC/\d\.\d{1,2}\r?\n|filedesc://")
_STORED_ENCODINGS = frozenset(("", "identity", "gzip", "x-gzip", "deflate", "br"))
_HAR_START = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"log"\s*:\s*\{')


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
        self.header_room: int | None = _MAX_HEADERS
        """Bytes up to the next record; None within one."""

    def read(self, size: int = -1) -> bytes:
        """At most so many bytes, none at the end; size is always given."""
        found = b""
        while not found and (self._pending or self._refill()):
            if self._inflater is None:
                found, self._pending = self._pending[:size], self._pending[size:]
            else:
                found = self._inflater.decompress(self._pending, size)
                self._pending = self._inflater.unconsumed_tail or self._inflater.unused_data
                if self._inflater.eof and (self._pending or self._refill()):
                    self._inflater = zlib.decompressobj(wbits=31)
        self.given += len(found)
        if self.header_room is not None:
            self.header_room -= len(found)
            if self.header_room < 0:
                raise ValueError("no header where one is expected")
        if self.given > max(_UNSUSPICIOUS, _MOST_GROWTH * self.taken) or self.given > MAX_INFLATED:
            raise ValueError(f"it inflates to more than {self.given >> 20} MB")
        return found

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


def read_warc(entry: Entry, found: Collector, titles: Mapping[str, str] | None = None) -> None:
    """Add the pages of an archive to others; other records are counted.

    Args:
        entry: the archive.
        found: takes the pages.
        titles: the titles of the pages that the archive is about by their addresses, if these are
            known; other pages are frames within them.
    """
    titles = titles or {}
    before = len(found.pages)
    destinations: dict[str, str] = {}
    with entry.open() as file, redirect_stderr(io.StringIO()):  # where the library would warn
        if problem := _read_records(_InflatingReader(file), found, destinations):
            found.fail(problem)
    pages = found.pages[before:]
    is_listed = any(page.url in titles for page in pages)
    del found.pages[before:]
    for page in pages:
        if destinations.get(page.url) in FRAMES or (is_listed and page.url not in titles):
            found.skip("frames of pages")
        else:
            found.pages.append(replace(page, title=page.title or titles.get(page.url, "")))


register_format(
    Format("WARC, ARC", lambda head, _: _WARC_START.match(inflate_head(head)), read=read_warc)
)


def _read_records(reader: _InflatingReader, found: Collector, destinations: dict[str, str]) -> str:
    """Add the pages of all records; returns what is the matter with the file, if anything is.

    Where browsers recorded their requests, what they wanted a response for joins the destinations.
    """
    from warcio.archiveiterator import ArchiveIterator  # noqa: PLC0415 - seldom needed
    from warcio.exceptions import ArchiveLoadFailed  # noqa: PLC0415

    records = ArchiveIterator(reader, arc2warc=True)
    number = end = missing = 0
    try:
        for number, record in enumerate(records, start=1):
            if number > MAX_RECORDS:
                return f"only the first {MAX_RECORDS:,} records were read"
            reader.header_room = None
            if record.rec_type == "request":
                headers = record.http_headers
                if destination := headers.get_header("Sec-Fetch-Dest") if headers else None:
                    url = record.rec_headers.get_header("WARC-Target-URI") or ""
                    if destinations.setdefault(url, destination) != "document":
                        destinations[url] = destination
            else:
                _add_record(record, found)
            while record.raw_stream.read(_BLOCK):
                pass
            stated = record.rec_headers.get_header("Content-Length") or ""
            missing = getattr(record.raw_stream, "limit", 0) if stated.isdecimal() else 1
            reader.header_room = _MAX_HEADERS
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


def _add_record(record: ArcWarcRecord, found: Collector) -> None:
    """Add the page of a record; records about others are not counted."""
    headers, http = record.rec_headers, record.http_headers
    if record.rec_type == "revisit":
        found.skip("unchanged since an earlier record")
    if record.rec_type not in {"response", "resource", "conversion"}:
        return
    url = web_url(headers.get_header("WARC-Target-URI"))
    stated = (http or headers).get_header("Content-Type") or ""
    media_type, charset = media_type_of(stated)
    status = (http.get_statuscode() or "") if http else "200"
    if not found.may_add(int(status) if status.isdecimal() else 0, media_type, url):
        return
    encoding = (http.get_header("Content-Encoding") or "").strip().lower() if http else ""
    if encoding not in _STORED_ENCODINGS:
        found.skip("pages in an unsupported compression", encoding)
        return
    most = MAX_PDF_BYTES if media_type in PDF_TYPES else MAX_PAGE_BYTES
    stream, content = record.content_stream(), bytearray()
    while len(content) < most and (part := stream.read(min(most - len(content), _BLOCK))):
        content += part  # may be less than was asked for
    fetched = headers.get_header("WARC-Date") or ""
    body = bytes(content)
    title = page_title(body, charset)
    found.add(Page(0, url, title, "", body, None, "", charset, found.file, fetched))


def _read_har(entry: Entry, found: Collector) -> None:
    """Read the pages of a HAR file (version 1.2); other responses are counted."""
    try:
        log = json.loads(entry.read(entry.size).decode("utf-8-sig", "replace"))["log"]
        exchanges = [each for each in log["entries"] if isinstance(each, dict)]
    except RecursionError:
        raise SourceError("a HAR file that is nested too deeply") from None
    except (KeyError, TypeError, ValueError):
        raise SourceError("a HAR file that is damaged or truncated") from None
    for exchange in exchanges:
        request, response = _object(exchange, "request"), _object(exchange, "response")
        content = _object(response, "content")
        media_type, charset = media_type_of(_text(content, "mimeType"))
        status, url = response.get("status"), web_url(_text(request, "url"))
        headers = request.get("headers")
        purposes = [  # of the response, as far as the request or the browser states them
            *(
                _text(header, "value")
                for header in (headers if isinstance(headers, list) else ())
                if isinstance(header, dict) and _text(header, "name").lower() == "sec-fetch-dest"
            ),
            _text(exchange, "_resourceType"),
        ]
        known_status = status if isinstance(status, int) else 0
        if not found.may_add(known_status, media_type, url, purposes[0]):
            continue
        data = _text(content, "text").encode("utf-8", "replace")
        if _text(content, "encoding") == "base64":
            try:
                data = base64.b64decode(data)
            except binascii.Error:
                found.skip("damaged")
                continue
        else:
            charset = "utf-8"  # the browser has decoded it
        if not data:
            found.skip("pages whose content was not saved")
            continue
        if media_type not in PDF_TYPES:
            data = data[:MAX_PAGE_BYTES]
        title, fetched = page_title(data, charset), _text(exchange, "startedDateTime")[:40]
        found.add(Page(0, url, title, "", data, None, "", charset, found.file, fetched))


register_format(
    Format(
        "HAR",
        recognises=lambda head, _: _HAR_START.match(head),
        read=_read_har,
        noun="response",
        most=200 << 20,
    )
)


def _object(parent: Mapping[str, Any], field: str) -> Mapping[str, Any]:
    value = parent.get(field)
    return value if isinstance(value, dict) else {}


def _text(parent: Mapping[str, Any], field: str) -> str:
    value = parent.get(field)
    return value if isinstance(value, str) else ""
