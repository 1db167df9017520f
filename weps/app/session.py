"""Sessions: a result with its pages read and compared, which edits cluster again quickly."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from weps._formatting import join_items, quote_text
from weps._schema import JsonModel, validate_data
from weps.corrections import edits
from weps.corrections.model import Corrections
from weps.errors import ConflictError, CorrectionsError
from weps.model import ModelSet
from weps.people.answer import Alternatives, Answer
from weps.reading import Reader
from weps.records import Provenance
from weps.report.safe_text import clean_text
from weps.results.changes import describe_changes, find_changes, pages_by_person
from weps.results.format import Rank
from weps.results.result import Result, ResultOptions, shown_people
from weps.web.engines import SearchEngine
from weps.web.limits import DownloadOptions

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
            return edits.remove_correction(corrections, self._place(corrections))
        if self.action == "threshold":
            return edits.add_correction(corrections, "threshold", threshold=self._threshold(answer))
        shown = replace(shown_people(answer), people=self._people(answer))
        aside = {page.rank for page in answer.set_aside}
        known = [aside] if self.action == "keep" else shown.people
        if strange := {*self.pages, *([] if self.to is None else [self.to])}.difference(*known):
            raise _invalid_request(f"there is no page {min(strange)}")
        kind = "apart" if self.only else {"rename": "called"}.get(self.action, self.action)
        edited = edits.apply_edit(kind, corrections, self.pages, shown, to=self.to, name=self.name)
        goal = next((person for person in shown.people if self.to in person), ())
        if self.whole and len(goal) > 1:
            edited = edits.confirm_pages(edited, goal, [goal])
        return edited

    def _people(self, answer: Answer) -> edits.People:
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

    @property
    def clustering(self) -> ResultOptions:
        """The options of results."""
        return ResultOptions(models=self.models, reader=self.reader, settings=self.options)


def version_of(result: Result) -> str:
    """16 hex digits that differ where the people or the corrections do."""
    people = [[page.rank for page in person.pages] for person in result.people]
    lines = [str(each) for each in result.corrections.entries]
    return hashlib.sha256(repr((people, lines)).encode("utf-8", "replace")).hexdigest()[:16]


def corrected(result: Result, request: EditRequest) -> Result:
    """The result clustered again after an edit, with its consequences as notes.

    Raises:
        CorrectionsError: also if the user sees another version, see :meth:`EditRequest.apply`.
    """
    named = request.action in {"undo", "remove"}  # by their lines, which any version may have
    if request.seen not in {"", version_of(result)} and not named:
        raise changed_meanwhile("the answer has changed since this page was loaded")
    made = result.with_corrections(request.apply(result.corrections, result.answer))
    return replace(made, notes=_describe_consequences(result.answer, made.answer))


def _describe_consequences(before: Answer, now: Answer) -> tuple[str, ...]:
    labels = {person.id: person.label for person in before.people}
    changes = find_changes(pages_by_person(before), now)
    notes = describe_changes(changes, now, labels, _MAX_NOTES)
    if aside := sorted(now.clustering.discarded - before.clustering.discarded):
        pages = f"page {aside[0]} was" if len(aside) == 1 else f"pages {join_items(aside)} were"
        notes.insert(0, f"{pages} set aside")
    first, *others = notes or ["no page has moved to another person"]
    return (f"After your last correction: {first}", *others)
