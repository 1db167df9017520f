"""Sessions: a result with its pages read and compared, which edits cluster again quickly."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from weps._formatting import join_items, quote_text
from weps._parallel import Progress
from weps._schema import JsonModel, validate_data
from weps.answering import questions_about, shown_people
from weps.corrections import operations
from weps.corrections.file import PageIdentities, match_pages, page_identities
from weps.corrections.model import Corrections
from weps.errors import ConflictError, CorrectionsError, SourceError
from weps.language.spacy_pipeline import BUILTIN_PIPELINE
from weps.model import ModelSet
from weps.people.answer import Alternatives, Answer, PageScore
from weps.pipeline import PreparedSearch, build_answer, prepare_search
from weps.provenance import Provenance
from weps.reading import Reader
from weps.records import Search
from weps.report.safe_text import clean_text
from weps.report.view import Report, pages_by_rank
from weps.results.changes import (
    PagesByPerson,
    describe_changes,
    find_changes,
    keep_ids,
    last_id,
    pages_by_person,
)
from weps.results.stored import Rank, StoredResult
from weps.results.updating import (
    collect_pages,
    embeddings_of_result,
    language_of_result,
    models_of_result,
)
from weps.sources.base import Source
from weps.web.engines.asking import SearchEngine
from weps.web.options import DownloadOptions

_MAX_PAGES = 10_000
"""Largest number of pages in one request."""


class EditRequest(JsonModel, extra="ignore"):
    """An action on some pages."""

    action: Literal[
        "same",
        "different",
        "move",
        "split",
        "confirm",
        "exclude",
        "unclear",
        "rename",
        "keep",
        "threshold",
        "undo",
        "remove",
    ]
    pages: Annotated[tuple[Rank, ...], Field(strict=False, max_length=_MAX_PAGES)] = ()
    """Ranks."""
    to: Rank | None = None
    """Of ``move``, the rank of a page of the person that the pages go to."""
    name: str = ""
    """Of ``rename``, the new name of the person of the page; of ``remove``, the line of the
    correction in the file; of ``undo``, the line that is taken to be the last one."""
    whole: bool = False
    """Of ``move``, whether the other pages of the person that they go to are confirmed as well."""
    only: bool = False
    """Of ``different``, whether the probabilities of other pages stay as they are."""
    merges: Annotated[int, Field(ge=0)] | None = None
    """Number of merges at the position of the slider whose people are meant; None for the people
    of the answer."""
    seen: str = ""
    """The version of the answer that the user sees; empty where any may be meant."""

    @model_validator(mode="after")
    def _check_parts(self) -> Self:
        if not self.pages and self.action not in {"threshold", "undo", "remove"}:
            raise ValueError("no pages are chosen")
        if not self.name and self.action == "remove":
            raise ValueError("no correction is chosen")
        if self.action == "move" and self.to is None:
            raise ValueError("there is no person to move the pages to")
        if self.only and self.action != "different":
            raise ValueError("“only these pages” applies to “Not the same” alone")
        return self

    def apply(self, corrections: Corrections, answer: Answer) -> Corrections:
        """The corrections so far with an edit of the answer that the user sees.

        Raises:
            CorrectionsError: if it is invalid there, or contradicts earlier corrections.
        """
        if self.action in {"undo", "remove"}:
            return operations.remove_correction(corrections, self._place(corrections))
        if self.action == "threshold":
            return operations.choose_threshold(corrections, self._threshold(answer))
        shown = replace(shown_people(answer), people=self._people(answer))
        aside = {page.rank for page in answer.set_aside}
        known = [aside] if self.action == "keep" else shown.people
        if strange := {*self.pages, *([] if self.to is None else [self.to])}.difference(*known):
            raise _invalid_request(f"there is no page {min(strange)}")
        kind = "apart" if self.only else {"rename": "called"}.get(self.action, self.action)
        edited = operations.apply_edit(
            kind, corrections, self.pages, shown, to=self.to, name=self.name
        )
        goal = next((person for person in shown.people if self.to in person), ())
        if self.whole and len(goal) > 1:
            edited = operations.confirm_pages(edited, goal, [goal])
        return edited

    def _people(self, answer: Answer) -> operations.People:
        """The ranks of the pages of each person at the position of the slider."""
        if self.merges is None:
            return answer.clustering.groups
        alternatives = self._alternatives(answer)
        people: dict[int, set[int]] = {}
        nodes = alternatives.nodes_of_rows(self.merges)
        for rank, node in zip(alternatives.ranks, nodes, strict=True):
            people.setdefault(node, set()).add(rank)
        return list(people.values())

    def _threshold(self, answer: Answer) -> float:
        """The threshold that makes the position of the slider the answer."""
        threshold = self._alternatives(answer).threshold_of(self.merges or 0)
        if threshold is None:
            what = "the merges before and after this position are equally probable"
            raise CorrectionsError(what, remedy="choose another position")
        return threshold

    def _alternatives(self, answer: Answer) -> Alternatives:
        """The other answers, one of which the user sees."""
        found, merges = answer.alternatives, self.merges
        if found is None or merges is None or not found.min_merges <= merges <= found.max_merges:
            raise _invalid_request("there is no such position of the slider")
        return found

    def _place(self, corrections: Corrections) -> int:
        """The number of the correction to be removed; -1 if there are none.

        Raises:
            CorrectionsError: if it is not the one that the user saw there.
        """
        lines = [clean_text(str(each)) for each in corrections.entries]
        line = clean_text(self.name)  # as reports have it
        if line and line not in (lines if self.action == "remove" else lines[-1:]):
            raise changed_meanwhile(f"the correction {quote_text(line)} is no longer there")
        return lines.index(line) if self.action == "remove" else len(lines) - 1


def parse_edit_request(data: object) -> EditRequest:
    """The request in JSON data; raises a CorrectionsError if there is none."""
    return validate_data(EditRequest, data, _invalid_request)


def changed_meanwhile(what: str) -> ConflictError:
    """The error of a correction to an answer that others have changed."""
    remedy = "another window or program changed the result; nothing was done: reload the page"
    return ConflictError(what, remedy=remedy)


def _invalid_request(what: str) -> CorrectionsError:
    return CorrectionsError(f"this is not a correction ({what})", remedy="reload the page")


_MAX_NOTES = 8
"""Largest number of consequences of a correction that the report lists."""


@dataclass(frozen=True, slots=True)
class AppSettings:
    """How new pages are clustered."""

    models: ModelSet
    reader: Reader
    options: Provenance = field(default_factory=Provenance)
    """With the values of ``--system``, ``--model``, ``--language`` and ``--html``."""
    engines: Mapping[str, SearchEngine] = field(default_factory=dict)
    """Search engines that are set up, by their names; the first is the default."""
    download: DownloadOptions = field(default_factory=DownloadOptions)
    """How the pages of search results are downloaded."""


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """A result, with everything needed to apply corrections."""

    search: Search
    prepared: PreparedSearch
    identities: PageIdentities
    """Of its pages, which corrections are matched to."""
    corrections: Corrections
    report: Report
    known_people: PagesByPerson = field(default_factory=dict)
    """Every person so far, also those who no longer exist: undoing a correction restores them."""

    @classmethod
    def create(
        cls,
        source: Source,
        saved: Corrections,
        settings: AppSettings,
        provenance: Provenance,
        progress: Progress,
    ) -> Self:
        """Cluster the pages of the one name of a source, with its saved corrections.

        Raises:
            WepsError: if there are none, or they cannot be read.
        """
        (name,) = source.names
        models, search = settings.models, source.search(name)
        made = cls._cluster(search, (models, settings.reader), saved, provenance, progress)
        notes = (*source.warnings(name), *made.report.notes)
        return replace(made, report=replace(made.report, notes=notes))

    @classmethod
    def reopen(
        cls, stored: StoredResult, saved: Corrections, settings: AppSettings, progress: Progress
    ) -> Self:
        """Read the pages of a result again and cluster them with its settings.

        Raises:
            WepsError: if they cannot be read, or have changed.
        """
        progress("looking for the pages", 0, 0)
        search, readers = pages_of_result(stored), models_and_reader(stored, settings)
        made = cls._cluster(search, readers, saved, stored.provenance, progress)
        answer = keep_ids(made.report.answer, stored.people, stored.provenance.last_id)
        return replace(made, report=replace(made.report, answer=answer))

    @classmethod
    def _cluster(
        cls,
        search: Search,
        readers: tuple[ModelSet, Reader],
        saved: Corrections,
        provenance: Provenance,
        progress: Progress,
    ) -> Self:
        prepared = prepare_search(search, *readers, progress)
        progress("clustering pages", 0, 0)
        identities = page_identities(search.pages)
        corrections, lost = match_pages(saved, identities)
        answer = build_answer(prepared, provenance.threshold, corrections)
        report = Report(answer, notes=lost, provenance=provenance)
        return cls(search, prepared, identities, corrections, report)

    def noting(self, notes: Sequence[str]) -> Self:
        """The same with further notes at the head of the report."""
        report = replace(self.report, notes=(*notes, *self.report.notes))
        return replace(self, report=report)

    @property
    def version(self) -> str:
        """Differs where the people or the corrections do."""
        people = [[page.rank for page in person.pages] for person in self.report.answer.people]
        lines = [str(each) for each in self.corrections.entries]
        return hashlib.sha256(repr((people, lines)).encode("utf-8", "replace")).hexdigest()[:16]

    def next_question(self, asked: Collection[tuple[int, int]]) -> tuple[PageScore, ...]:
        """Two pages about which to ask next whether they are one person; empty if there are none.

        Args:
            asked: ranks of the pairs that were asked about, ascending.
        """
        threshold = self.report.provenance.threshold
        found = questions_about(self.prepared, self.corrections, threshold, 1, asked)
        pages = pages_by_rank(self.report.answer)
        return tuple(pages[rank] for pair in found for rank in pair)

    def apply_edit(self, request: EditRequest) -> Self:
        """The result clustered again after an edit, see :meth:`EditRequest.apply`.

        Raises:
            CorrectionsError: also if the user sees another version.
        """
        named = request.action in {"undo", "remove"}  # by their lines, which any version may have
        if request.seen not in {"", self.version} and not named:
            raise changed_meanwhile("the answer has changed since this page was loaded")
        before, provenance = self.report.answer, self.report.provenance
        edited = request.apply(self.corrections, before)
        corrections, _ = match_pages(edited, self.identities)
        made = build_answer(self.prepared, provenance.threshold, corrections)
        known = {**self.known_people, **pages_by_person(before)}
        last = last_id(before, known, provenance.last_id)
        answer, noted = keep_ids(made, known, last), replace(provenance, last_id=last)
        notes = _describe_consequences(before, answer)
        report = replace(self.report, answer=answer, notes=notes, provenance=noted)
        return replace(self, corrections=corrections, report=report, known_people=known)


def _describe_consequences(before: Answer, now: Answer) -> tuple[str, ...]:
    labels = {person.id: person.label for person in before.people}
    changes = find_changes(pages_by_person(before), now)
    notes = describe_changes(changes, now, labels, _MAX_NOTES)
    if aside := sorted(now.clustering.discarded - before.clustering.discarded):
        pages = f"page {aside[0]} was" if len(aside) == 1 else f"pages {join_items(aside)} were"
        notes.insert(0, f"{pages} set aside")
    first, *others = notes or ["no page has moved to another person"]
    return (f"After your last correction: {first}", *others)


def pages_of_result(stored: StoredResult) -> Search:
    """The pages of a result, without new ones in the same folder.

    Raises:
        SourceError: if they cannot be read, or some have changed.
    """
    collections = stored.provenance.collections
    if not collections:
        raise SourceError("the result does not state where its pages are", where=stored.path)
    if not all(stored.fingerprints.values()):
        # A result made by others could expose any file in the folder that it names.
        what, remedy = "the result has no fingerprints of its pages", "cluster the pages again"
        raise SourceError(what, where=stored.path, remedy=remedy)
    collected = collect_pages(stored, collections[0].within(stored.folder), stored.folder)
    if collected.gone or collected.changed:
        counts = f"{len(collected.gone)} are gone, {len(collected.changed)} have changed"
        what = f"the pages have changed since this result was made: {counts}"
        remedy = "look at the report as it was saved, or cluster the pages again"
        raise SourceError(what, where=stored.path, remedy=remedy)
    search, new = collected.search, set(collected.new)
    return replace(search, pages=tuple(page for page in search.pages if page.rank not in new))


_choices = attrgetter("system", "model", "language", "embeddings", "html", "keep_all")


def models_and_reader(stored: StoredResult, settings: AppSettings) -> tuple[ModelSet, Reader]:
    """The models and the reader that made the result, whatever is used for new ones.

    Raises:
        LanguageError: if that is a pipeline or a sentence encoder in a folder, which the user has
            not approved.
        ModelError: if the model cannot be loaded.
    """
    made, approved = stored.provenance, settings.options
    if _choices(made) == _choices(approved):
        return settings.models, settings.reader
    known = made.embeddings == approved.embeddings
    embeddings = made.embeddings if known else embeddings_of_result(stored)
    models = models_of_result(stored, embeddings)
    asked = made.language if made.language == approved.language else language_of_result(stored)
    language = asked or models.language or BUILTIN_PIPELINE
    reader = replace(settings.reader, language=language, embeddings=embeddings, html=made.html)
    return models, reader
