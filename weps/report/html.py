"""The answer as one self-contained HTML page for people to read.

Everything from the web passes through :mod:`weps.report.shown`, once; the script shows, hides,
moves and copies what is written here and never makes HTML from text. The page's security policy
allows the one style sheet and the one script it carries, by their hashes, and nothing from any
network.
"""

from __future__ import annotations

from string import Template

from weps.report.assets import frame, policy, script, style
from weps.report.cards import cards
from weps.report.contents import Report
from weps.report.corrected import corrected
from weps.report.groups import groups_of
from weps.report.links import AppLinks, app_bar, app_meta
from weps.report.numbers import numbers
from weps.report.overview import overview
from weps.report.rows import rows
from weps.report.shown import shown
from weps.report.ties import ties
from weps.report.tree import tree, tree_in_words

__all__ = ["AppLinks", "as_html"]


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
