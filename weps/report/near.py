"""Why a page stands where it stands, in the HTML report: its closest page and its rival."""

from __future__ import annotations

from collections.abc import Mapping

from weps.people import Answer, Near, PageScore
from weps.report.shown import shown
from weps.report.wording import percent

__all__ = ["why_here"]

_TITLE = 70


def why_here(page: PageScore, pages: Mapping[int, PageScore], answer: Answer) -> str:
    """HTML: to unfold, the closest page of the same person and the nearest of another."""
    return (
        '<details class="why"><summary>Why here</summary>'
        f'<div class="near closest"{_hidden(page.closest)}><p>Closest page of the same person '
        f"{_near(page, page.closest, pages, answer)}</p></div>"
        f'<div class="near rival"{_hidden(page.rival)}><p>Nearest page of another person '
        f"{_near(page, page.rival, pages, answer)}</p></div></details>"
    )


def _hidden(near: Near | None) -> str:
    return "" if near else " hidden"


def _near(
    page: PageScore, near: Near | None, pages: Mapping[int, PageScore], answer: Answer
) -> str:
    """The other page and how probable; the script shows the tie after it."""
    if near is None:
        return "<a></a> <b></b>"
    pair = (min(page.rank, near.rank), max(page.rank, near.rank))
    title = shown(pages[near.rank].title, _TITLE) or "(no title)"
    tie = f' <a class="reason" href="#tie-{pair[0]}-{pair[1]}">why</a>'
    return (
        f'<a href="#page-{near.rank}">{near.rank} {title}</a>'
        f" <b>{percent(near.probability)}</b>{tie if pair in answer.pairs else ''}"
    )
