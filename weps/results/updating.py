"""A result before and after new pages."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from weps._formatting import count_of, join_items
from weps._parallel import Progress, no_progress
from weps.corrections.file import CORRECTIONS_SUFFIX, match_pages, page_identities, read_corrections
from weps.corrections.model import Corrections
from weps.errors import LanguageError
from weps.model import DEFAULT_SYSTEM, ModelSet, load, pretrained
from weps.people.answer import Answer
from weps.pipeline import cluster
from weps.reading import Reader
from weps.report.view import Report
from weps.results.changes import (
    Change,
    change_data,
    describe_changes,
    find_changes,
    keep_ids,
    last_id,
    pages_by_person,
    summarise_changes,
)
from weps.results.collecting import CollectedPages
from weps.results.stored import StoredResult

__all__ = ["ResultUpdate", "language_of_result", "models_of_result", "update"]

_MAX_NOTES = 3
"""Largest number of changes that the report lists."""
_PACKAGE_PATTERN = r"([a-z]{2,8}_\w{1,80})?"
"""The name of a language pipeline, not a folder, because loading one runs its code."""


@dataclass(frozen=True, slots=True)
class ResultUpdate:
    """The earlier result, the new one, and the changes between them."""

    stored: StoredResult
    collected: CollectedPages
    answer: Answer
    """With the earlier ids of people."""
    changes: tuple[Change, ...]
    corrections: Corrections
    """The corrections beside the result, in terms of the current pages."""
    warnings: tuple[str, ...]
    """Warnings, one sentence each."""

    @property
    def unchanged(self) -> int:
        """Number of old pages that stayed with their person."""
        now = pages_by_person(self.answer)
        return sum(len(pages & now.get(id_, set())) for id_, pages in self.stored.people.items())

    @property
    def summary(self) -> str:
        """The numbers of changes, on one line."""
        return summarise_changes(self.changes, self.unchanged)

    def describe_changes(self, most: int) -> list[str]:
        """The first changes in words, and the number of others; not escaped."""
        return describe_changes(self.changes, self.answer, self.stored.labels, most)

    @property
    def report(self) -> Report:
        """The report of the new result; its notes begin with the changes."""
        pages = count_of(len(self.collected.new), "new page")
        notes = (
            f"Updated with {pages}: {self.summary}",
            *self.describe_changes(_MAX_NOTES),
            *self.warnings,
        )
        before = self.stored.provenance
        last = last_id(self.answer, self.stored.people, before.last_id)
        provenance = replace(before, collections=self.collected.collections, last_id=last)
        return Report(self.answer, notes=notes, provenance=provenance)

    def as_data(self) -> dict[str, Any]:
        """For ``docs/schema/changes.schema.json``."""
        return {
            "name": self.answer.name,
            "new": list(self.collected.new),
            "known": self.collected.known,
            "altered": list(self.collected.changed),
            "gone": list(self.collected.gone),
            "unchanged": self.unchanged,
            "changes": [change_data(each, self.answer) for each in self.changes],
            "model": self.answer.model,
            "signature": self.answer.signature,
        }


def models_of_result(stored: StoredResult) -> ModelSet:
    """The models that made a result.

    Raises:
        ModelError: if they cannot be loaded.
    """
    settings = stored.provenance
    if settings.model:
        return load(stored.folder / settings.model)
    return pretrained(settings.system or DEFAULT_SYSTEM)


def language_of_result(stored: StoredResult) -> str:
    """The selected language pipeline; empty for that of the model.

    Raises:
        LanguageError: if it is in a folder, from which nothing is run without the user's consent.
    """
    name = stored.provenance.language
    if not re.fullmatch(_PACKAGE_PATTERN, name, re.ASCII):
        what = f"the result was made with the language pipeline in {name}"
        remedy = "if you trust it, give it again with --language"
        raise LanguageError(what, where=stored.path, remedy=remedy)
    return name


def update(
    stored: StoredResult,
    collected: CollectedPages,
    models: ModelSet,
    reader: Reader,
    progress: Progress = no_progress,
) -> ResultUpdate:
    """Cluster old and new pages together; nothing is written.

    Args:
        stored: the result.
        collected: its pages and new ones.
        models: see :func:`models_of_result`.
        reader: how to read the pages.
        progress: called with the progress of the work.

    Raises:
        CorrectionsError: if the corrections beside the result are faulty.
    """
    corrections, lost = _read_corrections(stored, collected)
    before = stored.provenance
    answer = cluster(
        collected.search,
        models,
        before.threshold,
        reader,
        corrections=corrections,
        progress=progress,
    )
    kept = keep_ids(answer, stored.people, before.last_id)
    changes = find_changes(stored.people, kept)
    warnings = (*collected.notes, *_page_warnings(collected), *lost)
    if models.digest not in stored.model:
        model = f"the model differs from that of the result ({stored.model})"
        warnings = (*warnings, f"{model}: it changes answers, too")
    return ResultUpdate(stored, collected, kept, changes, corrections, warnings)


def _read_corrections(
    stored: StoredResult, collected: CollectedPages
) -> tuple[Corrections, tuple[str, ...]]:
    """The corrections beside the result, and warnings about missing pages."""
    file = stored.folder / f"{stored.identifier}{CORRECTIONS_SUFFIX}"
    if not file.exists():
        return Corrections(), ()
    return match_pages(read_corrections(file), page_identities(collected.search.pages), file)


def _page_warnings(collected: CollectedPages) -> list[str]:
    """Warnings about old pages that are missing or have changed."""
    fates = (
        (collected.gone, "removed from the result, because they are missing"),
        (collected.changed, "have changed and were read again"),
    )
    return [f"old pages {fate}: {join_items(ranks)}" for ranks, fate in fates if ranks]
