"""A result before and after new pages."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from weps._formatting import listed
from weps._parallel import Progress, silent
from weps.corrections.file import ENDING, read_corrections
from weps.corrections.matching import find, marks_of
from weps.corrections.model import Corrections
from weps.errors import LanguageError
from weps.model import DEFAULT, ModelSet, load, packaged
from weps.people.answer import Answer
from weps.pipeline import cluster
from weps.provenance import Provenance
from weps.reading import Reader
from weps.report.view import Report
from weps.report.wording import counted
from weps.results.changes import Change, changes, groups, last_id, stable
from weps.results.changes_text import as_data, lines, summary
from weps.results.collecting import Collected
from weps.results.stored import StoredResult

__all__ = ["Update", "language_of", "models_of", "update"]

_NOTED = 3
"""Changes that the report tells."""
_INSTALLED = r"([a-z]{2,8}_\w{1,80})?"
"""The name of a language pipeline, no folder: loading one runs what is in it."""


@dataclass(frozen=True, slots=True)
class Update:
    """What was, what is, and what is different."""

    stored: StoredResult
    collected: Collected
    answer: Answer
    """With the ids that people had."""
    changes: tuple[Change, ...]
    corrections: Corrections
    """Those beside the result, in terms of the pages that are there now."""
    warnings: tuple[str, ...]
    """What is amiss, one sentence each."""

    @property
    def unchanged(self) -> int:
        """How many old pages are still of the same person."""
        now = groups(self.answer)
        return sum(len(pages & now.get(id_, set())) for id_, pages in self.stored.people.items())

    @property
    def summary(self) -> str:
        """How much happened, on one line."""
        return summary(self.changes, self.unchanged)

    def lines(self, most: int) -> list[str]:
        """The first changes in words, and how many others there are; escape them."""
        return lines(self.changes, self.answer, self.stored.labels, most)

    @property
    def report(self) -> Report:
        """The new result; its notes begin with what changed."""
        pages = counted(len(self.collected.new), "new page")
        notes = (f"Updated with {pages}: {self.summary}", *self.lines(_NOTED), *self.warnings)
        return Report(self.answer, notes=notes, provenance=self._provenance)

    @property
    def _provenance(self) -> Provenance:
        before = self.stored.provenance
        last = last_id(self.answer, self.stored.people, before.last_id)
        return replace(before, collections=self.collected.collections, last_id=last)

    def as_data(self) -> dict[str, Any]:
        """For ``docs/schema/changes.schema.json``."""
        return {
            "name": self.answer.name,
            "new": list(self.collected.new),
            "known": self.collected.known,
            "altered": list(self.collected.changed),
            "gone": list(self.collected.gone),
            "unchanged": self.unchanged,
            "changes": [as_data(each, self.answer) for each in self.changes],
            "model": self.answer.model,
            "signature": self.answer.signature,
        }


def models_of(stored: StoredResult) -> ModelSet:
    """The models that made a result.

    Raises:
        ModelError: if they cannot be had.
    """
    settings = stored.provenance
    if settings.model:
        return load(stored.folder / settings.model)
    return packaged(settings.system or DEFAULT)


def language_of(stored: StoredResult) -> str:
    """The language pipeline that was asked for; empty for that of the model.

    Raises:
        LanguageError: if it is in a folder, from which nothing is run unless a user says so.
    """
    name = stored.provenance.language
    if not re.fullmatch(_INSTALLED, name, re.ASCII):
        what = f"the result was made with the language pipeline in {name}"
        remedy = "if you trust it, say so again with --language"
        raise LanguageError(what, where=stored.path, remedy=remedy)
    return name


def update(
    stored: StoredResult,
    collected: Collected,
    models: ModelSet,
    reader: Reader,
    progress: Progress = silent,
) -> Update:
    """Cluster old and new pages together; nothing is written.

    Args:
        stored: the result.
        collected: its pages and new ones.
        models: see :func:`models_of`.
        reader: how to read the pages.
        progress: hears how far the work has come.

    Raises:
        CorrectionsError: if the corrections beside the result are faulty.
    """
    corrections, lost = _corrections(stored, collected)
    answer = cluster(
        collected.search,
        models,
        stored.provenance.threshold,
        reader,
        corrections=corrections,
        progress=progress,
    )
    kept = stable(answer, stored.people, stored.provenance.last_id)
    warnings = (*collected.notes, *_fates(collected), *lost, *_another_model(stored, models))
    return Update(
        stored, collected, kept, changes(stored.people, kept), corrections, tuple(warnings)
    )


def _corrections(stored: StoredResult, collected: Collected) -> tuple[Corrections, tuple[str, ...]]:
    """What stands beside the result, and what is said of pages that are not there."""
    file = stored.folder / f"{stored.identifier}{ENDING}"
    if not file.exists():
        return Corrections(), ()
    return find(read_corrections(file), marks_of(collected.search.pages), file)


def _fates(collected: Collected) -> list[str]:
    """What became of old pages."""
    told = (
        (collected.gone, "left the result, since not found where the pages were"),
        (collected.changed, "changed and compared as found now"),
    )
    return [f"old pages {fate}: {listed(ranks)}" for ranks, fate in told if ranks]


def _another_model(stored: StoredResult, models: ModelSet) -> list[str]:
    if models.digest in stored.model:
        return []
    return [f"the model is another than before ({stored.model}): it changes answers, too"]
