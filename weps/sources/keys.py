"""Keys and answers: the official XML in which a clustering is written down."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import TYPE_CHECKING

from weps.errors import KeyFileError, OutputError
from weps.records import Clustering
from weps.sources.messages import listed, reason
from weps.sources.xmlfile import read_xml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from weps.sources.xmlfile import Element

__all__ = ["clustering_xml", "parse_rank", "read_clustering", "write_clustering"]

_RANK = re.compile(r"\s*[0-9]{1,9}\s*")
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read_clustering(path: Path | str) -> Clustering:
    """Read a key or an answer as WePS-1, WePS-2 or WePS-3 write it.

    Groups keep the order of the file; an entity without documents is dropped; a rank repeated in
    one entity counts once. A rank that stands both in an entity and among the discarded belongs
    to the entity: whoever put it there did recognise the person. ``Clustering.labels`` are the
    ``name`` attributes (WePS-2), empty if no entity has one.

    Raises:
        KeyFileError: not readable, not XML, not a clustering, or ranks that are no ranks.

    """
    path = Path(path)
    root = read_xml(path, "clustering", KeyFileError)
    _check_ranks(path, root)
    entities = [entity for entity in root.all("entity") if any(entity.all("doc"))]
    groups = tuple(frozenset(_ranks(entity)) for entity in entities)
    discarded = frozenset(rank for part in root.all("discarded") for rank in _ranks(part))
    labels = tuple(" ".join(entity.get("name").split()) for entity in entities)
    return Clustering(
        groups,
        discarded=discarded.difference(*groups),
        labels=labels if any(labels) else (),
    )


def parse_rank(text: str) -> int | None:
    """Return the rank that a text states: a whole number from 0; None if it states none."""
    return int(text) if _RANK.fullmatch(text) else None


def write_clustering(clustering: Clustering, path: Path | str, name: str = "") -> None:
    """Write a clustering as official XML; :func:`read_clustering` reads it back.

    Raises:
        OutputError: the file cannot be written.

    """
    try:
        Path(path).write_text(clustering_xml(clustering, name), encoding="utf-8", newline="\n")
    except OSError as problem:
        raise OutputError(
            f"cannot be written ({reason(problem)})",
            where=path,
            remedy="choose a folder in which you may write",
        ) from problem


def clustering_xml(clustering: Clustering, name: str = "") -> str:
    """Return the official XML of a clustering, labels included; ranks ascend in each entity."""
    return "\n".join(_xml_lines(clustering, name)) + "\n"


def _xml_lines(clustering: Clustering, name: str) -> Iterator[str]:
    labels = clustering.labels or ("",) * len(clustering.groups)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f"<clustering{_attribute('name', name)}>"
    for number, (group, label) in enumerate(zip(clustering.groups, labels, strict=True)):
        yield f'  <entity id="{number}"{_attribute("name", label)}>'
        yield from _doc_lines(group)
        yield "  </entity>"
    if clustering.discarded:
        yield "  <discarded>"
        yield from _doc_lines(clustering.discarded)
        yield "  </discarded>"
    yield "</clustering>"


def _doc_lines(ranks: Iterable[int]) -> Iterator[str]:
    return (f'    <doc rank="{rank}"/>' for rank in sorted(ranks))


def _attribute(key: str, value: str) -> str:
    text = " ".join(_NOT_XML.sub(" ", value).split())
    return f' {key}="{html.escape(text)}"' if text else ""


def _ranks(element: Element) -> Iterator[int]:
    return (int(doc.get("rank")) for doc in element.all("doc"))


def _check_ranks(path: Path, root: Element) -> None:
    """Report all faulty documents of a file in one error."""
    faults = [*_faulty_ranks(root), *_stray_documents(root)]
    if faults:
        raise KeyFileError(
            f"{faults[0][1]}" + (f" (so too in lines {_lines(faults[1:])})" if faults[1:] else ""),
            where=f"{path}, line {faults[0][0]}",
            remedy='every document reads <doc rank="N"/> with a whole number N from 0, inside '
            "<entity> or <discarded>",
        )


def _lines(faults: list[tuple[int, str]]) -> str:
    return listed(line for line, _ in faults)


def _faulty_ranks(root: Element) -> Iterator[tuple[int, str]]:
    for doc in root.all("doc"):
        if "rank" not in doc.attributes:
            yield doc.line, "a document without a rank"
        elif parse_rank(doc.get("rank")) is None:
            yield doc.line, f"{doc.get('rank')[:40]!r} is not a rank"


def _stray_documents(root: Element) -> Iterator[tuple[int, str]]:
    for child in root.children:
        if child.tag == "doc":
            yield child.line, "a document outside any entity"
