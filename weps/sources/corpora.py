"""The corpora of WePS-1 (SemEval-2007 task 13) and WePS-2 (2009).

A corpus has lists of search results as the organisers saved them; WePS-2 has ``tokens`` files too.
"""

from __future__ import annotations

import html
import re
from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from weps._files import first_existing, list_entries, read_bytes
from weps._formatting import join_items
from weps.errors import SourceError
from weps.records import Page, Search
from weps.sources.base import (
    Source,
    as_name,
    load_page,
    page_paths,
    ranks_without_result,
    select_names,
)
from weps.sources.xml import parse_rank, read_clustering, read_xml

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self

    from weps.records import Clustering
    from weps.sources.xml import Element


@dataclass(frozen=True, repr=False)
class Corpus(Source):
    """One file of results per name, a folder of keys, and pages if they could be had."""

    results_folder: ClassVar[str]

    @classmethod
    def open(cls, root: Path) -> Self:
        """List the names of a corpus, which are those of its files of results."""
        files = list_entries(root / cls.results_folder)
        return cls(root, tuple(sorted(file.stem for file in files if file.suffix == ".xml")))

    def results(self, name: str) -> ResultList:
        """Read the list of results of one name."""
        (known,) = select_names(self, [name])
        return read_result_list(self.root / self.results_folder / f"{known}.xml")

    def search(self, name: str) -> Search:
        """Read the results of one name with their pages."""
        (known,) = select_names(self, [name])
        results = self.results(known)
        return Search(results.name or as_name(known), self.add_contents(known, results.pages))

    def ranks(self, name: str) -> tuple[int, ...]:
        """Ranks of the results of one name, ascending."""
        return tuple(page.rank for page in self.results(name).pages)

    def key(self, name: str) -> Clustering | None:
        """Read the gold standard of one name as it stands; None where there is none."""
        found = self.key_file(name)
        return read_clustering(found) if found else None

    def key_file(self, name: str) -> Path | None:
        """The file of the gold standard of one name, if there is one."""
        (known,) = select_names(self, [name])
        folder = self.keys_folder()
        return first_existing((folder / f"{known}.clust.xml", folder / f"{known}.xml"))

    def warnings(self, name: str) -> tuple[str, ...]:
        """Report ranks that a key names without a result, and ranks of several results."""
        (known,) = select_names(self, [name])
        results, key = self.results(known), self.key(known)
        strange = ranks_without_result(key, (page.rank for page in results.pages)) if key else ()
        faults = (
            (strange, "the key names ranks that are not among the results"),
            (results.repeated, "several results have the same rank; the first is used"),
        )
        return tuple(f"{known}: {what}: {join_items(ranks)}" for ranks, what in faults if ranks)

    @abstractmethod
    def keys_folder(self) -> Path:
        """The folder of keys, one ``NAME.clust.xml`` or ``NAME.xml`` per name."""

    @abstractmethod
    def add_contents(self, name: str, pages: tuple[Page, ...]) -> tuple[Page, ...]:
        """Add what was saved of the pages; a page that was not saved stays as it is."""


@dataclass(frozen=True, repr=False)
class Weps1(Corpus):
    """``description_files/First_Last.xml``, ``truth_files``, ``web_pages/First_Last/raw/NNN``.

    In every description file title and snippet stand in each other's place; the names of the US
    census have URLs only.
    """

    layout: ClassVar[str] = "weps-1"
    results_folder: ClassVar[str] = "description_files"

    annotation: str = "official_annotation"
    """Which key to use where ``truth_files`` has several; ``dataclasses.replace`` sets another."""

    def keys_folder(self) -> Path:
        """``truth_files`` itself, or the folder of the chosen annotation in it."""
        folder = self.root / "truth_files"
        choices = (
            [item for item in list_entries(folder) if item.is_dir()] if folder.is_dir() else []
        )
        chosen = folder / self.annotation
        if choices and chosen not in choices:
            raise SourceError(
                f"holds no annotation {self.annotation!r}",
                where=folder,
                remedy=f"choose among {join_items(item.name for item in choices)}",
            )
        return chosen if choices else folder

    def add_contents(self, name: str, pages: tuple[Page, ...]) -> tuple[Page, ...]:
        """Add the saved pages and put titles and snippets where they belong."""
        folder = self.root / "web_pages" / name
        right = (replace(page, title=page.snippet, snippet=page.title) for page in pages)
        return tuple(load_page(page, page_paths(folder, page.rank), folder) for page in right)


