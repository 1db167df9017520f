"""Topics with key concepts: people of a corpus, and documents with key phrases.

The key concepts of people are what annotators have written down, those of documents are in a zip
archive: ``docsutf8/NAME.txt`` and ``keys/NAME.key``.
"""

from __future__ import annotations

import lzma
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from weps._files import open_file
from weps._parallel import Progress, report_map
from weps._text import split_words
from weps.errors import SourceError, told_as
from weps.language.analysis import Layer
from weps.reading import PageForm, Reader
from weps.records import Clustering, Page, Search
from weps.sources.base import Source
from weps_eval.benchmark.corpus import FORM_TITLES, attributes_of, duplicate_keys, open_corpus
from weps_eval.key_terms.concepts import (
    ReadDocuments,
    Topic,
    concepts_of,
    read_topics,
)
from weps_eval.tables import file_digest

_LEFT_OUT = frozenset({"dateofbirth", "email", "fax", "phone", "website"})
"""Attributes that are numbers and addresses, no words."""
_MAX_BYTES = 4 * 1024 * 1024
"""Bytes of one file; the longest articles have some 100 kB."""
_TOGETHER = 100
"""Documents that are read at once where there are no sections."""
_SHARED = 2
"""Documents of a section that name a phrase which is key to the section."""
_UNREADABLE = (
    OSError,
    ValueError,
    RuntimeError,  # encrypted, or packed in a way that Python does not know
    EOFError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
)


@dataclass(frozen=True, slots=True, eq=False)
class ReadSource:
    """All documents of a source, read, with the topics among them."""

    title: str
    root: Path
    batches: Sequence[ReadDocuments]
    tagged: bool
    """Whether parts of speech are known."""
    digest: str
    remarks: Sequence[str]


@dataclass(frozen=True)
class KeyTermData:
    """All sources of topics."""

    sources: Sequence[ReadSource]
    pages: int | None
    """Smallest number of pages of a person; None without people."""

    @property
    def title(self) -> str:
        """Names of the sources."""
        return " and ".join(each.title for each in self.sources)

    @property
    def digest(self) -> str:
        """Digests of the sources."""
        return "|".join(each.digest for each in self.sources)


def read_corpus(  # noqa: PLR0913, PLR0917 - what is read and how
    path: Path,
    exclude: Sequence[str],
    reader: Reader,
    fewest: int,
    jobs: int,
    progress: Progress,
) -> ReadSource:
    """The pages of every name; people are topics.

    Args:
        path: of a corpus with keys.
        exclude: names to leave out.
        reader: of pages.
        fewest: smallest number of pages of a person.
        jobs: number of processes.
        progress: called after every name.

    Raises:
        SourceError: if it cannot be read, or has no text.
    """
    corpus = open_corpus(path, exclude)
    form = corpus.richest_form
    if form is PageForm.RESULTS:
        raise SourceError(
            "no name has the text of its pages",
            where=corpus.source.root,
            remedy="give a corpus with web_pages or tokens, or folders of saved pages with keys",
        )
    names = corpus.names_with(form)
    work = partial(people_of, source=corpus.source, form=form, reader=reader, fewest=fewest)
    batches = list(report_map(work, names, jobs, progress, "reading pages"))
    remarks = [
        f"{corpus.title}: people with {fewest} pages or more of {len(names)} names are "
        "topics. Every value of an attribute that annotators found on their pages is a key "
        f"concept, but for {', '.join(sorted(_LEFT_OUT))}; so is every word of a label in the key. "
        "Words of the name are not."
    ]
    if form is not PageForm.PAGES:
        remarks.append(
            f"{corpus.title}: {FORM_TITLES[form]} are available, so that nothing is known of "
            "sentences and only weightings that need no parts of speech are studied."
        )
    if left_out := sorted(set(corpus.names) - set(names)):
        remarks.append(f"Left out, because less is available: {', '.join(left_out)}.")
    duplicates = duplicate_keys(corpus.source, names)
    remarks += (f"{each[0].upper()}{each[1:]}." for each in duplicates)
    return ReadSource(
        corpus.title,
        corpus.source.root,
        batches,
        form is PageForm.PAGES,
        f"corpus:sha256-{corpus.source.digest(names)[:8]}|form:{form}",
        remarks,
    )


