"""The people of a corpus as topics: what annotators have written about them is key.

Documents with key phrases, in a zip archive: ``docsutf8/*.txt`` and ``keys/*.key``.
"""

from __future__ import annotations

import lzma
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from eval.benchmark.attributes import Attributes, attributes_of
from eval.studies.key_terms.topics import (
    Concept,
    GivenTopic,
    ReadDocuments,
    concepts_of,
    read_topics,
)
from weps._text import PersonName, split_words
from weps.errors import SourceError
from weps.language.analysis import Layer
from weps.page_forms import PageForm
from weps.reading import Reader
from weps.records import Clustering, Page, Search
from weps.sources.base import Source

__all__ = [
    "ATTRIBUTES",
    "DOCUMENTS",
    "LABELS",
    "LEFT_OUT",
    "SECTIONS",
    "Article",
    "Plan",
    "articles_of",
    "people_of",
    "read_section",
    "sections_of",
]

DOCUMENTS, SECTIONS = "documents", "sections"
"""What a topic is."""
_MAX_BYTES = 4 * 1024 * 1024
"""Of one file; the longest articles have some 100 kB."""
_TOGETHER = 100
"""Documents that are read at once where there are no sections."""
_SHARED = 2
"""Documents of a section for which a phrase is named, that it is key to the section."""
_UNREADABLE = (
    OSError,
    ValueError,
    RuntimeError,  # encrypted, or packed in a way that Python does not know
    EOFError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
)


@dataclass(frozen=True, slots=True)
class Article:
    """A document and the phrases that people have found to be key."""

    name: str
    text: str
    phrases: tuple[str, ...]

    @property
    def section(self) -> str:
        """What its name begins with: ``crime-20869922`` is of ``crime``; empty if nothing."""
        front, _, number = self.name.rpartition("-")
        return front if number.isdigit() else ""


def articles_of(path: Path) -> list[Article]:
    """The documents of an archive that have key phrases, sorted by name.

    Raises:
        SourceError: if it is no such archive.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            files = {PurePosixPath(each.filename): each for each in archive.infolist()}
            texts = {at.stem: at for at in files if at.parent.name == "docsutf8"}
            keys = {at.stem: at for at in files if at.parent.name == "keys"}
            articles = [
                Article(
                    name,
                    _text(archive, files[texts[name]]),
                    tuple(_lines(_text(archive, files[keys[name]]))),
                )
                for name in sorted(texts.keys() & keys.keys())
            ]
    except _UNREADABLE as error:
        raise SourceError(
            f"this archive cannot be read ({error})", where=path, remedy="give a zip file"
        ) from error
    if not articles:
        raise SourceError(
            "no document here has key phrases",
            where=path,
            remedy="give an archive with docsutf8/NAME.txt and keys/NAME.key",
        )
    return articles


def sections_of(articles: Sequence[Article]) -> list[tuple[str, list[Article]]]:
    """Articles that are read together: those of a section, else a hundred at a time."""
    by_section: defaultdict[str, list[Article]] = defaultdict(list)
    for article in articles:
        by_section[article.section].append(article)
    loose = by_section.pop("", [])
    parts = [loose[start : start + _TOGETHER] for start in range(0, len(loose), _TOGETHER)]
    return [*sorted(by_section.items()), *(("", part) for part in parts)]


def read_section(section: str, articles: Sequence[Article], reader: Reader) -> ReadDocuments:
    """Read articles; each is a topic, and so is the section of which they are.

    Key concepts of a section are those that are named for at least two of its documents.
    """
    pages = tuple(Page(rank, text=each.text) for rank, each in enumerate(articles, start=1))
    analysis = reader.read(Search("", pages), PageForm.PAGES, {Layer.TAGS})
    topics = [
        GivenTopic(DOCUMENTS, article.name, (row,), concepts_of(article.phrases))
        for row, article in enumerate(articles)
    ]
    if section:
        named = Counter(concept for topic in topics for concept in topic.concepts)
        shared = frozenset(concept for concept, times in named.items() if times >= _SHARED)
        topics.append(GivenTopic(SECTIONS, section, tuple(range(len(articles))), shared))
    return read_topics(analysis, topics, tagged=True)


def _text(archive: zipfile.ZipFile, file: zipfile.ZipInfo) -> str:
    """The text of a file.

    Raises:
        ValueError: if it is too long.
    """
    if file.file_size > _MAX_BYTES:
        raise ValueError(f"{file.filename} has more than {_MAX_BYTES:,} bytes")
    return archive.read(file).decode("utf-8", errors="replace")


def _lines(text: str) -> list[str]:
    return [folded for line in text.splitlines() if (folded := " ".join(line.split()))]


ATTRIBUTES, LABELS = "attributes", "labels"
"""What concepts are taken from."""
LEFT_OUT = frozenset({"dateofbirth", "email", "fax", "phone", "website"})
"""Attributes that are numbers and addresses, no words."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How pages are read, and who is a topic."""

    form: PageForm
    reader: Reader
    fewest: int
    """Pages of a person."""


def people_of(name: str, source: Source, plan: Plan) -> ReadDocuments:
    """The pages of a name, with a topic for every person of whom enough pages are there.

    A person is a topic once for the attributes and once for the label, as far as there are any.
    Every value of an attribute on one of the person's pages is a key concept, and so is every word
    of a label. Words of the name searched for are none.
    """
    tagged = plan.form is PageForm.PAGES
    layers = {Layer.TAGS} if tagged else set()
    analysis = plan.reader.read(source.search(name), plan.form, layers)
    row = {document.rank: row for row, document in enumerate(analysis.documents)}
    key = source.key(name) or Clustering(())
    attributes = attributes_of(source.root, name)
    topics = _topics(name, key, attributes, row, analysis.name)
    held = [each for each in topics if len(each.rows) >= plan.fewest]
    return read_topics(analysis, held, tagged=tagged)


def _topics(
    name: str,
    key: Clustering,
    attributes: Attributes | None,
    row: Mapping[int, int],
    person: PersonName,
) -> Iterator[GivenTopic]:
    labels = key.labels or ("",) * len(key.groups)
    for number, (group, label) in enumerate(zip(key.groups, labels, strict=True), start=1):
        ranks = sorted(group & row.keys())
        rows = tuple(row[rank] for rank in ranks)
        title = f"{name.replace('_', ' ')} {number}"
        yield GivenTopic(LABELS, title, rows, concepts_of(split_words(label), person.tokens))
        yield GivenTopic(ATTRIBUTES, title, rows, _facts(attributes or {}, ranks, person))


def _facts(attributes: Attributes, ranks: Sequence[int], person: PersonName) -> frozenset[Concept]:
    values = (
        value
        for rank in ranks
        for attribute, found in attributes.get(rank, {}).items()
        if attribute not in LEFT_OUT
        for value in found
    )
    return concepts_of(values, person.tokens)
