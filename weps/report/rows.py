"""Rows of pages in the HTML report: rank, title, site, what is wrong, how sure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from weps.people import PageScore
from weps.report.shown import domain_of, safe_link, shown, shown_end
from weps.report.wording import percent

__all__ = ["Links", "page_list", "page_row"]

Links = Mapping[int, str]
"""Person's id → HTML of a link to the person."""

_SHORT = 8
"""Pages that are listed in one column."""


def page_list(rows: Iterable[str]) -> str:
    """Rows of pages, in two columns if there are many and the window is wide."""
    items = list(rows)
    kind = "pages long" if len(items) > _SHORT else "pages"
    return "\n".join((f'<ul class="{kind}">', *items, "</ul>"))


def page_row(page: PageScore, links: Links, about: str = "", query: str = "") -> str:
    """A page: rank, linked title, where it is, whom it is about, what is wrong, how sure."""
    details = (
        ("where", shown_end(domain_of(page.url))),
        ("about", about),
        ("query", query),
        ("note", page.note and f"Problem: {shown(page.note, 200)}"),
        ("unsure", _doubt(page, links)),
    )
    lines = "".join(f'<span class="{kind}">{text}</span>' for kind, text in details if text)
    return (
        f'<li id="page-{page.rank}"{_noted(page)}><span class="rank">{page.rank}</span>'
        f'<span class="what">{_title(page)}{lines}</span>{_score(page.score)}</li>'
    )


def _noted(page: PageScore) -> str:
    return ' class="noted"' if page.note else ""


def _title(page: PageScore) -> str:
    title = shown(page.title) or shown(page.url) or "(no title)"
    link = safe_link(page.url)
    if not link:
        return f'<bdi class="title">{title}</bdi>'
    rel = 'rel="noopener noreferrer nofollow"'
    return f'<a class="title" href="{shown(link, len(link))}" {rel}><bdi>{title}</bdi></a>'


def _doubt(page: PageScore, links: Links) -> str:
    """The badge of an unsure page, and whose it may be."""
    if not page.unsure:
        return ""
    nearest = links.get(page.nearest, "") if page.nearest is not None else ""
    other = f", the nearest is {nearest}" if nearest else ""
    return f'<b class="badge">Unsure</b> may belong to another person{other}'


def _score(score: float) -> str:
    return (
        '<span class="score"><svg viewBox="0 0 100 6" preserveAspectRatio="none"'
        f' aria-hidden="true"><rect width="{100 * score:.0f}" height="6"/></svg>'
        f"{percent(score)}</span>"
    )
