"""Results brought up to date: their pages collected again with new ones, and clustered together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from weps._files import real_path
from weps._formatting import count_of, join_items
from weps._parallel import Progress, no_progress
from weps.corrections.file import CORRECTIONS_SUFFIX, match_pages, page_identities, read_corrections
from weps.corrections.model import Corrections
from weps.errors import LanguageError, SourceError
from weps.language.sentence_encoder import INSTALLED_ENCODER, NO_ENCODER
from weps.model import ModelChoice, ModelSet
from weps.people.answer import Answer
from weps.pipeline import cluster
from weps.provenance import Collection, page_fingerprint, portable_path
from weps.reading import Reader
from weps.records import HtmlReader, Page, Search, UnreadInput
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
from weps.results.stored import StoredResult
from weps.sources.base import Source, select_names
from weps.sources.collected import is_collected
from weps.sources.opening import open_source


@dataclass(eq=False, slots=True)
class CollectedSource:
    """A source with its own ranks (*there*) and those of the result (*here*)."""

    source: Source
    name: str
    pages: Mapping[int, Page]
    """By rank there."""
    fingerprints: Mapping[int, str]
    """By rank there."""
    unread: tuple[UnreadInput, ...] = ()
    """What could not be read."""
    ranks: dict[int, int] = field(default_factory=dict)
    """Rank there → rank here, of the pages found so far."""
    changed: list[int] = field(default_factory=list)
    """Ranks here."""

    @classmethod
    def read(cls, source: Source, name: str) -> CollectedSource:
        """Read the pages of a name."""
        search = source.search(name)
        pages = {page.rank: page for page in search.pages}
        fingerprints = {rank: page_fingerprint(page) for rank, page in pages.items()}
        return cls(source, name, pages, fingerprints, search.unread)

    def match_pages(self, expected: Mapping[int, int], fingerprints: Mapping[int, str]) -> None:
        """Find the pages of the result again: where they were, elsewhere, changed."""
        wanted = {there: here for there, here in expected.items() if here in fingerprints}
        for there, here in wanted.items():
            if there in self.pages and fingerprints[here] in {"", self.fingerprints[there]}:
                self.ranks[there] = here
        for here in sorted(set(wanted.values()) - set(self.ranks.values())):
            equal = (
                there
                for there, fingerprint in self.fingerprints.items()
                if fingerprint == fingerprints[here] and there not in self.ranks
            )
            if (place := next(equal, None)) is not None:
                self.ranks[place] = here
        missing = set(wanted.values()) - set(self.ranks.values())
        known = {"", *fingerprints.values()}
        for there, here in wanted.items():
            if here in missing and self.fingerprints.get(there, "") not in known:
                self.ranks[there] = here
                self.changed.append(here)

    def add_new_pages(
        self, places: Iterable[CollectedSource], greatest: int
    ) -> tuple[tuple[int, ...], int]:
        """Assign a rank to each new page; also the number of known ones."""
        seen = {place.fingerprints[there] for place in places for there in place.ranks}
        new: list[int] = []
        for there in sorted(set(self.pages) - set(self.ranks)):
            if self.fingerprints[there] not in seen:
                seen.add(self.fingerprints[there])
                greatest = max(greatest + 1, there)
                self.ranks[there] = greatest
                new.append(greatest)
        return tuple(new), len(self.pages) - len(new)

    def collection(self, folder: Path, *, first: bool) -> Collection:
        """How a result in a folder writes it; the first may leave equal ranks out."""
        same = first and all(there == here for there, here in self.ranks.items())
        ranks = None if same else dict(sorted(self.ranks.items()))
        return Collection(portable_path(folder, self.source.root), self.name, ranks)


@dataclass(frozen=True, slots=True)
class CollectedPages:
    """Old and new pages under the ranks that they have in the result."""

    search: Search
    collections: tuple[Collection, ...]
    """The sources of the pages."""
    new: tuple[int, ...]
    """Ranks of the pages that the result does not have yet, ascending."""
    known: int
    """Number of pages of the new source that the result had already."""
    changed: tuple[int, ...]
    """Ranks of pages whose content has changed; they keep their ranks."""
    gone: tuple[int, ...]
    """Ranks of missing pages; they are removed from the result."""
    notes: tuple[str, ...]
    """Faults of the sources, see :meth:`weps.sources.base.Source.warnings`."""


def collect_pages(stored: StoredResult, added: Path, folder: Path) -> CollectedPages:
    """Read the pages of a result again, together with new ones.

    A page is recognised by its fingerprint, at any rank of its source. If another page is
    at its rank, one unknown to the result, it has changed. New pages keep the rank
    of their source if it is above all others, else they are numbered consecutively.

    Args:
        stored: the result.
        added: a source of new pages; it may be a source of the result.
        folder: of the new result.

    Raises:
        SourceError: if a source cannot be read, does not have the name, or has none of the pages
            of the result unchanged.
    """
    places = [_open_collection(collection, stored) for collection in stored.provenance.collections]
    for place, expected in zip(places, _expected_ranks(stored), strict=True):
        place.match_pages(expected, stored.fingerprints)
        if expected and len(place.ranks) == len(place.changed):
            raise _lost_pages_error(
                stored, "all of them are missing or have changed", place.source.root
            )
    place = _new_pages_source(added, stored, places)
    new, known = place.add_new_pages(places, max(stored.fingerprints, default=0))
    every = dict.fromkeys([*places, place])
    used = [each for each in every if each.ranks]
    unread = tuple(dict.fromkeys(each for source in every for each in source.unread))
    pages = {
        here: replace(each.pages[there], rank=here)
        for each in used
        for there, here in each.ranks.items()
    }
    return CollectedPages(
        Search(stored.name, tuple(pages[rank] for rank in sorted(pages)), unread),
        tuple(each.collection(folder, first=each is used[0]) for each in used),
        new=new,
        known=known,
        changed=tuple(sorted(rank for each in places for rank in each.changed)),
        gone=tuple(sorted(set(stored.fingerprints) - set(pages))),
        notes=tuple(note for each in used for note in each.source.warnings(each.name)),
    )


def _expected_ranks(stored: StoredResult) -> list[Mapping[int, int]]:
    """For each source the mapping of ranks there to ranks in the result; by default the rest."""
    collections = stored.provenance.collections
    stated = {rank for each in collections for rank in (each.ranks or {}).values()}
    same = {rank: rank for rank in stored.fingerprints if rank not in stated}
    return [same if each.ranks is None else each.ranks for each in collections]


def _open_collection(collection: Collection, stored: StoredResult) -> CollectedSource:
    where = collection.within(stored.folder)
    try:
        source = open_source(where, collection.name)
        (name,) = select_names(source, [collection.name])
        return CollectedSource.read(source, name)
    except SourceError as error:
        raise _lost_pages_error(stored, error.what, error.where) from None


def _lost_pages_error(stored: StoredResult, why: str, where: object) -> SourceError:
    what = f"the pages of {stored.path.name} cannot be found again: {why}"
    remedy = "put them back, or make the result again with `weps cluster`"
    return SourceError(what, where=where, remedy=remedy)


def _new_pages_source(
    path: Path, stored: StoredResult, places: Iterable[CollectedSource]
) -> CollectedSource:
    """The source of new pages: one that was read already, or another."""
    source = open_source(path, stored.name)
    (name,) = select_names(source, [stored.name])
    for place in places:
        if real_path(place.source.root) == real_path(source.root):
            return place
    return CollectedSource.read(source, name)


def searched_folder(stored: StoredResult) -> Path | None:
    """Where a result has pages that a search downloaded; None if it has none."""
    roots = [(each.within(stored.folder), each.name) for each in stored.provenance.collections]
    places = (place for root, name in roots for place in (root, root / name))
    return next(filter(is_collected, places), None)


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
    html: HtmlReader
    """What read the mark-up of the pages."""

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
        made = replace(before, collections=self.collected.collections, html=self.html)
        provenance = replace(made, last_id=last)
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


def models_of_result(stored: StoredResult, embeddings: str = INSTALLED_ENCODER) -> ModelSet:
    """The models that make a result with this encoder; raises a ModelError if they cannot."""
    settings = stored.provenance
    path = stored.folder / settings.model if settings.model else None
    return ModelChoice(path, settings.system, embeddings, settings.keep_all).load()


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


def embeddings_of_result(stored: StoredResult) -> str:
    """The selected sentence encoder.

    Raises:
        LanguageError: if it is in a folder, which is not read without the user's consent.
    """
    encoder = stored.provenance.embeddings
    if encoder not in {INSTALLED_ENCODER, NO_ENCODER}:
        what = f"the result was made with the sentence encoder in {encoder}"
        remedy = "if you trust it, give it again with --embeddings"
        raise LanguageError(what, where=stored.path, remedy=remedy)
    return encoder


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
    return ResultUpdate(stored, collected, kept, changes, corrections, warnings, reader.html)


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
    return [f"earlier pages {fate}: {join_items(ranks)}" for ranks, fate in fates if ranks]
