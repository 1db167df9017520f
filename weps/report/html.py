"""The answer as one self-contained HTML page for people to read.

Everything from the web passes through :mod:`weps.report.shown`; the page's security policy allows
the one style sheet and the one script it carries, by their hashes, and nothing from any network.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from string import Template

from weps.people import Answer, Person
from weps.report.cards import person_card, singles_section
from weps.report.contents import Report
from weps.report.naming import link_to
from weps.report.shown import shown
from weps.report.wording import counted, feature_list, hundredths, measure_words

__all__ = ["as_html"]

_TONES = 6
"""Colours that tell neighbouring people apart; ``report.css`` defines them."""


def as_html(report: Report) -> str:
    """A readable page: the numbers, a card per person, the pages that stand alone."""
    answer, style, script = report.answer, _asset("report.css"), _asset("report.js")
    return Template(_asset("report.html")).substitute(
        policy=_policy(style, script),
        style=style,
        script=script,
        name=shown(answer.name),
        overview="\n".join(filter(None, _overview(report))),
        people="\n".join(_people(answer)),
        model=shown(answer.model, 300),
        signature=shown(answer.signature, 1000),
    )


@cache
def _asset(name: str) -> str:
    return files("weps.report").joinpath(name).read_text("utf-8")


def _policy(style: str, script: str) -> str:
    rules = (
        "default-src 'none'",
        f"style-src '{_hash(style)}'",
        f"script-src '{_hash(script)}'",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return "; ".join(rules)


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _overview(report: Report) -> list[str]:
    return [_figures(report.answer), _strip(report.answer), _scores(report), _notes(report)]


def _figures(answer: Answer) -> str:
    """The numbers: pages, people, singletons; unsure pages and those with a problem if any."""
    pages = [page for person in answer.people for page in person.pages]
    noted = sum(bool(page.note) for page in pages)
    figures = [
        (len(pages), "page", "pages"),
        (len(answer.people), "person", "people"),
        (len(_singles(answer)), "page stands alone", "pages stand alone"),
    ]
    where_any = [
        (len(answer.unsure), "unsure page", "unsure pages"),
        (noted, "page with a problem", "pages with a problem"),
    ]
    figures += [figure for figure in where_any if figure[0]]
    items = (
        f"<li><b>{number:,}</b> {one if number == 1 else many}</li>"
        for number, one, many in figures
    )
    return f'<ul class="figures">{"".join(items)}</ul>'


def _strip(answer: Answer) -> str:
    """A bar as long as all pages, with a part for each person who has several."""
    total = sum(len(person.pages) for person in answer.people)
    parts, start = [], 0
    for person in _groups(answer):
        title = f"{shown(person.label)} ({counted(len(person.pages), 'page')})"
        parts.append(
            f'<a href="#person-{person.id}" class="{_tone(person)}"><title>{title}</title>'
            f'<rect x="{start}" width="{len(person.pages)}" height="10"/></a>'
        )
        start += len(person.pages)
    if not parts:
        return ""
    return (
        f'<svg class="strip" viewBox="0 0 {total} 10" preserveAspectRatio="none" role="group"'
        f' aria-label="Share of the pages by person">{"".join(parts)}</svg>'
    )


def _scores(report: Report) -> str:
    if not report.scores:
        return ""
    items = (
        f"<div><dt>{shown(measure_words(name))}</dt><dd>{hundredths(value)}</dd></div>"
        for name, value in report.scores.items()
    )
    signature = f"<p><code>{shown(report.score_signature, 300)}</code></p>"
    return (
        '<section class="scores"><h2>Score against the key</h2>'
        f"<dl>{''.join(items)}</dl>{signature if report.score_signature else ''}</section>"
    )


def _notes(report: Report) -> str:
    notes = [*report.notes, *_absent(report.answer)]
    items = "".join(f"<li>{shown(note, 1000)}</li>" for note in notes)
    return f'<section class="remarks"><h2>Notes</h2><ul>{items}</ul></section>' if items else ""


def _absent(answer: Answer) -> list[str]:
    """What the pages could not be compared by."""
    if not answer.absent_features:
        return []
    return [f"Not to be had from pages of this form: {feature_list(answer.absent_features)}."]


def _people(answer: Answer) -> list[str]:
    groups, singles = _groups(answer), _singles(answer)
    if not answer.people:
        return ["<p>There are no pages for this name.</p>"]
    links = {person.id: link_to(person) for person in answer.people}
    cards = [person_card(answer, person, links, _tone(person)) for person in groups]
    heading = ["<h2>People with several pages</h2>"] if cards else []
    return [*heading, *cards, singles_section(answer.name, singles, links)]


def _groups(answer: Answer) -> list[Person]:
    """The people who have several pages, those with more first."""
    several = [person for person in answer.people if len(person.pages) > 1]
    return sorted(several, key=lambda person: -len(person.pages))


def _singles(answer: Answer) -> list[Person]:
    """The people who have one page, in order of rank."""
    alone = [person for person in answer.people if len(person.pages) == 1]
    return sorted(alone, key=lambda person: person.pages[0].rank)


def _tone(person: Person) -> str:
    return f"tone-{person.id % _TONES}"
