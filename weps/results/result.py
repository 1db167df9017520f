"""Results: a name's pages clustered, corrected, updated and written, for every user of weps.

Programs, commands, workers and the app make results in this way alone. Those of many names are made
one after another, in any process, by a :class:`ResultMaker`, which keeps what is finished: a result
is, when its JSON carries the digest of all that it depends on, the bytes of the pages and what is
known of them, the key, corrections, options, model, language pipeline, and the modules of weps that
decide a result. To compare digests, the pages are read but not clustered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from operator import attrgetter
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from weps import errors, records
from weps._cache import content_digest, source_digest
from weps._files import as_path
from weps._formatting import count_of, join_items
from weps._parallel import LOGGER, Progress, checked_progress, log_progress, phase_times
from weps.corrections.edits import ShownPeople, apply_edit, choose_questions
from weps.corrections.model import (
    CORRECTIONS_SUFFIX,
    Corrections,
    PageIdentity,
    match_pages,
    page_identities,
    read_corrections,
    threshold_text,
    write_corrections,
)
from weps.errors import FeatureError, LanguageError, OutputError, SourceError, WepsError
from weps.features.registry import plugin_digest
from weps.language.sentence_encoder import INSTALLED_ENCODER, NO_ENCODER, encoder_identity
from weps.language.spacy_pipeline import BUILTIN_PIPELINE, pipeline_version
from weps.model import Model, ModelChoice, ModelSet
from weps.people.answer import Answer, Person, SetAsidePage
from weps.people.pages import is_telling
from weps.pipeline import PreparedSearch, build_answer, explain_pages, part_identity, prepare_search
from weps.reading import Reader
from weps.records import Clustering, Page, Provenance, Search, UnreadInput
from weps.report.html import as_notebook_html
from weps.report.view import PairExplanation, Report, explain_pair
from weps.results.changes import (
    PagesByPerson,
    Update,
    describe_learning,
    keep_ids,
    last_id,
    pages_by_person,
)
from weps.results.files import WRITERS, as_table, with_portable_paths, write_report
from weps.results.stored import (
    StoredResult,
    collect_pages,
    is_finished,
    pages_of_result,
    read_result,
    result_file,
    result_folder,
)
from weps.sources.base import Source, as_identifier
from weps.sources.opening import read_pages

DECIDING = tuple(
    f"weps.{name}"
    for name in (
        "_expressions _formatting _text clustering coreference corrections features html key_terms "
        "language model name people pipeline reading records report similarity sources.corpora "
        "results.files results.stored results.result"
    ).split()
)
"""Modules and packages that decide what is in the files of a result, but exports, given pages."""
Scores = Mapping[str, float]
_PACKAGE_PATTERN = r"([a-z]{2,8}_\w{1,80})?"
"""The name of a language pipeline, not a folder, because loading one runs its code."""
_MAX_NOTES = 3
"""Largest number of changes by new pages that the report lists."""
_choices = attrgetter("system", "model", "language", "embeddings", "keep_all")


@dataclass(frozen=True, slots=True)
class ResultOptions:
    """Options of clustering names; small enough for other processes, unless models are loaded."""

    choice: ModelChoice = field(default_factory=ModelChoice)
    models: ModelSet | Model | Path | str | None = None
    """Models that are used instead of the choice, see :meth:`weps.model.ModelSet.of`."""
    reader: Reader | None = None
    """Reader of pages; None for the language pipeline of the model, and no cache."""
    settings: Provenance = field(default_factory=Provenance)
    """The settings that a result states, with the threshold and the sources of its pages."""

    def load_models(self) -> ModelSet:
        """The models; raises a ModelError if they cannot be loaded."""
        return ModelSet.of(self.models) if self.models else self.choice.load()

    @classmethod
    def of_result(cls, stored: StoredResult, usual: ResultOptions, **given: Any) -> ResultOptions:
        """The options that made a result.

        Args:
            stored: the result.
            usual: with the cache, and the pipelines in folders that the user has approved.
            given: settings that take precedence over those of the result.

        Raises:
            LanguageError: if a language pipeline or a sentence encoder is in a folder, from which
                nothing is run or read without the user's consent.
            ModelError: if the model cannot be loaded.
        """
        made, approved = replace(stored.provenance, **given), usual.settings
        if usual.models and _choices(made) == _choices(approved):
            return replace(usual, settings=made)
        if made.embeddings not in {INSTALLED_ENCODER, NO_ENCODER, approved.embeddings}:
            raise LanguageError(
                f"the result was made with the sentence encoder in {made.embeddings}",
                where=stored.path,
                remedy="if you trust it, give it again with --embeddings",
            )
        if made.language != approved.language and not re.fullmatch(
            _PACKAGE_PATTERN, made.language, re.ASCII
        ):
            raise LanguageError(
                f"the result was made with the language pipeline in {made.language}",
                where=stored.path,
                remedy="if you trust it, give it again with --language",
            )
        path = stored.folder / made.model if made.model else None
        choice = ModelChoice(path, made.system, made.embeddings, made.keep_all)
        with errors.told_as(errors.ModelError, "unknown system", stored.path, kinds=FeatureError):
            models = choice.load()
        reader = replace(
            usual.reader or Reader(),
            language=made.language or models.language or BUILTIN_PIPELINE,
            embeddings=made.embeddings,
        )
        return cls(choice, models, reader, made)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Result(Report):
    """The people among the pages found for a name, with all that corrections need.

    It can be converted to a table of pages (``to_pandas``, ``to_arrow``, or by Arrow's PyCapsule
    interface, as ``polars.DataFrame`` does), explains any two pages, and can be corrected and
    written.
    """

    search: Search = field(kw_only=True)
    """The pages as they were given."""
    prepared: PreparedSearch = field(kw_only=True)
    """The pages, read and compared."""
    known_people: PagesByPerson = field(default_factory=dict, kw_only=True)
    """Every person so far, also those who no longer exist: undoing a correction restores them."""

    @classmethod
    def of(  # noqa: PLR0913 - everything that a result depends on
        cls,
        search: Search,
        options: ResultOptions,
        corrections: Corrections | None = None,
        *,
        notes: Sequence[str] = (),
        before: StoredResult | None = None,
        progress: Progress = log_progress,
    ) -> Result:
        """Cluster the pages of a search by person, with explanations.

        Args:
            search: the name and its pages.
            options: how to read and cluster them, with the collections of the pages.
            corrections: by users. A threshold among them takes precedence.
            notes: remarks on the pages, for the report.
            before: an earlier result of the name, whose people keep their ids.
            progress: called with the progress of the work.

        Raises:
            WepsError: if the pages cannot be read as the model requires, the corrections contradict
                one another, or the threshold is not a probability.
        """
        prepared = prepare_search(search, options.load_models(), options.reader, progress)
        progress("clustering pages", 0, 0)
        answer = build_answer(prepared, options.settings.threshold, corrections)
        if before:
            answer = keep_ids(answer, before.people, before.provenance.last_id)
        return cls(
            answer,
            notes=tuple(notes),
            provenance=options.settings,
            search=search,
            prepared=prepared,
        )

    @classmethod
    def open(
        cls, stored: StoredResult, options: ResultOptions, progress: Progress = log_progress
    ) -> Result:
        """Make a result again from its pages, with the corrections beside it.

        Args:
            stored: the result.
            options: those that made it, see :meth:`ResultOptions.of_result`.
            progress: called with the progress of the work.

        Raises:
            WepsError: if the pages cannot be read, or have changed.
        """
        progress("looking for the pages", 0, 0)
        search = pages_of_result(stored)
        corrections, lost = corrections_of(stored.corrections_file, search.pages)
        corrections = corrections.learning(wanted=stored.learnt)
        return cls.of(search, options, corrections, notes=lost, before=stored, progress=progress)

    @classmethod
    def update(  # noqa: PLR0913 - everything that an update depends on
        cls,
        stored: StoredResult,
        added: Path,
        options: ResultOptions,
        *,
        folder: Path | None = None,
        notes: Sequence[str] = (),
        progress: Progress = log_progress,
    ) -> tuple[Result, Update]:
        """Cluster the pages of a result together with new ones; people keep their ids.

        Nothing is written. The corrections beside the result are obeyed.

        Args:
            stored: the result.
            added: a source of new pages; it may be a source of the result.
            options: those that made it, see :meth:`ResultOptions.of_result`.
            folder: where the new result is to be; None for that of the earlier one.
            notes: remarks on the new pages.
            progress: called with the progress of the work.

        Returns:
            The new result, and what has changed.

        Raises:
            WepsError: if pages cannot be read, or the corrections are faulty.
        """
        collected = collect_pages(stored, added, folder or stored.folder)
        corrections, lost = corrections_of(stored.corrections_file, collected.search.pages)
        corrections = corrections.learning(wanted=stored.learnt)
        fates = {
            "removed from the result, because they are missing": collected.gone,
            "have changed and were read again": collected.changed,
        }
        warnings = [
            *notes,
            *collected.notes,
            *(f"earlier pages {fate}: {join_items(of)}" for fate, of in fates.items() if of),
            *lost,
        ]
        if options.load_models().digest not in stored.model:
            warnings.append(
                f"the model differs from that of the result ({stored.model}): it changes answers, "
                "too"
            )
        result = cls.of(collected.search, options, corrections, before=stored, progress=progress)
        changes = Update.of(stored, collected, result.answer, warnings)
        pages = count_of(len(collected.new), "new page")
        updated = replace(
            result,
            notes=(
                f"Updated with {pages}: {changes.summary}",
                *changes.describe_changes(_MAX_NOTES),
                *warnings,
            ),
            provenance=replace(
                stored.provenance,
                collections=collected.collections,
                last_id=last_id(result.answer, stored.people, stored.provenance.last_id),
            ),
        )
        return updated, changes

    def __repr__(self) -> str:
        return repr(self.answer).replace("Answer", type(self).__name__, 1)

    @property
    def name(self) -> str:
        """The name that was searched for."""
        return self.answer.name

    @property
    def people(self) -> tuple[Person, ...]:
        """The people, most pages first, but those all of whose pages are unsure last."""
        return self.answer.people

    @property
    def set_aside(self) -> tuple[SetAsidePage, ...]:
        """The pages that are of none of the people, in order of rank."""
        return self.answer.set_aside

    @property
    def clustering(self) -> Clustering:
        """The answer as sets of ranks; pages that are set aside are discarded."""
        return self.answer.clustering

    @property
    def corrections(self) -> Corrections:
        """The corrections that were applied."""
        return self.answer.corrections

    @property
    def labels(self) -> NDArray[np.int64]:
        """Shape (pages,): for each page, as given, the place of its person, -1 if set aside."""
        place = {
            page.rank: number for number, person in enumerate(self.people) for page in person.pages
        }
        return np.array([place.get(page.rank, -1) for page in self.search.pages], dtype=np.int64)

    def explain(self, first: int, second: int) -> PairExplanation:
        """Why two pages are, or are not, one person.

        Args:
            first: rank of a page.
            second: rank of another.

        Raises:
            ValuesError: if a page belongs to no person, or the two were not compared.
        """
        known = self.answer.pairs
        pair = known.get((first, second)) or known.get((second, first))
        pair = pair or explain_pages(self.prepared, first, second, self.corrections)
        return explain_pair(pair, self.answer)

    def questions(
        self, most: int = 5, asked: Collection[tuple[int, int]] = ()
    ) -> tuple[tuple[int, int], ...]:
        """The pairs of pages about which to ask next whether they are one person, by their ranks.

        Both say something around the name; those expected to improve the answer most come first,
        see :mod:`weps.corrections.edits`. Pass replies to :meth:`correct`: ``join``, ``different``.

        Args:
            most: largest number of pairs.
            asked: pairs of ranks, ascending, that are left out.
        """
        prepared, name = self.prepared, self.prepared.analysis.name
        cut = prepared.cut(self.corrections, self.provenance.threshold)
        shown = [prepared.shown[row] for row in prepared.clustered_rows(self.corrections)]
        telling = {row for row, page in enumerate(shown) if is_telling(page.excerpt, name)}
        rows = {page.rank: row for row, page in enumerate(shown)}
        before = [(rows[one], rows[two]) for one, two in asked if {one, two} <= rows.keys()]
        found = choose_questions(cut.shown, cut.kept, most, telling, before)
        return tuple((shown[one].rank, shown[other].rank) for one, other in found)

    def correct(
        self, kind: str, pages: int | Collection[int] = (), *, to: int | None = None, name: str = ""
    ) -> Result:
        """A new result with one more correction. People keep their ids.

        Args:
            kind: ``same``: the pages are one person. ``join``: the people of the pages are.
                ``different``: two pages, or pages of two people, are not. ``apart``: the same,
                which teaches nothing. ``move``: the pages belong to the person of page ``to``.
                ``split``: they are another person than the rest of theirs. ``confirm``: they are
                placed correctly. ``note``, ``tag``, ``checked``, ``person-note`` and so on: marks.
                ``exclude``: they are about nobody of the name. ``unclear``: they do not say whom
                they are about. ``keep``: they are not to be set aside. ``called``: their person has
                this ``name``. ``learn``: other pages follow what the corrections teach about them.
            pages: ranks, none for ``learn``.
            to: rank of a page, for ``move``.
            name: of a person, for ``called``; the text of a note or tag.

        Raises:
            CorrectionsError: if there is no such page, or it contradicts an earlier correction.
        """
        ranks = (pages,) if isinstance(pages, int) else tuple(pages)
        return self.with_corrections(
            apply_edit(kind, self.corrections, ranks, shown_people(self.answer), to=to, name=name)
        )

    def learning_effect(self) -> tuple[str, ...]:
        """What ``learn`` would change, see :func:`weps.results.changes.describe_learning`."""
        if (learning := self.corrections.learning()) is self.corrections:
            return ()
        people = self.prepared.people(learning, self.provenance.threshold)
        return describe_learning(self.answer, people)

    def with_corrections(self, corrections: Corrections) -> Result:
        """A new result with these corrections in place of those so far. People keep their ids.

        Raises:
            CorrectionsError: if they contradict one another.
        """
        fingerprints = [each.fingerprint for each in self.prepared.shown]
        matched, _ = match_pages(corrections, page_identities(self.prepared.pages, fingerprints))
        if matched.obeyed.entries == self.corrections.obeyed.entries:  # marks change no answer
            return replace(self, answer=replace(self.answer, corrections=matched))
        answer = build_answer(self.prepared, self.provenance.threshold, matched)
        people, last = pages_by_person(self.answer), self.provenance.last_id
        if not self.known_people:  # later ones are forgotten once they are undone
            last = last_id(self.answer, {}, last)
        people = {**self.known_people, **people}
        return replace(
            self,
            answer=keep_ids(answer, people, last),
            provenance=replace(self.provenance, last_id=last),
            known_people=people,
        )

    def save(self, folder: Path | str) -> tuple[Path, ...]:
        """Write the files that ``weps cluster`` writes, for this name, and its corrections.

        ``weps update`` and the app can continue with results of folders by the pretrained model.

        Args:
            folder: where to; made if it is missing.

        Returns:
            ``NAME.csv``, ``NAME.clust.xml``, ``NAME.html`` and ``NAME.json``.

        Raises:
            OutputError: if they cannot be written.
        """
        is_address, folder = "://" in str(folder), as_path(folder, "a folder")
        if is_address or (folder.suffix in {*WRITERS, ".xml"} and not folder.is_dir()):
            given = "an address" if is_address else "the name of a file"
            raise OutputError(f"expected a folder of this machine, got {given}", where=folder)
        collections = self.provenance.collections
        identifier = collections[0].name if collections else as_identifier(self.name)
        return write_report(self, identifier, folder, corrections=bool(self.corrections))

    def to_arrow(self, table: str = "pages") -> Any:
        """A ``pyarrow.Table``, with the columns of ``NAME.csv`` or ``NAME.facts.csv``.

        Args:
            table: ``pages``, for one row per page, or ``facts``, for one row per fact of a person
                (docs/output.md).

        Raises:
            OutputError, ValuesError: if the library, or such a table, is not there.
        """
        return as_table(result_file(self), table)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table for what reads Arrow's PyCapsule interface, such as ``polars.DataFrame``."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def to_pandas(self, table: str = "pages") -> Any:
        """A ``pandas.DataFrame``, see :meth:`to_arrow`; missing numbers are ``NA``."""
        return as_table(result_file(self), table, "pandas")

    def to_networkx(self) -> Any:
        """A ``networkx.Graph`` of people, pages and facts, as ``weps export --write graphml``."""
        from weps.results.exports import as_network  # noqa: PLC0415 - seldom asked for

        return as_network(result_file(self))

    def linkage(self) -> NDArray[np.float64]:
        """Shape (n - 1, 4): how pages were merged, for ``scipy.cluster.hierarchy.dendrogram``.

        Leaves are the n pages of people in order of rank; a distance is one minus a probability.
        """
        return self.prepared.cut(self.corrections, self.provenance.threshold).shown.linkage_matrix()

    def _repr_html_(self) -> str:
        return as_notebook_html(self.answer)


def shown_people(answer: Answer) -> ShownPeople:
    """The people of an answer, for corrections of it."""
    pages = [page for person in answer.people for page in person.pages]
    return ShownPeople(
        answer.clustering.groups,
        {page.rank: page.score for page in pages},
        {page.rank: page.closest.rank for page in pages if page.closest},
        answer.clustering.discarded,
    )


def corrections_of(
    file: Path, pages: Sequence[Page], shown: Mapping[int, str] | None = None
) -> tuple[Corrections, tuple[str, ...]]:
    """The corrections in a file in terms of the current pages, and warnings of missing ones.

    There are none if there is no such file.

    Args:
        file: of corrections.
        pages: as they are now.
        shown: rank → fingerprint of the pages of the result before, whose ranks the file means
            where it does not identify the page.

    Raises:
        CorrectionsError: if they are faulty.
    """
    if not file.exists():
        return Corrections(), ()
    corrections = read_corrections(file)
    meant = {rank: PageIdentity(mark) for rank, mark in (shown or {}).items() if mark}
    identified = replace(corrections, pages=meant | {**corrections.pages})
    return match_pages(identified, page_identities(pages), file)


class Scorer(Protocol):
    """Scores answers; implemented by the evaluation layer, which this package does not import."""

    def scores(self, answer: Clustering | None, key: Clustering, ranks: Collection[int]) -> Scores:
        """Measure → value."""

    def signature(self, source: Source, names: Sequence[str]) -> str:
        """How the mean over these names is computed."""


@dataclass(frozen=True, slots=True)
class ClusterResult:
    """Summary of one name's result; small, as there may be very many."""

    identifier: str
    name: str = ""
    """The name that was searched for."""
    path: Path | None = None
    """``NAME.json``; None if there is no result."""
    sizes: tuple[int, ...] = ()
    """Number of pages of each person."""
    aside: int = 0
    """Number of pages that are set aside."""
    corrections: int = 0
    effect: str = ""
    """What learning from the corrections would change."""
    finished: bool = False
    """Whether it was there already."""
    unread: tuple[UnreadInput, ...] = ()
    scores: Scores = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    phases: Mapping[str, float] = field(default_factory=dict)
    """Phase of the work → seconds."""
    report: Report | None = None
    """The result itself, if it is wanted and was not there already."""


