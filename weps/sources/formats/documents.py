"""Documents that people keep: PDF, Word, OpenDocument and RTF.

A library reads each kind, all in a process of their own, which a file may neither occupy nor fill.
"""

from __future__ import annotations

import html
import io
import json
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from pathlib import PurePath
from typing import NamedTuple

from weps._formatting import error_reason
from weps._isolation import OVER_LIMIT, IsolatedWork
from weps.records import Page
from weps.sources import base
from weps.sources.formats import (
    HEAD_BYTES,
    MAX_PDF_BYTES,
    Format,
    register_format,
)

MAX_SHEETS = 50
"""Pages of a PDF file that are read."""
MAX_TEXT = 1_000_000
"""Characters of one file."""
_WORK = f"{__name__}:read_text"
_ZIP_SUFFIXES = frozenset((".docm", ".docx", ".dotx", ".odt", ".ott"))
_START = re.compile(
    rb"\s*%PDF-|\{\\rtf|PK\x03\x04.{26}(?:mimetype.{0,40}application/vnd\.oasis\.opendocument\.text"
    rb"|(?:\[Content_Types\]|_rels/|customXml/|docProps/|word/).*?word/(?:_rels/)?\w+\.xml)",
    re.DOTALL,
)
"""Name of the first member of a document that is an archive, and of any with the text."""

_Content = tuple[str, str, str]
"""The text of a document as HTML, its title, and what was not read."""


class _Kind(NamedTuple):
    """A kind of documents."""

    noun: str
    """A file of the kind, with an article."""
    mark: re.Pattern[bytes]
    """What a file begins with; a page that begins like an archive can only be a document."""
    read: Callable[[bytes], _Content]
    """Reads a file; may raise any exception."""


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
            start = content.read(HEAD_BYTES)
    kind = _kind_of(start)
    if kind is None:
        return page
    try:
        found = work(page.read_content() or b"")
    except OSError as problem:
        return f"{kind.noun}, for which there is no process ({error_reason(problem)})"
    if found is None:
        return f"{kind.noun} that {OVER_LIMIT}"
    text = json.loads(found)
    if "problem" in text:
        return f"{kind.noun}{text['problem']}"
    head = f'<meta charset="utf-8"><title>{html.escape(text["title"])}</title>\n'
    return replace(
        page,
        title=page.title or text["title"],
        content=f"{head}{text['body']}".encode("utf-8", "replace"),
        charset="utf-8",
        problem=text["note"],
    )


def _kind_of(content: bytes) -> _Kind | None:
    return next((kind for kind in _KINDS if kind.mark.match(content)), None)


# In the process


def read_text(file: bytes) -> bytes:
    """The content of a document, or the rest of a sentence why there is none, as JSON."""
    kind = _kind_of(file)
    try:
        body, title, note = kind.read(file) if kind else ("", "", "")
    except ImportError as missing:
        problem = f", which needs the library {missing.name}"
    except PermissionError:
        problem = " that is encrypted"
    except Exception as error:  # noqa: BLE001 - damaged files raise errors of any kind
        problem = f" that is damaged ({type(error).__name__})"
    else:
        if re.sub(r"<[^<>]*>|\s", "", body):
            return json.dumps({"title": title[:1_000], "body": body, "note": note}).encode()
        problem = " without text, such as a scan"
    return json.dumps({"problem": problem}).encode()


def _read_pdf(file: bytes) -> _Content:
    from pypdf import PdfReader  # noqa: PLC0415 - only in the process

    reader = PdfReader(io.BytesIO(file))
    if reader.is_encrypted and not reader.decrypt(""):
        raise PermissionError
    number = len(reader.pages)
    first = [reader.pages[index] for index in range(min(number, MAX_SHEETS))]
    lines, room = list[str](), MAX_TEXT
    for sheet in first:
        text = sheet.extract_text()[:room]
        room -= len(text)
        # Line ends are those of prose that is wrapped, or of headings: as in ``pre``.
        lines.append(f"<pre>{html.escape(text)}</pre>\n")
    notes = chain.from_iterable(sheet.get("/Annots") or () for sheet in first)
    actions = [note.get_object().get("/A") or {} for note in notes]
    links = [str(action["/URI"]) for action in actions if "/URI" in action]
    lines += (f'<a href="{html.escape(link)}"></a>\n' for link in links[:1_000])
    cut = f"only the first {MAX_SHEETS} of {number} sheets were read" if number > MAX_SHEETS else ""
    return "".join(lines), str((reader.metadata and reader.metadata.title) or ""), cut


def _read_word(file: bytes) -> _Content:
    from mammoth import convert_to_html  # noqa: PLC0415 - only in the process
    from mammoth.images import img_element  # noqa: PLC0415

    without_images = img_element(lambda _: {})
    found = convert_to_html(io.BytesIO(file), convert_image=without_images)
    return found.value[:MAX_TEXT], "", ""


def _read_opendocument(file: bytes) -> _Content:
    from odfdo import Document  # noqa: PLC0415 - only in the process

    document = Document(io.BytesIO(file))
    lines = (each.inner_text for each in document.body.get_elements("//text:h|//text:p"))
    return _paragraphs(lines), document.meta.title or "", ""


def _read_rich_text(file: bytes) -> _Content:
    from striprtf import striprtf  # noqa: PLC0415 - only in the process

    text: str = striprtf.rtf_to_text(file.decode("latin-1"), errors="ignore")
    return _paragraphs(text.splitlines()), "", ""


def _paragraphs(lines: Iterable[str]) -> str:
    return "\n".join(f"<p>{html.escape(line)}</p>" for line in lines)[:MAX_TEXT]


_KINDS = (
    _Kind("a PDF file", re.compile(rb"\s*%PDF-"), _read_pdf),
    _Kind("a rich text file", re.compile(rb"\{\\rtf"), _read_rich_text),
    _Kind(
        "an OpenDocument text",
        re.compile(rb"PK\x03\x04.{26}mimetype", re.DOTALL),
        _read_opendocument,
    ),
    _Kind("a Word document", re.compile(rb"PK\x03\x04"), _read_word),
)
register_format(
    Format(
        "PDF, Word, OpenDocument, RTF",
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
