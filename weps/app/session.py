"""Sessions: a result with its pages read and compared, which edits cluster again quickly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import Field

from weps._parallel import Progress
from weps._schema import JsonModel, validate_data
from weps.corrections import operations
from weps.corrections.matching import match_pages, page_identities
from weps.corrections.model import Corrections
from weps.errors import CorrectionsError, SourceError
from weps.language.spacy_pipeline import BUILTIN_PIPELINE
from weps.model import ModelSet
from weps.people.answer import Answer
from weps.pipeline import PreparedSearch, build_answer, prepare_search
from weps.provenance import Provenance, source_collection
from weps.reading import Reader
from weps.records import Search
from weps.report.view import Report
from weps.results.changes import PagesByPerson, find_changes, keep_ids, last_id, pages_by_person
from weps.results.changes_text import describe_changes
from weps.results.collecting import collect_pages
from weps.results.stored import Rank, StoredResult
from weps.results.updating import language_of_result, models_of_result
from weps.sources.base import Source

__all__ = [
    "AppSettings",
    "EditAction",
    "EditRequest",
    "Session",
    "models_and_reader",
    "pages_of_result",
    "parse_edit_request",
]

People = list[set[int]]
"""The ranks of the pages of each."""
_MAX_PAGES = 10_000
"""Largest number of pages in one request."""


class EditAction(StrEnum):
    """The kinds of edit."""

    SAME = "same"
    DIFFERENT = "different"
    MOVE = "move"
    SPLIT = "split"
    CONFIRM = "confirm"
    RENAME = "rename"
    UNDO = "undo"
    REMOVE = "remove"


class EditRequest(JsonModel, extra="ignore"):
    """An action on some pages."""

    action: Annotated[EditAction, Field(strict=False)]
    pages: Annotated[tuple[Rank, ...], Field(strict=False, max_length=_MAX_PAGES)] = ()
    """Ranks."""
    to: Rank | None = None
    """Of ``move``, the rank of a page of the person that the pages go to; of ``remove``, the
    number of the correction, from 0."""
    name: str = ""
    """Of ``rename``, the new name of the person of the page."""

    def apply(self, corrections: Corrections, answer: Answer) -> Corrections:
        """The corrections with the edit added.

        Args:
            corrections: the corrections so far.
            answer: the answer that the user sees.

        Raises:
            CorrectionsError: if it is invalid there, or contradicts earlier corrections.
        """
        people = [{page.rank for page in person.pages} for person in answer.people]
        strange = {*self.pages, *self._target_ranks()} - set().union(*people)
        if strange:
            raise _invalid_request(f"there is no page {min(strange)}")
        return _APPLY[self.action](self, corrections, people, answer)

    def _target_ranks(self) -> set[int]:
        return {self.to} if self.action is EditAction.MOVE and self.to is not None else set()


def parse_edit_request(data: object) -> EditRequest:
    """Read ``{"action": …, "pages": [ranks], "to": rank or null, "name": …}``.

    Raises:
        CorrectionsError: if it is anything else.
    """
    request = validate_data(EditRequest, data, _invalid_request)
    if not request.pages and request.action not in _ACTIONS_WITHOUT_PAGES:
        raise _invalid_request("no pages are chosen")
    return request


def _apply_move(
    request: EditRequest, corrections: Corrections, people: People, _answer: Answer
) -> Corrections:
    if request.to is None:
        raise _invalid_request("there is no person to move the pages to")
    return operations.move_pages(corrections, request.pages, request.to, people)


def _apply_confirm(
    request: EditRequest, corrections: Corrections, people: People, answer: Answer
) -> Corrections:
    pages = (page for person in answer.people for page in person.pages)
    closest = {page.rank: page.closest.rank for page in pages if page.closest}
    return operations.confirm_pages(corrections, request.pages, people, closest)


def _apply_rename(
    request: EditRequest, corrections: Corrections, _people: People, _answer: Answer
) -> Corrections:
    return operations.rename_person(corrections, request.pages[0], request.name)


def _apply_remove(
    request: EditRequest, corrections: Corrections, _people: People, _answer: Answer
) -> Corrections:
    """Remove one correction by its number, or by its line in the file."""
    lines = [str(each) for each in corrections.entries]
    if request.to is None and request.name in lines:
        return operations.remove_correction(corrections, lines.index(request.name))
    return operations.remove_correction(corrections, -1 if request.to is None else request.to)


_APPLY: dict[EditAction, Callable[[EditRequest, Corrections, People, Answer], Corrections]] = {
    EditAction.SAME: lambda edit, said, _people, _answer: operations.mark_same(said, edit.pages),
    EditAction.DIFFERENT: lambda edit, said, people, _: operations.mark_different(
        said, edit.pages, people
    ),
    EditAction.MOVE: _apply_move,
    EditAction.SPLIT: lambda edit, said, people, _: operations.split_pages(
        said, edit.pages, people
    ),
    EditAction.CONFIRM: _apply_confirm,
    EditAction.RENAME: _apply_rename,
    EditAction.UNDO: lambda _wish, said, _people, _answer: operations.undo_last(said),
    EditAction.REMOVE: _apply_remove,
}
_ACTIONS_WITHOUT_PAGES = frozenset({EditAction.UNDO, EditAction.REMOVE})


def _invalid_request(what: str) -> CorrectionsError:
    return CorrectionsError(f"this is not a correction ({what})", remedy="reload the page")


_CLUSTERING_MESSAGE = "clustering pages"
_MAX_NOTES = 8
"""Largest number of consequences of a correction that the report lists."""
_NO_CHANGE = "no page has moved to another person"


@dataclass(frozen=True, slots=True)
class AppSettings:
    """How new pages are clustered."""

    models: ModelSet
    reader: Reader
    system: str = ""
    """The value of ``--system``."""
    model: str = ""
    """The value of ``--model``."""
    language: str = ""
    """The value of ``--language``."""


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """A result, with everything needed to apply corrections."""

    search: Search
    reader: Reader
    prepared: PreparedSearch
    corrections: Corrections
    report: Report
    known_people: PagesByPerson = field(default_factory=dict)
    """Every person so far, also those who no longer exist: undoing a correction restores them."""

    @classmethod
    def create(  # noqa: PLR0913 - the pages, the settings and a callback
        cls,
        source: Source,
        threshold: float | None,
        saved: Corrections,
        settings: AppSettings,
        *,
        folder: Path,
        progress: Progress,
    ) -> Session:
        """Cluster the pages of the one name of a source.

        Args:
            source: where the pages are.
            threshold: instead of the model's own stopping decision.
            saved: the saved corrections of these pages.
            settings: how to cluster.
            folder: of the result.
            progress: called with the progress of the work.
        """
        (name,) = source.names
        search = source.search(name)
        prepared = prepare_search(search, settings.models, settings.reader, progress)
        progress(_CLUSTERING_MESSAGE, 0, 0)
        corrections, lost = match_pages(saved, page_identities(search.pages))
        provenance = Provenance(
            (source_collection(source.root, name, folder),),
            system=settings.system,
            model=settings.model,
            threshold=threshold,
            language=settings.language,
        )
        made = build_answer(prepared, threshold, corrections)
        report = Report(made, notes=(*source.warnings(name), *lost), provenance=provenance)
        return cls(search, settings.reader, prepared, corrections, report)

    @classmethod
    def reopen(
        cls, stored: StoredResult, saved: Corrections, settings: AppSettings, progress: Progress
    ) -> Session:
        """Read the pages of a result again and cluster them with its settings.

        Raises:
            WepsError: if they cannot be read, or have changed.
        """
        progress("looking for the pages", 0, 0)
        search, made_so = pages_of_result(stored), stored.provenance
        models, reader = models_and_reader(stored, settings)
        prepared = prepare_search(search, models, reader, progress)
        progress(_CLUSTERING_MESSAGE, 0, 0)
        corrections, lost = match_pages(saved, page_identities(search.pages))
        made = build_answer(prepared, made_so.threshold, corrections)
        kept = keep_ids(made, stored.people, made_so.last_id)
        report = Report(kept, notes=lost, provenance=made_so)
        return cls(search, reader, prepared, corrections, report)

    def apply_edit(self, request: EditRequest) -> Session:
        """The result clustered again after an edit; people keep their ids.

        Raises:
            CorrectionsError: if the request is invalid or contradicts earlier corrections.
        """
        before, provenance = self.report.answer, self.report.provenance
        wished = request.apply(self.corrections, before)
        corrections, _ = match_pages(wished, page_identities(self.search.pages))
        made = build_answer(self.prepared, provenance.threshold, corrections)
        known = {**self.known_people, **pages_by_person(before)}
        last = last_id(before, known, provenance.last_id)
        kept_answer = keep_ids(made, known, last)
        report = replace(
            self.report,
            answer=kept_answer,
            notes=_describe_consequences(before, kept_answer),
            provenance=replace(provenance, last_id=last),
        )
        return replace(self, corrections=corrections, report=report, known_people=known)


def _describe_consequences(before: Answer, now: Answer) -> tuple[str, ...]:
    """The changes made by a correction, in words."""
    labels = {person.id: person.label for person in before.people}
    first, *others = describe_changes(
        find_changes(pages_by_person(before), now), now, labels, _MAX_NOTES
    ) or [_NO_CHANGE]
    return (f"After your last correction: {first}", *others)


def pages_of_result(stored: StoredResult, *, as_they_were: bool = True) -> Search:
    """The pages of a result, without new ones in the same folder.

    Args:
        stored: the result.
        as_they_were: whether it is an error that some have changed or are gone.

    Raises:
        SourceError: if they cannot be read.
    """
    collections = stored.provenance.collections
    if not collections:
        raise SourceError("the result does not state where its pages are", where=stored.path)
    if as_they_were and not all(stored.fingerprints.values()):
        # A result made by others could expose any file in the folder that it names.
        raise SourceError(
            "the result has no fingerprints of its pages",
            where=stored.path,
            remedy="cluster the pages again",
        )
    collected = collect_pages(stored, collections[0].within(stored.folder), stored.folder)
    if as_they_were and (collected.gone or collected.changed):
        raise SourceError(
            "the pages have changed since this result was made: "
            f"{len(collected.gone)} are gone, {len(collected.changed)} have changed",
            where=stored.path,
            remedy="look at the report as it was saved, or cluster the pages again",
        )
    search, new = collected.search, set(collected.new)
    return replace(search, pages=tuple(page for page in search.pages if page.rank not in new))


def models_and_reader(stored: StoredResult, settings: AppSettings) -> tuple[ModelSet, Reader]:
    """The models and the reader that made the result, whatever is used for new ones.

    Raises:
        LanguageError: if that is a pipeline in a folder, which the user has not approved.
        ModelError: if the model cannot be loaded.
    """
    made = stored.provenance
    if (made.system, made.model, made.language) == (
        settings.system,
        settings.model,
        settings.language,
    ):
        return settings.models, settings.reader
    models = models_of_result(stored)
    asked = made.language if made.language == settings.language else language_of_result(stored)
    language = asked or models.language or BUILTIN_PIPELINE
    return models, replace(settings.reader, language=language)
