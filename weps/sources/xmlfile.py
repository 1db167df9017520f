"""XML files of unknown origin, read with bounds, line numbers and small repairs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.parsers import expat

from weps.sources.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weps.errors import WepsError

__all__ = ["Element", "read_xml"]

MAX_BYTES = 16 * 1024 * 1024
"""An official file holds some 100 kB; an answer for 100,000 pages about 3 MB."""
MAX_DEPTH = 64
MAX_ELEMENTS = 500_000
_BARE = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,9}|#x[0-9a-fA-F]{1,8});)")
_NUMBERED = re.compile(rb"&#(?:([0-9]+)|x([0-9a-fA-F]+));")
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_LONE_BYTES = re.compile("[\udc80-\udcff]+")
_DECLARED = re.compile(rb"^\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([\w.:-]+)")
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff", b"<\x00", b"\x00<")
_CUT_OFF = {
    expat.errors.codes[message]
    for message in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
    )
}


@dataclass(slots=True)
class Element:
    """An element of a parsed file, with the line on which it starts."""

    tag: str
    line: int
    attributes: dict[str, str]
    children: tuple[Element, ...]
    text: str
    """The character data directly inside the element."""

    def get(self, attribute: str) -> str:
        """Return an attribute's value; empty where it is missing."""
        return self.attributes.get(attribute, "")

    def all(self, tag: str) -> Iterator[Element]:
        """All descendants of one tag, in document order."""
        waiting = list(reversed(self.children))
        while waiting:
            element = waiting.pop()
            if element.tag == tag:
                yield element
            if element.children:
                waiting.extend(reversed(element.children))


def read_xml(path: Path, root: str, error: type[WepsError]) -> Element:
    """Parse a file whose outermost element must be ``root``.

    Entities are neither declared nor fetched: a declaration is refused, so that no file can blow
    up or reach out. Bare ampersands, HTML entities, control characters and bytes that are not the
    UTF-8 they claim to be are mended, since search results put them into descriptions.

    Raises:
        WepsError: of the class ``error``; no file, empty, over 16 MB, cut off or malformed.

    """
    document = _parse(path, _mend(_read(path, error)), error)
    if document.tag != root:
        raise error(
            f"the outermost element is <{document.tag}>, <{root}> is expected",
            where=f"{path}, line {document.line}",
            remedy="check that the file is of the right kind",
        )
    return document


def _read(path: Path, error: type[WepsError]) -> bytes:
    data = read_bytes(path, MAX_BYTES, error)
    if not data.strip():
        raise error("is empty", where=path, remedy="fetch or write it again")
    return data


def _mend(data: bytes) -> bytes:
    """Repair what search engines and annotators leave in XML; line numbers stay the same."""
    if data.startswith(_WIDE_MARKS):
        return data
    mended = _CONTROL.sub(b" ", _NUMBERED.sub(_legal_reference, _BARE.sub(b"&amp;", data)))
    declared = _DECLARED.match(mended)
    if declared and declared[1].lower() not in (b"utf-8", b"utf8"):
        return mended
    return _LONE_BYTES.sub(_as_western, mended.decode("utf-8", "surrogateescape")).encode()


def _as_western(match: re.Match[str]) -> str:
    """Read bytes that are not UTF-8 as the Windows code page from which they most likely come."""
    return match[0].encode("utf-8", "surrogateescape").decode("cp1252", "replace")


def _legal_reference(match: re.Match[bytes]) -> bytes:
    decimal, hexadecimal = match.groups()
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return match[0] if _is_character(code) else b" "


def _is_character(code: int) -> bool:
    """Say whether XML 1.0 (section 2.2) allows a code point."""
    return (
        code in (0x9, 0xA, 0xD)
        or 0x20 <= code <= 0xD7FF
        or 0xE000 <= code <= 0xFFFD
        or 0x10000 <= code <= 0x10FFFF
    )


class _RefusedError(Exception):
    """The file asks for something that a data file has no need of."""


def _parse(path: Path, data: bytes, error: type[WepsError]) -> Element:
    parser = expat.ParserCreate()
    builder = _Builder(parser)
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, _RefusedError, LookupError, ValueError) as problem:
        raise _malformed(path, parser, problem, error) from problem
    return builder.root


def _malformed(
    path: Path, parser: expat.XMLParserType, problem: Exception, error: type[WepsError]
) -> WepsError:
    where = f"{path}, line {parser.CurrentLineNumber}"
    if isinstance(problem, expat.ExpatError) and problem.code in _CUT_OFF:
        return error("the XML breaks off", where=where, remedy="fetch or write the file again")
    reason = expat.ErrorString(problem.code) if isinstance(problem, expat.ExpatError) else problem
    return error(f"malformed XML ({reason})", where=where, remedy="mend or replace the file")


class _Builder:
    """Makes elements of what a parser meets on its way through a file."""

    def __init__(self, parser: expat.XMLParserType) -> None:
        self._parser = parser
        self._count = 0
        self._open: list[tuple[str, int, dict[str, str]]] = []
        self._children: list[list[Element]] = [[]]
        self._texts: list[list[str]] = [[]]
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = self._refuse_entity

    @property
    def root(self) -> Element:
        """The outermost element of a file that the parser has found whole."""
        return self._children[0][0]

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > MAX_ELEMENTS or len(self._open) >= MAX_DEPTH:
            raise _RefusedError("too many elements or too deeply nested")
        self._open.append((tag, self._parser.CurrentLineNumber, attributes))
        self._children.append([])
        self._texts.append([])

    def _end(self, _tag: str) -> None:
        children, text = tuple(self._children.pop()), "".join(self._texts.pop())
        self._children[-1].append(Element(*self._open.pop(), children, text))

    def _characters(self, text: str) -> None:
        self._texts[-1].append(text)

    def _refuse_entity(self, name: str, *_rest: object) -> None:
        raise _RefusedError(f"it declares the entity {name!r}")