@dataclass(frozen=True, slots=True)
class ResultMaker:
    """Makes the results of one name after another, in any process."""

    options: ResultOptions
    """Options of clustering, but for the collections of the pages; models are not loaded."""
    folder: Path
    """Folder of all results."""
    scorer_for: Callable[[Source], Scorer] | None
    """Makes the scorer of a source, which is needed only where there is a key."""
    corrections: Path | None = None
    """File, or folder of ``NAME.corrections.txt``; None for those beside the results."""
    corrected: bool = True
    """Whether corrections are obeyed."""
    learn: bool = False
    """Whether other pages follow what corrections teach about them."""
    warnings: tuple[str, ...] = ()
    """Remarks on the pages, which come before those of the source."""
    suffixes: tuple[str, ...] = tuple(WRITERS)
    """Suffixes of the files to write."""
    also: tuple[str, ...] = ()
    """Other spellings of the name."""
    divided: bool = False
    """Whether results go to parts of the folder."""
    again: bool = True
    """Whether finished results are made again."""
    skip_empty: bool = False
    """Whether a name without pages is no error."""
    with_report: bool = False
    """Whether the result itself is wanted, too."""
    progress: Progress = log_progress

    def __call__(self, source: Source) -> ClusterResult:
        """Make the result of the only name of a source; raises any exception where it cannot."""
        note, spent = phase_times(self.progress, "opening pages")
        [identifier] = source.names
        if self.skip_empty and not source.has_pages(identifier):
            return ClusterResult(identifier)
        folder = result_folder(self.folder, identifier, divided=self.divided)
        search = replace(source.search(identifier), also=self.also)
        beside = folder / f"{identifier}{CORRECTIONS_SUFFIX}"
        corrections, lost = Corrections(), list[str]()
        given = self.corrections or beside
        given = given / beside.name if given.is_dir() else given
        if self.corrected:
            shown: Mapping[int, str] = {}
            if given == beside and given.exists():
                with suppress(SourceError):  # there is none yet
                    shown = read_result(folder / f"{identifier}.json").fingerprints
            corrections, missing = corrections_of(given, search.pages, shown)
            if given == beside and corrections and read_corrections(beside) != corrections:
                # At once: what a user adds to the file during the work stays.
                write_corrections(corrections, beside, search.name)
            lost = [f"{given}: {sentence}" for sentence in missing]
        settings = replace(
            self.options.settings,
            collections=(records.source_collection(source.root, identifier, folder),),
        )
        learning = corrections.learning(wanted=self.learn)
        applied, ignored = _without_threshold(learning, settings.threshold)
        remarks = (*self.warnings, *source.warnings(identifier), *lost, *ignored)
        key, faults = None, tuple[str, ...]()
        try:
            key = source.key(identifier)
        except WepsError as error:
            faults = (error.describe(),)
        known = faults or (key and [*map(sorted, key.groups), sorted(key.discarded)])
        digest = self._digest(search, folder, applied, repr((settings, remarks, known)))
        result = self._finished(folder, identifier, digest) or Result.of(
            search,
            replace(self.options, settings=replace(settings, digest=digest)),
            applied,
            notes=remarks,
            progress=note,
        )
        note("writing", 0, 0)
        outcome = self._told(source, result, folder, key, faults)
        kept: tuple[str, ...] = ()
        if corrections and not beside.exists():  # for later runs
            write_corrections(corrections, beside, result.name)
        elif corrections and read_corrections(beside).entries != corrections.entries:
            kept = (f"{beside}: differs from {self.corrections or folder}; later runs use it",)
        cautions = result.answer.cautions if isinstance(result, Result) else ()
        return replace(outcome, warnings=(*outcome.warnings, *kept, *cautions), phases=spent())

    def _finished(self, folder: Path, identifier: str, digest: str) -> StoredResult | None:
        """The result that is there; None if it is damaged, or to be made again."""
        path = folder / f"{identifier}.json"
        files = (folder / f"{identifier}{suffix}" for suffix in self.suffixes)
        if not self.again and is_finished(path, digest) and all(map(Path.is_file, files)):
            with suppress(SourceError):
                return read_result(path)
        return None

    def _told(
        self,
        source: Source,
        result: Result | StoredResult,
        folder: Path,
        key: Clustering | None,
        errors: tuple[str, ...],
    ) -> ClusterResult:
        """Score a result, if there is a key, and write it unless it is there already."""
        [identifier] = source.names
        scored: tuple[Scores, str] = {}, ""
        if key is not None and self.scorer_for is not None:
            try:
                scorer = self.scorer_for(source)
                scored = (
                    scorer.scores(result.clustering, key, source.ranks(identifier)),
                    scorer.signature(source, [identifier]),
                )
            except WepsError as error:
                errors = (error.describe(),)
        outcome = ClusterResult(
            identifier,
            result.name,
            folder / f"{identifier}.json",
            tuple(map(len, result.clustering.groups)),
            aside=len(result.clustering.discarded),
            finished=isinstance(result, StoredResult),
            scores=scored[0],
            errors=errors,
        )
        if isinstance(result, StoredResult):  # its warnings were told when it was made
            return outcome
        answer = result.answer
        untold = (f"no context entities were extracted: {answer.note}",) if answer.note else ()
        warnings = (*result.notes, *untold)
        report = Report(answer, *scored, (*warnings, *errors), result.provenance)
        report = with_portable_paths(report, folder)
        exports = dict[Path, bytes]()
        if set(self.suffixes).difference(WRITERS):
            from weps.results.exports import export_files  # noqa: PLC0415 - seldom asked for

            exports = export_files(result_file(report), folder, identifier, self.suffixes)
        write_report(report, identifier, folder, self.suffixes, exports=exports)
        return replace(
            outcome,
            corrections=len(answer.corrections.obeyed),
            effect="".join(result.learning_effect()[:1]),
            unread=answer.unread,
            warnings=warnings,
            report=report if self.with_report else None,
        )

    def _digest(self, search: Search, folder: Path, corrections: Corrections, about: str) -> str:
        """32 hex digits of all that the files of a result depend on."""
        pages = (
            repr(
                (
                    page.rank,
                    records.page_fingerprint(page),
                    page.charset,
                    page.problem,
                    page.fetched,
                )
            )
            + (records.portable_path(folder, Path(page.file)) if page.file else "")
            for page in sorted(search.pages, key=lambda page: page.rank)
        )
        reader = self.options.reader or Reader()
        exports = ("weps.results.exports",) if set(self.suffixes).difference(WRITERS) else ()
        return content_digest(
            source_digest(*DECIDING, *exports),
            self.options.choice.digest,
            *map(plugin_digest, self.options.choice.plugins),
            *self.suffixes,
            reader.second_language,
            part_identity(pipeline_version, reader.language),
            part_identity(encoder_identity, reader.embeddings),
            repr((search.name, search.also, search.unread)),
            about,
            "pages",
            *pages,
            "corrections",
            *map(str, corrections.entries),
        )[:32]


