"""What a person is called in the report, and the link to where the person stands."""

from __future__ import annotations

from weps.people import Person
from weps.report.shown import shown

__all__ = ["link_to", "terms"]

_LONGEST_TERM = 60


def terms(person: Person) -> str:
    """HTML: the terms of the label, set apart; empty where there are none."""
    told = filter(None, (shown(term, _LONGEST_TERM) for term in person.terms))
    return " · ".join(f"<bdi>{term}</bdi>" for term in told)


def link_to(person: Person) -> str:
    """HTML: a link to the card of the person, or to the page of one who has a single page."""
    if len(person.pages) > 1:
        place, plain = f"person-{person.id}", f"Person {person.id}"
    else:
        place, plain = f"page-{person.pages[0].rank}", f"page {person.pages[0].rank}"
    return f'<a class="who" href="#{place}">{terms(person) or plain}</a>'
