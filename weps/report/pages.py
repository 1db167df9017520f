"""The pages in the HTML report: rank, title, address, excerpt, whose it is, how sure, why.

Text from the web with the name that was searched for marked.

Why a page stands where it stands, in the HTML report: its closest page and its rival.
"""

from __future__ import annotations

import html
from collections.abc import Collection, Iterator, Mapping, Sequence
from urllib.parse import unquote, urlsplit

from weps._text import PersonName
from weps.people.answer import Answer, Near, PageScore
from weps.people.excerpts import mentions
from weps.report.safe_text import domain_of, plain, safe_link, shown, shown_end
from weps.report.view import Group, chip, rows_of
from weps.report.wording import percent

__all__ = ["highlighted", "note_of_all", "rows", "why_here"]


def highlighted(text: str, name: PersonName, longest: int = 260) -> str:
    """HTML for a text, cut at the end if it is long, with the name in ``<mark>``."""
    line = plain(text)
    if len(line) > longest:
        line = line[: longest - 1].rstrip() + "…"
    return "".join(_pieces(line, mentions(line, name)))


def _pieces(line: str, spans: list[tuple[int, int]]) -> Iterator[str]:
    done = 0
    for begin, end in spans:
        yield html.escape(line[done:begin])
        yield f"<mark>{html.escape(line[begin:end])}</mark>"
        done = end
    yield html.escape(line[done:])


_TITLE = 70


def why_here(page: PageScore, pages: Mapping[int, PageScore], answer: Answer) -> str:
    """HTML: to unfold, the closest page of the same person and the nearest of another."""
    return (
        '<details class="why"><summary>Why here</summary>'
        f'<div class="near closest"{_hidden(page.closest)}><p>Closest page of the same person '
        f"{_near(page, page.closest, pages, answer)}</p></div>"
        f'<div class="near rival"{_hidden(page.rival)}><p>Nearest page of another person '
        f"{_near(page, page.rival, pages, answer)}</p></div></details>"
    )


def _hidden(near: Near | None) -> str:
    return "" if near else " hidden"


def _near(
    page: PageScore, near: Near | None, pages: Mapping[int, PageScore], answer: Answer
) -> str:
    """The other page and how probable; the script shows the tie after it."""
    if near is None:
        return "<a></a> <b></b>"
    pair = (min(page.rank, near.rank), max(page.rank, near.rank))
    title = shown(pages[near.rank].title, _TITLE) or "(no title)"
    tie = f' <a class="reason" href="#tie-{pair[0]}-{pair[1]}">why</a>'
    return (
        f'<a href="#page-{near.rank}">{near.rank} {title}</a>'
        f" <b>{percent(near.probability)}</b>{tie if pair in answer.pairs else ''}"
    )


_PATH = 60
_HIDDEN = ("", " hidden")


def rows(answer: Answer, groups: Sequence[Group]) -> str:
    """HTML: a list of all pages in order of rank."""
    pages = {page.rank: page for page in rows_of(answer)}
    people = {each.person.id: each for each in groups if each.person}
    whose = {page.rank: each for each in people.values() for page in each.pages}
    name = PersonName.parse(answer.name)
    everywhere = note_of_all(pages.values())
    return "\n".join(
        f'<li class="row {whose[rank].tone}" id="page-{rank}" data-rank="{rank}"{_mark(page)}>'
        f'<span class="rank">{rank}</span><div class="what"><h3>{_title(page)}</h3>'
        f"{_address(page.url)}{_excerpt(page, name)}"
        f'<p class="place">{chip(whose[rank])} {_score(page.score)}{_badges(page, people)}'
        f"{'' if everywhere else _problem(page)}</p>"
        f"{why_here(page, pages, answer)}</div></li>"
        for rank, page in pages.items()
    )


def _mark(page: PageScore) -> str:
    """What tells the page from others, for a file of corrections."""
    return f' data-fingerprint="{shown(page.fingerprint)}"' if page.fingerprint else ""


def _title(page: PageScore) -> str:
    title = shown(page.title) or shown(page.url) or "(no title)"
    link = safe_link(page.url)
    if not link:
        return f'<bdi class="title">{title}</bdi>'
    rel = 'rel="noopener noreferrer nofollow"'
    return f'<a class="title" href="{shown(link, len(link))}" {rel}><bdi>{title}</bdi></a>'


def _address(url: str) -> str:
    """The site, which says whose page it is, and the way to the page within it."""
    site = shown_end(domain_of(url))
    if not site:
        return ""
    parts = urlsplit(safe_link(url))
    path = unquote(parts.path + (f"?{parts.query}" if parts.query else "")).rstrip("/")
    return f'<p class="where"><b>{site}</b><bdi>{shown(path, _PATH)}</bdi></p>'


def _excerpt(page: PageScore, name: PersonName) -> str:
    text = plain(page.excerpt)
    return f'<p class="excerpt">{highlighted(text, name)}</p>' if text else ""


def _score(score: float) -> str:
    return (
        '<span class="score"><svg viewBox="0 0 100 6" preserveAspectRatio="none"'
        f' aria-hidden="true"><rect width="{100 * score:.0f}" height="6"/></svg>'
        f"<span>{percent(score)}</span></span>"
    )


def _badges(page: PageScore, people: Mapping[int, Group]) -> str:
    """What a reader should know: confirmed by somebody, unsure and whose instead."""
    confirmed = f' <b class="badge good"{_HIDDEN[not page.confirmed]}>Confirmed</b>'
    rival = people.get(page.nearest) if page.nearest is not None else None
    other = f" perhaps {chip(rival)}" if rival else ""
    unsure = f'<b class="badge">Unsure</b><span class="else">{other}</span>'
    return f'{confirmed} <span class="doubt"{_HIDDEN[not page.unsure]}>{unsure}</span>'


def _problem(page: PageScore) -> str:
    return f' <span class="note">Problem: {shown(page.note, 200)}</span>' if page.note else ""


def note_of_all(pages: Collection[PageScore]) -> str:
    """What was wrong with all of several pages alike, to be told once; else empty."""
    notes = {page.note for page in pages}
    return notes.pop() if len(notes) == 1 and len(pages) > 1 else ""
