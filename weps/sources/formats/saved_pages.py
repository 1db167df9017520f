"""Pages as browsers and extensions save them: HTML, MHTML, and Safari's web archives."""

from __future__ import annotations

import base64
import binascii
import plistlib
import quopri
import re
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import parsedate_to_datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from weps.records import Page
from weps.sources.base import MAX_PAGE_BYTES, SavedContent
from weps.sources.formats.base import (
    DAMAGED,
    Collector,
    Contents,
    page_title,
    refused,
    web_url,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weps.sources.formats.listing import Entry

_MAX_PARTS = 5_000
_MAX_NESTING = 3
_MAX_HEADER = 65_536
_SINGLE_FILE = re.compile(
    rb"<!--\s*(?:Page saved with SingleFile|Archive processed by SingleFile)\s+"
    rb"url:\s*(https?://[^\s<>]{1,2000})\s+saved date:\s*([^\r\n<>]{1,100})"
)
_SINGLE_FILE_WITHIN = 65_536
_SCRIPT_DATE = re.compile(r"\w{3} (\w{3} \d\d \d{4} \d\d:\d\d:\d\d) GMT([+-]\d{4})")
"""As JavaScript writes it: ``Mon Nov 03 2025 10:00:00 GMT+0100 (CET)``."""
_HTML_TYPES = frozenset(("text/html", "application/xhtml+xml"))
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")


def read_saved_page(entry: Entry) -> Contents:
    """Read a page as it is; one saved by SingleFile says its address and when it was saved."""
    start = entry.read(_SINGLE_FILE_WITHIN)
    file = Path(entry.file)
    content = SavedContent(file, file.parent) if entry.lasting else entry.read(MAX_PAGE_BYTES)
    page = Page(0, content=content, file=entry.file)
    if found := _SINGLE_FILE.search(start):
        url, date = (part.decode("utf-8", "replace") for part in found.groups())
        page = replace(page, url=url, title=page_title(start), fetched=_script_date(date))
    return Contents((page,))


def _script_date(text: str) -> str:
    found = _SCRIPT_DATE.match(text)
    with suppress(ValueError):
        if found:
            return datetime.strptime(" ".join(found.groups()), "%b %d %Y %H:%M:%S %z").isoformat()
    return ""


def read_mhtml(entry: Entry) -> Contents:
    """Read the page of an MHTML file (RFC 2557); its images and frames are counted."""
    data = entry.read(entry.size)
    header, _ = _split_header(data)
    parts = list(islice(_leaves(data), _MAX_PARTS + 1))
    url = _field(header, "Snapshot-Content-Location") or _field(header, "Content-Location")
    pages = [part for part in parts[:_MAX_PARTS] if part[0].get_content_type() in _HTML_TYPES]
    if not pages:
        return refused(entry.name, "an MHTML file without a page")
    wanted = {url, _parameter(header, "start")} - {""}
    main = next((part for part in pages if wanted.intersection(_labels(part[0]))), pages[0])
    content = _decoded(*main)
    date = ""
    with suppress(TypeError, ValueError):
        saved = parsedate_to_datetime(_field(header, "Date"))
        date = saved.replace(tzinfo=saved.tzinfo or UTC).isoformat()
    charset = _parameter(main[0], "charset")
    found = Collector(entry.name, entry.file, "part")
    if not content.strip():
        return refused(entry.name, "an MHTML file whose page is empty")
    title = page_title(content, charset)
    url = web_url(url or _field(main[0], "Content-Location"))
    found.add(Page(0, url, title, "", content, None, "", charset, entry.file, date))
    for _ in pages[1:]:
        found.skip("frames of pages")
    if len(parts) > _MAX_PARTS:
        found.fail(f"has more than {_MAX_PARTS:,} parts, of which the rest was not read")
    boundary = header.get_boundary()
    if boundary and f"--{boundary}--".encode() not in data[-_MAX_HEADER:]:
        found.fail("is truncated: a part of the page may be missing")
    return found.contents()


def _leaves(data: bytes, depth: int = 0) -> Iterator[tuple[Message, bytes]]:
    """The parts of a multipart body that have none themselves: their headers and bodies."""
    header, body = _split_header(data)
    boundary = header.get_boundary()
    if header.get_content_maintype() != "multipart" or not boundary or depth > _MAX_NESTING:
        yield header, body
        return
    mark = b"\n--" + boundary.encode("ascii", "replace")
    body = b"\n" + body
    at = body.find(mark)
    while at >= 0:
        start = body.find(b"\n", at + 1) + 1
        end = body.find(mark, start - 1) if start else -1
        if start and (end >= 0 or body[start:].strip()):
            yield from _leaves(body[start : end if end >= 0 else None], depth + 1)
        at = end


def _split_header(data: bytes) -> tuple[Message, bytes]:
    end = _BLANK_LINE.search(data, 0, _MAX_HEADER)
    if not end:
        return Message(), data
    return BytesHeaderParser().parsebytes(data[: end.end()].lstrip()), data[end.end() :]


def _field(header: Message, name: str) -> str:
    """A field as text, empty if there is none; with bytes beyond ASCII it is no string."""
    return str(header[name] or "")


def _parameter(header: Message, name: str) -> str:
    value = header.get_param(name)
    return value if isinstance(value, str) else ""


def _labels(header: Message) -> tuple[str, str]:
    return _field(header, "Content-Location"), _field(header, "Content-ID")


def _decoded(header: Message, body: bytes) -> bytes:
    encoding = _field(header, "Content-Transfer-Encoding").strip().lower()
    if encoding == "quoted-printable":
        return quopri.decodestring(body)
    if encoding == "base64":
        with suppress(binascii.Error):
            return base64.b64decode(body)
    return body


def read_webarchive(entry: Entry) -> Contents:
    """Read the page of a web archive of Safari, a binary property list."""
    try:
        main = plistlib.loads(entry.read(entry.size))["WebMainResource"]
        url, content = web_url(str(main.get("WebResourceURL", ""))), bytes(main["WebResourceData"])
        charset = str(main.get("WebResourceTextEncodingName", ""))
    except (AttributeError, TypeError, plistlib.InvalidFileException, *DAMAGED):
        return refused(entry.name, "a web archive that is damaged")
    title = page_title(content, charset)
    page = Page(0, url, title, content=content, charset=charset, file=entry.file)
    return Contents((page,))
