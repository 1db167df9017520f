"""Documents that people keep: PDF, RTF, office documents and e-books.

All are read in a process of their own, which a file may neither occupy nor fill.
"""

from __future__ import annotations

import html
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import accumulate, chain, islice
from pathlib import PurePath
from typing import Any, cast

from weps._formatting import error_reason
from weps._isolation import OVER_LIMIT, IsolatedWork
from weps.html.text import decode_page
from weps.records import Page
from weps.sources import base
from weps.sources.formats import (
    HEAD_BYTES,
    MAX_PDF_BYTES,
    Format,
    register_format,
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
_BLOCK = "\n<p>"

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
                    strings = "".join(_runs(text)).split(_BLOCK)[1:]
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
    body = "".join(kept) or _BLOCK.join(["", *strings])
    note = TOO_LONG if room <= 0 or len(body) > MAX_TEXT else ""
    return "".join((body[:MAX_TEXT], *links[:MAX_LINKS])), title, note


def _runs(text: str, strings: Sequence[str] = ()) -> Iterator[str]:
    """The HTML of a part whose text is in runs and cells; cells may have the numbers of strings."""
    for number, block, space, run in _RUN.findall(text):
        yield _BLOCK if number or block else {"": run, "tab": " "}.get(space, "<br>")
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
