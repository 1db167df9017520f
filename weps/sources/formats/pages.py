"""Pages and documents as people save them.

Pages are HTML, MHTML, which is like an e-mail, and Safari's web archives. The frames of a page are
put into it, since a reader sees them there.

Documents are PDF, RTF, office documents and e-books. All are read in a process of their own, which
a file may neither occupy nor fill.
"""

from __future__ import annotations

import base64
import html
import io
import json
import plistlib
import quopri
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import parsedate_to_datetime
from itertools import accumulate, chain, islice
from pathlib import Path, PurePath
from typing import Any, NamedTuple, cast
from urllib.parse import urljoin
from xml.parsers.expat import ExpatError

from weps._formatting import error_reason
from weps._isolation import OVER_LIMIT, IsolatedWork
from weps.errors import SourceError
from weps.html.text import decode_page
from weps.records import Page
from weps.sources import base
from weps.sources.formats import (
    DAMAGED,
    HEAD_BYTES,
    HTML_START,
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
_MAIL_ADDRESS = re.compile(
    r"(?<=[\w.\"')])[^\S\n]{0,9}<[^\s<>]{0,200}>|(?<=[\w.+-])@[\w-]{1,63}(?:\.[\w-]{1,63}){0,9}"
)
"""Address behind the name of who writes or reads, and without a name what stands from the @ on."""
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
        title = html.escape(_readable(header, "Subject"))
        # Addresses of who writes and reads are those of the mailbox, on pages about anybody.
        fields = (_readable(header, name) for name in ("From", "To", "Cc"))
        people = (html.escape(_MAIL_ADDRESS.sub("", field)) for field in fields)
        shown = "".join(f"<p>{names}</p>\n" for names in people if names.strip(" ,;"))
        text = decode_page(content, charset)
        text = text if texts["html"] else f"<pre>{html.escape(text)}</pre>"
        text = f"<title>{title}</title>\n<h1>{title}</h1>\n{shown}{text}"
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
    with suppress(ValueError):  # damaged
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


MAX_TEXT = 1_000_000
"""Characters of one file, as HTML."""
MAX_LINKS = 1_000
MAX_INFLATED = 8 << 20
"""Bytes of the parts of one document."""
TOO_LONG = "only the beginning was read: it is too long"
MAX_SHEETS = 50
"""Pages of a PDF file that are read."""
MAX_TOKENS = 200_000
"""Operators and operands of all sheets, which take hardly two seconds."""
MAX_OBJECTS = 200_000
_PDF_LIMITS: Mapping[str, Any] = {
    "maximum_declared_stream_length": 16 << 20,
    "zlib_maximum_output_length": 4 << 20,
    "stream_decoding_work_maximum_length": 16 << 20,
    "stream_parsing_work_maximum_count": MAX_TOKENS,
    "array_maximum_element_count": 50_000,
    "page_tree_maximum_entries": 10_000,
    "xform_maximum_invocations_per_extraction": 200,
}
"""Limits of the library for one stream, and for the tree of sheets."""
MAX_RICH_TEXT = 1 << 20
"""Bytes of a rich text file without its pictures."""
_PICTURE = re.compile(rb"[0-9a-fA-F\s]{1000,}")
"""Bytes of a picture in digits."""
_WORK = f"{__name__}:read_text"
_ZIP_SUFFIXES = frozenset(
    ".docm .docx .dotx .epub .odp .ods .odt .otp .ots .ott .pptm .pptx .xlsm .xlsx .xltx".split()
)
_START = re.compile(
    rb"\s*%PDF-|\{\\rtf|PK\x03\x04.{26}(?:mimetype.{0,40}application/(?:epub\+zip"
    rb"|vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation))"
    rb"|(?:\[Content_Types\]|_rels/|customXml/|docProps/|word/|xl/|ppt/).*?"
    rb"(?:word|xl|ppt)/(?:\w+/)*\w+\.xml)",
    re.DOTALL,
)
"""Name of the first member of a document that is an archive, and of any with the text."""

_MAX_MEMBERS = 1_000
_MEMBERS = re.compile(
    r"(?P<manifest>META-INF/manifest\.xml)"
    r"|(?P<about>meta\.xml|docProps/core\.xml|.+\.opf)"
    r"|(?P<strings>xl/sharedStrings\.xml)"
    r"|(?P<headers>word/header\d*\.xml)"
    r"|(?P<runs>word/document\d*\.xml|(?:ppt/slides/slide|xl/worksheets/sheet)\d+\.xml)"
    r"|(?P<mixed>content\.xml|.+\.x?html?)"
    r"|(?P<notes>word/(?:(?:foot|end)notes|footer\d*)\.xml)"
    r"|(?P<links>.+\.rels)"
)
"""Parts that are read, by their kinds in this order."""
_TITLE = re.compile(r"<(?:\w+:)?title\b[^<>]*>([^<]{1,1000})<")
_TARGET = re.compile(r"\bTarget=[\"']((?:https?://|mailto:)[^\"'<>]{1,2000})")
_BODY = re.compile(r"<(?:office:)?body\b")
_UNSEEN = re.compile(
    r"<(?:\w+:)?(?:Fallback|annotation|rPh|tracked-changes)\b"
    r"(?:[^<]|<(?!/(?:\w+:)?(?:Fallback|annotation|rPh|tracked-changes)\b))*+"
)
"""What a reader does not see, or sees elsewhere, too, up to its end."""
_RUN = re.compile(
    r"<(?:\w+:)?(?:c\b(?:(?! t=\"s\")[^<>])*+ t=\"s\"[^<>]*+>(?:<f>[^<]*</f>)?<(?:\w+:)?v>(\d{1,9})"
    r"|(p|row|c|si)(?:\s[^<>]*)?/?>|(br|cr|tab)\b|[tv](?:\s[^<>]*)?>([^<]*))"
)
"""A cell with the number of its text, the start of a block, white space, or text."""
_TAG = re.compile(r"(</?)(?:[\w-]+:)?([\w-]+)|xlink:(?=href=)")
_HTML_OF = {"h": "p", "line-break": "br", "tab": "br", "table-cell": "td"}
"""Element of OpenDocument → that of HTML; others have the same names, or none."""
_PARAGRAPH = "\n<p>"

_PROBLEMS = {
    "PermissionError": " that is encrypted",
    "LimitReachedError": " that is too large or nested too deeply",
}
_Content = tuple[str, str, str]
"""The text of a document as HTML, its title, and what was not read."""


def convert_documents(pages: Sequence[Page]) -> list[Page | str]:
    """Turn pages whose content is a document into pages of HTML, all in one process.

    Returns:
        For each page itself, its text as HTML with the title of its metadata if it is a document,
        or why such a file cannot be read.
    """
    with IsolatedWork(_WORK) as work:  # whose process starts with the first document
        return [_converted(page, work) for page in pages]


def _converted(page: Page, work: IsolatedWork) -> Page | str:
    content = page.content
    start = content if isinstance(content, bytes) else b""
    if isinstance(content, base.SavedContent):
        with suppress(OSError):
            start = content(HEAD_BYTES)
    kind = _kind_of(start)
    if not kind:
        return page
    try:
        found = work(page.read_content() or b"")
    except OSError as problem:
        return f"{kind}, for which there is no process ({error_reason(problem)})"
    if found is None:
        return f"{kind} that {OVER_LIMIT}"
    text = json.loads(found)
    if "problem" in text:
        return f"{kind}{text['problem']}"
    head = f'<meta charset="utf-8"><title>{html.escape(text["title"])}</title>\n'
    return replace(
        page,
        title=page.title or text["title"],
        content=f"{head}{text['body']}".encode("utf-8", "replace"),
        charset="utf-8",
        problem=text["note"],
    )


def _kind_of(content: bytes) -> str:
    """A key of :data:`_KINDS`; empty for what is no document."""
    return next((kind for kind, (mark, _) in _KINDS.items() if mark.match(content)), "")


# In the process


def read_text(file: bytes) -> bytes:
    """The content of a document, or the rest of a sentence why there is none, as JSON."""
    kind = _kind_of(file)
    try:
        body, title, note = _KINDS[kind][1](file) if kind else ("", "", "")
    except Exception as error:  # noqa: BLE001 - damaged files raise errors of any kind
        problem = _PROBLEMS.get(type(error).__name__, " that is damaged")
    else:
        if re.sub(r"<[^<>]*>|\s", "", body):
            return json.dumps({"title": title[:1_000], "body": body, "note": note}).encode()
        problem = f" without text, such as a scan{note and f' ({note})'}"
    return json.dumps({"problem": problem}).encode()


def _read_pdf(file: bytes) -> _Content:
    from pypdf import Configuration, PdfReader, apply_configuration  # noqa: PLC0415 - only in the process
    from pypdf.errors import LimitReachedError  # noqa: PLC0415

    lines, room, left = list[str](), MAX_TEXT, MAX_TOKENS

    def count(_: object, operands: Sequence[object], *__: object) -> None:
        nonlocal left
        sizes = (
            len(each) // (1 if isinstance(each, list) else 16)
            for each in operands
            if isinstance(each, list | str | bytes)
        )
        left -= 1 + len(operands) + sum(sizes)
        if left < 0:
            raise LimitReachedError

    if file.count(b" obj") > MAX_OBJECTS:
        raise LimitReachedError
    with apply_configuration(Configuration(**_PDF_LIMITS)):
        reader = PdfReader(io.BytesIO(file))
        if reader.is_encrypted and not reader.decrypt(""):
            raise PermissionError
        number = len(reader.pages)
        first = [reader.pages[index] for index in range(min(number, MAX_SHEETS))]
        with suppress(LimitReachedError):
            for sheet in first:
                with suppress(KeyError, TypeError):  # a font takes as long as a hundred operators
                    left -= 100 * len(cast("Any", sheet["/Resources"])["/Font"])
                count(sheet, ())
                text = sheet.extract_text(visitor_operand_before=count)[:room]
                room -= len(text)
                # Line ends are those of prose that is wrapped, or of headings: as in ``pre``.
                lines.append(f"<pre>{html.escape(text)}</pre>\n")
        told = (
            ""
            if len(lines) == number
            else f"only the first {len(lines)} of {number} sheets were read"
        )
        notes = chain.from_iterable(sheet.get("/Annots") or () for sheet in first)
        actions = [note.get_object().get("/A") or {} for note in islice(notes, MAX_LINKS)]
        links = [str(action["/URI"]) for action in actions if "/URI" in action]
        lines += (f'<a href="{html.escape(link)}"></a>\n' for link in links)
        return "".join(lines), str((reader.metadata and reader.metadata.title) or ""), told


def _read_rich_text(file: bytes) -> _Content:
    from striprtf import striprtf  # noqa: PLC0415 - only in the process

    data = _PICTURE.sub(b"", file)
    text: str = striprtf.rtf_to_text(data[:MAX_RICH_TEXT].decode("latin-1"), errors="ignore")
    lines = (f"<p>{html.escape(line)}</p>" for line in text.splitlines())
    return "\n".join(lines)[:MAX_TEXT], "", TOO_LONG if len(data) > MAX_RICH_TEXT else ""


def _read_office(file: bytes) -> tuple[str, str, str]:
    """The text of a document as HTML, its title, and what was not read.

    Raises:
        PermissionError: it is encrypted.
        zipfile.BadZipFile, EOFError, LookupError, ValueError, zlib.error: it is damaged.
    """
    shown, strings, links = list[str](), list[str](), list[str]()
    title, room = "", MAX_INFLATED
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        parts = sorted(
            filter(None, map(_MEMBERS.fullmatch, archive.namelist())),
            key=lambda each: (each.lastindex, len(each[0]), each[0]),
        )
        for part in parts[:_MAX_MEMBERS]:
            with archive.open(part[0]) as opened:
                data = opened.read(max(room, 0))
            room, text = room - len(data) - 1, _UNSEEN.sub("", decode_page(data))
            match part.lastgroup:
                case "manifest" if "encryption-data" in text:
                    raise PermissionError
                case "about":
                    title = title or "".join(map(html.unescape, _TITLE.findall(text)[:1]))
                case "strings":
                    strings = "".join(_runs(text)).split(_PARAGRAPH)[1:]
                case "links":
                    links += (f'<a href="{each}"></a>\n' for each in _TARGET.findall(text))
                case "mixed":
                    body = f"<body{_BODY.split(text, maxsplit=1)[-1]}"
                    shown.append(
                        _TAG.sub(
                            lambda tag: f"{tag[1] or ''}{_HTML_OF.get(tag[2], tag[2] or '')}", body
                        )
                    )
                case _:
                    shown += _runs(text, strings)
    ends = accumulate(map(len, shown))  # many cells may have one long text
    kept = (each for each, end in zip(shown, ends, strict=True) if end - len(each) <= MAX_TEXT)
    body = "".join(kept) or _PARAGRAPH.join(["", *strings])
    note = TOO_LONG if room <= 0 or len(body) > MAX_TEXT else ""
    return "".join((body[:MAX_TEXT], *links[:MAX_LINKS])), title, note


def _runs(text: str, strings: Sequence[str] = ()) -> Iterator[str]:
    """The HTML of a part whose text is in runs and cells; cells may have the numbers of strings."""
    for number, block, space, run in _RUN.findall(text):
        yield _PARAGRAPH if number or block else {"": run, "tab": " "}.get(space, "<br>")
        yield strings[int(number)] if number else ""


_KINDS: Mapping[str, tuple[re.Pattern[bytes], Callable[[bytes], _Content]]] = {
    "a PDF file": (re.compile(rb"\s*%PDF-"), _read_pdf),
    "a rich text file": (re.compile(rb"\{\\rtf"), _read_rich_text),
    "an office document or e-book": (re.compile(rb"PK\x03\x04"), _read_office),
}
"""Kind of documents → what a file begins with, and what reads it, which may raise any exception.

A page that begins like an archive can only be a document.
"""
register_format(
    Format(
        "PDF, Word, OpenDocument, RTF, sheets, slides, EPUB",
        lambda head, name: (
            _START.match(head)
            or (head.startswith(b"PK") and PurePath(name).suffix.lower() in _ZIP_SUFFIXES)
        ),
        # As a page whose content is the file, to be converted with others.
        lambda entry, found: found.pages.append(
            Page(0, content=entry.read(entry.size).lstrip(), file=entry.file)
        ),
        most=MAX_PDF_BYTES,
        order=-1,  # a document may be an archive
    )
)
