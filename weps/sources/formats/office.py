"""Text of office documents and e-books, ZIP archives of XML, as HTML.

Word, OpenDocument, sheets, slides and EPUB are alike here: paragraphs, cells and links. No tree is
made of what may be hostile: of what inflates or has very many elements, the beginning is read.
"""

from __future__ import annotations

import html
import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from weps.html.text import decode_page

MAX_TEXT: Final = 1_000_000
"""Characters of one file, as HTML."""
MAX_LINKS: Final = 1_000
MAX_INFLATED: Final = 8 << 20
"""Bytes of the parts of one document."""
TOO_LONG: Final = "only the beginning was read: it is too long"
_MAX_PARTS: Final = 1_000
_PARTS: Final = re.compile(
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
_TITLE: Final = re.compile(r"<(?:\w+:)?title\b[^<>]*>([^<]{1,1000})<")
_TARGET: Final = re.compile(r"\bTarget=[\"']((?:https?://|mailto:)[^\"'<>]{1,2000})")
_BODY: Final = re.compile(r"<(?:office:)?body\b")
_UNSEEN: Final = re.compile(
    r"<(?:\w+:)?(?:Fallback|annotation|rPh|tracked-changes)\b"
    r"(?:[^<]|<(?!/(?:\w+:)?(?:Fallback|annotation|rPh|tracked-changes)\b))*+"
)
"""What a reader does not see, or sees elsewhere, too, up to its end."""
_RUN: Final = re.compile(
    r"<(?:\w+:)?(?:c\b[^<>]* t=\"s\"[^<>]*>(?:<f>[^<]*</f>)?<(?:\w+:)?v>(\d{1,9})"
    r"|(p|row|c|si)(?:\s[^<>]*)?/?>|(br|cr|tab)\b|[tv](?:\s[^<>]*)?>([^<]*))"
)
"""A cell with the number of its text, the start of a block, white space, or text."""
_TAG: Final = re.compile(r"(</?)(?:[\w-]+:)?([\w-]+)|xlink:(?=href=)")
_HTML_OF: Final = {"h": "p", "line-break": "br", "tab": "br", "table-cell": "td"}
"""Element of OpenDocument → that of HTML; others have the same names, or none."""
_BLOCK: Final = "\n<p>"


def read_office(file: bytes) -> tuple[str, str, str]:
    """The text of a document as HTML, its title, and what was not read.

    Raises:
        PermissionError: it is encrypted.
        zipfile.BadZipFile, EOFError, LookupError, ValueError, zlib.error: it is damaged.
    """
    shown, strings, links = list[str](), list[str](), list[str]()
    title, room = "", MAX_INFLATED
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        parts = sorted(
            filter(None, map(_PARTS.fullmatch, archive.namelist())),
            key=lambda each: (each.lastindex, len(each[0]), each[0]),
        )
        for part in parts[:_MAX_PARTS]:
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
