"""Finding the pages that corrections refer to when their ranks have changed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from itertools import count

from weps.corrections.file import one_line, repeated_ranks
from weps.corrections.model import Correction, Corrections, PageIdentity
from weps.errors import CorrectionsError
from weps.provenance import page_fingerprint
from weps.records import Page

__all__ = ["match_pages", "page_identities"]

_MAX_ADDRESS_LENGTH = 500

PageIdentities = Mapping[int, PageIdentity]


def page_identities(pages: Iterable[Page]) -> dict[int, PageIdentity]:
    """Rank → identity of the page."""
    return {
        page.rank: PageIdentity(
            page_fingerprint(page), one_line(page.url)[:_MAX_ADDRESS_LENGTH].rstrip()
        )
        for page in pages
    }


def match_pages(
    corrections: Corrections, pages: PageIdentities, where: object = None
) -> tuple[Corrections, tuple[str, ...]]:
    """The corrections in terms of the current pages, and warnings.

    A page is recognised by its fingerprint, else by an address that no other page has; one that the
    corrections identify in no other way, by its rank. A missing page keeps its identity
    under a rank that no page has: its corrections are kept, and apply again when it is back.

    Args:
        corrections: by ranks as they were.
        pages: of the current pages, see :func:`page_identities`.
        where: the file, for messages.

    Returns:
        The corrections, with the identities of all pages they mention; and one sentence for each
        missing page, with the first line that mentions it.

    Raises:
        CorrectionsError: if one of them refers to a page twice, by its current rank and by an
            earlier one, as its identity shows.
    """
    now = _current_ranks(corrections, pages)
    lost = sorted(corrections.ranks - now.keys())
    rank_of = now | _ranks_of_missing(lost, pages, max((0, *pages, *corrections.ranks)))
    marks = {rank_of[rank]: corrections.pages[rank] for rank in lost if rank in corrections.pages}
    marks |= {rank: pages[rank] for rank in now.values()}
    said = tuple(_renumber(each, rank_of, where) for each in corrections.entries)
    found = replace(corrections, entries=said, pages=dict(sorted(marks.items())))
    return found, tuple(_missing_page_text(rank, corrections) for rank in lost)


def _current_ranks(corrections: Corrections, pages: PageIdentities) -> dict[int, int]:
    """Earlier rank → current rank, of the pages that are not missing."""
    known = {rank: mark for rank, mark in corrections.pages.items() if rank in corrections.ranks}
    has = Counter(mark.url for mark in pages.values())
    now: dict[int, int] = {}
    for tell in (
        lambda rank, mark: (rank, mark.fingerprint),  # several pages may be equal
        lambda _, mark: mark.fingerprint,
        lambda _, mark: mark.url if has[mark.url] == 1 else "",
    ):
        now |= _match_by(_without_ranks(known, now), _without_ranks(pages, now.values()), tell)
    return {rank: rank for rank in corrections.ranks - known.keys() if rank in pages} | now


def _match_by(
    known: PageIdentities, free: PageIdentities, key: Callable[[int, PageIdentity], Hashable]
) -> dict[int, int]:
    """Ranks of known pages → ranks of the free pages with the same key, in order."""
    places, wanted = (_group_by(key, marks) for marks in (free, known))
    return {
        rank: place
        for told, ranks in wanted.items()
        for rank, place in zip(ranks, places.get(told, ()) if told else (), strict=False)
    }


def _group_by(
    key: Callable[[int, PageIdentity], Hashable], marks: PageIdentities
) -> dict[Hashable, list[int]]:
    """Ranks, ascending, by the key of the page."""
    ranks = defaultdict(list)
    for rank in sorted(marks):
        ranks[key(rank, marks[rank])].append(rank)
    return ranks


def _without_ranks(marks: PageIdentities, ranks: Iterable[int]) -> dict[int, PageIdentity]:
    gone = set(ranks)
    return {rank: mark for rank, mark in marks.items() if rank not in gone}


def _ranks_of_missing(lost: Iterable[int], pages: PageIdentities, largest: int) -> dict[int, int]:
    """Ranks for missing pages: their own, or new ones where other pages have these now."""
    unused = count(largest + 1)
    return {rank: next(unused) if rank in pages else rank for rank in lost}


def _renumber(correction: Correction, rank_of: Mapping[int, int], where: object) -> Correction:
    groups = tuple(tuple(sorted(rank_of[rank] for rank in group)) for group in correction.groups)
    if twice := repeated_ranks(groups):
        was = next(rank for rank in correction.ranks if rank_of[rank] == twice[0] != rank)
        what = (
            f"{_line_prefix(correction)}ranks {twice[0]} and {was} mean the same page, "
            f"which was {was} before"
        )
        raise CorrectionsError(what, where=where, remedy="remove one of them from the line")
    return replace(correction, groups=groups)


def _missing_page_text(rank: int, corrections: Corrections) -> str:
    """The warning about a missing page."""
    said = next(each for each in corrections.entries if rank in each.ranks)
    mark = corrections.pages.get(rank)
    page = f"page {rank} ({mark.url})" if mark and mark.url else f"page {rank}"
    return (
        f"{_line_prefix(said)}{page} is not among the pages; the correction is kept "
        "but has no effect: bring the page back, or remove the line"
    )


def _line_prefix(correction: Correction) -> str:
    return f"line {correction.line}: " if correction.line else ""
