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

Fault = tuple[int, str]
"""A line of a file and what is wrong there."""
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
    faults = _stray_documents(root)
    entities = [(_ranks(entity, faults), entity.get("name")) for entity in root.all("entity")]
    discarded = [_ranks(part, faults) for part in root.all("discarded")]
    if faults:
        raise _faulty(path, faults)
    held = [(ranks, name) for ranks, name in entities if ranks]
    groups = tuple(ranks for ranks, _ in held)
    labels = tuple(" ".join(name.split()) for _, name in held)
    return Clustering(
        groups,
        discarded=frozenset().union(*discarded).difference(*groups),
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


def _stray_documents(root: Element) -> list[Fault]:
    strays = (child for child in root.children if child.tag == "doc")
    return [(stray.line, "a document outside any entity") for stray in strays]


def _ranks(element: Element, faults: list[Fault]) -> frozenset[int]:
    """Ranks of the documents of an element; what is none joins the faults."""
    ranks = set()
    for doc in element.all("doc"):
        text = doc.get("rank")
        rank = parse_rank(text)
        if rank is None:
            what = f"{text[:40]!r} is not a rank" if text else "a document without a rank"
            faults.append((doc.line, what))
        else:
            ranks.add(rank)
    return frozenset(ranks)


def _faulty(path: Path, faults: list[Fault]) -> KeyFileError:
    """Report all faulty documents of a file in one error."""
    (line, what), *others = sorted(faults)
    more = f" (see also line {listed(line for line, _ in others)})" if others else ""
    return KeyFileError(
        what + more,
        where=f"{path}, line {line}",
        remedy='every document reads <doc rank="N"/> with a whole number N from 0, inside '
        "<entity> or <discarded>",
    )
