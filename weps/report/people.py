"""The cards of the HTML report: one for each group of pages that a reader can look at.

The people, organisations and places named around a person, in the HTML report.
"""

from __future__ import annotations

from collections.abc import Sequence

from weps.people.answer import Answer, ExplainedMerge
from weps.people.description import Named
from weps.report.safe_text import shown
from weps.report.view import Group, label, next_time
from weps.report.wording import certainty, counted, percent

__all__ = ["card", "cards", "names_around"]

_KINDS = {"person": "People", "organisation": "Organisations", "location": "Places"}
_LONGEST = 50


def names_around(names: Sequence[Named]) -> str:
    """HTML: a list by kind; each name says on which pages it stands. Empty without names."""
    parts = (
        f"<dt>{heading}</dt><dd><ul>{''.join(map(_name, told))}</ul></dd>"
        for kind, heading in _KINDS.items()
        if (told := [each for each in names if each.kind == kind])
    )
    lists = "".join(parts)
    return f'<dl class="names">{lists}</dl>' if lists else ""


def _name(named: Named) -> str:
    several = f" <small>{len(named.ranks)}</small>" if len(named.ranks) > 1 else ""
    ranks = " ".join(map(str, named.ranks))
    return (
        f'<li data-kind="{named.kind}" data-ranks="{ranks}">'
        f"<bdi>{shown(named.text, _LONGEST)}</bdi>{several}</li>"
    )


_LONGEST_WORD = 40


def cards(answer: Answer, groups: Sequence[Group]) -> str:
    """HTML: the people, sure ones first, then hidden the groups of other thresholds."""
    sure = [each for each in groups if each.person and not each.person.unsure]
    unsure = [each for each in groups if each.person and each.person.unsure]
    others = [each for each in groups if not each.person]
    return (
        f'<div id="sure">{_cards(answer, sure)}</div>\n'
        f'<section id="unsure"{"" if unsure else " hidden"}><h3>Unsure</h3>\n'
        "<p>More probably in the wrong place than in the right one.</p>"
        f"<div>{_cards(answer, unsure)}</div></section>\n"
        f'<div id="others" hidden>{_cards(answer, others)}</div>'
    )


def _cards(answer: Answer, groups: Sequence[Group]) -> str:
    return "\n".join(card(answer, group) for group in groups)


def card(answer: Answer, group: Group) -> str:
    """HTML: who it is, how sure, what and who stands around, the pages, and why together."""
    kind = "one" if len(group.pages) == 1 else "several"
    return (
        f'<article class="card {kind} {group.tone}" id="{group.anchor}" data-node="{group.node}">'
        f'<h3><a class="choose" href="#{group.anchor}">{label(group)}</a></h3>'
        f'<p class="facts">{_facts(group)}</p>'
        f"{_words(group)}{_around(answer, group)}{_together(answer, group)}</article>"
    )


def _facts(group: Group) -> str:
    """How many pages or which; of the people in the answer, how sure, and their number."""
    pages = counted(len(group.pages), "page")
    if len(group.pages) == 1:
        pages = f"page {group.pages[0].rank}"
    sure = ""
    if group.person:
        sure = f"{certainty(group.person.confidence)}, {percent(group.person.confidence)}"
    number = f" <small>person {group.person.id}</small>" if group.person else ""
    return f'<b>{pages}</b> <span class="sure">{sure}</span>{number}'


def _words(group: Group) -> str:
    words = "</bdi> · <bdi>".join(shown(word, _LONGEST_WORD) for word in group.portrait.words)
    return f'<p class="words"><bdi>{words}</bdi></p>' if words else ""


def _around(answer: Answer, group: Group) -> str:
    query = next_time(answer.name, group)
    told = "".join(
        (
            names_around(group.portrait.names),
            f'<p class="query">{query}</p>' if query else "",
            _ranks(group),
        )
    )
    return f"<details><summary>Around this person</summary>{told}</details>"


def _ranks(group: Group) -> str:
    """Links to the pages; the script makes those of groups that are not in the answer."""
    if len(group.pages) == 1:
        return ""
    pages = group.pages if group.person else ()
    links = " ".join(f'<a href="#page-{page.rank}">{page.rank}</a>' for page in pages)
    return f'<p class="ranks">Pages <span>{links}</span></p>'


def _together(answer: Answer, group: Group) -> str:
    """The merges that made the person, to unfold."""
    if len(group.pages) == 1:
        return ""
    ranks = {page.rank for page in group.pages} if group.person else set()
    held = [merge for merge in answer.merges if merge.held and ranks.issuperset(merge.pages)]
    items = "".join(_merge(answer, merge) for merge in held)
    return (
        '<details class="together"><summary>Why these pages are together'
        f" <small>{counted(len(group.pages) - 1, 'tie')}</small></summary>"
        f"<ol>{items}</ol></details>"
    )


def _merge(answer: Answer, merge: ExplainedMerge) -> str:
    first, second = sorted(merge.pages)
    pair = f"{first} ↔ {second}"
    if (first, second) in answer.pairs:
        pair = f'<a href="#tie-{first}-{second}">{pair}</a>'
    return f"<li>{pair} <b>{percent(merge.probability)}</b></li>"