def _without_threshold(
    corrections: Corrections, threshold: float | None
) -> tuple[Corrections, tuple[str, ...]]:
    """The corrections without a threshold where another one is asked for, and a warning."""
    chosen = corrections.threshold
    if threshold is None or chosen is None or chosen == threshold:
        return corrections, ()
    others = tuple(each for each in corrections.entries if each.kind != "threshold")
    return replace(corrections, entries=others), (
        f"--threshold {threshold_text(threshold)} is used, not the merge threshold "
        f"{threshold_text(chosen)} of the corrections, which the app and weps update keep using: "
        "remove its line, or leave out --threshold",
    )


def cluster(  # noqa: PLR0913 - everything that an answer depends on
    pages: Any,
    models: ModelSet | Model | Path | str | None = None,
    threshold: float | None = None,
    reader: Reader | None = None,
    *,
    name: str = "",
    also: str | Sequence[str] = (),
    corrections: Corrections | None = None,
    learn: bool = False,
    progress: Progress | None = None,
) -> Result:
    """Find out which pages are about the same person, and why.

    Args:
        pages: a folder, a search, dictionaries, a data frame, see
            :func:`weps.sources.opening.read_pages`.
        models: a system such as ``"paper"``, a file of models, or models; None for the default.
        threshold: lowest probability at which clusters merge, from 0 to 1; None for the model's
            own stopping decision.
        reader: how to read the pages; None uses the language pipeline of the model, and no cache.
        name: the person's name, where the pages do not state it.
        also: other spellings of the name, and other names of the person.
        corrections: by users; they change what they name. A threshold among them takes precedence.
        learn: whether other pages follow what the corrections teach about them.
        progress: called with what is done, how much of it, and of how much, such as ``"reading
            pages", 2, 30``.

    Raises:
        WepsError: if the pages cannot be read or have no name, the corrections contradict one
            another, or the threshold is not a probability.

    Example:
        >>> weps.cluster("resources/demo")
        <Result 'Robin Averdale': 10 people, 30 pages>
    """
    if corrections is not None:
        expected = "Corrections, as read_corrections(path) gives them"
        errors.require_type(corrections, Corrections, expected)
    search, source = read_pages(pages, name)
    further = (also,) if isinstance(also, str) or not isinstance(also, Iterable) else also
    search = replace(search, also=(*search.also, *further))
    settings = Provenance(threshold=threshold)
    if source and models is None and reader is None:  # later commands can do the same
        collection = records.Collection(str(source.root.absolute()), source.names[0])
        settings = replace(settings, collections=(collection,))
    result = Result.of(
        search,
        ResultOptions(models=models, reader=reader, settings=settings),
        (corrections or Corrections()).learning(wanted=learn),
        notes=source.warnings(source.names[0]) if source else (),
        progress=checked_progress(progress),
    )
    for caution in (*result.notes, *result.answer.cautions, *result.answer.unread):
        LOGGER.warning("%s: %s", result.name, caution)
    return result


def update(
    stored: StoredResult | Path | str,
    pages: Path | str,
    models: ModelSet | Model | Path | str | None = None,
    reader: Reader | None = None,
    progress: Progress | None = None,
) -> tuple[Result, Update]:
    """Cluster old and new pages together: the new result, and what has changed, not written.

    Args:
        stored: the earlier result as it was saved, or its ``NAME.json``.
        pages: a folder of new pages; it may be that of the earlier ones.
        models: as of :func:`cluster`; None for those of the earlier result.
        reader: how to read the pages; None for the settings of the earlier result, and no cache.
        progress: as of :func:`cluster`.

    Raises:
        WepsError: if pages, result or corrections cannot be read.

    Example:
        >>> weps.update(saved, "resources/demo")[0]
        <Result 'Robin Averdale': 10 people, 30 pages>
    """
    stored = stored if isinstance(stored, StoredResult) else read_result(stored)
    options = ResultOptions.of_result(stored, ResultOptions(reader=reader))
    options = replace(options, models=models or options.models, reader=reader or options.reader)
    return Result.update(stored, Path(pages), options, progress=checked_progress(progress))