@dataclass(frozen=True, repr=False)
class Weps2(Corpus):
    """``metadata/FIRST_LAST.xml``, ``gold_standard``, and ``web_pages`` or ``tokens``.

    A name without a folder of pages takes the text of its ``tokens`` file; a name with neither
    has the titles, snippets and URLs of its results only.
    """

    layout: ClassVar[str] = "weps-2"
    results_folder: ClassVar[str] = "metadata"

    def keys_folder(self) -> Path:
        """``gold_standard``."""
        return self.root / "gold_standard"

    def add_contents(self, name: str, pages: tuple[Page, ...]) -> tuple[Page, ...]:
        """Add the saved pages, else the tokens, else nothing."""
        folder = self.root / "web_pages" / name
        if first_existing([folder]):
            return tuple(load_page(page, page_paths(folder, page.rank), folder) for page in pages)
        tokens = first_existing([self.root / "tokens" / f"{name}.txt"])
        texts = read_tokens(tokens) if tokens else {}
        return tuple(replace(page, text=texts.get(page.rank)) for page in pages)


_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_HIGHLIGHT = re.compile(r"</?(?:b|em|i|strong)>", re.IGNORECASE)
_BREAK = re.compile(r"</?(?:br|h[1-6]|p)\s*/?>", re.IGNORECASE)


@dataclass(frozen=True)
class ResultList:
    """One file of search results."""

    name: str
    """The name as searched for, without quotes; empty where the file does not say."""
    pages: tuple[Page, ...]
    """What the search engine showed, one page per rank, ascending; contents not read yet."""
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
    for doc in root.descendants("doc"):
        if doc.attributes.get("inWepsCorpus", "yes").lower() == "yes":
            page = _result_page(path, doc)
            if first.setdefault(page.rank, page) is not page:
                repeated.append(page.rank)
    name = as_name(root.get("search_string") or root.get("searchString"))
    return ResultList(name, tuple(first[rank] for rank in sorted(first)), tuple(repeated))


def _result_page(path: Path, doc: Element) -> Page:
    rank = parse_rank(doc.get("rank"))
    if rank is None:
        raise SourceError(
            f"{doc.get('rank')[:40]!r} is not a rank",
            where=f"{path}, line {doc.line}",
            remedy='every result reads <doc rank="N" …> with a whole number N from 0',
        )
    return Page(
        rank,
        url=doc.get("url").strip().replace("&amp;", "&"),
        title=_plain_text(doc.get("title")),
        snippet=_plain_text(" ".join("".join(each.texts) for each in doc.descendants("snippet"))),
    )


def _plain_text(text: str) -> str:
    """Undo the second escaping, drop highlighting tags and fold white space."""
    unescaped = _REFERENCE.sub(lambda match: html.unescape(match[0]), text)
    return " ".join(_BREAK.sub(" ", _HIGHLIGHT.sub("", unescaped)).split())


MAX_TOKENS_BYTES = 256 * 1024 * 1024
"""An official file holds 1 to 3 MB."""


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
        rank, text = _rank_and_text(path, number, line)
        if rank in texts:
            raise _bad_line(path, number, f"rank {rank} occurs twice")
        texts[rank] = text
    return texts


def _rank_and_text(path: Path, number: int, line: str) -> tuple[int, str]:
    fields = line.rstrip("\r").split("\t")
    if len(fields) != 3:
        raise _bad_line(path, number, f"has {len(fields)} of 3 columns")
    rank = parse_rank(fields[0])
    if rank is None:
        raise _bad_line(path, number, f"{fields[0][:40]!r} is not a rank")
    return rank, fields[2]


def _bad_line(path: Path, number: int, what: str) -> SourceError:
    return SourceError(
        what, where=f"{path}, line {number}", remedy="each line reads rank TAB flag TAB tokens"
    )
