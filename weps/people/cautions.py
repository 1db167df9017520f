"""Cautions: what is unlike the pages and names that models are trained on.

The training pages are in English, have text, and are 405 of one name at most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice

from weps._formatting import count_of
from weps.language.detection import LANGUAGES, is_mostly_latin
from weps.records import Document

OTHER_SCRIPT = "not in the Latin script"
NO_TEXT = "no text"
_MOST_PAGES = 500
"""Pages of a name for which confidence was measured, rounded up."""
_SAMPLE = 5_000
"""Characters of a page from which its script is told."""
_FEWEST_LETTERS = 20
"""Fewer letters tell nothing about the language."""


def page_caution(document: Document, language: str) -> str:
    """What is unlike the pages of training, empty if nothing is.

    Args:
        document: the page.
        language: its language, see :func:`weps.language.detection.detect_language`.
    """
    text = " ".join((document.title, document.snippet, *document.blocks))[:_SAMPLE]
    letters = sum(1 for _ in islice(filter(str.isalpha, text), _FEWEST_LETTERS))
    if letters < _FEWEST_LETTERS:
        return "" if letters else NO_TEXT
    if language not in {"", "en"}:
        return f"in {LANGUAGES[language]}"
    return "" if is_mostly_latin(text) else OTHER_SCRIPT


def answer_cautions(of_pages: Sequence[str]) -> tuple[str, ...]:
    """Sentences about an answer, from the cautions of its pages."""
    found = []
    if foreign := Counter(each for each in of_pages if each not in {"", NO_TEXT}):
        kinds = ", ".join(f"{number} {kind}" for kind, number in foreign.most_common())
        what = f"not in English ({kinds})" if len(foreign) > 1 else next(iter(foreign))
        found.append(
            f"{count_of(foreign.total(), 'page is', 'pages are')} {what}: confidence was not "
            "evaluated on such pages, so it is no higher there than for the average page."
        )
    if empty := of_pages.count(NO_TEXT):
        found.append(
            f"{count_of(empty, 'page has', 'pages have')} no text: there is nothing to compare, so "
            "confidence is no higher there than for the average page."
        )
    if len(of_pages) > _MOST_PAGES:
        found.append(
            f"There are {len(of_pages):,} pages: confidence was evaluated on names with up to "
            f"{_MOST_PAGES}, and may be too high."
        )
    return tuple(found)
