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
from weps.errors import SourceError, WepsError
from weps.records import Page, Search
from weps.sources.base import (
    Source,
    as_identifier,
    as_name,
    load_page,
    page_paths,
    ranks_without_result,
    select_names,
)
from weps.sources.xml import parse_rank, read_clustering, read_xml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Self

    from weps.records import Clustering


WEBSITE = "http://nlp.uned.es/weps"
"""Website of the corpora, by footnote 3 of Artiles, Amigó and Gonzalo (EMNLP 2009)."""


@dataclass(frozen=True, slots=True)
class NameState:
    """The data of one name that a corpus has."""

    name: str
    results: int = 0
    pages: int = 0
    """Results with a saved page."""
    tokens: int = 0
    """Results with their words in a ``tokens`` file."""
    people: int = 0
    """In the key."""
    missing: tuple[str, ...] = ()
    """Data that is absent or cannot be read, in words."""


@dataclass(frozen=True, repr=False)
class Corpus(Source):
    """One file of results per name, a folder of keys, and pages if they could be had."""

    results_folder: ClassVar[str]

    @property
    @abstractmethod
    def edition(self) -> tuple[str, int]:
        """Title of the published corpus that this is, or is a part of, and its number of names."""

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

    def states(self) -> Iterator[NameState]:
        """The data of each name, and of names that only other folders know."""
        for name in self.names:
            try:
                yield self._state(name)
            except WepsError as error:
                yield NameState(name, missing=(error.describe(),))
        known = {as_identifier(name).casefold() for name in self.names}
        folders = (self.keys_folder(), self.root / "web_pages", self.root / "tokens")
        others = {
            entry.name.split(".")[0]
            for folder in folders
            if folder.is_dir()
            for entry in list_entries(folder)
            if not entry.name.startswith(".")
        }
        for name in sorted(others):
            if as_identifier(name).casefold() not in known:
                yield NameState(name, missing=(f"its file in {self.results_folder}",))

    def _state(self, name: str) -> NameState:
        ranks, key = set(self.ranks(name)), self.key(name)
        folder, words = self.root / "web_pages" / name, self.root / "tokens" / f"{name}.txt"
        pages = {rank for rank in ranks if first_existing(page_paths(folder, rank))}
        tokens = ranks.intersection(read_tokens(words)) if first_existing([words]) else set()
        missing = [] if ranks else [f"its results in {self.results_folder}"]
        clustered = key.ranks & ranks if key else ranks  # pages that the key discards do not count
        if key is None:
            missing.append("its key")
        elif strange := ranks_without_result(key, ranks):
            missing.append(f"results that the key names: {join_items(strange)}")
        if without := sorted(clustered - pages - tokens):
            missing.append(f"{len(without)} of {len(clustered)} pages ({join_items(without)})")
        people = len(key.groups) if key else 0
        return NameState(name, len(ranks), len(pages), len(tokens), people, tuple(missing))

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

    @property
    def edition(self) -> tuple[str, int]:
        """Only the keys of the test names are by several annotators, each in a folder."""
        several = self.keys_folder() != self.root / "truth_files"
        return ("WePS-1 test", 30) if several else ("WePS-1 training", 49)

    annotation: str = "official_annotation"
    """Name of the key where ``truth_files`` has several; ``dataclasses.replace`` sets another."""

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
    edition: ClassVar[tuple[str, int]] = ("WePS-2 test", 30)

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
    for doc in root.descendants("doc"):
        if doc.attributes.get("inWepsCorpus", "yes").lower() == "yes":
            rank = parse_rank(doc.get("rank"))
            if rank is None:
                raise SourceError(
                    f"{doc.get('rank')[:40]!r} is not a rank",
                    where=f"{path}, line {doc.line}",
                    remedy='every result reads <doc rank="N" …> with a whole number N from 0',
                )
            snippets = ("".join(each.texts) for each in doc.descendants("snippet"))
            page = Page(
                rank,
                url=doc.get("url").strip().replace("&amp;", "&"),
                title=_plain_text(doc.get("title")),
                snippet=_plain_text(" ".join(snippets)),
            )
            if first.setdefault(page.rank, page) is not page:
                repeated.append(page.rank)
    name = as_name(root.get("search_string") or root.get("searchString"))
    return ResultList(name, tuple(first[rank] for rank in sorted(first)), tuple(repeated))


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
        cells = line.rstrip("\r").split("\t")
        rank = parse_rank(cells[0])
        if len(cells) == 3 and rank is not None and rank not in texts:
            texts[rank] = cells[2]
            continue
        what = f"has {len(cells)} of 3 columns"
        if len(cells) == 3:
            what = (
                f"{cells[0][:40]!r} is not a rank" if rank is None else f"rank {rank} occurs twice"
            )
        raise SourceError(
            what, where=f"{path}, line {number}", remedy="each line reads rank TAB flag TAB tokens"
        )
    return texts
