"""Pages as people save them, and as programs record them while they are exchanged.

Saved are HTML, MHTML, Safari's web archives and PDF; recorded are WARC (ISO 28500), its predecessor
ARC, and HAR, as a browser's network panel has it. PDF files are read by pypdf in a process of its
own, which a file may neither occupy nor fill.
"""

from __future__ import annotations

import base64
import binascii
import html
import io
import json
import plistlib
import quopri
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, suppress
from dataclasses import replace
from datetime import UTC, datetime
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import parsedate_to_datetime
from importlib.util import find_spec
from itertools import chain, islice
from math import inf
from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING, Any

from weps._formatting import count_of, error_reason
from weps._isolation import OVER_LIMIT, IsolatedWork
from weps.errors import SourceError
from weps.records import Page
from weps.sources import base
from weps.sources.formats import (
    DAMAGED,
    FRAMES,
    MAX_PAGE_BYTES,
    MAX_PDF_BYTES,
    PDF_TYPES,
    PLAIN_SUFFIXES,
    Collector,
    Entry,
    Format,
    inflate_head,
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
"""Bytes read at a time, and those of a header at most."""
_WARC_START = re.compile(rb"WARC/\d\.\d{1,2}\r?\n|filedesc://")
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
        self.most_given: float = _MAX_HEADERS
        """Bytes given at which the next record must have begun; without limit within one."""

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
        if self.given > self.most_given:
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
            reader.most_given = inf
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


def _add_record(record: ArcWarcRecord, found: Collector) -> None:
    """Add the page of a record; records about others are not counted."""
    headers, http = record.rec_headers, record.http_headers
    if record.rec_type == "revisit":
        found.skip("unchanged since an earlier record")
    if record.rec_type not in {"response", "resource", "conversion"}:
        return
    url = web_url(headers.get_header("WARC-Target-URI"))
    media_type, charset = _media_type_of((http or headers).get_header("Content-Type") or "")
    status = (http.get_statuscode() or "") if http else "200"
    if not found.may_add(int(status) if status.isdecimal() else 0, media_type, url):
        return
    encoding = (http.get_header("Content-Encoding") or "").strip().lower() if http else ""
    if encoding not in {"", "identity", "gzip", "x-gzip", "deflate", "br"}:
        found.skip("pages in an unsupported compression", encoding)
        return
    most = MAX_PDF_BYTES if media_type in PDF_TYPES else MAX_PAGE_BYTES
    stream, content = record.content_stream(), bytearray()
    while len(content) < most and (part := stream.read(min(most - len(content), _BLOCK))):
        content += part  # may be less than was asked for
    _add_page(found, url, bytes(content), charset, headers.get_header("WARC-Date") or "")


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
        media_type, charset = _media_type_of(_text(content, "mimeType"))
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
        if not found.may_add(
            status if isinstance(status, int) else 0, media_type, url, purposes[0]
        ):
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
        _add_page(found, url, data, charset, _text(exchange, "startedDateTime")[:40])


register_format(
    Format(
        "HAR",
        recognises=lambda head, _: _HAR_START.match(head),
        read=_read_har,
        noun="response",
        most=200 << 20,
    )
)


def _add_page(found: Collector, url: str, content: bytes, charset: str, fetched: str) -> None:
    """Add a page with the title that it states."""
    found.add(
        Page(
            0,
            url,
            page_title(content, charset),
            content=content,
            charset=charset,
            file=found.file,
            fetched=fetched,
        )
    )


def _media_type_of(stated: str) -> tuple[str, str]:
    """Media type and charset of a ``Content-Type``, in lower case; empty where it states none."""
    header = Message()
    header["Content-Type"] = stated[:500].replace("\r", " ").replace("\n", " ")
    return (
        stated.partition(";")[0].strip().lower(),
        _parameter(header, "charset").strip().lower(),
    )


def _object(parent: Mapping[str, Any], field: str) -> Mapping[str, Any]:
    value = parent.get(field)
    return value if isinstance(value, dict) else {}


def _text(parent: Mapping[str, Any], field: str) -> str:
    value = parent.get(field)
    return value if isinstance(value, str) else ""


MAX_SHEETS = 50
"""Pages of the document that are read."""
MAX_TEXT = 1_000_000
"""Characters of one file."""
_MARK = b"%PDF-"
_WORK = f"{__name__}:read_text"
_FAILED = json.dumps({"problem": f"a PDF file that {OVER_LIMIT}"}).encode()
_MAX_PARTS = 5_000
_MAX_NESTING = 3
_SINGLE_FILE = re.compile(
    rb"<!--\s*(?:Page saved with SingleFile|Archive processed by SingleFile)\s+"
    rb"url:\s*(https?://[^\s<>]{1,2000})\s+saved date:\s*([^\r\n<>]{1,100})"
)
_SCRIPT_DATE = re.compile(r"\w{3} (\w{3} \d\d \d{4} \d\d:\d\d:\d\d) GMT([+-]\d{4})")
"""As JavaScript writes it: ``Mon Nov 03 2025 10:00:00 GMT+0100 (CET)``."""
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf|\s|<\?xml[^>]*>|<!--(?s:.*?)-->)*+"
    rb"<(?:!doctype\s+html|html|head|body|title|meta)\b",
    re.IGNORECASE,
)
_DECODERS: Mapping[str, Callable[[bytes], bytes]] = {
    "quoted-printable": quopri.decodestring,
    "base64": base64.b64decode,
}
_MAIL_FIELD = re.compile(rb"[!-9;-~]{1,70}:|[ \t]")
_MULTIPART = re.compile(
    rb"^content-type:\s*(?:multipart/related|text/html)\b", re.IGNORECASE | re.MULTILINE
)


