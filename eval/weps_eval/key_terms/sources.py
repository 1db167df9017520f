"""Topics with key concepts: people of a corpus, and documents with key phrases.

The key concepts of people are what annotators have written down, those of documents are in a zip
archive: ``docsutf8/NAME.txt`` and ``keys/NAME.key``. Key phrases are compared with those that
people named: ours, TF-IDF of n-grams, and PositionRank. They are the same if their words are, in
lower case and after stemming. All baselines are written after their papers.
"""

from __future__ import annotations

import lzma
import re
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import log
from pathlib import Path, PurePosixPath
from typing import TypeAlias

import numpy as np
from scipy import sparse

from weps._files import open_file
from weps._parallel import Progress, parallel_map, report_progress
from weps._text import split_words
from weps.errors import SourceError, told_as
from weps.features.bags import is_content_word, stop_words
from weps.language.analysis import Analysis, Layer
from weps.reading import PageForm, Reader
from weps.records import Clustering, Page, Search
from weps.sources.base import Source
from weps_eval.benchmark.corpus import FORM_TITLES, attributes_of, duplicate_keys, open_corpus
from weps_eval.key_terms.concepts import (
    PHRASE_LENGTHS,
    Phrase,
    PhraseLists,
    ReadDocuments,
    Topic,
    concepts_of,
    read_topics,
)
from weps_eval.stats import Floats
from weps_eval.tables import file_digest
from weps_eval.text.phrases import key_phrases
from weps_eval.text.topic import porter_stem

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
    found = parallel_map(work, names, jobs)
    batches = list(report_progress(found, progress, "reading pages", len(names)))
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
    found = parallel_map(partial(_read_section, reader=reader), sections, jobs)
    batches = list(report_progress(found, progress, "reading documents", len(sections)))
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

    @property
    def section(self) -> str:
        """Beginning of the name, ``crime`` of ``crime-20869922``; empty without a number."""
        front, _, number = self.name.rpartition("-")
        return front if number.isdigit() else ""


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
    """Articles that are read together: those of a section, else a hundred at a time."""
    by_section: defaultdict[str, list[Article]] = defaultdict(list)
    for article in articles:
        by_section[article.section].append(article)
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
    lists = (_read_phrases(analysis, row, each.phrases) for row, each in enumerate(articles))
    return replace(read_topics(analysis, topics, tagged=True), phrases=tuple(lists))


OURS, NGRAMS, POSITION_RANK = "key_phrases", "TF-IDF, 1 to 3 words", "PositionRank"
METHODS = (OURS, NGRAMS, POSITION_RANK)

_MAX_WORDS = 3
_WINDOW = 10
"""Words within which two are neighbours."""
_DAMPING, _ITERATIONS = 0.85, 100
_NOUN_PHRASE = re.compile("a*n+")
_LETTERS = {"NOUN": "n", "PROPN": "n", "ADJ": "a"}


def _read_phrases(analysis: Analysis, row: int, named: Iterable[str]) -> PhraseLists:
    """The phrases of a document, read with its tags."""
    marks = analysis.layer(Layer.TAGS)
    begin, end = np.searchsorted(analysis.tokens.document[marks.sentence], [row, row + 1])
    ends = np.flatnonzero(np.diff(marks.sentence[begin:end])) + 1
    sentences: list[Words] = [
        [
            (marks.texts[entry].lower(), marks.kinds[entry])
            for entry in entries.tolist()
            if marks.texts[entry] != "-"
        ]
        for entries in np.split(marks.entry[begin:end], ends)
    ]
    ours = key_phrases(analysis, [row], most=2 * PHRASE_LENGTHS[-1])
    found = {
        OURS: tuple(stems(phrase) for phrase, _ in ours),
        POSITION_RANK: tuple(_position_rank(sentences)),
    }
    ngrams: Counter[Phrase] = Counter()
    for sentence in sentences:
        words = [word for word, _ in sentence]
        content = [is_content_word(word, stop_words()) for word in words]
        for start in range(len(words)):
            for end in range(start + 1, min(start + _MAX_WORDS, len(words)) + 1):
                if not words[end - 1][0].isalnum():
                    break
                if content[start] and content[end - 1]:
                    ngrams[tuple(map(porter_stem, words[start:end]))] += 1
    return PhraseLists(frozenset(map(stems, named)) - {()}, found, ngrams)


