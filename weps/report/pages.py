"""The pages of a report: address, saved copy, excerpt, person, and the most similar pages."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from weps._text import PersonName
from weps.people.answer import Answer, PageScore, RelatedPage, SetAsidePage
from weps.people.excerpts import find_mentions
from weps.report.safe_text import CleanText, bounded_text, domain_of, file_link, safe_link
from weps.report.view import Group, pages_by_rank, shared_problem

_LONGEST_EXCERPT = 260


_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True)
class PageLinks:
    """Where a page can be opened."""

    saved: CleanText
    """The saved copy; empty where there is none that browsers show."""
    live: CleanText
    """The page on the web; empty where it has no safe address."""
    domain: str
    path: str
    """The path and the query within the domain, decoded."""
    day: str
    """When the copy was made, as YYYY-MM-DD; empty if unknown."""

    @classmethod
    def of(cls, page: PageScore | SetAsidePage, copies_url: str = "") -> PageLinks:
        """The links to a page.

        Args:
            page: with the path of its file as the report is to link to it.
            copies_url: where the local app shows the copy of a page, up to its rank; empty for a
                report that is opened from disk.
        """
        saved, live = file_link(page.file), safe_link(page.url)
        if copies_url:
            saved = CleanText(f"{copies_url}{page.rank}" if page.file else "")
        parts = urlsplit(live)
        path = unquote(parts.path + (f"?{parts.query}" if parts.query else "")).rstrip("/")
        day = _DAY.match(page.fetched)
        return cls(saved, live, domain_of(page.url), path, day[0] if day else "")


def shown_title(page: PageScore | SetAsidePage) -> CleanText:
    """The title, else the address; never empty."""
    return bounded_text(page.title) or bounded_text(page.url) or CleanText("(no title)")


@dataclass(frozen=True, slots=True)
class NearPage:
    """Another page that a page is probably, or probably not, together with."""

    page: PageScore
    probability: float
    """That both pages are about one person."""
    explained_pair: tuple[int, int] | None
    """Ranks of the two, ascending, if the answer explains the pair."""


@dataclass(frozen=True, slots=True)
class PageRow:
    """A page as the list of pages shows it."""

    page: PageScore
    title: CleanText
    group: Group
    """The person that the page belongs to."""
    alternative: Group | None
    """The person that an unsure page resembles most of all others."""
    links: PageLinks
    excerpt: list[tuple[CleanText, bool]]
    """Parts of the excerpt, and which of them are the name searched for."""
    problem: str
    """What is wrong with this page, unless all pages have the same problem."""
    closest: NearPage | None
    """The most probable page of the same person."""
    rival: NearPage | None
    """The most probable page of another person."""
    copies: list[PageRow] = field(default_factory=list)
    """The person's later pages that are near-duplicates of this one."""


def page_rows(answer: Answer, groups: Sequence[Group], copies_url: str = "") -> list[PageRow]:
    """The pages in order of rank.

    Args:
        answer: the answer.
        groups: of the answer, see :func:`~weps.report.view.groups_of`.
        copies_url: see :meth:`PageLinks.of`.
    """
    pages = pages_by_rank(answer)
    people = {each.person.id: each for each in groups if each.person}
    group_of = {page.rank: people[each.id] for each in answer.people for page in each.pages}
    name = PersonName.parse(answer.name)
    all_have_problem = bool(shared_problem(pages.values()))
    rows: dict[int, PageRow] = {}
    for rank, page in pages.items():
        rows[rank] = PageRow(
            page,
            shown_title(page),
            group_of[rank],
            None if page.nearest is None else people.get(page.nearest),
            PageLinks.of(page, copies_url),
            highlighted(page.excerpt, name),
            "" if all_have_problem else page.note,
            _near_page(page, page.closest, pages, answer.pairs),
            _near_page(page, page.rival, pages, answer.pairs),
        )
        if page.copy_of is not None:
            rows[page.copy_of].copies.append(rows[rank])
    return list(rows.values())


def _near_page(
    page: PageScore,
    near: RelatedPage | None,
    pages: Mapping[int, PageScore],
    explained: Collection[tuple[int, int]],
) -> NearPage | None:
    if near is None:
        return None
    pair = (min(page.rank, near.rank), max(page.rank, near.rank))
    return NearPage(pages[near.rank], near.probability, pair if pair in explained else None)


def highlighted(
    text: str, name: PersonName, longest: int = _LONGEST_EXCERPT
) -> list[tuple[CleanText, bool]]:
    """Split bounded text into parts, each with whether it is a mention of the name."""
    line = bounded_text(text, longest)
    parts, done = [], 0
    for begin, end in find_mentions(line, name):
        parts += [(CleanText(line[done:begin]), False), (CleanText(line[begin:end]), True)]
        done = end
    return [part for part in (*parts, (CleanText(line[done:]), False)) if part[0]]
