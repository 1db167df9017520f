"""``weps study key-terms``: where key concepts occur, and which weightings find them.

Topics are people of a corpus, whose key concepts annotators have written down, and documents with
key phrases in a zip archive: ``docsutf8/NAME.txt`` and ``keys/NAME.key``.
"""

from __future__ import annotations

import argparse
import lzma
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath

from weps._files import open_file
from weps._parallel import parallel_map
from weps._text import split_words
from weps.cli.console import Console
from weps.cli.options import add_json, reader_from_options
from weps.cli.pace import TimedProgress
from weps.errors import SourceError
from weps.language.analysis import Analysis, Layer
from weps.language.spacy_pipeline import pipeline_version
from weps.page_forms import PageForm
from weps.reading import Reader
from weps.records import Clustering, Page, Search
from weps.sources.base import Source
from weps_eval.benchmark.corpus import FORM_TITLES, open_corpus
from weps_eval.benchmark.labels import attributes_of
from weps_eval.benchmark.options import add_corpus_options, warn_of_duplicates
from weps_eval.report.claims import judge_claims
from weps_eval.studies.base import Result, Study, show_plainly
from weps_eval.studies.key_terms.claims import CLAIMS, sample_size
from weps_eval.studies.key_terms.findings import (
    Findings,
    GivenTopic,
    ReadDocuments,
    concepts_of,
    read_topics,
    study_topics,
)
from weps_eval.studies.key_terms.phrases import judge_phrases, read_phrases
from weps_eval.studies.key_terms.report import Collection, data, document, tables
from weps_eval.studies.options import add_number
from weps_eval.tables.columns import file_digest