def stems(phrase: str) -> Phrase:
    """The stems of the words of a phrase."""
    return tuple(map(porter_stem, split_words(phrase)))


Words: TypeAlias = list[tuple[str, str]]
"""Words and signs of a sentence in lower case, with their tags."""


def _position_rank(sentences: Iterable[Words]) -> list[Phrase]:
    """Phrases by PositionRank, best first (Florescu and Caragea 2017, section 3).

    Stems of nouns and adjectives are ranked by a random walk over those within ten words of one
    another, which prefers stems that occur early and often: a word at position i adds 1/i. Phrases
    are adjectives and nouns of up to three words, scored by the sum of the ranks of their stems.
    """
    words = [pair for sentence in sentences for pair in (*sentence, ("", ""))]
    letters = "".join(
        _LETTERS.get(tag, ".") if is_content_word(word, stop_words()) else "."
        for word, tag in words
    )
    number: dict[str, int] = {}
    spoken = [at for at, (word, _) in enumerate(words) if any(map(str.isalnum, word))]
    place = {
        order: number.setdefault(porter_stem(words[at][0]), len(number))
        for order, at in enumerate(spoken)
        if letters[at] != "."
    }
    edges = [
        (place[one], place[other])
        for one in place
        for other in range(one + 1, one + _WINDOW)
        if other in place and place[one] != place[other]
    ]
    early = np.zeros(len(number))
    np.add.at(early, list(place.values()), [1 / (order + 1) for order in place])
    one, other = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    both = np.concatenate([one, other]), np.concatenate([other, one])
    counts = sparse.coo_array((np.ones(len(both[0])), both), shape=(len(number), len(number)))
    graph = counts.tocsr() / counts.sum(axis=0).clip(min=1)
    restart = early / (early.sum() or 1)
    rank = restart  # how often the walk visits each stem
    for _ in range(_ITERATIONS):
        rank = _DAMPING * (graph @ rank) + (1 - _DAMPING) * restart
    scores = {}
    for match in _NOUN_PHRASE.finditer(letters):
        phrase = tuple(porter_stem(word) for word, _ in words[match.start() : match.end()])
        if len(phrase) <= _MAX_WORDS:
            scores[phrase] = sum(rank[number[stem]] for stem in phrase)
    return sorted(scores, key=lambda phrase: (-scores[phrase], phrase))


def judge_phrases(documents: Sequence[PhraseLists]) -> dict[str, Floats]:
    """Method → F1 of the first 5, 10 and 15 phrases, shape (documents, 3).

    Precision is over the phrases that there are, recall over all that were named, also those that
    the document does not have. TF-IDF takes these documents for its collection.
    """
    frequency = Counter(ngram for each in documents for ngram in each.ngrams)
    scores: dict[str, list[list[float]]] = {name: [] for name in METHODS}
    for each in documents:
        weight = {
            ngram: times * log(len(documents) / frequency[ngram])
            for ngram, times in each.ngrams.items()
        }
        by_weight = sorted(weight, key=lambda ngram: (-weight[ngram], ngram))
        for name, found in {**each.found, NGRAMS: by_weight}.items():
            scores[name].append([_f1_at(found, each.named, length) for length in PHRASE_LENGTHS])
    return {name: np.array(values) for name, values in scores.items()}


def _f1_at(found: Iterable[Phrase], named: frozenset[Phrase], length: int) -> float:
    """F1 of the first so many different phrases."""
    first = list(dict.fromkeys(filter(None, found)))[:length]
    return 2 * len(named.intersection(first)) / ((len(first) + len(named)) or 1)
