"""Topics of the study: people of a corpus, and documents with key phrases in a zip archive.

What annotators have written about a person is key; an archive has ``docsutf8/NAME.txt`` and
``keys/NAME.key``.
"""

from __future__ import annotations

import lzma
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from eval.benchmark.labels import attributes_of
from eval.studies.key_terms.findings import GivenTopic, ReadDocuments, concepts_of, read_topics
from weps._text import split_words
from weps.errors import SourceError
from weps.language.analysis import Analysis, Layer
from weps.page_forms import PageForm
from weps.reading import Reader
from weps.records import Clustering, Page, Search
from weps.sources.base import Source

__all__ = [
    "LEFT_OUT",
    "Article",
    "articles_of",
    "people_of",
    "read_section",
    "sections_of",
]

LEFT_OUT = frozenset({"dateofbirth", "email", "fax", "phone", "website"})
"""Attributes that are numbers and addresses, no words."""
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
                    tuple(_phrases(_text(archive, files[keys[name]]))),
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


def read_section(section: tuple[str, Sequence[Article]], reader: Reader) -> ReadDocuments:
    """Read articles; each is a topic, and so is the section of which they are, if it has a name.

    Key concepts of a section are those that are named for at least two of its documents.
    """
    name, articles = section
    pages = tuple(Page(rank, text=each.text) for rank, each in enumerate(articles, start=1))
    analysis = reader.read(Search("", pages), PageForm.PAGES, {Layer.TAGS})
    topics = [
        GivenTopic("documents", article.name, (row,), concepts_of(article.phrases))
        for row, article in enumerate(articles)
    ]
    if name:
        named = Counter(concept for topic in topics for concept in topic.concepts)
        shared = frozenset(concept for concept, times in named.items() if times >= _SHARED)
        topics.append(GivenTopic("sections", name, tuple(range(len(articles))), shared))
    return read_topics(analysis, topics, tagged=True)


def _text(archive: zipfile.ZipFile, file: zipfile.ZipInfo) -> str:
    """The text of a file.

    Raises:
        ValueError: if it is too long.
    """
    if file.file_size > _MAX_BYTES:
        raise ValueError(f"{file.filename} has more than {_MAX_BYTES:,} bytes")
    return archive.read(file).decode("utf-8", errors="replace")


def _phrases(text: str) -> list[str]:
    """One for each line that is not blank."""
    return [phrase for line in text.splitlines() if (phrase := " ".join(line.split()))]


def people_of(
    name: str, *, source: Source, form: PageForm, reader: Reader, fewest: int
) -> ReadDocuments:
    """The pages of a name, with a topic for every person of whom enough pages are there.

    A person is a topic once for the attributes and once for the label, as far as there are any.
    Every value of an attribute on one of the person's pages is a key concept, and so is every word
    of a label. Words of the name searched for are none.

    Args:
        name: searched for.
        source: of its pages and its key.
        form: of the pages that is read.
        reader: reads them.
        fewest: pages of a person who is a topic.
    """
    tagged = form is PageForm.PAGES
    analysis = reader.read(source.search(name), form, {Layer.TAGS} if tagged else set())
    topics = [each for each in _people(name, source, analysis) if len(each.rows) >= fewest]
    return read_topics(analysis, topics, tagged=tagged)


def _people(name: str, source: Source, analysis: Analysis) -> Iterator[GivenTopic]:
    key = source.key(name) or Clustering(())
    attributes = attributes_of(source.root, name) or {}
    row = {document.rank: row for row, document in enumerate(analysis.documents)}
    dropped = analysis.name.tokens
    labels = key.labels or ("",) * len(key.groups)
    for number, (group, label) in enumerate(zip(key.groups, labels, strict=True), start=1):
        ranks = sorted(group & row.keys())
        rows = tuple(row[rank] for rank in ranks)
        title = f"{name.replace('_', ' ')} {number}"
        yield GivenTopic("labels", title, rows, concepts_of(split_words(label), dropped))
        values = (
            value
            for rank in ranks
            for attribute, written in attributes.get(rank, {}).items()
            if attribute not in LEFT_OUT
            for value in written
        )
        yield GivenTopic("attributes", title, rows, concepts_of(values, dropped))
