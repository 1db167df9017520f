"""The corpora of WePS-1 (SemEval-2007 task 13) and WePS-2 (2009), and the XML of keys and answers.

A corpus has lists of search results as the organisers saved them; WePS-2 has ``tokens`` files too.
XML of unknown origin is read within bounds, with line numbers and small repairs.
"""

from __future__ import annotations

import html
import re
import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from weps._files import first_existing, list_entries, read_bytes
from weps._formatting import join_items, quote_text
from weps.errors import KeyFileError, SourceError, WepsError
from weps.records import Clustering, Page, Search
from weps.sources.base import Source, as_name, load_page, ranks_without_result, select_names

if TYPE_CHECKING:
    from lxml.etree import _Element

MAX_XML_BYTES = 16 * 1024 * 1024
"""An official file holds some 100 kB; an answer for 100,000 pages about 3 MB."""
MAX_TAGS = 1_000_000
MAX_TOKENS_BYTES = 256 * 1024 * 1024
"""An official file holds 1 to 3 MB."""
_BARE_AMPERSAND = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,9}|#x[0-9a-fA-F]{1,8});)")
_CHARACTER_REFERENCE = re.compile(rb"&#(?:([0-9]+)|x([0-9a-fA-F]+));")
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 (section 2.2) forbids."""
_DECLARED = re.compile(rb"^\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([\w.:-]+)")
_ENTITY = re.compile(rb"<!\s*ENTITY", re.IGNORECASE)
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_HIGHLIGHT = re.compile(r"</?(?:b|em|i|strong)>", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_BREAK = re.compile(r"</?(?:br|h[1-6]|p)\s*/?>", re.IGNORECASE)


@dataclass(frozen=True, repr=False)
class Corpus(Source):
    """One file of results per name, a folder of keys, and pages if they could be had.

    WePS-1 has ``description_files/First_Last.xml``, ``truth_files`` and
    ``web_pages/First_Last/raw/NNN``; in every description file title and snippet stand in each
    other's place; the names of the US census have URLs only.

    WePS-2 has ``metadata/FIRST_LAST.xml``, ``gold_standard``, and ``web_pages`` or ``tokens``; a
    name without a folder of pages takes the text of its ``tokens`` file; a name with neither has
    the titles, snippets and URLs of its results only.
    """

    results_folder: str
    """``description_files`` (WePS-1) or ``metadata`` (WePS-2)."""

    @classmethod
    def open(cls, root: Path, results_folder: str) -> Corpus:
        """List the names of a corpus, which are those of its files of results."""
        files = list_entries(root / results_folder)
        names = sorted(file.stem for file in files if file.suffix == ".xml")
        return cls(root, tuple(names), results_folder)

    @property
    def layout(self) -> str:
        """``weps-1`` or ``weps-2``."""
        return "weps-1" if self.results_folder == "description_files" else "weps-2"

    def search(self, name: str) -> Search:
        """Read the results of one name with their pages, else their tokens, else nothing."""
        (known,) = select_names(self, [name])
        searched, pages, _ = self._results(known)
        if self.layout == "weps-1":
            pages = tuple(replace(page, title=page.snippet, snippet=page.title) for page in pages)
        folder = self.root / "web_pages" / known
        tokens = first_existing([self.root / "tokens" / f"{known}.txt"])
        if tokens and not first_existing([folder]):
            texts = read_tokens(tokens)
            pages = tuple(replace(page, text=texts.get(page.rank)) for page in pages)
        else:
            pages = tuple(load_page(page, _page_paths(folder, page.rank), folder) for page in pages)
        return Search(searched or as_name(known), pages)

    def ranks(self, name: str) -> tuple[int, ...]:
        """Ranks of the results of one name, ascending."""
        return tuple(page.rank for page in self._results(name).pages)

    def key(self, name: str) -> Clustering | None:
        """Read the gold standard of one name as it stands; None where there is none."""
        found = self.key_file(name)
        return read_clustering(found, found.stem.removesuffix(".clust")) if found else None

    def key_file(self, name: str) -> Path | None:
        """The file of the gold standard of one name, if there is one."""
        (known,) = select_names(self, [name])
        folder = self.root / "gold_standard"
        if self.layout == "weps-1":
            folder = self.root / "truth_files"
            official = folder / "official_annotation"  # among several
            folder = official if official.is_dir() else folder
        return first_existing((folder / f"{known}.clust.xml", folder / f"{known}.xml"))

    def warnings(self, name: str) -> tuple[str, ...]:
        """Report ranks that a key names without a result, and ranks of several results."""
        results, key = self._results(name), self.key(name)
        strange = ranks_without_result(key, (page.rank for page in results.pages))
        faults = {
            "the key names ranks that are not among the results": strange,
            "several results have the same rank; the first is used": results.repeated,
        }
        return tuple(f"{name}: {what}: {join_items(at)}" for what, at in faults.items() if at)

    def _results(self, name: str) -> ResultList:
        (known,) = select_names(self, [name])
        return read_result_list(self.root / self.results_folder / f"{known}.xml")


def _page_paths(folder: Path, rank: int) -> tuple[Path, ...]:
    """Possible paths of the page of a rank in a name's folder of a corpus."""
    stem = f"{rank:03d}"
    return (
        folder / "raw" / stem / "index.html",
        folder / f"{stem}.html",
        folder / "raw" / f"{stem}.html",
        folder / stem / "index.html",
    )


