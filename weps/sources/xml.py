"""Keys and answers in the official XML, and a bounded reader of XML files of unknown origin.

The reader reports line numbers and makes small repairs.
"""

from __future__ import annotations

import html
import re
import sys
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING
from xml.parsers import expat

from weps._files import read_bytes
from weps._formatting import join_items
from weps.errors import KeyFileError
from weps.records import Clustering

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from weps.errors import WepsError

MAX_BYTES = 16 * 1024 * 1024
"""An official file holds some 100 kB; an answer for 100,000 pages about 3 MB."""
MAX_DEPTH = 64
MAX_ELEMENTS = 500_000
_BARE_AMPERSAND = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,9}|#x[0-9a-fA-F]{1,8});)")
_CHARACTER_REFERENCE = re.compile(rb"&#(?:([0-9]+)|x([0-9a-fA-F]+));")
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 (section 2.2) forbids."""
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
    children: list[Element] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    """The character data directly inside the element, in pieces."""

    def get(self, attribute: str) -> str:
        """Return an attribute's value; empty where it is missing."""
        return self.attributes.get(attribute, "")

    def descendants(self, tag: str) -> Iterator[Element]:
        """All descendants of one tag, in document order."""
        waiting = list(reversed(self.children))
        while waiting:
            element = waiting.pop()
            if element.tag == tag:
                yield element
            waiting.extend(reversed(element.children))


def read_xml(path: Path, root: str, error: type[WepsError]) -> Element:
    """Parse a file whose outermost element must be ``root``.

    Entities are neither declared nor fetched: a declaration is refused, which prevents entity
    expansion and external access. Bare ampersands, HTML entities, control characters and bytes that
    are not the UTF-8 they claim to be are repaired, since search results put them into
    descriptions.

    Raises:
        WepsError: of the class ``error``; no file, empty, over 16 MB, cut off or malformed.
    """
    data = read_bytes(path, MAX_BYTES, error)
    if not data.strip():
        raise error("is empty", where=path, remedy="fetch or write it again")
    document = _parse_bytes(path, _repair_bytes(data), error)
    if document.tag != root:
        raise error(
            f"the outermost element is <{document.tag}>, <{root}> is expected",
            where=f"{path}, line {document.line}",
            remedy="check that the file is of the right kind",
        )
    return document


def _repair_bytes(data: bytes) -> bytes:
    """Repair what search engines and annotators leave in XML; line numbers stay the same."""
    if data.startswith(_WIDE_MARKS):
        return data
    escaped = _BARE_AMPERSAND.sub(b"&amp;", data)
    mended = _CONTROL.sub(b" ", _CHARACTER_REFERENCE.sub(_legal_reference, escaped))
    declared = _DECLARED.match(mended)
    if declared and declared[1].lower() not in (b"utf-8", b"utf8"):
        return mended
    # Bytes that are not UTF-8 most likely come from a Windows code page.
    return _LONE_BYTES.sub(
        lambda match: match[0].encode("utf-8", "surrogateescape").decode("cp1252", "replace"),
        mended.decode("utf-8", "surrogateescape"),
    ).encode()


def _legal_reference(match: re.Match[bytes]) -> bytes:
    decimal, hexadecimal = match.groups()
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return match[0] if code <= sys.maxunicode and not _NOT_XML.match(chr(code)) else b" "


