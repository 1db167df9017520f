"""The answer as one self-contained HTML page for people to read.

Everything from the web passes through :mod:`weps.report.safe_text`, once; the script shows, hides,
moves and copies what is written here and never makes HTML from text. The page's security policy
allows the one style sheet and the one script it carries, by their hashes, and nothing from any
network.

The style sheet, the script and the frame of the HTML report, and the policy that names them.

What users have said, in the HTML report.

The head of the HTML report: numbers, the share of each person, scores, notes.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from string import Template

from weps.corrections.model import Correction, Corrections
from weps.people.answer import Answer
from weps.report.charts import numbers, tree, tree_in_words
from weps.report.evidence import ties
from weps.report.pages import note_of_all, rows
from weps.report.people import cards
from weps.report.safe_text import shown
from weps.report.view import AppLinks, Group, Report, app_bar, app_meta, groups_of
from weps.report.wording import counted, feature_list, hundredths, measure_words

__all__ = ["AppLinks", "as_html", "corrected", "frame", "overview", "policy", "script", "style"]

_STYLES = ("base", "people", "pages", "pictures", "correcting", "print")
_SCRIPTS = (
    "data",
    "cuts",
    "beliefs",
    "ties",
    "people",
    "pages",
    "tree",
    "slider",
    "finding",
    "network",
    "sentences",
    "backends",
    "correcting",
    "start",
)
"""In the order in which they build on each other."""


def frame() -> str:
    """The page with places to fill in, as a :class:`string.Template`."""
    return _read("report.html")


@cache
def style() -> str:
    """The whole style sheet."""
    return "".join(_read(f"{name}.css") for name in _STYLES)


@cache
def script() -> str:
    """The whole script, a module: what it declares is nobody else's."""
    return "".join(_read(f"{name}.js") for name in _SCRIPTS)


@cache
def _read(name: str) -> str:
    return files("weps.report").joinpath("page", name).read_text("utf-8")


def policy(*, connected: bool) -> str:
    """The content security policy: the one style, the one script, nothing from any network.

    Args:
        connected: whether the page may talk to the app that shows it.
    """
    rules = [
        "default-src 'none'",
        f"style-src '{_hash(style())}'",
        f"script-src '{_hash(script())}'",
        "base-uri 'none'",
        f"form-action '{'self' if connected else 'none'}'",
    ]
    return "; ".join([*rules, "connect-src 'self'"] if connected else rules)


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


_WORDS = {
    ("same", 1): "Same person: {}",
    ("different", 2): "Not the same: {} and {}",
    ("split", 2): "Somebody else: {}, not with {}",
    ("move", 3): "Moved: {}, from {} to {}",
    ("confirm", 1): "Confirmed: {}",
    ("confirm", 2): "Confirmed: {}, with {}",
    ("called", 1): "Called {name}: the person of {}",
}
"""By kind and number of groups; the script says the same of what is new."""
_LONGEST = 200


def corrected(corrections: Corrections) -> str:
    """HTML: one item for each correction, oldest first, with its line in a file."""
    return "".join(map(_item, corrections.said))


def _item(correction: Correction) -> str:
    line = shown(str(correction), 100_000)
    return f'<li data-line="{line}">{shown(_words(correction), _LONGEST)}</li>'


def _words(correction: Correction) -> str:
    groups = (", ".join(map(str, group)) for group in correction.groups)
    form = _WORDS[correction.kind, len(correction.groups)]
    return form.format(*groups, name=correction.name)


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


def as_html(report: Report, app: AppLinks | None = None) -> str:
    """A page to read: people on the left, pages on the right, why they are together.

    Args:
        report: the answer, and what else a reader should know.
        app: where the local app takes corrections; None for a page that is opened from disk.
    """
    answer = report.answer
    groups = groups_of(answer)
    return Template(frame()).substitute(
        policy=policy(connected=app is not None),
        meta=app_meta(app),
        bar=app_bar(app),
        style=style(),
        script=script(),
        name=shown(answer.name),
        overview=overview(report, groups),
        people=cards(answer, groups) if answer.people else "<p>There are no pages.</p>",
        rows=rows(answer, groups),
        tree=tree(answer, groups),
        merges=tree_in_words(answer),
        ties=ties(answer),
        said=corrected(answer.corrections),
        numbers=numbers(answer, groups),
        model=shown(answer.model, 300),
        signature=shown(answer.signature, 1000),
    )