def _read_saved_page(entry: Entry, found: Collector) -> None:
    """Read a page as it is; one saved by SingleFile says its address and when it was saved."""
    start = entry.read(65_536)
    file = Path(entry.file)
    content = base.SavedContent(file, file.parent) if entry.lasting else None
    page = Page(0, content=content or entry.read(base.MAX_PAGE_BYTES), file=entry.file)
    if comment := _SINGLE_FILE.search(start):
        url, date = (part.decode("utf-8", "replace") for part in comment.groups())
        fetched = ""
        with suppress(ValueError):
            if parts := _SCRIPT_DATE.match(date):
                date = " ".join(parts.groups())
                fetched = datetime.strptime(date, "%b %d %Y %H:%M:%S %z").isoformat()
        page = replace(page, url=url, title=page_title(start), fetched=fetched)
    found.pages.append(page)


SAVED_PAGE = register_format(
    Format(
        "HTML, plain text",
        lambda head, name: (
            PurePath(name).suffix.lower() in PLAIN_SUFFIXES or _HTML.match(inflate_head(head))
        ),
        _read_saved_page,
        order=2,
    )
)
"""A page as it is, possibly as a browser or an extension saves it."""


def _read_mhtml(entry: Entry, found: Collector) -> None:
    """Read the page of an MHTML file (RFC 2557); its images and frames are counted."""
    data = entry.read(entry.size)
    header, _ = _split_header(data)
    parts = list(islice(_leaves(data), _MAX_PARTS + 1))
    url = _field(header, "Snapshot-Content-Location") or _field(header, "Content-Location")
    pages = [
        (head, body)
        for head, body in parts[:_MAX_PARTS]
        if head.get_content_type() in {"text/html", "application/xhtml+xml"}
    ]
    if not pages:
        raise SourceError("an MHTML file without a page")
    labels = {url, _parameter(header, "start")} - {""}
    main_header, body = next(
        (
            (head, body)
            for head, body in pages
            if labels & {_field(head, "Content-Location"), _field(head, "Content-ID")}
        ),
        pages[0],
    )
    encoding = _field(main_header, "Content-Transfer-Encoding").strip().lower()
    content = body
    with suppress(binascii.Error):
        content = _DECODERS.get(encoding, bytes)(body)
    if not content.strip():
        raise SourceError("an MHTML file whose page is empty")
    date = ""
    with suppress(TypeError, ValueError):
        saved = parsedate_to_datetime(_field(header, "Date"))
        date = saved.replace(tzinfo=saved.tzinfo or UTC).isoformat()
    url = web_url(url or _field(main_header, "Content-Location"))
    _add_page(found, url, content, _parameter(main_header, "charset"), date)
    for _ in pages[1:]:
        found.skip("frames of pages")
    if len(parts) > _MAX_PARTS:
        found.fail(f"has more than {_MAX_PARTS:,} parts, of which the rest was not read")
    boundary = header.get_boundary()
    if boundary and f"--{boundary}--".encode() not in data[-_BLOCK:]:
        found.fail("is truncated: a part of the page may be missing")


def _is_mhtml(head: bytes, _: str) -> bool:
    """Whether the file begins with the header of an e-mail that holds a page."""
    header = _BLANK_LINE.split(head.lstrip(), maxsplit=1)[0]
    lines = header.splitlines()
    return (
        len(lines) > 1
        and all(map(_MAIL_FIELD.match, lines[:-1]))  # the last one may be cut
        and _MULTIPART.search(header) is not None
    )


register_format(Format("MHTML", _is_mhtml, _read_mhtml, noun="part", most=256 << 20))


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
    end = _BLANK_LINE.search(data, 0, _BLOCK)
    if not end:
        return Message(), data
    return BytesHeaderParser().parsebytes(data[: end.end()].lstrip()), data[end.end() :]


