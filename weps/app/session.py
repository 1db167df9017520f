"""A result with its pages read and compared, so that it is clustered anew at once.

What a user wants changed, as the report in the browser sends it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from weps._parallel import Progress
from weps.corrections import operations
from weps.corrections.matching import find, marks_of
from weps.corrections.model import Corrections
from weps.errors import CorrectionsError, SourceError
from weps.language.spacy_pipeline import EMBEDDED
from weps.model import ModelSet
from weps.people.answer import Answer
from weps.pipeline import Prepared, answer, prepare
from weps.provenance import Provenance, collection
from weps.reading import Reader
from weps.records import Search
from weps.report.view import Report
from weps.results.changes import Groups, changes, groups, last_id, stable
from weps.results.changes_text import lines
from weps.results.collecting import collect
from weps.results.stored import StoredResult
from weps.results.updating import language_of, models_of
from weps.sources.base import Source

__all__ = ["Action", "Opened", "Settings", "Wish", "pages_of", "tools_for", "wish"]

People = list[set[int]]
"""The ranks of the pages of each."""
_MOST = 10_000
"""Pages in one wish."""


class Action(StrEnum):
    """What can be wished for."""

    SAME = "same"
    DIFFERENT = "different"
    MOVE = "move"
    SPLIT = "split"
    CONFIRM = "confirm"
    RENAME = "rename"
    UNDO = "undo"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Wish:
    """An action on some pages."""

    action: Action
    pages: tuple[int, ...] = ()
    """Ranks."""
    to: int | None = None
    """Of ``move``, the rank of a page of the person that the pages go to; of ``remove``, the
    number of the correction, from 0."""
    name: str = ""
    """Of ``rename``, what the person of the page is called."""

    def on(self, said: Corrections, answer: Answer) -> Corrections:
        """The corrections with what is wished for.

        Args:
            said: what was said so far.
            answer: what the user looks at.

        Raises:
            CorrectionsError: if it makes no sense there, or contradicts what was said so far.
        """
        people = [{page.rank for page in person.pages} for person in answer.people]
        strange = {*self.pages, *self._target()} - set().union(*people)
        if strange:
            raise _misread(f"there is no page {min(strange)}")
        return _APPLY[self.action](self, said, people, answer)

    def _target(self) -> set[int]:
        return {self.to} if self.action is Action.MOVE and self.to is not None else set()


def wish(data: object) -> Wish:
    """Read ``{"action": …, "pages": [ranks], "to": rank or null, "name": …}``.

    Raises:
        CorrectionsError: if it is anything else.
    """
    if not isinstance(data, dict):
        raise _misread("an object is expected")
    action, pages = data.get("action"), data.get("pages") or []
    if not isinstance(action, str) or action not in set(Action):
        raise _misread(f"{action!r:.40} is no action")
    if not isinstance(pages, list) or len(pages) > _MOST or not all(map(_is_rank, pages)):
        raise _misread("the pages are no list of ranks")
    if not pages and action not in _PAGELESS:
        raise _misread("no pages are chosen")
    to, name = data.get("to"), data.get("name") or ""
    if not (to is None or _is_rank(to)) or not isinstance(name, str):
        raise _misread("the target is no rank, or the name no text")
    return Wish(Action(action), tuple(dict.fromkeys(pages)), to, name)


def _move(wish: Wish, said: Corrections, people: People, _answer: Answer) -> Corrections:
    if wish.to is None:
        raise _misread("nobody to move the pages to")
    return operations.move(said, wish.pages, wish.to, people)


def _confirm(wish: Wish, said: Corrections, people: People, answer: Answer) -> Corrections:
    pages = (page for person in answer.people for page in person.pages)
    closest = {page.rank: page.closest.rank for page in pages if page.closest}
    return operations.confirm(said, wish.pages, people, closest)


def _rename(wish: Wish, said: Corrections, _people: People, _answer: Answer) -> Corrections:
    return operations.rename(said, wish.pages[0], wish.name)


def _remove(wish: Wish, said: Corrections, _people: People, _answer: Answer) -> Corrections:
    """Take back one by its number, or by its line in the file."""
    lines = [str(each) for each in said.said]
    if wish.to is None and wish.name in lines:
        return operations.remove(said, lines.index(wish.name))
    return operations.remove(said, -1 if wish.to is None else wish.to)


_APPLY: dict[Action, Callable[[Wish, Corrections, People, Answer], Corrections]] = {
    Action.SAME: lambda wish, said, _people, _answer: operations.same(said, wish.pages),
    Action.DIFFERENT: lambda wish, said, people, _: operations.different(said, wish.pages, people),
    Action.MOVE: _move,
    Action.SPLIT: lambda wish, said, people, _: operations.split(said, wish.pages, people),
    Action.CONFIRM: _confirm,
    Action.RENAME: _rename,
    Action.UNDO: lambda _wish, said, _people, _answer: operations.undo(said),
    Action.REMOVE: _remove,
}
_PAGELESS = frozenset({Action.UNDO, Action.REMOVE})


def _is_rank(value: object) -> bool:
    return type(value) is int and value >= 0


def _misread(what: str) -> CorrectionsError:
    return CorrectionsError(f"this is no correction ({what})", remedy="load the page anew")


_DECIDING = "finding out who is who"
_NOTED = 8
"""Consequences of a correction that are told in the report."""
_NOTHING = "all pages stay with the people they were with"


@dataclass(frozen=True, slots=True)
class Settings:
    """By what pages are clustered that come in."""

    models: ModelSet
    reader: Reader
    system: str = ""
    """As ``--system`` had it."""
    model: str = ""
    """As ``--model`` had it."""
    language: str = ""
    """As ``--language`` had it."""


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """A result, and all that a correction needs."""

    search: Search
    reader: Reader
    prepared: Prepared
    corrections: Corrections
    report: Report
    known: Groups = field(default_factory=dict)
    """Everybody there has been, also those who are no more: what is undone gives them back."""

    @classmethod
    def new(  # noqa: PLR0913 - what is clustered, how, and who listens
        cls,
        source: Source,
        threshold: float | None,
        said: Corrections,
        settings: Settings,
        *,
        folder: Path,
        progress: Progress,
    ) -> Opened:
        """Cluster the pages of the one name of a source.

        Args:
            source: where the pages are.
            threshold: instead of the model's own stopping decision.
            said: corrections that wait for these pages.
            settings: by what to cluster.
            folder: where the result is to be written.
            progress: hears how far the work has come.
        """
        (name,) = source.names
        search = source.search(name)
        prepared = prepare(search, settings.models, settings.reader, progress)
        progress(_DECIDING, 0, 0)
        corrections, lost = find(said, marks_of(search.pages))
        provenance = Provenance(
            (collection(source.root, name, folder),),
            system=settings.system,
            model=settings.model,
            threshold=threshold,
            language=settings.language,
        )
        made = answer(prepared, threshold, corrections)
        report = Report(made, notes=(*source.warnings(name), *lost), provenance=provenance)
        return cls(search, settings.reader, prepared, corrections, report)

    @classmethod
    def again(
        cls, stored: StoredResult, said: Corrections, settings: Settings, progress: Progress
    ) -> Opened:
        """Read the pages of a result again and cluster them as they were.

        Raises:
            WepsError: if they cannot be read, or are not what they were.
        """
        progress("looking for the pages", 0, 0)
        search, made_so = pages_of(stored), stored.provenance
        models, reader = tools_for(stored, settings)
        prepared = prepare(search, models, reader, progress)
        progress(_DECIDING, 0, 0)
        corrections, lost = find(said, marks_of(search.pages))
        made = answer(prepared, made_so.threshold, corrections)
        kept = stable(made, stored.people, made_so.last_id)
        report = Report(kept, notes=lost, provenance=made_so)
        return cls(search, reader, prepared, corrections, report)

    def corrected(self, wish: Wish) -> Opened:
        """The result clustered anew as a user wishes; people keep their ids.

        Raises:
            CorrectionsError: if the wish makes no sense, or contradicts what was said before.
        """
        before, provenance = self.report.answer, self.report.provenance
        wished = wish.on(self.corrections, before)
        corrections, _ = find(wished, marks_of(self.search.pages))
        made = answer(self.prepared, provenance.threshold, corrections)
        known = {**self.known, **groups(before)}
        last = last_id(before, known, provenance.last_id)
        told = stable(made, known, last)
        report = replace(
            self.report,
            answer=told,
            notes=_consequences(before, told),
            provenance=replace(provenance, last_id=last),
        )
        return replace(self, corrections=corrections, report=report, known=known)


def _consequences(before: Answer, now: Answer) -> tuple[str, ...]:
    """What a correction has changed, in words."""
    labels = {person.id: person.label for person in before.people}
    first, *others = lines(changes(groups(before), now), now, labels, _NOTED) or [_NOTHING]
    return (f"After your last correction: {first}", *others)


def pages_of(stored: StoredResult, *, as_they_were: bool = True) -> Search:
    """The pages of a result; new ones that lie beside them are left out.

    Args:
        stored: the result.
        as_they_were: whether it is an error that some have changed or are gone.

    Raises:
        SourceError: if they cannot be read.
    """
    collections = stored.provenance.collections
    if not collections:
        raise SourceError("the result does not say where its pages are", where=stored.path)
    if as_they_were and not all(stored.fingerprints.values()):
        # Made by others, it could show whatever lies in the folder that it names.
        raise SourceError(
            "the result does not say what its pages held",
            where=stored.path,
            remedy="cluster the pages anew",
        )
    collected = collect(stored, collections[0].within(stored.folder), stored.folder)
    if as_they_were and (collected.gone or collected.changed):
        raise SourceError(
            "the pages are not what they were when this result was made: "
            f"{len(collected.gone)} are gone, {len(collected.changed)} have changed",
            where=stored.path,
            remedy="look at the report as it was saved, or cluster the pages anew",
        )
    search, new = collected.search, set(collected.new)
    return replace(search, pages=tuple(page for page in search.pages if page.rank not in new))


def tools_for(stored: StoredResult, settings: Settings) -> tuple[ModelSet, Reader]:
    """By what the result was made, whatever is used for new ones.

    Raises:
        LanguageError: if that is a pipeline in a folder, which nobody has said to trust.
        ModelError: if the model cannot be had.
    """
    made = stored.provenance
    if (made.system, made.model, made.language) == (
        settings.system,
        settings.model,
        settings.language,
    ):
        return settings.models, settings.reader
    models = models_of(stored)
    asked = made.language if made.language == settings.language else language_of(stored)
    language = asked or models.language or EMBEDDED
    return models, replace(settings.reader, language=language)