def _parse_bytes(path: Path, data: bytes, error: type[WepsError]) -> Element:
    parser = expat.ParserCreate()
    document = Element("", 0, {})
    unclosed = [document]
    numbers = count(1)

    def start(tag: str, attributes: dict[str, str]) -> None:
        if next(numbers) > MAX_ELEMENTS or len(unclosed) > MAX_DEPTH:
            raise ValueError("too many elements or too deeply nested")
        element = Element(tag, parser.CurrentLineNumber, attributes)
        unclosed[-1].children.append(element)
        unclosed.append(element)

    def add_text(text: str) -> None:
        unclosed[-1].texts.append(text)

    def refuse_entity(name: str, *_: object) -> None:
        raise ValueError(f"it declares the entity {name!r}")

    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: unclosed.pop()
    parser.CharacterDataHandler = add_text
    parser.EntityDeclHandler = refuse_entity
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, LookupError, ValueError) as problem:
        where, reason = f"{path}, line {parser.CurrentLineNumber}", str(problem)
        if isinstance(problem, expat.ExpatError):
            if problem.code in _CUT_OFF:
                raise error(
                    "the XML is incomplete", where=where, remedy="fetch or write the file again"
                ) from problem
            reason = expat.ErrorString(problem.code)
        raise error(
            f"malformed XML ({reason})", where=where, remedy="repair or replace the file"
        ) from problem
    return document.children[0]


Fault = tuple[int, str]
"""A line of a file and what is wrong there."""
_RANK = re.compile(r"\s*[0-9]{1,9}\s*")


def read_clustering(path: Path) -> Clustering:
    """Read a key or an answer as WePS-1, WePS-2 or WePS-3 write it.

    Groups keep the order of the file; an entity without documents is dropped; a rank repeated in
    one entity counts once. A rank that stands both in an entity and among the discarded belongs
    to the entity: whoever put it there did recognise the person. ``Clustering.labels`` are the
    ``name`` attributes (WePS-2), empty if no entity has one.

    Raises:
        KeyFileError: not readable, not XML, not a clustering, or ranks that are no ranks.
    """
    root = read_xml(path, "clustering", KeyFileError)
    faults = [
        (child.line, "a document outside any entity")
        for child in root.children
        if child.tag == "doc"
    ]
    entities = [
        (_document_ranks(entity, faults), entity.get("name"))
        for entity in root.descendants("entity")
    ]
    discarded = [_document_ranks(part, faults) for part in root.descendants("discarded")]
    if faults:
        (line, what), *others = sorted(faults)
        more = f" (see also line {join_items(line for line, _ in others)})" if others else ""
        raise KeyFileError(
            what + more,
            where=f"{path}, line {line}",
            remedy='every document reads <doc rank="N"/> with a whole number N from 0, inside '
            "<entity> or <discarded>",
        )
    groups = tuple(ranks for ranks, _ in entities if ranks)
    labels = tuple(" ".join(name.split()) for ranks, name in entities if ranks)
    return Clustering(
        groups,
        discarded=frozenset().union(*discarded).difference(*groups),
        labels=labels if any(labels) else (),
    )


def parse_rank(text: str) -> int | None:
    """Return the rank that a text states: a whole number from 0; None if it states none."""
    return int(text) if _RANK.fullmatch(text) else None


def clustering_xml(clustering: Clustering, name: str = "") -> str:
    """Return the official XML of a clustering, labels included; ranks ascend in each entity."""

    def attribute(key: str, value: str) -> str:
        text = " ".join(_NOT_XML.sub(" ", value).split())
        return f' {key}="{html.escape(text)}"' if text else ""

    def documents(ranks: Iterable[int]) -> list[str]:
        return [f'    <doc rank="{rank}"/>' for rank in sorted(ranks)]

    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<clustering{attribute('name', name)}>"]
    for number, (group, label) in enumerate(clustering.labelled_groups):
        lines.append(f'  <entity id="{number}"{attribute("name", label)}>')
        lines += [*documents(group), "  </entity>"]
    if clustering.discarded:
        lines += ["  <discarded>", *documents(clustering.discarded), "  </discarded>"]
    return "\n".join([*lines, "</clustering>", ""])


def _document_ranks(element: Element, faults: list[Fault]) -> frozenset[int]:
    """Ranks of the documents of an element; what is none joins the faults."""
    ranks = set()
    for doc in element.descendants("doc"):
        text = doc.get("rank")
        rank = parse_rank(text)
        if rank is None:
            what = f"{text[:40]!r} is not a rank" if text else "a document without a rank"
            faults.append((doc.line, what))
        else:
            ranks.add(rank)
    return frozenset(ranks)
