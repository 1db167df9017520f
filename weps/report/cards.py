"""The parts of the HTML report: cards of people, rows of pages, and why pages are together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from weps.evidence import Evidence
from weps.people import ExplainedMerge, PageScore, Person
from weps.report.shown import domain_of, safe_link, shown, shown_end
from weps.report.wording import certainty, counted, feature_words, percent

__all__ = ["person_card", "singles_section"]

_CHIP = 60
"""Characters of a shared string that are shown."""
_SHORT = 8
"""Pages that are listed in one column."""


def person_card(person: Person, merges: Iterable[ExplainedMerge], tone: str) -> str:
    """The card of a person with several pages.

    Args:
        person: whose card.
        merges: all merges of the answer, strongest first; those of the person are chosen.
        tone: class that gives the card its colour.
    """
    pages = {page.rank: page for page in person.pages}
    own = [merge for merge in merges if set(merge.pages) <= pages.keys()]
    sure = f"{certainty(person.confidence)}, {percent(person.confidence)}"
    return (
        f'<article class="card group {tone}" id="person-{person.id}">\n'
        f'<div class="head"><h3>{_terms(person) or f"Person {person.id}"}</h3>'
        f'<p class="facts"><b>{counted(len(pages), "page")}</b>'
        f' <span title="Probability of the weakest tie that holds the pages together">'
        f"One person: {sure}</span></p></div>\n"
        f"{_list(map(_row, person.pages))}\n"
        f"{_why(own, pages)}</article>"
    )


def singles_section(singles: Sequence[Person]) -> str:
    """The pages that stand alone, each with the label of its person."""
    if not singles:
        return "<h2>Pages that stand alone</h2>\n<p>There are none.</p>"
    rows = (_row(page, _terms(person)) for person in singles for page in person.pages)
    each = "It is" if len(singles) == 1 else "Each is"
    return (
        '<section class="group"><h2>Pages that stand alone</h2>\n'
        f"<p>{counted(len(singles), 'page')}. {each} taken to be about a person whom no other page"
        f' mentions.</p>\n<div class="card">{_list(rows)}</div></section>'
    )


def _terms(person: Person) -> str:
    """The terms of the label, set apart."""
    terms = filter(None, (shown(term, 60) for term in person.label.split(",")))
    return " · ".join(f"<bdi>{term}</bdi>" for term in terms)


def _list(rows: Iterable[str]) -> str:
    """Rows of pages, in two columns if there are many and the window is wide."""
    items = list(rows)
    kind = "pages long" if len(items) > _SHORT else "pages"
    return "\n".join((f'<ul class="{kind}">', *items, "</ul>"))


def _row(page: PageScore, about: str = "") -> str:
    """A page: rank, linked title, where it is, what it is about, what is wrong, how sure."""
    details = (
        ("where", shown_end(domain_of(page.url))),
        ("about", about),
        ("note", page.note and f"Problem: {shown(page.note, 200)}"),
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


def _score(score: float) -> str:
    return (
        '<span class="score"><svg viewBox="0 0 100 6" preserveAspectRatio="none"'
        f' aria-hidden="true"><rect width="{100 * score:.0f}" height="6"/></svg>'
        f"{percent(score)}</span>"
    )


def _why(merges: Sequence[ExplainedMerge], pages: Mapping[int, PageScore]) -> str:
    if not merges:
        return ""
    items = "\n".join(_tie(merge, pages) for merge in merges)
    return (
        f"<details><summary>Why these pages are together"
        f" <small>{counted(len(merges), 'tie')}</small></summary>\n"
        "<p>Each tie joined two groups of pages into one, the strongest first; the last is the"
        f' weakest and sets the confidence.</p>\n<ol class="ties">\n{items}\n</ol></details>'
    )


def _tie(merge: ExplainedMerge, pages: Mapping[int, PageScore]) -> str:
    first, second = (_end(pages[rank]) for rank in merge.pages)
    known: set[str] = set()
    shared = "".join(_evidence(each, known) for each in merge.evidence)
    return (
        f'<li><p class="pair">{first} <span aria-label="and">↔</span> {second}'
        f" <b>{percent(merge.probability)}</b></p>"
        f'<ul class="evidence">{shared or "<li>nothing that stands out</li>"}</ul></li>'
    )


def _end(page: PageScore) -> str:
    return f'<a href="#page-{page.rank}">{page.rank}</a> {shown_end(domain_of(page.url), 30)}'


def _evidence(evidence: Evidence, known: set[str]) -> str:
    """A feature in plain words and the strings shared, as chips; those new are added to known."""
    tidy = (shown(string.strip("· "), _CHIP) for string in evidence.shared)
    fresh = [string for string in dict.fromkeys(tidy) if string and string not in known]
    known.update(fresh)
    chips = " ".join(f"<q>{string}</q>" for string in fresh)
    rest = "the same" if evidence.shared and not fresh else ""
    return f"<li><i>{shown(feature_words(evidence.feature))}</i> <span>{chips or rest}</span></li>"