_FEWEST = 2
"""Topics without which there are no intervals."""
_LEFT_OUT = frozenset({"dateofbirth", "email", "fax", "phone", "website"})
"""Attributes that are numbers and addresses, no words."""
_MAX_BYTES = 4 * 1024 * 1024
"""Of one file; the longest articles have some 100 kB."""
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


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "corpus",
        metavar="CORPUS",
        type=Path,
        nargs="?",
        help="names with pages and keys; people are topics, and their key concepts are the "
        "attributes that annotators wrote down, the labels in the key, or both",
    )
    parser.add_argument(
        "--keyphrases",
        type=Path,
        nargs="+",
        default=[],
        metavar="ZIP",
        help="archives of documents with key phrases (docsutf8/NAME.txt, keys/NAME.key); topics "
        "are the single documents, and the sections of documents called SECTION-NUMBER",
    )
    add_number(parser, "--pages", "minimum number of pages of a person (default: 3)", 3)
    add_corpus_options(parser)
    add_json(parser)
    parser.add_argument(
        "--report",
        type=Path,
        metavar="DIR",
        help="also write a document with all tables and figures",
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Documents:
    title: str
    root: Path
    batches: Sequence[ReadDocuments]
    tagged: bool
    """Whether parts of speech are known."""
    signature: str
    remarks: Sequence[str]


def _find(options: argparse.Namespace, console: Console) -> Result[Sequence[Collection]]:
    sources = list(_read_sources(options, console))
    found: list[Findings] = []
    for each in sources:
        topics = list(study_topics(each.batches, TimedProgress(console)))
        judged = judge_phrases([lists for batch in each.batches for lists in batch.phrases])
        for kind in dict.fromkeys(topic.kind for topic in topics):
            chosen = tuple(topic for topic in topics if topic.kind == kind)
            if len(chosen) >= _FEWEST:
                phrases = judged if kind == "documents" else {}
                title = f"{each.title}: {kind}"
                found.append(Findings(title, kind, chosen, options.seed, phrases))
    if not found:
        raise SourceError(
            f"no kind of key concepts has {_FEWEST} topics",
            where=" and ".join(str(each.root) for each in sources),
            remedy="give a corpus with attributes or labels and people of several pages, or "
            "--keyphrases ZIP",
        )
    language = None
    if any(each.tagged for each in sources):
        language = pipeline_version(reader_from_options(options).language)
    remarks = [remark for each in sources for remark in each.remarks]
    remarks.append(
        "A term and a word of a concept are the same if they are, in lower case and plurals undone "
        "by their ending; stop words and numbers are part of no concept. The reference collection "
        "is all other documents of the same data; where (English) stands, the one of English Web "
        "pages that comes with weps."
    )
    return Result.of(
        options,
        [(each, judge_claims(CLAIMS, each, sample_size)) for each in found],
        [],
        remarks,
        title=" and ".join(each.title for each in sources),
        digest="|".join(each.signature for each in sources),
        language=language,
        pages=options.pages if options.corpus else None,
    )


def _read_sources(options: argparse.Namespace, console: Console) -> Iterator[_Documents]:
    if options.corpus is None and not options.keyphrases:
        raise SourceError("no topics to study", remedy="give CORPUS or --keyphrases ZIP")
    if options.corpus is not None:
        yield _read_corpus(options, console)
    for path in options.keyphrases:
        yield _read_archive(path, options, console)


def _read_corpus(options: argparse.Namespace, console: Console) -> _Documents:
    """The pages of every name; people are topics."""
    corpus = open_corpus(options.corpus, options.exclude)
    form = corpus.richest_form
    if form is PageForm.RESULTS:
        raise SourceError(
            "no name has the text of its pages",
            where=corpus.source.root,
            remedy="give a corpus with web_pages or tokens, or folders of saved pages with keys",
        )
    names = corpus.names_with(form)
    warn_of_duplicates(corpus.source, names, console)
    work = partial(
        people_of,
        source=corpus.source,
        form=form,
        reader=reader_from_options(options),
        fewest=options.pages,
    )
    batches, progress = [], TimedProgress(console, options.jobs)
    for each in parallel_map(work, names, options.jobs):
        batches.append(each)
        progress("reading pages", len(batches), len(names))
    remarks = [
        f"{corpus.title}: people with {options.pages} pages or more of {len(names)} names are "
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
    digest = f"corpus:sha256-{corpus.source.digest(names)[:8]}|form:{form}"
    tagged = form is PageForm.PAGES
    return _Documents(corpus.title, corpus.source.root, batches, tagged, digest, remarks)


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
    topics = [each for each in _people(name, source, analysis) if len(each.rows) >= fewest]
    return read_topics(analysis, topics, tagged=tagged)


def _people(name: str, source: Source, analysis: Analysis) -> Iterator[GivenTopic]:
    key = source.key(name) or Clustering(())
    attributes = attributes_of(source.root, name) or {}
    row = {document.rank: row for row, document in enumerate(analysis.documents)}
    dropped = analysis.name.tokens
    for number, (group, label) in enumerate(key.labelled_groups, start=1):
        ranks = sorted(group & row.keys())
        rows = tuple(row[rank] for rank in ranks)
        title = f"{name.replace('_', ' ')} {number}"
        yield GivenTopic("labels", title, rows, concepts_of(split_words(label), dropped))
        values = (
            value
            for rank in ranks
            for attribute, written in attributes.get(rank, {}).items()
            if attribute not in _LEFT_OUT
            for value in written
        )
        yield GivenTopic("attributes", title, rows, concepts_of(values, dropped))


def _read_archive(path: Path, options: argparse.Namespace, console: Console) -> _Documents:
    """Documents with key phrases; each is a topic, and so is each of their sections."""
    articles = articles_of(path)
    sections = sections_of(articles)
    work = partial(read_section, reader=reader_from_options(options))
    batches, progress = [], TimedProgress(console, options.jobs)
    for each in parallel_map(work, sections, options.jobs):
        batches.append(each)
        progress("reading documents", len(batches), len(sections))
    remark = f"{path.stem}: {len(articles):,} documents with key phrases are topics."
    if any(section for section, _ in sections):
        remark += (
            " So are its sections, whose key concepts are those named for two documents or more; "
            "a section covers a field, not a single story, and its documents have less in common "
            "than those of the paper's topics."
        )
    digest = f"keyphrases:{file_digest(path)}"
    return _Documents(path.stem, path, batches, True, digest, [remark])


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
        with open_file(path) as file, zipfile.ZipFile(file) as archive:
            files = {PurePosixPath(each.filename): each for each in archive.infolist()}
            texts = {at.stem: files[at] for at in files if at.parent.name == "docsutf8"}
            keys = {at.stem: files[at] for at in files if at.parent.name == "keys"}
            articles = []
            for name in sorted(texts.keys() & keys.keys()):
                text, phrases = _text(archive, texts[name]), _text(archive, keys[name]).splitlines()
                written = (" ".join(line.split()) for line in phrases)
                articles.append(Article(name, text, tuple(filter(None, written))))
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


def _text(archive: zipfile.ZipFile, file: zipfile.ZipInfo) -> str:
    if file.file_size > _MAX_BYTES:
        raise ValueError(f"{file.filename} has more than {_MAX_BYTES:,} bytes")
    return archive.read(file).decode("utf-8", errors="replace")


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
    phrases = tuple(
        read_phrases(analysis, row, article.phrases) for row, article in enumerate(articles)
    )
    return replace(read_topics(analysis, topics, tagged=True), phrases=phrases)


STUDY = Study(_add_options, _find, tables, document, data, show=show_plainly)
add_arguments, run_command = STUDY.add_options, STUDY.run
