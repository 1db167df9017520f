"""Pages as people save them: HTML, MHTML, which is like an e-mail, and Safari's web archives.

The frames of a page are put into it, since a reader sees them there.
"""

from __future__ import annotations

import base64
import binascii
import html
import plistlib
import quopri
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import parsedate_to_datetime
from itertools import islice
from pathlib import Path, PurePath
from typing import Any, NamedTuple
from urllib.parse import urljoin
from xml.parsers.expat import ExpatError

from weps.errors import SourceError
from weps.html.text import decode_page
from weps.records import Page
from weps.sources import base
from weps.sources.formats import (
    DAMAGED,
    HTML_START,
    PLAIN_SUFFIXES,
    Collector,
    Entry,
    Format,
    inflate_head,
    page_title,
    register_format,
    web_url,
)

_MAX_PARTS = 5_000
_MAX_NESTING = 3
_SINGLE_FILE = re.compile(
    rb"<!--\s*(?:Page saved with SingleFile|Archive processed by SingleFile)\s+"
    rb"url:\s*(https?://[^\s<>]{1,2000})\s+saved date:\s*([^\r\n<>]{1,100})"
)
_SCRIPT_DATE = re.compile(r"\w{3} (\w{3} \d\d \d{4} \d\d:\d\d:\d\d) GMT([+-]\d{4})")
"""As JavaScript writes it: ``Mon Nov 03 2025 10:00:00 GMT+0100 (CET)``."""
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_DECODERS: Mapping[str, Callable[[bytes], bytes]] = {
    "quoted-printable": quopri.decodestring,
    "base64": base64.b64decode,
}
_MAIL_FIELD = re.compile(rb"([!-9;-~]{1,70}):|[ \t]")
_MULTIPART = re.compile(
    rb"^content-type:\s*(?:multipart/(?:alternative|related)|text/html)\b",
    re.IGNORECASE | re.MULTILINE,
)
_MAIL_NAMES = frozenset(
    b"arc-seal date delivered-to dkim-signature from message-id mime-version received "
    b"return-path subject to".split()
)
"""Fields, of which every e-mail has three."""
_SHOWN_FIELDS = ("Subject", "From", "To", "Cc", "Date")
_FRAME = re.compile(
    r"<(?P<inline>i)?frame\s[^<>]{0,2000}?\bsrc\s*+=\s*+[\"']?\s*+(?P<address>[^\"'\s<>]{1,2000})"
    r"[^<>]*>(?:(?(inline)(?s:.{0,2000}?)</iframe\s*>|(?!)))?",
    re.IGNORECASE,
)
"""With what old browsers would show in its place."""
_MAX_FRAMES = 10
"""Frames in each other."""
_BLOCK = 65_536
"""Bytes of a header at most."""


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
            PurePath(name).suffix.lower() in {*PLAIN_SUFFIXES, ".md", ".vcf"}
            or HTML_START.match(inflate_head(head))
        ),
        _read_saved_page,
        order=2,
    )
)
"""A page as it is, possibly as a browser or an extension saves it."""


def _read_mail(entry: Entry, found: Collector) -> None:
    """Read the page of an MHTML file (RFC 2557), or the text of an e-mail."""
    data = entry.read(entry.size).lstrip()
    header, _ = _split_header(data)
    parts = list(islice(_leaves(data), _MAX_PARTS + 1))
    url = _field(header, "Snapshot-Content-Location") or _field(header, "Content-Location")
    sender = _field(header, "From")  # browsers state themselves
    is_mail = bool(sender) and not url and "saved by" not in sender.lower()
    texts: dict[str, list[tuple[Message, bytes]]] = {"html": [], "plain": []}
    for head, body in parts[:_MAX_PARTS]:
        if is_mail and (head.get_filename() or head.get_content_disposition() == "attachment"):
            found.skip("attachments, which are not read", head.get_content_type())
        elif head.get_content_type() in {"text/html", "application/xhtml+xml"}:
            texts["html"].append((head, _decode_part(head, body)))
        elif is_mail and head.get_content_type() == "text/plain":
            texts["plain"].append((head, _decode_part(head, body)))
    pages = texts["html"] or texts["plain"][:1]
    if not pages:
        raise SourceError("an MHTML file or e-mail without a page")
    labels = {url, str(header.get_param("start") or "")} - {""}
    main, content = next(
        (
            (head, body)
            for head, body in pages
            if labels & {_field(head, "Content-Location"), _field(head, "Content-ID")}
        ),
        pages[0],
    )
    if not content.strip():
        raise SourceError("an MHTML file or e-mail that is empty")
    date = ""
    with suppress(TypeError, ValueError):
        saved = parsedate_to_datetime(_field(header, "Date"))
        date = saved.replace(tzinfo=saved.tzinfo or UTC).isoformat()
    charset = main.get_content_charset("")
    if is_mail:
        heading = {name: html.escape(_readable(header, name)) for name in _SHOWN_FIELDS}
        shown = "".join(f"<p>{name}: {value}</p>\n" for name, value in heading.items() if value)
        text = decode_page(content, charset)
        text = text if texts["html"] else f"<pre>{html.escape(text)}</pre>"
        text = f"<title>{heading['Subject']}</title>\n{shown}{text}"
        content, charset = text.encode("utf-8", "replace"), "utf-8"
    frames = [
        _Frame(_addresses(head), body, head.get_content_charset(""))
        for head, body in pages
        if head is not main
    ]
    url = url or _field(main, "Content-Location")
    _add_page(found, _Frame((url,), content, charset), frames, date)
    if len(parts) > _MAX_PARTS:
        found.fail(f"has more than {_MAX_PARTS:,} parts, of which the rest was not read")
    boundary = header.get_boundary()
    if boundary and f"--{boundary}--".encode() not in data[-_BLOCK:]:
        found.fail("is truncated: a part of the page may be missing")