def _field(header: Message, name: str) -> str:
    """A field as text, empty if there is none; with bytes beyond ASCII it is no string."""
    return str(header[name] or "")


def _parameter(header: Message, name: str) -> str:
    value = header.get_param(name)
    return value if isinstance(value, str) else ""


def _read_webarchive(entry: Entry, found: Collector) -> None:
    """Read the page of a web archive of Safari, a binary property list."""
    try:
        main = plistlib.loads(entry.read(entry.size))["WebMainResource"]
        url, content = web_url(str(main.get("WebResourceURL", ""))), bytes(main["WebResourceData"])
        charset = str(main.get("WebResourceTextEncodingName", ""))
    except (AttributeError, TypeError, plistlib.InvalidFileException, *DAMAGED):
        raise SourceError("a web archive that is damaged") from None
    found.pages.append(
        Page(
            *(0, url, page_title(content, charset)),
            content=content,
            charset=charset,
            file=entry.file,
        )
    )


register_format(
    Format(
        "web archive of Safari",
        lambda head, _: head.startswith(b"bplist00") and b"WebMainResource" in head,
        _read_webarchive,
        most=256 << 20,
    )
)


register_format(
    Format(
        "PDF",
        lambda head, _: head.lstrip().startswith(_MARK),
        # As a page whose content is the file, to be converted with others.
        lambda entry, found: found.pages.append(
            Page(0, content=entry.read(entry.size).lstrip(), file=entry.file)
        ),
        most=MAX_PDF_BYTES,
    )
)


def convert_pdf(pages: Sequence[Page]) -> list[Page | str]:
    """Turn pages whose content is a PDF file into pages of HTML, all in one process.

    Returns:
        For each page itself, its text as HTML with the title of its metadata if it is a PDF file,
        or why such a file cannot be read.
    """
    with IsolatedWork(_WORK) as work:  # whose process starts with the first PDF file
        return [_converted(page, work) for page in pages]


def _converted(page: Page, work: IsolatedWork) -> Page | str:
    """The page itself, as HTML if it is a PDF file, or why such a file cannot be read."""
    content = page.content
    is_pdf = isinstance(content, bytes) and content.startswith(_MARK)
    if isinstance(content, base.SavedContent):
        with suppress(OSError):
            is_pdf = content.read(len(_MARK)) == _MARK
    if not is_pdf:
        return page
    if not find_spec("pypdf"):
        return "a PDF file, which needs the extra weps[pdf]"
    try:
        text = json.loads(work(page.read_content() or b"") or _FAILED)
    except OSError as problem:
        return f"a PDF file, for which there is no process ({error_reason(problem)})"
    if "problem" in text:
        return str(text["problem"])
    # Line ends of a sheet are those of prose that is wrapped, or of headings: as in ``pre``.
    lines = [f'<meta charset="utf-8"><title>{html.escape(text["title"])}</title>\n']
    lines += (f"<pre>{html.escape(sheet)}</pre>\n" for sheet in text["sheets"])
    lines += (f'<a href="{html.escape(link)}"></a>\n' for link in text["links"])
    return replace(
        page,
        title=page.title or text["title"],
        content="".join(lines).encode("utf-8", "replace"),
        charset="utf-8",
        problem=f"only the first {MAX_SHEETS} of {text['number']} sheets were read"
        if text["number"] > MAX_SHEETS
        else "",
    )


# In the process


def read_text(file: bytes) -> bytes:
    """The text of a PDF file, its title and links, or why there are none, as JSON."""
    return json.dumps(_read_text(file)).encode()


def _read_text(file: bytes) -> dict[str, Any]:
    from pypdf import PdfReader  # noqa: PLC0415 - only in the process

    try:
        reader = PdfReader(io.BytesIO(file))
        if reader.is_encrypted and not reader.decrypt(""):
            return {"problem": "a PDF file that is encrypted"}
        number = len(reader.pages)
        first = [reader.pages[index] for index in range(min(number, MAX_SHEETS))]
        sheets, room = [], MAX_TEXT
        for sheet in first:
            sheets.append(sheet.extract_text()[:room])
            room -= len(sheets[-1])
        title = str((reader.metadata and reader.metadata.title) or "")
        notes = chain.from_iterable(sheet.get("/Annots") or () for sheet in first)
        actions = [note.get_object().get("/A") or {} for note in notes]
        links = [str(action["/URI"]) for action in actions if "/URI" in action]
    except Exception as error:  # noqa: BLE001 - damaged files raise errors of any kind
        return {"problem": f"a PDF file that is damaged ({type(error).__name__})"}
    if not "".join(sheets).strip():
        return {"problem": "a PDF file without text, such as a scan"}
    return {"title": title[:1000], "sheets": sheets, "links": links[:1000], "number": number}
