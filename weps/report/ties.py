"""Why pages are together, in the HTML report: each tie with the strings that both sides share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from weps.evidence import Evidence
from weps.people import ExplainedMerge, PageScore
from weps.report.shown import domain_of, shown, shown_end
from weps.report.wording import counted, feature_words, percent

__all__ = ["why"]

_CHIP = 60
"""Characters of a shared string that are shown."""


def why(merges: Sequence[ExplainedMerge], pages: Mapping[int, PageScore]) -> str:
    """The ties of one person, to unfold; empty where there are none.

    Args:
        merges: the person's merges, strongest first.
        pages: the person's pages by rank.
    """
    if not merges:
        return ""
    items = "\n".join(_tie(merge, pages) for merge in merges)
    return (
        f"<details><summary>Why these pages are together"
        f" <small>{counted(len(merges), 'tie')}</small></summary>\n"
        "<p>Each tie made two groups of pages one, the strongest first. The percentage says how"
        " probable it is that the two groups are one person; the two pages named are those that"
        f' show it best.</p>\n<ol class="ties">\n{items}\n</ol></details>'
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
