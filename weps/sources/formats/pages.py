"""Pages as people save them: HTML, MHTML, Safari's web archives, and PDF.

PDF files are read by pypdf in a process of its own, which a file may neither occupy nor fill.
"""

from __future__ import annotations

import base64
import binascii
import html
import json
import plistlib
import quopri
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import parsedate_to_datetime
from importlib.util import find_spec
from io import BytesIO
from itertools import islice
from pathlib import Path, PurePath
from typing import Any

from weps._formatting import error_reason
from weps._isolation import OVER_LIMIT, IsolatedWork
from weps.errors import SourceError
from weps.records import Page
from weps.sources.base import MAX_PAGE_BYTES, SavedContent
from weps.sources.formats import (
    DAMAGED,
    MAX_PDF_BYTES,
    PLAIN_SUFFIXES,
    Collector,
    Entry,
    Format,
    inflate_head,
    page_title,
    register_format,
    web_url,
)

MAX_SHEETS = 50
"""Pages of the document that are read."""
MAX_TEXT = 1_000_000
"""Characters of one file."""
_MARK = b"%PDF-"
_WORK = f"{__name__}:read_text"
_FAILED = json.dumps({"problem": f"a PDF file that {OVER_LIMIT}"}).encode()
_MAX_PARTS = 5_000
_MAX_NESTING = 3
_MAX_HEADER = 65_536
_SINGLE_FILE = re.compile(
    rb"<!--\s*(?:Page saved with SingleFile|Archive processed by SingleFile)\s+"
    rb"url:\s*(https?://[^\s<>]{1,2000})\s+saved date:\s*([^\r\n<>]{1,100})"
)
_SCRIPT_DATE = re.compile(r"\w{3} (\w{3} \d\d \d{4} \d\d:\d\d:\d\d) GMT([+-]\d{4})")
"""As JavaScript writes it: ``Mon Nov 03 2025 10:00:00 GMT+0100 (CET)``."""
_HTML_TYPES = frozenset(("text/html", "application/xhtml+xml"))
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf|\s|<\?xml[^>]*>|<!--(?s:.*?)-->)*+"
    rb"<(?:!doctype\s+html|html|head|body|title|meta)\b",
    re.IGNORECASE,
)
_MAIL_FIELD = re.compile(rb"[!-9;-~]{1,70}:|[ \t]")
_MULTIPART = re.compile(
    rb"^content-type:\s*(?:multipart/related|text/html)\b", re.IGNORECASE | re.MULTILINE
)


def _read_saved_page(entry: Entry, found: Collector) -> None:
    """Read a page as it is; one saved by SingleFile says its address and when it was saved."""
    start = entry.read(65_536)
    file = Path(entry.file)
    content = SavedContent(file, file.parent) if entry.lasting else entry.read(MAX_PAGE_BYTES)
    page = Page(0, content=content, file=entry.file)
    if comment := _SINGLE_FILE.search(start):
        url, date = (part.decode("utf-8", "replace") for part in comment.groups())
        fetched = ""
        with suppress(ValueError):
            if parts := _SCRIPT_DATE.match(date):
                saved = datetime.strptime(" ".join(parts.groups()), "%b %d %Y %H:%M:%S %z")
                fetched = saved.isoformat()
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
    pages = [part for part in parts[:_MAX_PARTS] if part[0].get_content_type() in _HTML_TYPES]
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
    if encoding == "quoted-printable":
        content = quopri.decodestring(body)
    elif encoding == "base64":
        with suppress(binascii.Error):
            content = base64.b64decode(body)
    if not content.strip():
        raise SourceError("an MHTML file whose page is empty")
    date = ""
    with suppress(TypeError, ValueError):
        saved = parsedate_to_datetime(_field(header, "Date"))
        date = saved.replace(tzinfo=saved.tzinfo or UTC).isoformat()
    charset = _parameter(main_header, "charset")
    title = page_title(content, charset)
    url = web_url(url or _field(main_header, "Content-Location"))
    found.add(Page(0, url, title, "", content, None, "", charset, entry.file, date))
    for _ in pages[1:]:
        found.skip("frames of pages")
    if len(parts) > _MAX_PARTS:
        found.fail(f"has more than {_MAX_PARTS:,} parts, of which the rest was not read")
    boundary = header.get_boundary()
    if boundary and f"--{boundary}--".encode() not in data[-_MAX_HEADER:]:
        found.fail("is truncated: a part of the page may be missing")


def _is_mhtml(head: bytes, _: str) -> bool:
    """Whether the file begins with the header of an e-mail that holds a page."""
    header = re.split(rb"\r?\n\r?\n", head.lstrip(), maxsplit=1)[0]
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


def _read_webarchive(entry: Entry, found: Collector) -> None:
    """Read the page of a web archive of Safari, a binary property list."""
    try:
        main = plistlib.loads(entry.read(entry.size))["WebMainResource"]
        url, content = web_url(str(main.get("WebResourceURL", ""))), bytes(main["WebResourceData"])
        charset = str(main.get("WebResourceTextEncodingName", ""))
    except (AttributeError, TypeError, plistlib.InvalidFileException, *DAMAGED):
        raise SourceError("a web archive that is damaged") from None
    title = page_title(content, charset)
    found.pages.append(Page(0, url, title, content=content, charset=charset, file=entry.file))


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
    if isinstance(content, SavedContent):
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
    sheets = "".join(f"<pre>{html.escape(sheet)}</pre>\n" for sheet in text["sheets"])
    links = "".join(f'<a href="{html.escape(link)}"></a>\n' for link in text["links"])
    title = html.escape(text["title"])
    markup = f'<meta charset="utf-8"><title>{title}</title>\n{sheets}{links}'
    note = f"only the first {MAX_SHEETS} of {text['number']} sheets were read"
    return replace(
        page,
        title=page.title or text["title"],
        content=markup.encode("utf-8", "replace"),
        charset="utf-8",
        problem=note if text["number"] > MAX_SHEETS else "",
    )


# In the process


def read_text(file: bytes) -> bytes:
    """The text of a PDF file, its title and links, or why there are none, as JSON."""
    return json.dumps(_read_text(file)).encode()


def _read_text(file: bytes) -> dict[str, Any]:
    from pypdf import PdfReader  # noqa: PLC0415 - only in the process

    try:
        reader = PdfReader(BytesIO(file))
        if reader.is_encrypted and not reader.decrypt(""):
            return {"problem": "a PDF file that is encrypted"}
        number = len(reader.pages)
        first = [reader.pages[index] for index in range(min(number, MAX_SHEETS))]
        sheets, room = [], MAX_TEXT
        for sheet in first:
            sheets.append(sheet.extract_text()[:room])
            room -= len(sheets[-1])
        title = str((reader.metadata and reader.metadata.title) or "")
        notes = [each.get_object() for sheet in first for each in sheet.get("/Annots") or ()]
        actions = [note.get("/A") for note in notes]
        links = [str(each["/URI"]) for each in actions if each and "/URI" in each]
    except Exception as error:  # noqa: BLE001 - damaged files raise errors of any kind
        return {"problem": f"a PDF file that is damaged ({type(error).__name__})"}
    if not "".join(sheets).strip():
        return {"problem": "a PDF file without text, such as a scan"}
    return {"title": title[:1000], "sheets": sheets, "links": links[:1000], "number": number}