def people_of(
    name: str, *, source: Source, form: PageForm, reader: Reader, fewest: int
) -> ReadDocuments:
    """The pages of a name, with a topic for every person of whom enough pages are there.

    A person is a topic once for the attributes and once for the label, as far as there are any.
    Every value of an attribute on one of the person's pages is a key concept, and so is every word
    of a label. Words of the name searched for are none.
    """
    tagged = form is PageForm.PAGES
    analysis = reader.read(source.search(name), form, {Layer.TAGS} if tagged else set())
    key = source.key(name) or Clustering(())
    attributes = attributes_of(source.root, name) or {}
    row = {document.rank: row for row, document in enumerate(analysis.documents)}
    dropped, topics = analysis.name.tokens, []
    for number, (group, label) in enumerate(key.labelled_groups, start=1):
        ranks = sorted(group & row.keys())
        if len(ranks) >= fewest:
            values = (
                value
                for rank in ranks
                for attribute, written in attributes.get(rank, {}).items()
                if attribute not in _LEFT_OUT
                for value in written
            )
            of_person = f"{name.replace('_', ' ')} {number}", tuple(row[rank] for rank in ranks)
            for kind, phrases in (("labels", split_words(label)), ("attributes", values)):
                topics.append(Topic(kind, *of_person, concepts_of(phrases, dropped)))
    return read_topics(analysis, topics, tagged=tagged)


def read_archive(path: Path, reader: Reader, jobs: int, progress: Progress) -> ReadSource:
    """Documents with key phrases; each is a topic, and so is each of their sections.

    Raises:
        SourceError: if it is no such archive.
    """
    articles = _articles_of(path)
    sections = _sections_of(articles)
    work = partial(_read_section, reader=reader)
    batches = list(report_map(work, sections, jobs, progress, "reading documents"))
    remark = f"{path.stem}: {len(articles):,} documents with key phrases are topics."
    if any(section for section, _ in sections):
        remark += (
            " So are its sections, whose key concepts are those named for two documents or more; "
            "a section covers a field, not a single story, and its documents have less in common "
            "than those of the paper's topics."
        )
    return ReadSource(path.stem, path, batches, True, f"keyphrases:{file_digest(path)}", [remark])


@dataclass(frozen=True, slots=True)
class Article:
    """A document and the phrases that people have found to be key."""

    name: str
    text: str
    phrases: tuple[str, ...]


def _articles_of(path: Path) -> list[Article]:
    """The documents of an archive that have key phrases, sorted by name."""
    with (
        told_as(SourceError, "this archive cannot be read", path, "give a zip file", _UNREADABLE),
        open_file(path) as file,
        zipfile.ZipFile(file) as archive,
    ):
        files = {PurePosixPath(each.filename): each for each in archive.infolist()}
        texts = {at.stem: files[at] for at in files if at.parent.name == "docsutf8"}
        keys = {at.stem: files[at] for at in files if at.parent.name == "keys"}
        articles = []
        for name in sorted(texts.keys() & keys.keys()):
            text, phrases = _text(archive, texts[name]), _text(archive, keys[name])
            written = (" ".join(line.split()) for line in phrases.splitlines())
            articles.append(Article(name, text, tuple(filter(None, written))))
    if not articles:
        raise SourceError(
            "no document here has key phrases",
            where=path,
            remedy="give an archive with docsutf8/NAME.txt and keys/NAME.key",
        )
    return articles


def _text(archive: zipfile.ZipFile, file: zipfile.ZipInfo) -> str:
    if file.file_size > _MAX_BYTES:
        raise ValueError(f"{file.filename} has more than {_MAX_BYTES:,} bytes")
    return archive.read(file).decode("utf-8", errors="replace")


def _sections_of(articles: Sequence[Article]) -> list[tuple[str, list[Article]]]:
    """Articles that are read together: those of a section, else a hundred at a time.

    A section is called by the beginning of names, ``crime`` of ``crime-20869922``.
    """
    by_section: defaultdict[str, list[Article]] = defaultdict(list)
    for article in articles:
        section, _, number = article.name.rpartition("-")
        by_section[section if number.isdigit() else ""].append(article)
    loose = by_section.pop("", [])
    starts = range(0, len(loose), _TOGETHER)
    parts = (("", loose[start : start + _TOGETHER]) for start in starts)
    return [*sorted(by_section.items()), *parts]


def _read_section(section: tuple[str, Sequence[Article]], reader: Reader) -> ReadDocuments:
    """Read articles; each is a topic, and so is the section of which they are, if it has a name.

    Key concepts of a section are those that are named for at least two of its documents.
    """
    name, articles = section
    pages = tuple(Page(rank, text=each.text) for rank, each in enumerate(articles, start=1))
    analysis = reader.read(Search("", pages), PageForm.PAGES, {Layer.TAGS})
    topics = [
        Topic("documents", article.name, (row,), concepts_of(article.phrases))
        for row, article in enumerate(articles)
    ]
    if name:
        named = Counter(concept for topic in topics for concept in topic.concepts)
        shared = frozenset(concept for concept, times in named.items() if times >= _SHARED)
        topics.append(Topic("sections", name, tuple(range(len(articles))), shared))
    return read_topics(analysis, topics, tagged=True)
