"""The result of one name: its pages clustered and written, unless that was done before.

A result is finished when its JSON carries the digest of all that it depends on: the bytes of the
pages and what is known of them, the key, corrections, options, model, language pipeline, and the
code of weps. To compare digests, the pages are read but not clustered.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from weps._cache import content_digest, source_digest
from weps._parallel import Progress, no_progress
from weps.corrections.file import (
    CORRECTIONS_SUFFIX,
    match_pages,
    page_identities,
    read_corrections,
    write_corrections,
)
from weps.corrections.model import Corrections, threshold_text
from weps.errors import LanguageError, SourceError, WepsError
from weps.features.plugins import plugin_digest
from weps.language.sentence_encoder import encoder_identity
from weps.language.spacy_pipeline import pipeline_version
from weps.model import ModelChoice
from weps.people.answer import Answer
from weps.pipeline import cluster
from weps.provenance import Provenance, page_fingerprint, portable_path, source_collection
from weps.reading import Reader
from weps.records import Clustering, Search, UnreadInput
from weps.report.view import Report
from weps.report.writing import WRITERS, write_report
from weps.results.places import is_finished, result_folder
from weps.sources.base import Source

Scores = Mapping[str, float]


class Scorer(Protocol):
    """Scores answers; implemented by the evaluation layer, which this package does not import."""

    def scores(self, answer: Clustering | None, key: Clustering, ranks: Collection[int]) -> Scores:
        """Measure → value."""

    def signature(self, source: Source, names: Sequence[str]) -> str:
        """How the mean over these names is computed."""


@dataclass(frozen=True, slots=True)
class ClusterResult:
    """What is to be told of the result of a name; small, as there may be very many."""

    identifier: str
    name: str = ""
    """As it was searched for."""
    path: Path | None = None
    """``NAME.json``; None if there is no result."""
    report: Path | None = None
    """What to look at: the report, else the JSON."""
    people: int = 0
    pages: int = 0
    """Those set aside among them."""
    single: int = 0
    """People with a single page."""
    aside: int = 0
    """Pages that are set aside."""
    corrections: int = 0
    finished: bool = False
    """Whether it was there already."""
    unread: tuple[UnreadInput, ...] = ()
    scores: Scores = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    seconds: float = 0.0
    answer: Answer | None = None
    """If it is wanted."""


@dataclass(frozen=True, slots=True)
class ResultMaker:
    """Makes the results of one name after another, in any process."""

    model: ModelChoice
    reader: Reader
    folder: Path
    """Of all results."""
    scorer_for: Callable[[Source], Scorer]
    """Makes the scorer of a source, which is needed only where there is a key."""
    provenance: Provenance
    """But for the source of the pages."""
    corrections: Path | None = None
    """File, or folder of ``NAME.corrections.txt``; None for nothing."""
    beside: bool = False
    """Whether corrections are those beside the results."""
    warnings: tuple[str, ...] = ()
    """What is to be known of the pages, before what the source warns of."""
    suffixes: tuple[str, ...] = tuple(WRITERS)
    """Of the files to write."""
    divided: bool = False
    """Whether results go to parts of the folder."""
    again: bool = True
    """Whether finished results are made again."""
    skip_empty: bool = False
    """Whether a name without pages is no error."""
    with_answer: bool = False
    """Whether the answer is wanted, too."""
    progress: Progress = no_progress

    def __call__(self, source: Source) -> ClusterResult:
        """Make the result of the only name of a source; raises any exception where it cannot."""
        began = time.perf_counter()
        [identifier] = source.names
        if self.skip_empty and not source.has_pages(identifier):
            return ClusterResult(identifier)
        folder = result_folder(self.folder, identifier, divided=self.divided)
        search = source.search(identifier)
        corrections, lost = self._read_corrections(search, identifier, folder)
        collections = (source_collection(source.root, identifier, folder),)
        provenance = replace(self.provenance, collections=collections)
        applied, ignored = _without_threshold(corrections, provenance.threshold)
        remarks = (*self.warnings, *source.warnings(identifier), *lost, *ignored)
        known = _describe_key(source, identifier)
        digest = self._digest(search, folder, corrections, repr((provenance, remarks, known)))
        path = folder / f"{identifier}.json"
        files = [folder / f"{identifier}{suffix}" for suffix in self.suffixes]
        if not self.again and is_finished(path, digest) and all(map(Path.is_file, files)):
            try:
                made = self._read_finished(source, path)
            except SourceError:  # it is damaged
                pass
            else:
                kept = self._keep_corrections(corrections, identifier, search.name, folder)
                seconds = time.perf_counter() - began
                return replace(made, warnings=kept, seconds=seconds)
        answer = cluster(
            search,
            self.model.load(),
            provenance.threshold,
            self.reader,
            corrections=applied,
            progress=self.progress,
        )
        scores, errors = self._score(source, answer.clustering)
        untold = (f"no context entities were extracted: {answer.note}",) if answer.note else ()
        report = Report(
            answer,
            scores,
            self.scorer_for(source).signature(source, [identifier]) if scores else "",
            (*remarks, *untold, *errors),
            replace(provenance, digest=digest),
        )
        write_report(report, identifier, folder, suffixes=self.suffixes)
        kept = self._keep_corrections(corrections, identifier, search.name, folder)
        sizes = [len(person.pages) for person in answer.people]
        return ClusterResult(
            identifier,
            answer.name,
            path,
            next((each for each in files if each.suffix == ".html"), path),
            people=len(sizes),
            pages=sum(sizes) + len(answer.set_aside),
            single=sizes.count(1),
            aside=len(answer.set_aside),
            corrections=len(answer.corrections.entries),
            unread=answer.unread,
            scores=scores,
            warnings=(*remarks, *untold, *kept, *answer.cautions),
            errors=errors,
            seconds=time.perf_counter() - began,
            answer=answer if self.with_answer else None,
        )

    def _read_finished(self, source: Source, path: Path) -> ClusterResult:
        """What there is to tell of a result that is there; raises a SourceError if it is damaged.

        Its warnings were told when it was made.
        """
        from weps.results.stored import read_result  # noqa: PLC0415 - by pydantic, for reruns

        stored = read_result(path)
        groups = tuple(stored.people.values())
        aside = frozenset(stored.fingerprints).difference(*groups)
        scores, errors = self._score(source, Clustering(groups, aside))
        return ClusterResult(
            path.stem,
            stored.name,
            path,
            people=len(groups),
            pages=len(stored.fingerprints),
            single=sum(len(pages) == 1 for pages in groups),
            aside=len(aside),
            finished=True,
            scores=scores,
            errors=errors,
        )

    def _digest(self, search: Search, folder: Path, corrections: Corrections, others: str) -> str:
        """32 hex digits of all that the files of a result depend on."""
        pages = (
            repr((page.rank, page_fingerprint(page), page.charset, page.problem, page.fetched))
            + (portable_path(folder, Path(page.file)) if page.file else "")
            for page in sorted(search.pages, key=lambda page: page.rank)
        )
        said = map(str, corrections.entries)
        own = map(plugin_digest, self.model.plugins)
        made_by = (source_digest("weps"), self.model.digest, *own, *self.suffixes)
        made_by = (*made_by, _reading(self.reader))
        about = (search.name, repr(search.unread), others)
        return content_digest(*made_by, *about, "pages", *pages, "corrections", *said)[:32]

    def _read_corrections(
        self, search: Search, name: str, folder: Path
    ) -> tuple[Corrections, tuple[str, ...]]:
        """The corrections of the name in terms of its current pages, and warnings."""
        path = folder if self.beside else self.corrections
        if path is not None and (self.beside or path.is_dir()):
            path = path / f"{name}{CORRECTIONS_SUFFIX}"
            path = path if path.is_file() else None
        if path is None:
            return Corrections(), ()
        found, lost = match_pages(read_corrections(path), page_identities(search.pages), path)
        return found, tuple(f"{path}: {sentence}" for sentence in lost)

    def _keep_corrections(
        self, corrections: Corrections, identifier: str, name: str, folder: Path
    ) -> tuple[str, ...]:
        """Save the corrections beside the result for later runs; never overwrite a file."""
        beside = folder / f"{identifier}{CORRECTIONS_SUFFIX}"
        if not corrections:
            return ()
        if not beside.exists():
            write_corrections(corrections, beside, name)
        elif read_corrections(beside).entries != corrections.entries:
            return (f"{beside}: differs from {self.corrections or folder}; later runs use it",)
        return ()

    def _score(self, source: Source, answer: Clustering) -> tuple[Scores, tuple[str, ...]]:
        """The scores if there is a key; with a malformed key the answer has no score."""
        [name] = source.names
        try:
            key = source.key(name)
            if key is None:
                return {}, ()
            return self.scorer_for(source).scores(answer, key, source.ranks(name)), ()
        except WepsError as error:
            return {}, (error.describe(),)


def _without_threshold(
    corrections: Corrections, threshold: float | None
) -> tuple[Corrections, tuple[str, ...]]:
    """The corrections without a threshold where another one is asked for, and a warning."""
    chosen = corrections.threshold
    if threshold is None or chosen is None or chosen == threshold:
        return corrections, ()
    others = tuple(each for each in corrections.entries if each.kind != "threshold")
    warning = (
        f"--threshold {threshold_text(threshold)} is used, not the merge threshold "
        f"{threshold_text(chosen)} of the corrections, which the app and weps update keep using: "
        "remove its line, or leave out --threshold"
    )
    return replace(corrections, entries=others), (warning,)


def _describe_key(source: Source, name: str) -> object:
    """What there is to know of the key of a name."""
    try:
        key = source.key(name)
    except WepsError as error:
        return error.describe()
    return key and [*map(sorted, key.groups), sorted(key.discarded)]


def _reading(reader: Reader) -> str:
    """What reads the pages, with the digests of the pipeline and the encoder."""
    parts = [reader.html, reader.second_language]
    for identity, chosen in (
        (pipeline_version, reader.language),
        (encoder_identity, reader.embeddings),
    ):
        try:
            parts.append(identity(chosen))
        except LanguageError as error:  # it is told where it is needed
            parts.append(error.describe())
    return repr(parts)
