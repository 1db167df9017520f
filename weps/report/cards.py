"""The parts of the HTML report: a card for each person, and the pages that stand alone."""

from __future__ import annotations

from collections.abc import Sequence

from weps.people import Answer, Person
from weps.report.naming import terms
from weps.report.queries import next_time
from weps.report.rows import Links, page_list, page_row
from weps.report.ties import why
from weps.report.wording import certainty, counted, percent

__all__ = ["person_card", "singles_section"]


def person_card(answer: Answer, person: Person, links: Links, tone: str) -> str:
    """The card of a person with several pages.

    Args:
        answer: the name, and all merges, strongest first; those of the person are chosen.
        person: whose card.
        links: to all people.
        tone: class that gives the card its colour.
    """
    pages = {page.rank: page for page in person.pages}
    own = [merge for merge in answer.merges if set(merge.pages) <= pages.keys()]
    rows = (page_row(page, links) for page in person.pages)
    return (
        f'<article class="card group {tone}" id="person-{person.id}">\n'
        f'<div class="head"><h3>{terms(person) or f"Person {person.id}"}</h3>'
        f'<p class="facts">{_facts(person)}</p></div>\n'
        f"{_paragraph(next_time(answer.name, person))}"
        f"{page_list(rows)}\n"
        f"{why(own, pages)}</article>"
    )


def _paragraph(query: str) -> str:
    return f'<p class="query">{query}</p>\n' if query else ""


def singles_section(name: str, singles: Sequence[Person], links: Links) -> str:
    """The pages that stand alone, each with the label of its person and the query for it."""
    if not singles:
        return "<h2>Pages that stand alone</h2>\n<p>There are none.</p>"
    rows = (
        page_row(page, links, terms(person), next_time(name, person))
        for person in singles
        for page in person.pages
    )
    each = "It is" if len(singles) == 1 else "Each is"
    return (
        '<section class="group"><h2>Pages that stand alone</h2>\n'
        f"<p>{counted(len(singles), 'page')}. {each} taken to be about a person whom no other page"
        f' mentions.</p>\n<div class="card">{page_list(rows)}</div></section>'
    )


def _facts(person: Person) -> str:
    """How many pages, how sure, and whether none of them is sure."""
    sure = f"{certainty(person.confidence)}, {percent(person.confidence)}"
    doubt = ' <b class="badge">All pages unsure</b>' if person.unsure else ""
    return f"<b>{counted(len(person.pages), 'page')}</b> <span>Confidence: {sure}</span>{doubt}"
