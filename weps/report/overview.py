"""The head of the HTML report: numbers, the share of each person, scores, notes."""

from __future__ import annotations

from collections.abc import Sequence

from weps.people import Answer
from weps.report.contents import Report
from weps.report.groups import Group
from weps.report.rows import note_of_all
from weps.report.shown import shown
from weps.report.wording import counted, feature_list, hundredths, measure_words

__all__ = ["overview"]

_NOTES = 3
"""So many stand in sight; others would push the people and the pages down."""


def overview(report: Report, groups: Sequence[Group]) -> str:
    """HTML: what a reader should know first."""
    people = [each for each in groups if each.person]
    parts = (_figures(report.answer), _strip(people), _scores(report), _notes(report))
    return "\n".join(filter(None, parts))


def _figures(answer: Answer) -> str:
    """The numbers: pages, people, singletons, unsure pages and those with a problem."""
    pages = [page for person in answer.people for page in person.pages]
    singles = sum(len(person.pages) == 1 for person in answer.people)
    noted = sum(bool(page.note) for page in pages)
    figures = (
        ("pages", len(pages), "page", "pages"),
        ("people", len(answer.people), "person", "people"),
        ("singles", singles, "page stands alone", "pages stand alone"),
        ("unsure", len(answer.unsure), "unsure page", "unsure pages"),
    )
    items = "".join(
        f'<li data-figure="{key}" data-one="{one}" data-many="{many}"{"" if number else " hidden"}>'
        f"<b>{number:,}</b> <span>{one if number == 1 else many}</span></li>"
        for key, number, one, many in figures
    )
    problems = (
        f"<li><b>{noted:,}</b> with a problem</li>" if noted and not note_of_all(pages) else ""
    )
    return f'<ul class="figures">{items}{problems}</ul>'


def _strip(people: Sequence[Group]) -> str:
    """A bar as long as all pages, with a part for each person who has several."""
    total = sum(len(each.pages) for each in people)
    parts, start = [], 0
    for each in people:
        if len(each.pages) > 1:
            parts.append(
                f'<rect class="{each.tone}" x="{start}" width="{len(each.pages)}" height="10"/>'
            )
            start += len(each.pages)
    if not parts:
        return ""
    told = f"Share of the pages by person; the largest has {counted(len(people[0].pages), 'page')}"
    return (
        f'<svg id="strip" viewBox="0 0 {total} 10" preserveAspectRatio="none" role="img"'
        f' aria-label="{told}">{"".join(parts)}</svg>'
    )


def _scores(report: Report) -> str:
    if not report.scores:
        return ""
    items = "".join(
        f"<div><dt>{shown(measure_words(name))}</dt><dd>{hundredths(value)}</dd></div>"
        for name, value in report.scores.items()
    )
    signature = f"<p><code>{shown(report.score_signature, 300)}</code></p>"
    return (
        '<details class="scores"><summary>Score against the key</summary>'
        f"<dl>{items}</dl>{signature if report.score_signature else ''}</details>"
    )


def _notes(report: Report) -> str:
    notes = [*report.notes, *_of_all_pages(report.answer), *_absent(report.answer)]
    if not notes:
        return ""
    first, others = (_listed(part) for part in (notes[:_NOTES], notes[_NOTES:]))
    told = counted(len(notes) - _NOTES, "more note")
    more = f"<details><summary>{told}</summary>{others}</details>" if others else ""
    return f'<section class="remarks" id="notes"><h2>Notes</h2>{first}{more}</section>'


def _listed(notes: Sequence[str]) -> str:
    items = "".join(f"<li>{shown(note, 1000)}</li>" for note in notes)
    return f"<ul>{items}</ul>" if items else ""


def _of_all_pages(answer: Answer) -> list[str]:
    """What is wrong with every page."""
    note = note_of_all([page for person in answer.people for page in person.pages])
    return [f"All pages: {note}."] if note else []


def _absent(answer: Answer) -> list[str]:
    """What the pages could not be compared by."""
    if not answer.absent_features:
        return []
    return [f"Not to be had from pages of this form: {feature_list(answer.absent_features)}."]