def _is_mail(head: bytes, name: str) -> bool:
    """Whether the file begins with the header of an e-mail."""
    header = _BLANK_LINE.split(head.lstrip(), maxsplit=1)[0]
    fields = [_MAIL_FIELD.match(line) for line in header.splitlines()[:-1]]  # it may be cut
    known = _MAIL_NAMES & {found[1].lower() for found in fields if found and found[1]}
    is_named = PurePath(name).suffix.lower() == ".eml" and bool(known)
    return (
        bool(fields)
        and all(fields)
        and (is_named or len(known) >= 3 or _MULTIPART.search(header) is not None)
    )


register_format(Format("MHTML, e-mail", _is_mail, _read_mail, noun="part", most=256 << 20))


class _Frame(NamedTuple):
    """A page, or a frame in it."""

    addresses: Sequence[str]
    """Addresses by which pages show it as a frame."""
    content: bytes
    charset: str


def _add_page(found: Collector, page: _Frame, frames: Sequence[_Frame], fetched: str = "") -> None:
    """Add a page with the frames that it shows in their places; others are counted."""
    numbers = {name: at for at, frame in enumerate(frames) for name in frame.addresses}
    used: set[int] = set()

    def text_of(frame: _Frame, url: str, depth: int) -> str:
        def embed(tag: re.Match[str]) -> str:
            address = html.unescape(tag["address"])
            with suppress(ValueError):
                address = urljoin(url, address)
            number = numbers.get(address)
            if number is None:
                return tag[0]
            if number in used or depth > _MAX_FRAMES:
                return ""
            used.add(number)
            return f"<div>{text_of(frames[number], address, depth + 1)}</div>"

        return _FRAME.sub(embed, decode_page(frame.content, frame.charset))

    url, content, charset = page.addresses[0], page.content, page.charset
    text = text_of(page, url, 1) if frames else ""
    if used:
        content, charset = text.encode("utf-8", "replace"), "utf-8"
    found.add_page(web_url(url), content, charset, fetched)
    for _ in range(len(frames) - len(used)):
        found.skip("frames of pages")


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


def _decode_part(header: Message, body: bytes) -> bytes:
    """The body of a part without its transfer encoding."""
    encoding = _field(header, "Content-Transfer-Encoding").strip().lower()
    with suppress(binascii.Error):
        return _DECODERS.get(encoding, bytes)(body)
    return body


def _readable(header: Message, name: str) -> str:
    """A field as people read it (RFC 2047), on one line."""
    text = _field(header, name)
    with suppress(HeaderParseError, LookupError, ValueError):
        text = str(make_header(decode_header(text)))
    return " ".join(text.split())[:1_000]


def _addresses(header: Message) -> tuple[str, ...]:
    """The addresses by which other parts show a part."""
    label, location = _field(header, "Content-ID").strip("<> "), _field(header, "Content-Location")
    return tuple(each for each in (label and f"cid:{label}", location) if each)


def _read_webarchive(entry: Entry, found: Collector) -> None:
    """Read the page of a web archive of Safari, a property list."""
    try:
        page, *frames = _resources(plistlib.loads(entry.read(entry.size)))
    except (AttributeError, TypeError, ExpatError, *DAMAGED):
        raise SourceError("a web archive that is damaged") from None
    _add_page(found, page, frames)


def _resources(archive: Any) -> Iterator[_Frame]:
    """The page of a web archive, then its frames."""
    main = archive["WebMainResource"]
    stated = str(main.get("WebResourceURL", "")), str(main.get("WebResourceTextEncodingName", ""))
    yield _Frame(stated[:1], bytes(main["WebResourceData"]), stated[1])
    for frame in archive.get("WebSubframeArchives", ()):
        yield from _resources(frame)


register_format(
    Format(
        "web archive of Safari",
        lambda head, _: head.startswith((b"bplist00", b"<?xml")) and b"WebMainResource" in head,
        _read_webarchive,
        most=256 << 20,
    )
)
