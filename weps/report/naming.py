"""What a person is called in the report, and the link to where the person stands."""

from __future__ import annotations

from weps.report.groups import Group
from weps.report.shown import shown

__all__ = ["chip", "label"]

_LONGEST_TERM = 60


def label(group: Group) -> str:
    """HTML: what a user calls the person, then the terms, set apart; never empty."""
    terms = group.called, *group.portrait.terms
    told = list(filter(None, (shown(term, _LONGEST_TERM) for term in terms)))
    parts = told or [shown(group.plain, _LONGEST_TERM) or "somebody"]
    return " · ".join(f"<bdi>{part}</bdi>" for part in parts)


def chip(group: Group) -> str:
    """HTML: a link to the card of the person, in the person's colour."""
    return f'<a class="chip {group.tone}" href="#{group.anchor}">{label(group)}</a>'