class ResultList(NamedTuple):
    """One file of search results."""

    name: str
    """The name as searched for, without quotes; empty where the file does not say."""
    pages: tuple[Page, ...]
    """Results as the search engine showed them, one page per rank, ascending, without contents."""
    repeated: tuple[int, ...]
    """Ranks given to several results, of which the first counts."""


def read_result_list(path: Path) -> ResultList:
    """Read a description file (WePS-1, WePS-3) or a metadata file (WePS-2).

    Results marked ``inWepsCorpus="no"`` are left out. Titles and snippets are freed of the second
    escaping and of the search engine's highlighting; of URLs only ``&amp;`` is undone, since
    ``&copy=1`` is a query there.

    Raises:
        SourceError: not readable, not a list of results, or a rank that is none.
    """
    root = read_xml(path, "corpus", SourceError)
    first: dict[int, Page] = {}
    repeated: list[int] = []
    for doc in root.iterfind(".//doc"):
        if doc.get("inWepsCorpus", "yes").lower() == "yes":
            rank = _rank_of(doc, path, SourceError)
            page = Page(
                rank,
                url=doc.get("url", "").strip().replace("&amp;", "&"),
                title=_plain_text(doc.get("title", "")),
                snippet=_plain_text(
                    " ".join("".join(each.itertext()) for each in doc.iter("snippet"))
                ),
            )
            if first.setdefault(rank, page) is not page:
                repeated.append(rank)
    return ResultList(
        as_name(root.get("search_string", "") or root.get("searchString", "")),
        tuple(first[rank] for rank in sorted(first)),
        tuple(repeated),
    )


def _rank_of(doc: _Element, path: Path, error: type[WepsError]) -> int:
    """The rank of a document in a file, or else an error of the class."""
    text = doc.get("rank", "")
    if (rank := parse_rank(text)) is None:
        raise error(
            f"{text[:40]!r} is not a rank" if text else "a document without a rank",
            where=f"{path}, line {doc.sourceline}",
            remedy='every document reads <doc rank="N" …> with a whole number N from 0',
        )
    return rank


def _plain_text(text: str) -> str:
    """Undo the second escaping, drop highlighting tags and fold white space."""
    unescaped = _REFERENCE.sub(lambda match: html.unescape(match[0]), text)
    return " ".join(_BREAK.sub(" ", _HIGHLIGHT.sub("", unescaped)).split())


def read_tokens(path: Path) -> dict[int, str]:
    """Read ``rank TAB flag TAB tokens`` from each line: the text of each rank.

    Raises:
        SourceError: not readable, a line of another form, or two lines for one rank.
    """
    texts: dict[int, str] = {}
    data = read_bytes(path, MAX_TOKENS_BYTES, SourceError)
    text = data.decode("utf-8-sig", errors="replace").rstrip("\r\n")
    # Split at line feeds alone: text from the web holds other separators of Unicode.
    for number, line in enumerate(text.split("\n") if text else (), start=1):
        cells = line.rstrip("\r").split("\t")
        rank = parse_rank(cells[0]) if len(cells) == 3 else None
        if rank is None or rank in texts:
            raise SourceError(
                f"cannot read {line[:40]!r}" if rank is None else f"rank {rank} occurs twice",
                where=f"{path}, line {number}",
                remedy="each line reads rank TAB flag TAB tokens",
            )
        texts[rank] = cells[2]
    return texts


def warn_of_another_name(stated: str, name: str, where: Path) -> None:
    """Warn if a key or an answer for a name states another one, in the same script.

    Words may be left out, shortened or spelled differently; nicknames are other names.
    """
    from weps.name.person_name import script_of  # noqa: PLC0415 - keys are seldom read
    from weps.name.spelling import plain_letters  # noqa: PLC0415

    words = ([*map(plain_letters, _WORD.findall(each[:200]))] for each in (stated, name))
    fewer, more = sorted(words, key=len)
    if script_of(stated) == script_of(name) and not all(
        any(each.startswith(word) or word.startswith(each) for each in more)
        or get_close_matches(word, more, 1)
        for word in fewer
    ):
        other = f"is about {quote_text(stated)}, not {quote_text(as_name(name))}"
        warnings.warn(f"{where}: {other}", stacklevel=2)


