"""PDF files, read by pypdf in a process of its own, which a file may neither occupy nor fill."""

from __future__ import annotations

import html
import json
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Any

from weps._formatting import error_reason
from weps._isolation import OVER_LIMIT, IsolatedWork
from weps.records import Page
from weps.sources.base import SavedContent
from weps.sources.formats import MAX_PDF_BYTES, Collector, Entry, Format, register_format

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_SHEETS = 50
"""Pages of the document that are read."""
MAX_TEXT = 1_000_000
"""Characters of one file."""
_MARK = b"%PDF-"
_WORK = f"{__name__}:read_text"
_FAILED = json.dumps({"problem": f"a PDF file that {OVER_LIMIT}"}).encode()


def _read_pdf(entry: Entry, found: Collector) -> None:
    """Read a PDF file as a page whose content it is, to be converted with others."""
    content = entry.read(entry.size).lstrip()
    found.pages.append(Page(0, content=content, file=entry.file))


register_format(
    Format("PDF", lambda head, _: head.lstrip().startswith(_MARK), _read_pdf, most=MAX_PDF_BYTES)
)


def convert_pdf(pages: Sequence[Page]) -> list[Page | str]:
    """Turn pages whose content is a PDF file into pages of HTML, all in one process.

    Returns:
        For each page itself, its text as HTML with the title of its metadata if it is a PDF file,
        or why such a file cannot be read.
    """
    if not any(map(_is_pdf, pages)):
        return list(pages)
    if not find_spec("pypdf"):
        missing = "a PDF file, which needs the extra weps[pdf]"
        return [missing if _is_pdf(page) else page for page in pages]
    converted: list[Page | str] = []
    with IsolatedWork(_WORK) as work:
        for page in pages:
            if not _is_pdf(page):
                converted.append(page)
                continue
            try:
                text = json.loads(work(page.read_content() or b"") or _FAILED)
            except OSError as problem:
                reason = error_reason(problem)
                converted.append(f"a PDF file, for which there is no process ({reason})")
            else:
                converted.append(_as_page(page, text))
    return converted


def _is_pdf(page: Page) -> bool:
    content = page.content
    if isinstance(content, SavedContent):
        with suppress(OSError):
            return content.read(len(_MARK)) == _MARK
    return isinstance(content, bytes) and content.startswith(_MARK)


def _as_page(page: Page, text: dict[str, Any]) -> Page | str:
    if "problem" in text:
        return str(text["problem"])
    # Line ends of a sheet are those of prose that is wrapped, or of headings: as in ``pre``.
    sheets = "".join(f"<pre>{html.escape(sheet)}</pre>\n" for sheet in text["sheets"])
    links = "".join(f'<a href="{html.escape(link)}"></a>\n' for link in text["links"])
    title = html.escape(text["title"])
    markup = f'<meta charset="utf-8"><title>{title}</title>\n{sheets}{links}'
    content = markup.encode("utf-8", "replace")
    note = f"only the first {MAX_SHEETS} of {text['number']} sheets were read"
    problem = note if text["number"] > MAX_SHEETS else ""
    return replace(
        page, title=page.title or text["title"], content=content, charset="utf-8", problem=problem
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
        links = [link for sheet in first for link in _links(sheet)]
    except Exception as error:  # noqa: BLE001 - damaged files raise errors of any kind
        return {"problem": f"a PDF file that is damaged ({type(error).__name__})"}
    if not "".join(sheets).strip():
        return {"problem": "a PDF file without text, such as a scan"}
    return {"title": title[:1000], "sheets": sheets, "links": links[:1000], "number": number}


def _links(sheet: Any) -> list[str]:
    """The addresses that a sheet links to."""
    annotations = (each.get_object() for each in sheet.get("/Annots") or ())
    actions = (each.get("/A") for each in annotations)
    return [str(each["/URI"]) for each in actions if each and "/URI" in each]
