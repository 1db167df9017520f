"""PDF files, read by pypdf in a process of its own, which a file may neither occupy nor fill.

A file that takes too long or too much memory ends the process, not weps; the files after it are
read by another one.
"""

from __future__ import annotations

import html
import json
import logging
import signal
import struct
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from io import BytesIO
from typing import IO, TYPE_CHECKING, Any

from weps.records import Page
from weps.sources.formats.base import Contents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weps.sources.formats.listing import Entry

MAX_SHEETS = 50
"""Pages of the document that are read."""
MAX_SECONDS = 20
"""Time for one file."""
MAX_MEMORY = 1 << 30
"""Bytes of address space of the process."""
MAX_TEXT = 1_000_000
"""Characters of one file."""
_AT_ONCE = 25
"""Files that one process reads."""
_START = 10
"""Seconds that starting the process may take."""
_PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from weps.sources.formats.pdf import answer_requests; answer_requests()"
)
_LENGTH = struct.Struct(">Q")
_FAILED = {"problem": f"a PDF file that takes more than {MAX_SECONDS} s or 1 GB to read"}


def read_pdf(entry: Entry) -> Contents:
    """Read a PDF file as a page whose content it is, to be converted with others."""
    content = entry.read(entry.size).lstrip()
    return Contents((Page(0, content=content, file=entry.file),))


def convert_pdf(pages: Sequence[Page]) -> list[Page | str]:
    """Turn pages whose content is a PDF file into pages of HTML.

    Args:
        pages: with the bytes of PDF files.

    Returns:
        For each its text as HTML, with the title of its metadata; or why there is none.
    """
    if not find_spec("pypdf"):
        return ["a PDF file, which needs the extra weps[pdf]"] * len(pages)
    texts: list[dict[str, Any]] = []
    while len(texts) < len(pages):
        following = pages[len(texts) : len(texts) + _AT_ONCE]
        found = _read_texts([page.content or b"" for page in following])
        texts += found if len(found) == len(following) else [*found, _FAILED]
    return [_as_page(page, text) for page, text in zip(pages, texts, strict=True)]


def _read_texts(files: Sequence[bytes]) -> list[dict[str, Any]]:
    """The texts of files up to one on which the process ends."""
    command = [sys.executable, "-c", _PROGRAM, json.dumps(sys.path)]
    request = b"".join(_LENGTH.pack(len(file)) + file for file in files)
    try:
        run = subprocess.run(  # noqa: S603 - this very interpreter
            command,
            input=request,
            capture_output=True,
            timeout=_START + MAX_SECONDS * len(files),
            check=False,
        )
        output = run.stdout
    except subprocess.TimeoutExpired as expired:
        output = expired.stdout or b""
    lines = output.decode("utf-8", "replace").split("\n")[:-1]
    return [json.loads(line) for line in lines]


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


def answer_requests() -> None:
    """Read files from standard input and write a line of JSON for each."""
    logging.disable()
    with suppress(ImportError, OSError, ValueError):  # not on every system
        import resource  # noqa: PLC0415 - not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    while head := sys.stdin.buffer.read(_LENGTH.size):
        file = sys.stdin.buffer.read(*_LENGTH.unpack(head))
        if hasattr(signal, "alarm"):
            signal.alarm(MAX_SECONDS)  # ends the process
        _write_line(sys.stdout, _read_text(file))


def _write_line(output: IO[str], text: dict[str, Any]) -> None:
    output.write(json.dumps(text) + "\n")
    output.flush()


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