def read_clustering(path: Path, name: str = "") -> Clustering:
    """Read a key or an answer as WePS-1, WePS-2 or WePS-3 write it.

    One for a name should state no other, see :func:`warn_of_another_name`.

    Groups keep the order of the file; an entity without documents is dropped; a rank repeated in
    one entity counts once. A rank that stands both in an entity and among the discarded belongs
    to the entity: whoever put it there did recognise the person. ``Clustering.labels`` are the
    ``name`` attributes (WePS-2), empty if no entity has one.

    Raises:
        KeyFileError: not readable, not XML, not a clustering, or ranks that are no ranks.
    """
    root = read_xml(path, "clustering", KeyFileError)
    if name:
        warn_of_another_name(root.get("name") or root.get("searchString", ""), name, path)
    if (stray := root.find("doc")) is not None:
        raise KeyFileError(
            "a document outside any entity",
            where=f"{path}, line {stray.sourceline}",
            remedy="put it inside <entity> or <discarded>",
        )

    def document_ranks(element: _Element) -> frozenset[int]:
        return frozenset(_rank_of(doc, path, KeyFileError) for doc in element.iterfind(".//doc"))

    entities = [(document_ranks(each), each.get("name", "")) for each in root.iterfind(".//entity")]
    discarded = [document_ranks(part) for part in root.iterfind(".//discarded")]
    groups = tuple(ranks for ranks, _ in entities if ranks)
    labels = tuple(" ".join(name.split()) for ranks, name in entities if ranks)
    return Clustering(
        groups,
        discarded=frozenset().union(*discarded).difference(*groups),
        labels=labels if any(labels) else (),
    )


def parse_rank(text: str) -> int | None:
    """Return the rank that a text states: a whole number from 0; None if it states none."""
    return int(text) if re.fullmatch(r"\s*[0-9]{1,9}\s*", text) else None


def clustering_xml(clustering: Clustering, name: str = "") -> str:
    """Return the official XML of a clustering, labels included; ranks ascend in each entity."""

    def attribute(value: str) -> str:
        text = " ".join(_NOT_XML.sub(" ", value).split())
        return f' name="{html.escape(text)}"' if text else ""

    def documents(ranks: Iterable[int]) -> list[str]:
        return [f'    <doc rank="{rank}"/>' for rank in sorted(ranks)]

    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<clustering{attribute(name)}>"]
    for number, (group, label) in enumerate(clustering.labelled_groups):
        lines += [f'  <entity id="{number}"{attribute(label)}>', *documents(group), "  </entity>"]
    if clustering.discarded:
        lines += ["  <discarded>", *documents(clustering.discarded), "  </discarded>"]
    return "\n".join([*lines, "</clustering>", ""])


def read_xml(path: Path, root: str, error: type[WepsError]) -> _Element:
    """Parse a file whose outermost element must be ``root``.

    Entities are neither declared nor fetched: a declaration is refused, which prevents entity
    expansion and external access. Bare ampersands, HTML entities, control characters and bytes that
    are not the UTF-8 they claim to be are repaired, since search results put them into
    descriptions.

    Raises:
        WepsError: of the class ``error``; no file, empty, over 16 MB, cut off or malformed.
    """
    from lxml import etree  # noqa: PLC0415 - keys are seldom read

    data = read_bytes(path, MAX_XML_BYTES, error)
    try:
        if _ENTITY.search(data.replace(b"\0", b"")):  # which UTF-16 has, too
            raise ValueError("it declares entities")
        if data.count(b"<") > MAX_TAGS:
            raise ValueError("too many tags")
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True
        )
        top = etree.fromstring(_repair_bytes(data), parser)
    except (LookupError, SyntaxError, ValueError) as problem:
        what, line = getattr(problem, "msg", problem), getattr(problem, "lineno", 1) or 1
        raise error(
            f"malformed XML ({what})",
            where=f"{path}, line {line}",
            remedy="repair or replace the file",
        ) from problem
    if top.tag != root:
        raise error(
            f"the outermost element is <{top.tag}>, <{root}> is expected",
            where=f"{path}, line {top.sourceline}",
            remedy="check that the file is of the right kind",
        )
    return top


def _repair_bytes(data: bytes) -> bytes:
    """Repair what search engines and annotators leave in XML; line numbers stay the same."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"<\x00", b"\x00<")):  # UTF-16
        return data

    def legal_reference(match: re.Match[bytes]) -> bytes:
        code = int(match[1]) if match[1] else int(match[2], 16)
        return match[0] if code <= sys.maxunicode and not _NOT_XML.match(chr(code)) else b" "

    legal = _CHARACTER_REFERENCE.sub(legal_reference, _BARE_AMPERSAND.sub(b"&amp;", data))
    mended = re.sub(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]", b" ", legal)
    declared = _DECLARED.match(mended)
    if declared and declared[1].lower() not in (b"utf-8", b"utf8"):
        return mended
    # Bytes that are not UTF-8 most likely come from a Windows code page.
    return re.sub(
        "[\udc80-\udcff]+",
        lambda match: match[0].encode("utf-8", "surrogateescape").decode("cp1252", "replace"),
        mended.decode("utf-8", "surrogateescape"),
    ).encode()
